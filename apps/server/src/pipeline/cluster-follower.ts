import { filesOf, planOf, startsOf } from './ask-snapshot.ts'
import {
  instant,
  type ClusterRecord,
  type ClusterSnapshot,
  type Instant,
  type Log,
  type ModelSection,
  type Store,
  type TimeRange,
  type WorkloadId,
} from '@septet/domain'

import type { ClusterFacts, CountedTokens, Namespaces, RangeAnalysis, WorkloadDetail } from '../facts.ts'
import { isOutdated, lookedBack } from '../freshness.ts'
import { pack } from '../read-model/pack.ts'
import { ReadModel } from '../read-model/read-model.ts'
import { COARSEST, segmentsOf, windowOf } from '../usage/segments.ts'
import { AnalysisCache } from './analysis-cache.ts'
import { analyze, type AnalyzeRequest } from './analyze.ts'
import { MonthTotals } from './month-totals.ts'
import { PipelineRules } from './pipeline-rules.ts'
import { repeat, type LoopState, type Repeating } from '../repeat.ts'
import { recentSpans, type StoredSpans } from '../usage/range-plan.ts'
import { detailOf } from './workload-detail.ts'
import { keptFor, type KeptFor } from '../recently-used.ts'

export type FollowerParts = {
  readonly record: ClusterRecord
  readonly store: Store
  readonly log: Log
  readonly clock: () => Instant
  /** Called with what another Septet has written since. */
  readonly heard: (sections: readonly ModelSection[]) => void
}

const LOOK_MS = 1000
/** What was decided at another server is gone by here so soon. */
const RULES_MS = 3000
const ANALYSIS_MAX_AGE_MS = 60_000
const SNAPSHOT_MAX_AGE_MS = 60_000
/** So often the store is asked whether a server watches the cluster, and after so long without one it is said, milliseconds. */
const ASK_MS = 5000
const UNWATCHED_MS = 20_000
const STUDIED_OVER = '7d'
/** Nothing here asks the cluster, or its metrics engine. */
const FOLLOWED: CountedTokens = {
  kind: 'unread',
  because: 'Another Septet reads this cluster and its metrics engine. Ask that one what tokens cost.',
}

/**
 * One cluster that another Septet watches: what that one writes into the store is handed on, and what was never asked of
 * it is made from the store: usage, prices and the last snapshot. Nothing here asks the cluster.
 */
export class ClusterFollower {
  readonly #parts: FollowerParts
  readonly #model = new ReadModel()
  readonly #rules: PipelineRules
  readonly #stored: () => Promise<StoredSpans>
  readonly #months: MonthTotals
  readonly #analyses: AnalysisCache
  readonly #snapshot: KeptFor<ClusterSnapshot | undefined>
  #loop: Repeating | undefined
  #ruledAt = -Infinity
  #askedAt = -Infinity
  #ledAt: number
  #isUnwatched = false

