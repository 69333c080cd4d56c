import { type demoFaultsAdd, type demoFaultsList, type InputOf, type OutputOf, notFound } from '@septet/contract'

import type { AnswersOf } from '../answering/answering.ts'

type List = OutputOf<typeof demoFaultsList>

/** What can be made to go wrong in the demo cluster. */
export type DemoFaults = {
  list(): Promise<List>
  add(fault: InputOf<typeof demoFaultsAdd>): Promise<List>
  remove(id: string): Promise<List>
}

/** Without a demo cluster nothing can be made to go wrong. */
export const demoFaultAnswers = ({
  demoFaults,
}: {
  readonly demoFaults?: DemoFaults | undefined
}): AnswersOf<'demoFaults'> => ({
  demoFaultsList: async () => demoFaults?.list() ?? { active: [], kinds: [] },
  demoFaultsAdd: (fault) => needed(demoFaults).add(fault),
  demoFaultsRemove: ({ id }) => needed(demoFaults).remove(id),
})

function needed(faults: DemoFaults | undefined): DemoFaults {
  if (faults !== undefined) return faults
  throw notFound('No demo cluster runs here.', 'Start Septet with SEPTET_DEMO=on.')
}
