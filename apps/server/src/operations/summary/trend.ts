import type { FiguresOf, utilizationTrend } from '@septet/contract'
import type { TimeRange } from '@septet/domain'

import type { ClusterFacts } from '../../facts.ts'
import { answeredFrom, needAnalysis } from '../answering/source.ts'
import { isoOf } from '../answering/view.ts'

/** Utilization per bucket; a bucket without trustworthy measurement stays a gap. */
export async function liveTrend(facts: ClusterFacts, range: TimeRange): Promise<FiguresOf<typeof utilizationTrend>> {
  const { analysis, trendStep } = await needAnalysis(facts, range)
  return {
    ...answeredFrom(facts, analysis.window),
    step: trendStep,
    points: analysis.trend.map((point) => ({
      at: isoOf(point.at),
      busy: point.busy ?? null,
      busyOfAllocated: point.busyOfAllocated ?? null,
      allocated: point.allocation ?? null,
      coverage: point.coverage ?? null,
    })),
    models: analysis.trendByModel.map(({ model, points }) => ({
      model,
      busy: points.map((point) => point?.busy ?? null),
      allocated: points.map((point) => point?.allocation ?? null),
    })),
  }
}
