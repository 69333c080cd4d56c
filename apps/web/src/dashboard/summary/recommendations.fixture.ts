import type { OPERATIONS, FiguresOf, RecommendationView } from '@septet/contract'

import { savingTotals } from '@septet/server/testing/sample'

import { at } from '../figures.fixture.ts'
import { liveSummary } from './summary.fixture.ts'

type List = FiguresOf<(typeof OPERATIONS)['recommendationsList']>

const plain = (own: Pick<RecommendationView, 'id' | 'kind' | 'object' | 'title' | 'message' | 'saving'>) => ({
  ...own,
  rule: { name: own.kind, version: 1 },
  madeAt: null,
  evidence: { query: 'sample data', window: null, samples: null, coverage: null, figures: {} },
  risk: null,
  plan: null,
  dismissed: null,
})

const seconds = { low: 30, high: 600, source: 'assumed' }
const none = (brings: string, because: string): RecommendationView['saving'] => ({ kind: 'none', brings, because })

/** A change with everything behind it: a node that nobody holds. */
const removal: RecommendationView = {
  ...plain({
    id: 'remove-node-1',
    kind: 'remove-node',
    object: 'node/gpu-b',
    title: 'Remove gpu-b and its 4 GPUs',
    message: 'Over 7 days 100% of it was unallocated, and nothing waits for it. Nothing runs on it.',
    saving: {
      kind: 'estimated',
      gpuHoursPerMonth: 2920,
      usdPerMonth: 4200,
      usdPerGpuHour: 1.44,
      priceSource: 'a price list',
      effect: 'bill-reduced',
    },
  }),
  evidence: {
    query: 'node/gpu-b',
    window: { from: at(7 * 86_400), to: at(0) },
    samples: 168,
    coverage: 1,
    figures: { 'unallocated, % of its capacity': 100, 'pods to move': 0 },
  },
  risk: { level: 'low', displaced: [], seconds, overrun: null, confidence: 0.88 },
  plan: {
    id: 'plan-1',
    title: 'Remove gpu-b',
    steps: [
      { number: 1, title: 'Cordon gpu-b', effect: '', displaced: [], seconds, undo: ['Uncordon gpu-b'] },
      { number: 2, title: 'Remove gpu-b; this cannot be undone', effect: '', displaced: [], seconds, undo: [] },
    ],
    bound: 'No pod moves: no plan can do better.',
    refused: [],
    byHand: 'Septet does not apply this kind of change: apply it by hand from the files of the plan.',
  },
}

/** The first three of eleven. */
export const liveRecommendations = (): List => {
  const { source, asOf } = liveSummary()
  const rest = (['share', 'right-size'] as const).map((kind) =>
    plain({
      id: `${kind}-1`,
      kind,
      object: 'node/gpu-c',
      title: `${kind} gpu-c`,
      message: 'Its pods use it by turns.',
      saving: none('frees 3 GPUs', 'Pods on one GPU slow one another down.'),
    }),
  )
  const recommendations = [removal, ...rest]
  const saves = savingTotals(recommendations, {})
  return { source, asOf, window: null, madeAt: at(60), total: 11, dismissed: 0, saves, recommendations, unanswered: [] }
}
