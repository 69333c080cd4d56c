import { totalsOf } from '../analyze/usage-sum.ts'
import type { UsageRow } from '../analyze/usage.ts'
import { ANALYSIS_GROUPS, type AnalysisTotals } from './analyze-cluster.ts'

/** The sums that an analysis of five-minute rows is made of, as a store would give them. */
export const analysisTotals = (rows: readonly UsageRow[]): AnalysisTotals => ({
  parts: totalsOf(rows, ANALYSIS_GROUPS.parts),
  trend: totalsOf(rows, ANALYSIS_GROUPS.trend),
  trendSpan: '5m',
  months: totalsOf(rows, ANALYSIS_GROUPS.months),
  monthsSpan: '5m',
})
