import type { Log } from '@septet/domain'

import { repeat, type Repeating } from '../pipeline/repeat.ts'
import { SavingsKeeper, type KeeperOptions } from '../savings/savings-keeper.ts'

/** How soon after an approval what was held before it is kept. */
const EVERY_MS = 60_000

/** Keeps what the actions of one cluster save, as long as its pipeline runs. */
export function keepSavings({ log, ...options }: KeeperOptions & { readonly log: Log }): Repeating {
  const keeper = new SavingsKeeper(options)
  return repeat(() => keeper.turn(), {
    everyMs: EVERY_MS,
    onError: (error) =>
      log.warn('what actions save was not measured', { cluster: options.cluster, error: String(error) }),
  })
}
