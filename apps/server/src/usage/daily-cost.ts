import {
  cellsOf,
  clampRatio,
  costPeriods,
  daysTouching,
  instant,
  onceFor,
  pricePeriods,
  pricesOf,
  shippedPrices,
  SPAN_SECONDS,
  SEEN_KINDS,
  type CostCell,
  type GpuNode,
  type Instant,
  type PeriodTotals,
  type PriceBook,
  type Ratio,
  type Store,
  type Window,
  type ZonedDay,
} from '@septet/domain'

import type { Namespaces } from '../facts.ts'
import { planWindow, spreadOver, storedContext, type PlanContext, type RangePlan } from './range-plan.ts'
import { readPeriods } from './read-totals.ts'
import { RecentlyUsed } from '../recently-used.ts'

/** One day of a time zone with what was held in it, and by whom. */
export type CostedDay = ZonedDay & {
  /** Share of the day, as far as it has passed, that was seen. */
  readonly seen: Ratio
  /** Whether only longer rows are kept of its edges, whose use is taken to be even. */
  readonly coarse: boolean
  readonly cells: readonly CostCell[]
}

type DaysAsked = {
  readonly cluster: string
  readonly zone: string
  readonly window: Window
  readonly now: Instant
  /** The cluster's nodes, whose labels say what is paid for. */
  readonly nodes: readonly GpuNode[]
  /** Only what was held in these; left out: everything. */
  readonly namespaces?: Namespaces | undefined
}

/**
 * The cost of each day of a zone that a window touches, up to now, oldest first; at the prices in force. Sums of days that
 * are over are read once and kept; of today at most a minute old.
 */
export async function dailyCost(store: Pick<Store, 'usage' | 'prices'>, asked: DaysAsked): Promise<CostedDay[]> {
  const { cluster, zone, window, now } = asked
  const days = daysTouching(zone, window).filter((day) => day.window.from < now)
  const context = await storedContext(store.usage, asked)
  const book: PriceBook = [...(await store.prices.list()), ...shippedPrices]
  const priceOf = pricesOf(book, { cluster, nodes: asked.nodes, at: now })
  const costed: CostedDay[] = []
  // A few at a time: a month of a large fleet must not keep the database from the pipeline.
  for (let first = 0; first < days.length; first += AT_ONCE) {
    const some = days.slice(first, first + AT_ONCE)
    const sums = await Promise.all(some.map((day) => sumsOf(store.usage, { ...asked, day, context, book })))
    for (const [order, day] of some.entries()) {
      const sum = sums[order] ?? NOTHING
      costed.push({
        ...day,
        seen: sum.seen,
        coarse: sum.coarse,
        cells: cellsOf(costPeriods(sum.periods, priceOf)),
      })
    }
  }
  return costed
}

const AT_ONCE = 3
/** Days kept: some months for some views. */
const DAYS_KEPT = 400
const MAX_AGE_MS = 60_000
/** Late samples and reading of the past may still change a day that is over. */
const SETTLED_MS = 6 * 3_600_000
const SETTLED_MAX_AGE_MS = 3_600_000

type DaySums = {
  readonly seen: Ratio
  readonly coarse: boolean
  readonly periods: readonly PeriodTotals[]
}
const NOTHING: DaySums = { seen: clampRatio(0), coarse: false, periods: [] }
type Kept = { readonly readAt: Instant; readonly sums: Promise<DaySums> }
type DayAsked = DaysAsked & { readonly day: ZonedDay; readonly context: PlanContext; readonly book: PriceBook }

const keptDays = onceFor((_usage: Store['usage']) => new RecentlyUsed<Kept>(DAYS_KEPT))

async function sumsOf(usage: Store['usage'], asked: DayAsked): Promise<DaySums> {
  const { cluster, day, namespaces, now, book } = asked
  const days = keptDays(usage)
  const periods = pricePeriods(book, day.window).map(({ from }) => from)
  const key = JSON.stringify([cluster, periods, day.window.to, namespaces ?? 'all'])
  const known = days.get(key)
  const settled = known !== undefined && known.readAt - day.window.to > SETTLED_MS && (await known.sums).seen > 0.99
  if (known !== undefined && now - known.readAt < (settled ? SETTLED_MAX_AGE_MS : MAX_AGE_MS)) return known.sums
  const sums = readSums(usage, asked)
  days.set(key, { readAt: now, sums })
  // A failure must not be kept: it is thrown to anyone who asked, and forgotten.
  sums.catch(() => days.set(key, { readAt: instant(0), sums: Promise.resolve(NOTHING) }))
  return sums
}

async function readSums(usage: Store['usage'], asked: DayAsked): Promise<DaySums> {
  const { cluster, day, namespaces, context, book } = asked
  const plan = planWindow(day.window, context)
  const [periods, seenMs] = await Promise.all([
    readPeriods(usage, { cluster, book, plan, by: DAY_GROUPS, namespaces }),
    seenOf(usage, cluster, plan),
  ])
  const passed = Math.min(day.window.to, context.now) - day.window.from
  return { seen: clampRatio(passed > 0 ? seenMs / passed : 0), coarse: spreadOver(plan) !== undefined, periods }
}

const DAY_GROUPS = ['kind', 'namespace', 'workload', 'model', 'pool', 'machine'] as const

/** Milliseconds of a window that were seen; also of others, for that they held nothing does not make it unseen. */
async function seenOf(usage: Store['usage'], cluster: string, { segments, window }: RangePlan): Promise<number> {
  const buckets = await Promise.all(
    segments.map(async ({ span, window: part }) => {
      const totals = await usage.totals({ cluster, span, window: part, by: ['at'], kinds: SEEN_KINDS })
      return totals.map(({ key }) => {
        const at = Number(key.at)
        return Math.max(0, Math.min(at + SPAN_SECONDS[span] * 1000, window.to) - Math.max(at, window.from))
      })
    }),
  )
  return buckets.flat().reduce((sum, length) => sum + length, 0)
}
