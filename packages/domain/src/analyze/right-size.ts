import type { Ratio } from '../units.ts'

/** Whether a workload would fit a smaller MIG profile of the board it runs on, from its own measured history. */
export type RightSize =
  | { readonly kind: 'oversized'; readonly profile: string; readonly share: Ratio }
  | { readonly kind: 'fits' }
  /** Not enough is known to say. The sentence is shown: "not enough history: 3 h of 24 h". */
  | { readonly kind: 'unknown'; readonly because: string }
