import { theLast } from '@septet/domain'

import { savingTotals } from '../operations/recommendations/saving-totals.ts'
import type { Report } from '../operations/report/report.ts'
import { SAMPLE_ANSWERS } from '../operations/sample/sample-answers.ts'
import { sampleSummary, sampleTrend } from '../operations/sample/sample.ts'

const summary = sampleSummary()
const NO_COST = { ...summary, groups: [], total: null }
/** A report of the sample data with little in it. */
export const SAMPLE_REPORT = {
  source: summary.source,
  asOf: null,
  window: null,
  range: '24h',
  madeAt: '2026-11-23T08:00:00.000Z',
  version: '1.2.3',
  scope: { namespaces: null },
  summary,
  trend: sampleTrend(),
  months: { ...summary, months: [], note: '' },
  cost: { namespace: NO_COST, model: NO_COST, pool: NO_COST, lines: null },
  tokens: SAMPLE_ANSWERS.costTokens({ range: theLast('24h'), by: 'workload', split: 'none', zone: 'UTC' }),
  prices: SAMPLE_ANSWERS.pricesUsed({ range: theLast('24h') }),
  partitions: { ...summary, total: 0, nodes: [] },
  workloads: { ...summary, total: 0, workloads: [] },
  waits: SAMPLE_ANSWERS.queueWaits({ range: theLast('24h'), limit: 100 }),
  findings: SAMPLE_ANSWERS.findingsList({ range: theLast('24h') }),
  recommendations: {
    ...summary,
    madeAt: null,
    total: 0,
    dismissed: 0,
    saves: savingTotals([], {}),
    recommendations: [],
    says: [],
  },
  did: null,
  savings: SAMPLE_ANSWERS.savingsList({}),
  quality: SAMPLE_ANSWERS.qualityGet({}),
} as unknown as Report
