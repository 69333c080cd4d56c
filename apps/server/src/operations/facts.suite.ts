import {
  addReading,
  ANALYSIS_GROUPS,
  analyzeCluster,
  type ClusterRecord,
  type ClusterSnapshot,
  instant,
  type JudgedSample,
  openBucket,
  rowsOf,
  seconds,
  shippedPrices,
  totalsOf,
} from '@septet/domain'

// The cluster as text is for tests alone, so it is no part of what the package offers.
import { DRAWN_AT } from '../../../../packages/domain/src/cluster/draw.ts'
import type { ClusterFacts } from '../facts.ts'

const DRAWN: ClusterRecord = { id: 'drawn', name: 'Drawn', kind: 'cluster', createdAt: instant(0) }

/** What is known of a cluster that has not changed for two hours. */
export function factsOf(
  snapshot: ClusterSnapshot,
  samples: readonly JudgedSample[],
  record: ClusterRecord = DRAWN,
): ClusterFacts {
  const rows = Array.from({ length: 24 }, (_, order) => {
    const bucket = openBucket(instant(DRAWN_AT + order * 300_000))
    for (let time = 0; time < 300_000; time += 30_000) {
      addReading(bucket, { at: instant(bucket.at + time), interval: seconds(30), snapshot, samples })
    }
    return rowsOf(bucket)
  }).flat()
  const analysis = analyzeCluster({
    snapshot,
    totals: {
      parts: totalsOf(rows, ANALYSIS_GROUPS.parts),
      trend: totalsOf(rows, ANALYSIS_GROUPS.trend),
      trendSpan: '5m',
      months: [],
      monthsSpan: '1d',
    },
    prices: shippedPrices,
    window: { from: DRAWN_AT, to: instant(DRAWN_AT + 7_200_000) },
    samples,
  })
  return {
    record,
    connection: () => ({ kind: 'connected', lastContact: DRAWN_AT, problems: [] }),
    picture: () => snapshot,
    size: () => undefined,
    samples: () => new Map(samples.map((one) => [one.instance ? `${one.gpu}/gi-${one.instance.id}` : one.gpu, one])),
    idle: () => new Set(),
    targets: () => [],
    problems: () => [],
    asOf: () => DRAWN_AT,
    history: () => undefined,
    analysis: async () => ({ analysis, trendStep: 300 }),
  }
}
