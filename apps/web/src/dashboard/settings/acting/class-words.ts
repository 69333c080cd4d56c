import type { ActionClass, Mode } from './act-policy.ts'

/** What a class of action does, in a sentence. */
export const CLASS_SENTENCES = {
  'reclaim-idle': 'Stops work that holds GPUs and does nothing, after its owner was warned.',
  'fewer-gpus': 'Uses fewer GPUs for work that needs fewer: fewer replicas, or fewer GPUs to a pod.',
  repartition: 'Cuts GPUs into other MIG slices, so that waiting work fits.',
  'mig-mode': 'Changes MIG mode, on or off. The node may restart, so a person decides each one.',
  'right-size': 'Gives work a smaller MIG slice that its measured peaks fit.',
  share: 'Shares one GPU among pods that use it by turns.',
  'remove-node': 'Removes a node that is mostly free, once its work has moved elsewhere.',
  appointment: 'Closes nodes so that GPUs are free at an instant, and opens them when it is over.',
  reschedule: 'Changes where waiting work insists to run, so that it starts elsewhere.',
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
  observe: 'Nothing is changed.',
  suggest: 'Septet shows the exact change, and others make it.',
  approve: 'Septet makes the change once somebody approved it.',
  auto: 'Septet approves it itself, within a budget and one node at first.',
} as const satisfies Record<Mode, string>

/** What a class can be set to; what it is set to already stays on offer. */
export function modesOf(kind: ActionClass, now: Mode): readonly Mode[] {
  const offered = OFFERED[kind]
  return offered.includes(now) ? offered : [...offered, now]
}

const ALL: readonly Mode[] = ['observe', 'suggest', 'approve', 'auto']
const SHOWN: readonly Mode[] = ['observe', 'suggest']
const OFFERED: Readonly<Record<ActionClass, readonly Mode[]>> = {
  'reclaim-idle': ALL,
  'fewer-gpus': ALL,
  repartition: ALL,
  'mig-mode': ['observe', 'suggest', 'approve'],
  'right-size': ALL,
  share: ALL,
  'remove-node': ALL,
  reschedule: SHOWN,
  appointment: ['observe', 'suggest', 'approve'],
}
