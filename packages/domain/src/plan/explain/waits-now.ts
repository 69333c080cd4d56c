import { followWaits, NO_WAITS, totalsOfWaits } from '../../analyze/waits.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { PriceBook } from '../../cost/price.ts'
import { pricePeriods } from '../../cost/priced-periods.ts'
import { pricesOf } from '../../cost/prices-of.ts'
import { waitLedger, type WaitLedger } from '../../cost/wait-ledger.ts'
import type { Window } from '../../units.ts'
import { judgeWaits } from './wait-verdict.ts'
import { waitersOf } from './waiters.ts'

/**
 * What a single look tells of the waits of a window: of work that waits, what it was told since when; of pods that run, that
 * they waited and not for what.
 */
export function waitsOfSnapshot(
  snapshot: ClusterSnapshot,
  { window, prices }: { readonly window: Window; readonly prices: PriceBook },
): WaitLedger {
  const waiters = waitersOf({ snapshot, judge: judgeWaits(snapshot, new Set()), isKnown: () => false })
  const { stretches } = followWaits(NO_WAITS, { at: snapshot.takenAt, waiters })
  const { cluster, nodes } = snapshot
  const periods = pricePeriods(prices, window).map((period) => ({
    totals: totalsOfWaits(stretches, period),
    priceOf: pricesOf(prices, { cluster, nodes, at: period.from }),
  }))
  const queued = new Set(snapshot.workloads.flatMap(({ id, status }) => (status === 'queued' ? id : [])))
  return waitLedger(periods, (id) => queued.has(id))
}
