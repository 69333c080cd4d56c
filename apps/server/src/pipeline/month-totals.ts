import {
  ANALYSIS_GROUPS,
  instant,
  type Instant,
  type MonthsRead,
  type PeriodTotals,
  priceChanges,
  type PriceBook,
  pricePeriods,
  SPAN_SECONDS,
  type UsageStore,
  type Window,
} from '@septet/domain'

import type { Namespaces } from '../facts.ts'
import { readPeriods } from '../usage/read-totals.ts'
import { RecentlyUsed } from '../recently-used.ts'
import { LoopRecord } from '../repeat.ts'
import { planWindow, storedSpans, type PlanContext, type StoredSpans } from '../usage/range-plan.ts'

export type MonthTotalsOptions = {
  readonly cluster: string
  readonly usage: UsageStore
  readonly clock: () => Instant
  /** When rows were last rolled up. */
  readonly rolledUpTo: () => Promise<Instant>
  /** Called when more was read than was known before. */
  readonly onRead: () => void
  readonly onFailure: (error: unknown) => void
}

/** Months that are read back at most, this one included. */
const MOST_MONTHS = 13
const READ_EVERY_MS = 3_600_000
/** After a look that found nothing, as before the first rows of a new cluster are written. */
const ASK_AGAIN_MS = 30_000
/** Of how many sets of namespaces the months are kept, beside those of the whole cluster. */
const SETS_KEPT = 16

/**
 * The daily sums of the last calendar months (UTC). An analysis takes what is known and never waits: it is read behind it,
 * one month at a time, newest first. Months that have ended do not change and are read once, so that an hour's turn costs
 * one or two months of daily rows however far back the rows reach.
 */
export class MonthTotals {
  readonly #options: MonthTotalsOptions
  /** How the reading of months goes. */
  readonly reads = new LoopRecord('months')
  readonly #whole: Known = unread()
  #ofNamespaces = new RecentlyUsed<Known>(SETS_KEPT)

  constructor(options: MonthTotalsOptions) {
    this.#options = options
  }

  /**
   * What is known now, apart where the prices of a book change; read again behind the call when it is older than an hour,
   * or prices change at other times than they did. Undefined before anything is known.
   */
  get(book: PriceBook, namespaces?: Namespaces): MonthsRead | undefined {
    const known = this.#knownOf(namespaces)
    const isOld = this.#options.clock() - known.readAt >= READ_EVERY_MS || known.changes !== changesOf(book)
    if (isOld && known.reading === undefined) {
      known.reading = this.reads
        .run(() => this.#read(known, { book, namespaces }))
        .catch(this.#options.onFailure)
        .finally(() => (known.reading = undefined))
    }
    return known.read
  }

  /** More of the past is stored: all of it is read again, the old answer stays until then. */
  forget(): void {
    this.#whole.readAt = 0
    // One that is being read keeps the old map: what it learns may be of before.
    this.#whole.ended = new Map()
    this.#ofNamespaces = new RecentlyUsed<Known>(SETS_KEPT)
  }

  #knownOf(namespaces: Namespaces | undefined): Known {
    if (namespaces === undefined) return this.#whole
    const key = JSON.stringify(namespaces)
    const known = this.#ofNamespaces.get(key) ?? unread()
    this.#ofNamespaces.set(key, known)
    return known
  }

  async #read(known: Known, asked: Asked): Promise<void> {
    const { cluster, usage, clock, rolledUpTo, onRead } = this.#options
    const now = clock()
    // Set first: a failure is tried again in an hour, and not with every analysis.
    known.readAt = now
    known.changes = changesOf(asked.book)
    const { ended } = known
    const stored = await storedSpans(usage, cluster)
    const context = { now, stored, rolledUpTo: await rolledUpTo() }
    const read: PeriodTotals[] = []
    for (const [order, window] of monthsBefore(now, firstOf(stored)).entries()) {
      const key = pricePeriods(asked.book, window)
        .map(({ from }) => from)
        .join()
      const periods = ended.get(key) ?? (await this.#periodsOf(window, asked, context))
      read.push(...periods)
      // The last day of the month before is rolled up within this one.
      if (order > 1) ended.set(key, periods)
    }
    const isNews = rowsOf(known.read?.periods ?? []) !== rowsOf(read)
    known.read = { periods: read, upTo: now }
    if (rowsOf(read) === 0) known.readAt = now - READ_EVERY_MS + ASK_AGAIN_MS
    if (isNews) onRead()
  }

  #periodsOf(window: Window, { book, namespaces }: Asked, context: PlanContext): Promise<readonly PeriodTotals[]> {
    const { cluster, usage } = this.#options
    return readPeriods(usage, {
      cluster,
      plan: planWindow(window, context),
      book,
      by: ANALYSIS_GROUPS.months,
      stepSeconds: SPAN_SECONDS['1d'],
      namespaces,
    })
  }
}

type Asked = { readonly book: PriceBook; readonly namespaces: Namespaces | undefined }

type Known = {
  read: MonthsRead | undefined
  readAt: number
  /** When the prices change that it is cut by. */
  changes: string | undefined
  reading: Promise<unknown> | undefined
  /** Periods of months that cannot change any more, by the instants at which they begin. */
  ended: Map<string, readonly PeriodTotals[]>
}
const unread = (): Known => ({
  read: undefined,
  readAt: 0,
  changes: undefined,
  reading: undefined,
  ended: new Map(),
})

const changesOf = (book: PriceBook): string => priceChanges(book).join()
const rowsOf = (periods: readonly PeriodTotals[]): number => periods.reduce((sum, { totals }) => sum + totals.length, 0)

/** When the first row is of; undefined when there is none. */
function firstOf(stored: StoredSpans): Instant | undefined {
  const from = Object.values(stored).flatMap((window) => (window === undefined ? [] : [window.from]))
  return from.length === 0 ? undefined : instant(Math.min(...from))
}

/** Calendar months (UTC) from the one that holds `now` back to the one that holds `first`, newest first. */
export function monthsBefore(now: Instant, first: Instant | undefined): readonly Window[] {
  if (first === undefined) return []
  const months: Window[] = []
  let to = now
  while (months.length < MOST_MONTHS && to > first) {
    const date = new Date(to - 1)
    const from = instant(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1))
    months.push({ from, to })
    to = from
  }
  return months
}
