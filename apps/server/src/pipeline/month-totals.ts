import {
  ANALYSIS_GROUPS,
  instant,
  type Instant,
  type Span,
  SPAN_SECONDS,
  type UsageStore,
  type UsageTotal,
  type Window,
} from '@septet/domain'

import type { Namespaces } from '../facts.ts'
import { readTotals } from '../usage/read-totals.ts'
import { RecentlyUsed } from '../recently-used.ts'
import { segmentsOf } from '../usage/segments.ts'
import { storedSpans } from '../usage/range-plan.ts'

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
  readonly span: Span = '1d'
  readonly #options: MonthTotalsOptions
  readonly #whole: Known = unread()
  #ofNamespaces = new RecentlyUsed<Known>(SETS_KEPT)

  constructor(options: MonthTotalsOptions) {
    this.#options = options
  }

  /** What is known now, grouped as months are; read again behind the call when it is older than an hour. */
  get(namespaces?: Namespaces): readonly UsageTotal[] {
    const known = this.#knownOf(namespaces)
    const isOld = this.#options.clock() - known.readAt >= READ_EVERY_MS
    if (isOld && known.reading === undefined) {
      known.reading = this.#read(known, namespaces)
        .catch(this.#options.onFailure)
        .finally(() => (known.reading = undefined))
    }
    return known.totals
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

  async #read(known: Known, namespaces: Namespaces | undefined): Promise<void> {
    const { clock, rolledUpTo, onRead } = this.#options
    const now = clock()
    // Set first: a failure is tried again in an hour, and not with every analysis.
    known.readAt = now
    const { ended } = known
    const months = monthsBefore(now, await this.#reachesBackTo())
    const upTo = await rolledUpTo()
    const read: UsageTotal[] = []
    for (const [order, window] of months.entries()) {
      const old = ended.get(window.from)
      const totals = old ?? (await this.#totalsOf(window, namespaces, upTo))
      read.push(...totals)
      // The last day of the month before is rolled up within this one.
      if (order > 1) ended.set(window.from, totals)
    }
    const isNews = known.totals.length !== read.length
    known.totals = read
    if (read.length === 0) known.readAt = now - READ_EVERY_MS + ASK_AGAIN_MS
    if (isNews) onRead()
  }

  #totalsOf(window: Window, namespaces: Namespaces | undefined, rolledUpTo: Instant): Promise<readonly UsageTotal[]> {
    const { cluster, usage } = this.#options
    return readTotals(usage, {
      cluster,
      segments: segmentsOf(window, this.span, rolledUpTo),
      by: ANALYSIS_GROUPS.months,
      stepSeconds: SPAN_SECONDS[this.span],
      namespaces,
    })
  }

  /** When the first row is of; undefined when there is none. */
  async #reachesBackTo(): Promise<Instant | undefined> {
    const { usage, cluster } = this.#options
    const stored = await storedSpans(usage, cluster)
    const from = Object.values(stored).flatMap((window) => (window === undefined ? [] : [window.from]))
    return from.length === 0 ? undefined : instant(Math.min(...from))
  }
}

type Known = {
  totals: readonly UsageTotal[]
  readAt: number
  reading: Promise<unknown> | undefined
  /** Totals of months that cannot change any more, by their first instant. */
  ended: Map<number, readonly UsageTotal[]>
}
const unread = (): Known => ({ totals: [], readAt: 0, reading: undefined, ended: new Map() })

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
