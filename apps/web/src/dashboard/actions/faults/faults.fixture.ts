import { invalidInput } from '@septet/contract'

import type { Answer, Answers } from '../../septet.fake.ts'

type Faults = Answer<'demoFaultsList'>

const KINDS: Faults['kinds'] = [
  { kind: 'mig-stuck-pending', says: 'The next MIG change stays pending for ever.', takes: ['node', 'times'] },
  { kind: 'mig-failed', says: 'The next MIG change fails.', takes: ['node', 'times'] },
  { kind: 'node-vanishes', says: 'The node goes at once.', takes: ['node'] },
  { kind: 'config-race', says: 'Someone else writes the ConfigMap first.', takes: ['times'] },
]
const NO_NODE = invalidInput(
  'The demo cluster refused that: node-vanishes needs a node.',
  'The list of faults shows what each one accepts.',
)

/** A demo cluster that takes faults as the real one does: a node that vanishes has to be named. */
export function faultsFixture(): Answers {
  let active: Faults['active'] = []
  const list = (): Faults => ({ active, kinds: KINDS })
  return {
    demoFaultsList: list,
    demoFaultsAdd: (fault) => {
      if (fault.kind === 'node-vanishes' && fault.node === undefined) return NO_NODE
      active = [...active, { ...fault, id: `fault-${active.length + 1}`, times: 1 }]
      return list()
    },
    demoFaultsRemove: (gone) => {
      active = active.filter(({ id }) => id !== gone.id)
      return list()
    },
  }
}
