import { RECOMMENDATION_KINDS } from '@septet/domain/action-classes'
import type { OPERATIONS, OutputOf, RecommendationView } from '@septet/contract'
import { estimateWords } from '@septet/contract/estimate-words'
import { z } from 'zod'

import { ABOUT, aboutOf, BARS, CLUSTER, MOST_GPUS, rows, TOTAL } from '../answer-parts.ts'
import { tool } from '../tool.ts'
import { wayBackOf } from '../way-back.ts'

type One = OutputOf<typeof OPERATIONS.recommendationsGet>

const ROW = z.object({
  id: z.string(),
  kind: z.string(),
  object: z.string(),
  title: z.string(),
  message: z.string(),
  saving: z.string(),
  noAmount: z.string().nullable().describe('why it has no amount'),
  usdPerMonth: z.number().nullable(),
  risk: z.string().nullable(),
  displacedPods: z.number(),
  evidence: z.object({ query: z.string(), coverage: z.number().nullable() }),
  byHand: z.string().nullable().describe('why Septet does not apply it; null: it can be proposed'),
  refused: z.array(z.string()).describe('guardrails that refuse it now'),
})

const DETAIL = z.object({
  steps: z.array(z.string()),
  wayBack: z.array(z.string()),
  displaced: z.array(z.string()),
  bound: z.string().nullable(),
  evidence: z.record(z.string(), z.union([z.string(), z.number()])),
  files: z.array(z.string()).describe('names; their text is on the page'),
  gpus: BARS,
})

export const listRecommendations = tool({
  name: 'list_recommendations',
  title: 'Recommendations',
  description:
    'Changes that would remove waste or start waiting work, best first: what it saves (off the bill, or capacity freed), the risk, who is displaced, and what blocks it. With `id` the exact steps, the rollback and the evidence of one. Nothing is changed.',
  toolset: 'read',
  operations: ['recommendationsList', 'recommendationsGet'],
  input: z.strictObject({
    ...CLUSTER,
    kind: z.enum(RECOMMENDATION_KINDS).optional().describe('only this kind'),
    id: z.string().min(1).max(200).optional().describe('one of them, with all its steps'),
    ...rows(10, 50),
  }),
  output: z.object({
    ...ABOUT,
    total: TOTAL,
    recommendations: z.array(ROW),
    detail: DETAIL.nullable().describe('of the one that was asked for by id'),
    unanswered: z.array(z.string()).describe('who idles most without a recommendation, and why'),
  }),
  answer: async ({ cluster, kind, id, limit }, ask) => {
    if (id !== undefined) {
      const one = await ask('recommendationsGet', { cluster, id })
      const { recommendation } = one
      return {
        ...aboutOf(one, '/actions', { recommendation: id }),
        total: 1,
        recommendations: [rowOf(recommendation)],
        detail: detailOf(recommendation, one),
        unanswered: [],
      }
    }
    const list = await ask('recommendationsList', { cluster, kind, limit })
    return {
      ...aboutOf(list, '/actions', { kind }),
      total: list.total,
      recommendations: list.recommendations.map(rowOf),
      detail: null,
      unanswered: list.unanswered.map(
        ({ workload, idleGpuHours, because }) =>
          `${workload}: ${idleGpuHours.toFixed(1)} idle GPU-h in a week. ${because}`,
      ),
    }
  },
})

const rowOf = ({ saving, risk, plan, ...view }: RecommendationView): z.input<typeof ROW> => ({
  ...view,
  saving: estimateWords(saving),
  ...(saving.kind === 'none'
    ? { noAmount: saving.because, usdPerMonth: null }
    : { noAmount: null, usdPerMonth: saving.usdPerMonth }),
  risk: risk?.level ?? null,
  displacedPods: risk?.displaced.length ?? 0,
  byHand: plan?.byHand ?? null,
  refused: plan?.refused.map(({ message }) => message) ?? [],
})

const MOST_STEPS = 40

const detailOf = (
  { plan, risk, evidence }: RecommendationView,
  { files, gpus }: Pick<One, 'files' | 'gpus'>,
): z.input<typeof DETAIL> => ({
  steps: plan?.steps.slice(0, MOST_STEPS).map(({ number, title, effect }) => `${number}. ${title}: ${effect}`) ?? [],
  wayBack: [...wayBackOf(plan?.steps ?? [])].slice(0, MOST_STEPS),
  displaced: risk?.displaced.slice(0, MOST_STEPS) ?? [],
  bound: plan?.bound ?? null,
  evidence: evidence.figures,
  files: files.map(({ path }) => path),
  gpus: gpus.slice(0, MOST_GPUS),
})
