import type { Range } from '@septet/contract'
import {
  ANALYSIS_GROUPS,
  analyzeCluster,
  DEFAULT_POLICY,
  shippedPrices,
  SPAN_SECONDS,
  type ClusterSnapshot,
  type Instant,
  type JudgedSample,
  type Store,
} from '@septet/domain'

import type { RangeAnalysis } from '../facts.ts'
import { readTotals } from './read-totals.ts'
import { COARSEST, segmentsOf, windowOf } from './segments.ts'

export type AnalyzeRequest = {
  readonly range: Range
  readonly now: Instant
  readonly store: Store
  readonly snapshot: ClusterSnapshot | undefined
  readonly samples: readonly JudgedSample[]
  /** When rows were last rolled up. */
  readonly rolledUpTo: Instant
}

/** The analysis of one range from what is stored; undefined before the first snapshot. */
export async function analyzeRange(request: AnalyzeRequest): Promise<RangeAnalysis | undefined> {
  const { range, now, store, snapshot, samples, rolledUpTo } = request
  if (snapshot === undefined) return undefined
  const { cluster } = snapshot
  const window = windowOf(range, now)
  const segments = segmentsOf(window, COARSEST[range], rolledUpTo)
  const trendSpan = COARSEST[range]
  const stepSeconds = SPAN_SECONDS[trendSpan]
  const [parts, trend, operatorPrices] = await Promise.all([
    readTotals(store.usage, { cluster, segments, by: ANALYSIS_GROUPS.parts }),
    readTotals(store.usage, { cluster, segments, by: ANALYSIS_GROUPS.trend, stepSeconds }),
    store.prices.list(),
  ])
  const analysis = analyzeCluster({
    snapshot,
    totals: { parts, trend, trendSpan, months: [], monthsSpan: '1d' },
    prices: [...operatorPrices, ...shippedPrices],
    window,
    policy: DEFAULT_POLICY,
    samples,
  })
  return { analysis, trendStep: stepSeconds }
}
