import {
  isIdleKnown,
  learnFleetOverrun,
  recommend,
  shippedPrices,
  workloadsToStudy,
  type ClusterAnalysis,
  type ClusterRecord,
  type ClusterSnapshot,
  type Instant,
  type OverrunModel,
  type Recommendation,
  type RecommendPolicy,
  type Store,
  type UsageRow,
} from '@septet/domain'

import { readActPolicy } from '../act-policies.ts'
import type { Segment } from '../usage/segments.ts'
import type { AdmissionViews } from './admission-views.ts'

export type RecommendRequest = {
  readonly record: ClusterRecord
  readonly snapshot: ClusterSnapshot
  readonly analysis: ClusterAnalysis
  /** Which rows cover the window of the analysis. */
  readonly segments: readonly Segment[]
  readonly policy: RecommendPolicy
}

/** What the past teaches about later peaks changes by the day, and takes seconds to learn. */
const LEARN_EVERY_MS = 3_600_000
/** On a large fleet it takes seconds, in which nothing is collected: it rests for so many times as long. */
const REST_FACTOR = 10
/** A machine that was busy with something else for once is no reason to show old recommendations for long. */
const LONGEST_REST_MS = 60_000

/** Makes a cluster's recommendations again from its newest snapshot and the past of what runs, and keeps them. */
export class Recommender {
  readonly #store: Store
  readonly #admission: AdmissionViews | undefined
  #restUntil = 0
  #previous: readonly Recommendation[] | undefined
  #learned: { readonly at: Instant; readonly rows: number; readonly model: OverrunModel } | undefined

  /** `admission` learns what new pods are judged by, from the same past. */
  constructor(store: Store, admission?: AdmissionViews) {
    this.#store = store
    this.#admission = admission
  }

  /** What the fleet's past taught about later peaks; undefined until enough of it was read. */
  overrun = (): OverrunModel | undefined => this.#learned?.model

  /** Throws what the store throws; the ones before then stay. */
  async keep(request: RecommendRequest): Promise<void> {
    const started = performance.now()
    if (started < this.#restUntil) return
    await this.make(request)
    await this.#admission?.learn({ ...request, overrun: this.overrun() })
    this.#restUntil = performance.now() + Math.min(LONGEST_REST_MS, REST_FACTOR * (performance.now() - started))
  }

  /** Throws what the store throws. */
  async make({ record, snapshot, analysis, segments, policy }: RecommendRequest): Promise<void> {
    const { cluster, takenAt } = snapshot
    const workloads = workloadsToStudy(snapshot, analysis.workloads)
    const read = segments.map(({ span, window }) => this.#store.usage.rows({ cluster, span, window, workloads }))
    const [found, operatorPrices] = await Promise.all([Promise.all(read), this.#store.prices.list()])
    const rows = found.flat()
    // After a restart what was shown before it goes on.
    this.#previous ??= (await this.#store.recommendations.current(cluster))?.recommendations ?? []
    const advice = recommend({
      snapshot,
      analysis,
      window: analysis.window,
      rows,
      prices: [...operatorPrices, ...shippedPrices],
      policy: { ...policy, warning: (await readActPolicy(this.#store.settings, record)).policy.warning },
      overrun: this.#learnedFrom(rows, takenAt),
      previous: this.#previous,
    })
    const isMeasured = analysis.observed !== undefined && isIdleKnown(analysis.cost.fleet.hours)
    const judged = { window: analysis.window, isMeasured }
    await this.#store.recommendations.replace(cluster, { madeAt: takenAt, judged, ...advice })
    this.#previous = advice.recommendations
  }

  #learnedFrom(rows: readonly UsageRow[], at: Instant): OverrunModel {
    // Twice as much past as the last time, as while it is first read, is worth learning from at once.
    const isDue = at - (this.#learned?.at ?? 0) >= LEARN_EVERY_MS || rows.length > 2 * (this.#learned?.rows ?? 0)
    if (this.#learned === undefined || isDue) this.#learned = { at, rows: rows.length, model: learnFleetOverrun(rows) }
    return this.#learned.model
  }
}
