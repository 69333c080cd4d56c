import type { InputOf, OutputOf, recommendationsGet } from '@septet/contract'
import { instant, type RecommendationStore } from '@septet/domain'

import type { ClusterFacts } from '../../facts.ts'
import { newRun } from '../../new-run.ts'
import { exportedFiles } from './exported-files.ts'
import { plannedGpuViews } from '../fleet/planned-gpu-view.ts'
import { recommendationPast, type PastNeeds } from './recommendation-past.ts'
import { outlookView, recommendationView } from './recommendation-view.ts'
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
  const files = exportedFiles(facts, recommendation.plan, id)
  const [dismissals, past, outlook] = await Promise.all([
    needs.recommendations.dismissals(facts.record.id),
    recommendationPast(facts, recommendation, needs),
    outlookView(facts, newRun(recommendation, NOBODYS)),
  ])
  const dismissal = dismissals.find((each) => each.id === id)
  return {
    ...answeredFrom(facts, undefined),
    recommendation: recommendationView(recommendation, dismissal),
    files,
    gpus: plannedGpuViews(facts, recommendation.gpus ?? []),
    outlook,
    past,
  }
}

/** Nobody has proposed it. */
const NOBODYS = { by: { by: '' }, proposer: 'person', now: instant(0), holdsMs: 0 } as const
