import {
  ANALYSIS_GROUPS,
  analyzeCluster,
  analyzeNamespaces,
  mergeTotals,
  shippedPrices,
  seconds,
  SPAN_SECONDS,
  type AnalysisPolicy,
  type AnalysisSources,
  type ClusterAnalysis,
  type ClusterSnapshot,
  type Instant,
  type JudgedSample,
  type PriceBook,
  type Store,
  type TimeRange,
} from '@septet/domain'

import type { HistoryProgress, Namespaces, RangeAnalysis } from '../facts.ts'
import type { AnalysisOf } from '../read-model/questions.ts'
import type { MonthTotals } from './month-totals.ts'
import { readPeriods, readTotals } from '../usage/read-totals.ts'
import { planAgain, planRange, spreadOver, type RangePlan, type StoredSpans } from '../usage/range-plan.ts'

export type AnalyzeRequest = {
  readonly range: TimeRange
  readonly now: Instant
  readonly store: Store
  readonly snapshot: ClusterSnapshot | undefined
  readonly samples: readonly JudgedSample[]
  /** When rows were last rolled up. */
  readonly rolledUpTo: Instant
  readonly stored: StoredSpans
  readonly policy: AnalysisPolicy
  /** How far the past is read. */
  readonly history?: HistoryProgress | undefined
  /** Daily sums of the last months, as far as they are known; left out: nothing is said of months. */
  readonly months?: Pick<MonthTotals, 'get'>
}

type Asked = {
  /** The newest analysis of the whole cluster. */
  readonly whole: (range: TimeRange) => Promise<RangeAnalysis | undefined>
  readonly request: () => Promise<AnalyzeRequest>
}

/** An analysis from what is stored: of the whole cluster, or of what some namespaces hold. */
export async function analyze(
  { range, namespaces }: AnalysisOf,
  { whole, request }: Asked,
): Promise<RangeAnalysis | undefined> {
  if (namespaces === undefined) return analyzeRange(await request())
  return analyzeRangeOf(namespaces, await whole(range), await request())
}

/** The analysis of one range from what is stored; undefined before the first snapshot. */
export async function analyzeRange(request: AnalyzeRequest): Promise<RangeAnalysis | undefined> {
  const { range, snapshot } = request
  if (snapshot === undefined) return undefined
  const plan = planRange(range, request)
  const sources = await sourcesOf(request, { snapshot, plan })
  const analysis = { ...analyzeCluster(sources), spread: spreadOver(plan) }
  return { analysis, trendStep: SPAN_SECONDS[plan.trendSpan], madeAt: request.now, history: request.history }
}

/**
 * The same of what some namespaces hold: from their rows alone. Of the whole cluster's analysis, which must be given, only
 * the window and how long the cluster was seen are taken.
 */
export async function analyzeRangeOf(
  namespaces: Namespaces,
  whole: RangeAnalysis | undefined,
  request: AnalyzeRequest,
): Promise<RangeAnalysis | undefined> {
  const { snapshot } = request
  if (snapshot === undefined || whole === undefined) return undefined
  const { window, observed, observedSeconds, spread } = whole.analysis
  const analysis = analyzeNamespaces({
    ...(await sourcesOf(request, { snapshot, plan: planAgain(window, request), namespaces })),
    namespaces: new Set(namespaces),
    observed: { window: observed, seconds: seconds(Math.round(observedSeconds)) },
  })
  return {
    analysis: { ...analysis, spread, months: seenAs(whole.analysis.months, analysis.months) },
    trendStep: whole.trendStep,
    madeAt: whole.madeAt,
    history: whole.history ?? request.history,
  }
}

/** That they held nothing on a day does not make the day unseen: how much of a month is known is known of the whole. */
const seenAs = (
  whole: ClusterAnalysis['months'],
  theirs: ClusterAnalysis['months'],
): readonly ClusterAnalysis['months'][number][] => {
  const known = new Map(theirs.map((point) => [point.month, point]))
  return whole.flatMap((point) => {
    const own = known.get(point.month)
    return own === undefined ? [] : [{ ...point, window: own.window, cost: own.cost }]
  })
}

type Of = { readonly snapshot: ClusterSnapshot; readonly plan: RangePlan; readonly namespaces?: Namespaces }

async function sourcesOf(
  { store, samples, months, policy }: AnalyzeRequest,
  { snapshot, plan, namespaces }: Of,
): Promise<Omit<AnalysisSources, 'observed'>> {
  const { cluster } = snapshot
  const { window, trendSpan, segments } = plan
  const asked = { cluster, namespaces }
  const prices: PriceBook = [...(await store.prices.list()), ...shippedPrices]
  const [periods, trend] = await Promise.all([
    readPeriods(store.usage, { ...asked, plan, book: prices, by: ANALYSIS_GROUPS.parts }),
    readTotals(store.usage, { ...asked, segments, by: ANALYSIS_GROUPS.trend, stepSeconds: SPAN_SECONDS[trendSpan] }),
  ])
  const [whole, ...later] = periods.map(({ totals }) => totals)
  const parts =
    later.length === 0
      ? (whole ?? [])
      : mergeTotals(
          periods.flatMap(({ totals }) => totals),
          ANALYSIS_GROUPS.parts,
        )
  return {
    snapshot,
    totals: { parts, periods, trend, trendSpan, months: months?.get(prices, namespaces) },
    prices,
    window,
    policy,
    samples,
    sizes: (await store.recommendations.current(cluster))?.sizes,
  }
}
