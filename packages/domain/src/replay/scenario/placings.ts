import { fewestGpus, finishFullest, keepUsable, migBestFit } from '../../plan/place/mig-policies.ts'
import type { MigPolicy } from '../../plan/place/mig-policy.ts'
import type { Policy } from '../../plan/policy/policy.ts'
import { septetLearning } from '../../plan/policy/septet.ts'

/**
 * How the GPUs of a model are shared: cut on demand where a policy says, or, without one, cut as they are today. `whole`
 * chooses the nodes of GPUs without MIG, which stay shared as they are.
 */
export type Placing = { readonly words: string; readonly policy: MigPolicy | undefined; readonly whole?: Policy }

export const AS_TODAY: Placing = { words: 'keep today’s layout', policy: undefined }
export const BEST_FIT: Placing = { words: 'fill the fullest GPU', policy: migBestFit }

/**
 * The rules that Septet tries. Today's layout and those that others place by are among them, so it is never behind them
 * on the work that it replays.
 */
export const PLACINGS: readonly Placing[] = [
  AS_TODAY,
  BEST_FIT,
  { words: 'fill the GPU that is easiest to finish', policy: finishFullest },
  { words: 'keep free parts usable', policy: keepUsable },
  { words: 'open as few GPUs as possible', policy: fewestGpus, whole: septetLearning },
]
