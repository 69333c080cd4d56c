import { LIMITS } from 'virtual:limits/actPoliciesPut'

import { limitsAt } from '../../form/limits.ts'
import type { ActionClass, Mode } from './act-policy.ts'

/** What a class of action does, in a sentence. */
export const CLASS_SENTENCES = {
  'reclaim-idle': 'Stops workloads that hold idle GPUs, after warning the owner.',
  'fewer-gpus': 'Reduces replicas, or GPUs per pod, where fewer are enough.',
  repartition: 'Changes MIG layouts so that waiting workloads fit.',
  'mig-mode': 'Turns MIG mode on or off. The node may restart, so each one needs approval.',
  'right-size': 'Moves workloads to a smaller MIG slice that fits their measured peak.',
  share: 'Time-slices one GPU among pods that use it at different times.',
  'remove-node': 'Removes a mostly free node after moving its workloads.',
  appointment: 'Cordons nodes so that GPUs are free at a set time, and reopens them afterwards.',
  reschedule: 'Relaxes placement rules of waiting workloads so that they can start elsewhere.',
} as const satisfies Record<ActionClass, string>

/** What Septet carries out on a cluster, and what it leaves to those who apply files; each the most useful first. */
export const CARRIED_OUT = [
  'reclaim-idle',
  'fewer-gpus',
  'right-size',
  'repartition',
  'mig-mode',
  'remove-node',
  'share',
  'appointment',
] as const
export const BY_HAND = ['reschedule'] as const

export const MODE_NAMES = {
  observe: 'Observe',
  suggest: 'Suggest',
  approve: 'Approve',
  auto: 'Auto',
} as const satisfies Record<Mode, string>

/** What each mode means, from the least to the most. */
export const MODE_SENTENCES = {
  observe: 'No changes.',
  suggest: 'Septet shows the exact change for you to apply.',
  approve: 'Septet applies the change after approval.',
  auto: 'Septet approves and applies within a budget, starting with one node.',
} as const satisfies Record<Mode, string>

export const MODES: readonly Mode[] = ['observe', 'suggest', 'approve', 'auto']

/** What a class can be set to by the contract, and where files are all there is, what shows them; what it is set to stays on offer. */
export function modesOf(kind: ActionClass, now: Mode): readonly Mode[] {
  const { enum: taken = [] } = limitsAt(LIMITS, `policy.modes.${kind}`)
  const offered = BY_HAND.some((each) => each === kind) ? ['observe', 'suggest'] : taken
  return MODES.filter((mode) => mode === now || offered.includes(mode))
}
