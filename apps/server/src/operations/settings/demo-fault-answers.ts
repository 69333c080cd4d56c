import { Refusal, type demoFaultsAdd, type demoFaultsList, type InputOf, type OutputOf } from '@septet/contract'

import type { Answering } from '../answering/answering.ts'

type List = OutputOf<typeof demoFaultsList>

/** What can be made to go wrong in the demo cluster. */
export type DemoFaults = {
  list(): Promise<List>
  add(fault: InputOf<typeof demoFaultsAdd>): Promise<List>
  remove(id: string): Promise<List>
}

/** Without a demo cluster nothing can be made to go wrong. */
export const demoFaultAnswers = (answer: Answering, faults: DemoFaults | undefined) => ({
  demoFaultsList: answer.ofSeptet('demoFaultsList', async () => faults?.list() ?? { active: [], kinds: [] }),
  demoFaultsAdd: answer.ofSeptet('demoFaultsAdd', (fault) => needed(faults).add(fault)),
  demoFaultsRemove: answer.ofSeptet('demoFaultsRemove', ({ id }) => needed(faults).remove(id)),
})

function needed(faults: DemoFaults | undefined): DemoFaults {
  if (faults !== undefined) return faults
  throw new Refusal('not-found', 'No demo cluster runs here.', 'Start Septet with SEPTET_DEMO=on.')
}