  constructor(parts: FollowerParts) {
    const { record, store, clock, log } = parts
    const onFailure = (error: unknown): void =>
      log.warn('a figure could not be made from the store', { cluster: record.id, error: String(error) })
    this.#parts = parts
    this.#ledAt = clock()
    this.#rules = new PipelineRules(store.settings)
    this.#snapshot = keptFor(SNAPSHOT_MAX_AGE_MS, clock)
    this.#stored = recentSpans(store.usage, record.id, clock)
    this.#months = new MonthTotals({
      cluster: record.id,
      usage: store.usage,
      clock,
      rolledUpTo: () => this.#hoursUpTo(),
      onRead: () => undefined,
      onFailure,
    })
    this.#analyses = new AnalysisCache({
      clock,
      maxAgeMs: ANALYSIS_MAX_AGE_MS,
      compute: (of) => analyze(of, { whole: (range) => this.#analysis(range), request: () => this.#request(of.range) }),
      onComputed: () => undefined,
      onFailure,
    })
  }

  start(): void {
    const { log, record } = this.#parts
    const onError = (error: unknown): void =>
      log.warn('the store could not be followed', { cluster: record.id, error: String(error) })
    this.#loop = repeat(() => this.#look(), { name: 'follow', everyMs: LOOK_MS, onError })
  }

  async stop(): Promise<void> {
    await this.#loop?.stop()
  }

  /** How the following itself goes. */
  loops = (): readonly LoopState[] => (this.#loop === undefined ? [] : [this.#loop.state()])

  /** All but what of it is worth an alert, and how it may be changed. */
  facts(): Omit<ClusterFacts, 'judge' | 'outlook'> {
    const model = this.#model
    return {
      record: this.#parts.record,
      connection: () => model.state().connection,
      picture: () => model.picture(),
      size: () => model.state().size,
      samples: model.samples,
      idle: model.idle,
      targets: model.targets,
      problems: () => model.state().problems,
      health: model.health,
      asOf: () => model.state().asOf,
      history: () => model.state().history,
      acting: () => model.state().acting ?? { kind: 'observe' },
      admission: () => model.admission(),
      analysis: (range, namespaces) => this.#analysis(range, namespaces),
      plan: async (question, waiting) => planOf(await this.#lastSnapshot(), question, waiting),
      files: async (plan) => filesOf(await this.#lastSnapshot(), plan),
      start: async (question) => startsOf(await this.#lastSnapshot(), question),
      workload: (id) => this.#workload(id),
      tokens: async () => FOLLOWED,
    }
  }

  async #look(): Promise<void> {
    const { store, record, heard, clock } = this.#parts
    if (Math.abs(clock() - this.#ruledAt) >= RULES_MS) await this.#refreshRules()
    const sections = await store.readModels.read(record.id, this.#model.version())
    this.#model.take(sections)
    if (sections.length > 0) heard(sections)
    if (Math.abs(clock() - this.#askedAt) >= ASK_MS) await this.#askWhoLeads()
  }

  /** Says in the state, which stays as it was otherwise, that no server watches the cluster, and that one does again. */
  async #askWhoLeads(): Promise<void> {
    const { store, record, heard, clock } = this.#parts
    this.#askedAt = clock()
    const isLed = (await store.leads.led()).some(({ cluster }) => cluster === record.id)
    if (isLed) this.#ledAt = clock()
    const isUnwatched = clock() - this.#ledAt >= UNWATCHED_MS
    if (isUnwatched === this.#isUnwatched) return
    this.#isUnwatched = isUnwatched
    const state = this.#model.state()
    const message = `No Septet server watches ${record.name} now, so its figures end at the time shown. Check that a server with SEPTET_ROLE=all runs and reaches the cluster.`
    const problems = [{ code: 'unwatched', message, object: 'api-server' }]
    const { lastContact } = state.connection
    const told = isUnwatched ? { ...state, connection: { kind: 'disconnected', lastContact, problems } } : state
    heard([{ key: 'state', version: 0, bytes: pack(told).bytes }])
  }

  /** As the cluster's own pipeline made it, where that has lately; else made here. */
  async #analysis(range: TimeRange, namespaces?: Namespaces): Promise<RangeAnalysis | undefined> {
    const made = namespaces === undefined ? this.#model.analysis({ range, namespaces }) : undefined
    const isKept = made !== undefined && !isOutdated(lookedBack(range, made), this.#parts.clock())
    return isKept ? made : this.#analyses.get(range, namespaces)
  }

  async #workload(id: WorkloadId): Promise<WorkloadDetail | undefined> {
    const { store, clock } = this.#parts
    const snapshot = await this.#lastSnapshot()
    if (snapshot === undefined) return undefined
    await this.#refreshRules()
    const segments = segmentsOf(windowOf(STUDIED_OVER, clock()), COARSEST[STUDIED_OVER], await this.#hoursUpTo())
    const policy = this.#rules.recommend()
    return detailOf(id, { snapshot, reader: NO_OBJECTS, store, segments, overrun: undefined, policy })
  }

  async #request(range: TimeRange): Promise<AnalyzeRequest> {
    const { store, clock } = this.#parts
    await this.#refreshRules()
    return {
      range,
      now: clock(),
      store,
      snapshot: await this.#lastSnapshot(),
      samples: [...this.#model.samples().values()],
      rolledUpTo: await this.#hoursUpTo(),
      stored: await this.#stored(),
      months: this.#months,
      policy: this.#rules.analysis(),
    }
  }

  /** By other rules the analyses that are kept are wrong, not only old. */
  async #refreshRules(): Promise<void> {
    this.#ruledAt = this.#parts.clock()
    if (await this.#rules.refresh()) this.#analyses.outdate()
  }

  #lastSnapshot(): Promise<ClusterSnapshot | undefined> {
    const { store, record } = this.#parts
    return this.#snapshot.get(record.id, () => store.snapshots.latest(record.id))
  }

  async #hoursUpTo(): Promise<Instant> {
    return (await this.#stored())['1h']?.to ?? instant(0)
  }
}

/** Only the Septet that watches the cluster knows its events and owners. */
const NO_OBJECTS = { objectsOf: () => undefined }
