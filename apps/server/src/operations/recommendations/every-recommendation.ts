import type { InputOf, OutputOf, recommendationsTotals } from '@septet/contract'
import type { RecommendationStore } from '@septet/domain'

import type { ClusterFacts } from '../../facts.ts'
import { isoOf } from '../answering/view.ts'
import { leftOutOfSums } from '../clusters/counted-once.ts'
import { recommendationView } from './recommendation-view.ts'

/** The open recommendations of all clusters as one list, best first, and what of each cluster is in it. */
export async function everyRecommendation(
  clusters: readonly ClusterFacts[],
  store: RecommendationStore,
  { kind: wanted, limit }: InputOf<typeof recommendationsTotals>,
): Promise<OutputOf<typeof recommendationsTotals>> {
  const leftOut = leftOutOfSums(clusters)
  const each = await Promise.all(
    clusters.map(async ({ record: cluster }) => {
      const because = leftOut.get(cluster.id)
      if (because !== undefined) return { cluster, because, made: [], madeAt: null }
      const [set, dismissals] = await Promise.all([store.current(cluster.id), store.dismissals(cluster.id)])
      if (set === undefined) return { cluster, because: NOT_MADE, made: [], madeAt: null }
      const dismissed = new Set(dismissals.map(({ id }) => id))
      const made = set.recommendations.filter(
        ({ id, kind }) => !dismissed.has(id) && (wanted === undefined || kind === wanted),
      )
      return { cluster, because: undefined, made, madeAt: isoOf(set.madeAt) }
    }),
  )
  // Within a cluster they come best first, and the sort keeps that where two are worth the same.
  const ranked = each
    .flatMap(({ cluster: { id, name }, made }) => made.map((one) => ({ cluster: { id, name }, one })))
    .toSorted((a, b) => b.one.rank - a.one.rank)
  return {
    total: ranked.length,
    recommendations: ranked
      .slice(0, limit)
      .map(({ cluster, one }) => ({ cluster, ...recommendationView(one, undefined) })),
    clusters: each.map(({ cluster: { id, name }, because, made, madeAt }) => ({
      id,
      name,
      madeAt,
      total: because === undefined ? made.length : null,
      leftOut: because ?? null,
    })),
  }
}

const NOT_MADE = 'No recommendation has been made yet.'
