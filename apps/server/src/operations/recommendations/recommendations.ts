import {
  type InputOf,
  type FiguresOf,
  type OutputOf,
  type recommendationsList,
  type recommendationsTotals,
  notFound,
} from '@septet/contract'
import {
  instant,
  type Caller,
  type Recommendation,
  type RecommendationSet,
  type RecommendationStore,
  type Store,
} from '@septet/domain'

import type { ClusterFacts } from '../../facts.ts'
import { outlookView, recommendationView } from './recommendation-view.ts'
import { answeredFrom } from '../answering/source.ts'
import { isoOf } from '../answering/view.ts'
import { advisedRun } from '../../new-run.ts'
import { exportedFiles } from './exported-files.ts'
import { plannedGpuViews } from '../fleet/planned-gpu-view.ts'
import { recommendationPast } from './recommendation-past.ts'
import { unreadWords } from '../../freshness.ts'
import { savingTotals } from './saving-totals.ts'
import { leftOutOfSums } from '../clusters/counted-once.ts'
import type { AnswersOf } from '../answering/answering.ts'

type Needs = {
  readonly store: Pick<Store, 'usage'>
  /** As far as the caller may see them. */
  readonly recommendations: (caller: Caller) => RecommendationStore
  readonly now: () => number
}

/** What would help, and the no that a person gives to some of it. */
export const recommendationAnswers = ({ store, recommendations, now }: Needs): AnswersOf<'recommendations'> => ({
  recommendationsList: (facts, input, { caller }) => liveRecommendations(facts, recommendations(caller), input),
  recommendationsTotals: (input, { caller, seen }) =>
    everyRecommendation(seen.clusters(), recommendations(caller), input),
  /** One recommendation, and its change as files that can be applied by hand. */
  async recommendationsGet(facts, { id }, { caller }) {
    const recommendation = await needRecommendation(facts, recommendations(caller), id)
    const files = await exportedFiles(facts, recommendation.plan, id)
    const [dismissals, past, outlook] = await Promise.all([
      recommendations(caller).dismissals(facts.record.id),
      recommendationPast(facts, recommendation, { usage: store.usage, namespaces: caller.namespaces }),
      outlookView(facts, advisedRun(recommendation, NOBODYS)),
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
  },
  /** Keeps a no, with its reason. */
  async recommendationsDismiss(facts, { id, reason }, { caller }) {
    const [kept, at] = [recommendations(caller), instant(now())]
    await needRecommendation(facts, kept, id)
    await kept.dismiss({ cluster: facts.record.id, id, reason, at })
    return { dismissed: id, reason, at: isoOf(at) }
  },
  /** Takes a no back. */
  async recommendationsRestore(facts, { id }, { caller }) {
    const known = await recommendations(caller).dismissals(facts.record.id)
    if (!known.some((dismissal) => dismissal.id === id)) {
      throw notFound(
        `No recommendation "${id}" was dismissed.`,
        'List the recommendations with dismissed=show to see their ids.',
      )
    }
    await recommendations(caller).restore(facts.record.id, id)
    return { restored: id }
  },
})

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
  const saves = savingTotals(open, {
    unmade: set === undefined ? SOON : undefined,
    unseen: unseenWords(facts, set),
  })
  return {
    ...answeredFrom(facts, undefined),
    madeAt: set === undefined ? null : isoOf(set.madeAt),
    total: open.length,
    dismissed: asked.length - open.length,
    saves,
    recommendations: shown.slice(0, input.limit),
    unanswered: (set?.unanswered ?? []).map(({ idleHours, idleCost, ...holder }) => ({
      ...holder,
      idleGpuHours: idleHours,
      idleUsd: idleCost ?? null,
    })),
  }
}

/** Why finding nothing to save does not mean that there is nothing yet; undefined where all is seen that can be. */
function unseenWords(facts: ClusterFacts, set: RecommendationSet | undefined): string | undefined {
  if (set?.judged === undefined) return undefined
  const { window, isMeasured } = set.judged
  return unreadWords(facts.history(), window) ?? (isMeasured ? undefined : 'Nothing that pods hold is measured yet.')
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
  throw notFound(
    `${facts.record.name} has no recommendation "${id}" now.`,
    'It may have been applied or no longer apply; list the recommendations to see those that do.',
  )
}

/** Nobody has proposed it. */
const NOBODYS = { by: { by: '' }, proposer: 'person', now: instant(0), holdsMs: 0 } as const

/** The open recommendations of all clusters as one list, best first, and what of each cluster is in it. */
async function everyRecommendation(
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
const SOON = 'The first appear about a minute after usage is read.'
