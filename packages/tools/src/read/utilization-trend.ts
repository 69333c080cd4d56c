import { z } from 'zod'

import { ABOUT, aboutOf, CLUSTER, RANGE, SHARE } from '../answer-parts.ts'
import { tool } from '../tool.ts'

const MOST_POINTS = 120

export const utilizationTrendTool = tool({
  name: 'utilization_trend',
  title: 'Utilization over time',
  description:
    'How busy and how allocated the GPUs of a whole cluster were over a range, as a series of at most 120 points (means of neighboring buckets where there were more). A point without trustworthy telemetry is null, never 0. How utilized one namespace, model, pool or node was: cost_breakdown.',
  toolset: 'read',
  operations: ['utilizationTrend'],
  input: z.strictObject({ ...CLUSTER, ...RANGE }),
  output: z.object({
    ...ABOUT,
    stepSeconds: z.number(),
    unit: z.string(),
    points: z
      .array(z.object({ at: z.string(), busy: SHARE, busyOfAllocated: SHARE, allocated: SHARE }))
      .describe('null: not measured, which is not 0'),
  }),
  answer: async ({ cluster, range }, ask) => {
    const trend = await ask('utilizationTrend', { cluster, range })
    const each = Math.max(1, Math.ceil(trend.points.length / MOST_POINTS))
    const groups = Array.from({ length: Math.ceil(trend.points.length / each) }, (_, order) =>
      trend.points.slice(order * each, (order + 1) * each),
    )
    return {
      ...aboutOf(trend, '', { range }),
      stepSeconds: trend.step * each,
      unit: 'share of GPU time, 0 to 1',
      points: groups.map((group) => ({
        at: group[0]?.at ?? '',
        busy: mean(group.map(({ busy }) => busy)),
        busyOfAllocated: mean(group.map(({ busyOfAllocated }) => busyOfAllocated)),
        allocated: mean(group.map(({ allocated }) => allocated)),
      })),
    }
  },
})

/** Of those that are known; null where none is. */
function mean(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return null
  return known.reduce((sum, value) => sum + value, 0) / known.length
}
