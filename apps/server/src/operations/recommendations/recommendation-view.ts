import type { OutputOf, recommendationsGet, RecommendationView } from '@septet/contract'
import {
  whyByHand,
  stateOf,
  type ActionRun,
  type Dismissal,
  type Plan,
  type Recommendation,
  type Saving,
} from '@septet/domain'

import { stepView } from '@septet/plan-files'

import type { ClusterFacts } from '../../facts.ts'
import { isoOf, windowView } from '../answering/view.ts'

/** A recommendation on the wire, with the no that a person gave it. */
export const recommendationView = (made: Recommendation, dismissal: Dismissal | undefined): RecommendationView => ({
  id: made.id,
  kind: made.kind,
  object: made.object,
  title: made.title,
  message: made.message,
  rule: { ...made.rule },
  madeAt: isoOf(made.madeAt),
  evidence: {
    query: made.evidence.query,
    window: windowView(made.evidence.window),
    samples: made.evidence.samples,
    coverage: made.evidence.coverage,
    figures: { ...made.evidence.figures },
  },
  saving: savingView(made.saving),
  risk: {
    level: made.risk.level,
    displaced: [...made.risk.displaced],
    seconds: { ...made.risk.duration },
    overrun: made.risk.overrun ?? null,
    confidence: made.risk.confidence,
  },
  plan: planView(made.plan),
  dismissed: dismissal === undefined ? null : { reason: dismissal.reason, at: isoOf(dismissal.at) },
})

export function savingView(saving: Saving): RecommendationView['saving'] {
  if (saving.kind === 'none') {
    const { kind, brings, because } = saving
    return { kind, brings, because }
  }
  const { gpuHoursPerMonth, usdPerMonth, price, effect } = saving
  const known = price.kind === 'known' ? price : undefined
  return {
    kind: 'estimated',
    gpuHoursPerMonth,
    usdPerMonth: usdPerMonth ?? null,
    usdPerGpuHour: known?.price ?? null,
    priceSource: known?.source ?? null,
    effect,
  }
}

const planView = (plan: Plan): RecommendationView['plan'] => ({
  ...summaryOf(plan),
  byHand: whyByHand(plan) ?? null,
})

const summaryOf = ({ id, title, steps, bound, refused }: Plan) => ({
  id,
  title,
  steps: steps.map(stepView),
  bound: bound ?? null,
  refused: refused.map((problem) => ({ ...problem })),
})

/** What would come of an approval now, of what nobody has approved. */
export async function outlookView(
  facts: ClusterFacts,
  run: ActionRun,
): Promise<OutputOf<typeof recommendationsGet>['outlook']> {
  const outlook = stateOf(run).state === 'proposed' ? await facts.outlook(run) : undefined
  return { refused: outlook?.refused ?? null, waits: outlook?.waits ?? null }
}
