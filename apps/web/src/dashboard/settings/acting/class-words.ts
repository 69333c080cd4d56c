import { ACT_MODES } from '@septet/domain'
import { ACTION_CLASSES, CLASSES, type ActionClass } from '@septet/domain/action-classes'

import type { Mode } from './act-policy.ts'

const isByHand = (kind: ActionClass): boolean => CLASSES[kind].most === 'suggest'
/** What Septet carries out on a cluster, and what it leaves to those who apply files. */
export const CARRIED_OUT = ACTION_CLASSES.filter((kind) => !isByHand(kind))
export const BY_HAND = ACTION_CLASSES.filter(isByHand)

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

/** What a class can be set to, the least first; what it is set to stays on offer. */
export const modesOf = (kind: ActionClass, now: Mode): readonly Mode[] =>
  ACT_MODES.filter((mode, order) => mode === now || order <= ACT_MODES.indexOf(CLASSES[kind].most))
