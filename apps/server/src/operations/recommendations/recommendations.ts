import {
  Refusal,
  type InputOf,
  type FiguresOf,
  type OutputOf,
  type recommendationsDismiss,
  type recommendationsList,
  type recommendationsRestore,
} from '@septet/contract'
import { instant, type Recommendation, type RecommendationStore } from '@septet/domain'

import type { ClusterFacts } from '../../facts.ts'
import { recommendationView } from './recommendation-view.ts'
import { answeredFrom } from '../answering/source.ts'
import { isoOf } from '../answering/view.ts'

/** A cluster's recommendations as they are kept, best first, each with the no that a person gave it. */
export async function liveRecommendations(
  facts: ClusterFacts,
  store: RecommendationStore,
  input: InputOf<typeof recommendationsList>,
): Promise<FiguresOf<typeof recommendationsList>> {
  const [set, dismissals] = await Promise.all([store.current(facts.record.id), store.dismissals(facts.record.id)])
  const byId = new Map(dismissals.map((dismissal) => [dismissal.id, dismissal]))
  const views = (set?.recommendations ?? []).map((made) => recommendationView(made, byId.get(made.id)))
  const asked = views.filter(({ kind }) => input.kind === undefined || kind === input.kind)
  const open = asked.filter(({ dismissed }) => dismissed === null)
  const shown = input.dismissed === 'show' ? asked : open
  return {
    ...answeredFrom(facts, undefined),
    madeAt: set === undefined ? null : isoOf(set.madeAt),
    total: open.length,
    dismissed: asked.length - open.length,
    recommendations: shown.slice(0, input.limit),
    unanswered: (set?.unanswered ?? []).map(({ idleHours, idleCost, ...holder }) => ({
      ...holder,
      idleGpuHours: idleHours,
      idleUsd: idleCost ?? null,
    })),
  }
}

/** Keeps a no, with its reason. */
export async function dismissRecommendation(
  facts: ClusterFacts,
  store: RecommendationStore,
  { id, reason, now }: InputOf<typeof recommendationsDismiss> & { readonly now: number },
): Promise<OutputOf<typeof recommendationsDismiss>> {
  await needRecommendation(facts, store, id)
  await store.dismiss({ cluster: facts.record.id, id, reason, at: instant(now) })
  return { dismissed: id, reason, at: isoOf(instant(now)) }
}

/** Takes a no back. */
export async function restoreRecommendation(
  facts: ClusterFacts,
  store: RecommendationStore,
  { id }: InputOf<typeof recommendationsRestore>,
): Promise<OutputOf<typeof recommendationsRestore>> {
  const known = await store.dismissals(facts.record.id)
  if (!known.some((dismissal) => dismissal.id === id)) {
    throw new Refusal(
      'not-found',
      `No recommendation "${id}" was dismissed.`,
      'List the recommendations with dismissed=show to see their ids.',
    )
  }
  await store.restore(facts.record.id, id)
  return { restored: id }
}

/** One recommendation by id, or a refusal that says how to find it. */
export async function needRecommendation(
  facts: ClusterFacts,
  store: RecommendationStore,
  id: string,
): Promise<Recommendation> {
  const set = await store.current(facts.record.id)
  const found = set?.recommendations.find((recommendation) => recommendation.id === id)
  if (found !== undefined) return found
  throw new Refusal(
    'not-found',
    `${facts.record.name} has no recommendation "${id}" now.`,
    'It may have been applied or no longer apply; list the recommendations to see those that do.',
  )
}
