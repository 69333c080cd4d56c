import type { FiguresOf, recommendationsList, RecommendationView } from '@septet/contract'

import { SAMPLE_ANSWERED } from '../answering/source.ts'
import { savingTotals } from '../recommendations/saving-totals.ts'

type Saving = RecommendationView['saving']

/** The three tips of the specification's page: a scale-down, a MIG change and a schedule. Fixed, and labeled so. */
export const sampleRecommendations = (): FiguresOf<typeof recommendationsList> => ({
  ...SAMPLE_ANSWERED,
  madeAt: null,
  total: TIPS.length,
  dismissed: 0,
  saves: savingTotals(TIPS, {}),
  recommendations: TIPS,
  unanswered: [],
})

const tip = (own: Pick<RecommendationView, 'id' | 'kind' | 'object' | 'title' | 'message' | 'saving'>) =>
  ({
    ...own,
    rule: { name: 'sample', version: 1 },
    madeAt: null,
    evidence: { query: 'sample data', window: null, samples: null, coverage: null, figures: {} },
    risk: null,
    plan: null,
    dismissed: null,
  }) satisfies RecommendationView

const SCALE_DOWN: Saving = {
  kind: 'estimated',
  gpuHoursPerMonth: null,
  usdPerMonth: 1200,
  usdPerGpuHour: null,
  priceSource: null,
  effect: 'bill-reduced',
}

const TIPS: RecommendationView[] = [
  tip({
    id: 'sample-scale-down',
    kind: 'remove-node',
    object: 'node/gpu-a100-07',
    title: 'Scale down gpu-a100-07',
    message: 'It is 62% utilized and its work fits elsewhere.',
    saving: SCALE_DOWN,
  }),
  tip({
    id: 'sample-mig',
    kind: 'repartition',
    object: 'node/gpu-a100-03',
    title: 'Repartition gpu-a100-03 into smaller MIG instances',
    message: '15% performance gain.',
    saving: { kind: 'none', brings: '15% faster', because: 'A gain in speed, not in money.' },
  }),
  tip({
    id: 'sample-schedule',
    kind: 'reschedule',
    object: 'queue/batch',
    title: 'Move the batch queue to the night',
    message: 'Saves 23 minutes of queue time.',
    saving: { kind: 'none', brings: '−23 min queue', because: 'Time in the queue, not money.' },
  }),
]
