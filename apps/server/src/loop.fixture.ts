import { instant } from '@septet/domain'

import type { LoopState } from './repeat.ts'

/** When the loop is looked at. */
export const NOW = instant(1_000_000_000)

/** A loop that has worked for an hour, and last ten seconds ago. */
export const loop = (more: Partial<LoopState> = {}): LoopState => ({
  name: 'collect',
  everyMs: 15_000,
  since: instant(NOW - 3_600_000),
  turnedAt: instant(NOW - 3_600_000),
  okAt: instant(NOW - 10_000),
  failedAt: undefined,
  because: undefined,
  failures: 0,
  failed: 0,
  tookMs: 200,
  runningSince: undefined,
  ...more,
})
