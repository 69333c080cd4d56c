import { DRAWN_AT } from '../cluster/draw.fixture.ts'
import { totalsOf } from '../analyze/usage-sum.ts'
import type { UsageRow } from '../analyze/usage.ts'
import { DAY_MS, instant } from '../units.ts'
import { ANALYSIS_GROUPS, type AnalysisTotals } from './analyze-cluster.ts'

const ofDay = (row: UsageRow): UsageRow => ({ ...row, at: instant(Math.floor(row.at / DAY_MS) * DAY_MS) })

/** The sums that an analysis of five-minute rows is made of, as a store would give them. */
export const analysisTotals = (rows: readonly UsageRow[]): AnalysisTotals => ({
  parts: totalsOf(rows, ANALYSIS_GROUPS.parts),
  trend: totalsOf(rows, ANALYSIS_GROUPS.trend),
  trendSpan: '5m',
  months: {
    periods: [{ from: rows[0]?.at ?? DRAWN_AT, totals: totalsOf(rows.map(ofDay), ANALYSIS_GROUPS.months) }],
    upTo: DRAWN_AT,
  },
})
