import { Refusal, type InputOf, type OutputOf, type recommendationsGet } from '@septet/contract'
import { planFiles } from '@septet/plan-files'
import type { RecommendationStore } from '@septet/domain'

import type { ClusterFacts } from '../../facts.ts'
import { plannedGpuViews } from './planned-gpu-view.ts'
import { recommendationPast, type PastNeeds } from './recommendation-past.ts'
import { recommendationView } from './recommendation-view.ts'
import { needRecommendation } from './recommendations.ts'
import { answeredFrom } from '../answering/source.ts'

type DetailNeeds = PastNeeds & { readonly recommendations: RecommendationStore }

/** One recommendation, and its change as files that can be applied by hand. */
export async function liveRecommendation(
  facts: ClusterFacts,
  needs: DetailNeeds,
  { id }: InputOf<typeof recommendationsGet>,
): Promise<OutputOf<typeof recommendationsGet>> {
  const recommendation = await needRecommendation(facts, needs.recommendations, id)
  const snapshot = facts.picture()
  if (snapshot === undefined) {
    throw new Refusal(
      'not-ready',
      `${facts.record.name} was not read yet since Septet started, so the files of "${id}" cannot be written.`,
      'Ask again in a few seconds; the list already shows the steps.',
    )
  }
  const exported = planFiles({ plan: recommendation.plan, snapshot })
  if (exported.kind === 'refused') {
    throw new Refusal(
      'not-ready',
      `The change cannot be written as files: ${exported.because.join(' ')}`,
      'The cluster may have changed since; the next recommendations come within a minute.',
    )
  }
  const [dismissals, past] = await Promise.all([
    needs.recommendations.dismissals(facts.record.id),
    recommendationPast(facts, recommendation, needs),
  ])
  const dismissal = dismissals.find((each) => each.id === id)
  return {
    ...answeredFrom(facts, undefined),
    recommendation: recommendationView(recommendation, dismissal),
    files: exported.files.map((file) => ({ ...file })),
    gpus: plannedGpuViews(facts, recommendation),
    past,
  }
}
