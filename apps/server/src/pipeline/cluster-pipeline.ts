import { setTimeout as delay } from 'node:timers/promises'

import type { ServerEvent } from '@septet/contract'
import {
  instant,
  theLast,
  type ClusterReader,
  type ClusterRecord,
  type ClusterSnapshot,
  type HistoryReader,
  type InferenceReader,
  type Instant,
  type Log,
  type Store,
  type TelemetryReader,
  type WorkloadId,
} from '@septet/domain'

import { filesOf, planOf, startsOf } from './ask-snapshot.ts'
import type { ClusterFacts, PipelineHealth, RangeAnalysis, WorkloadDetail } from '../facts.ts'
import type { Pace } from '../pace.ts'
import type { ReadingFeed } from './agent-feed.ts'
import type { AdmissionViews } from './admission-views.ts'
import { AnalysisCache } from './analysis-cache.ts'
import { analyze, type AnalyzeRequest } from './analyze.ts'
import { Backfill } from './backfill.ts'
import { Collector } from './collect.ts'
import { MonthTotals } from './month-totals.ts'
import type { AnalysisOf } from '../read-model/questions.ts'
import { ReadingTurn } from './reading-turn.ts'
import { Recommender } from './recommend.ts'
import { TokenCounter } from './token-counter.ts'
import { LoopRecord, repeat, type Repeating, type RunRecord } from '../repeat.ts'
import { SourceWatch } from './source-watch.ts'
import { PipelineRules } from './pipeline-rules.ts'
import { RecentUsage } from './recent-usage.ts'
import { Settler } from './settle-hours.ts'
import { SnapshotKeeper } from './snapshot-keeper.ts'
import { notSaved } from './usage-problems.ts'
import { KeptSizes, markStored } from './kept-sizes.ts'
import { COARSEST, segmentsOf, windowOf, type Segment } from '../usage/segments.ts'
import { detailOf } from './workload-detail.ts'
import { recentSpans, type StoredSpans } from '../usage/range-plan.ts'
import { MonthSealer } from '../usage/sealed-months.ts'

export type PipelineParts = {
  readonly record: ClusterRecord
  /** Undefined where no new pods are judged. */
  readonly admission: AdmissionViews | undefined
  readonly reader: ClusterReader
  readonly telemetry: TelemetryReader | undefined
  readonly history: HistoryReader | undefined
  /** Undefined where no metrics engine is asked. */
  readonly inference: InferenceReader | undefined
  /** Where the cluster is read elsewhere; reader and telemetry then tell what it gives. */
  readonly feed: ReadingFeed | undefined
  /** How the queries to its metrics engine go; undefined where none is asked. */
  readonly engine: RunRecord | undefined
  readonly store: Store
  readonly log: Log
  readonly clock: () => Instant
  readonly pace: Pace
  /** How its loops run; by timers when left out. */
  readonly repeat?: typeof repeat
  readonly publish: (event: ServerEvent) => void
  readonly observe: (stage: string, tookMs: number) => void
  /** Called with every analysis that is computed. */
  readonly analyzed: (of: AnalysisOf, analysis: RangeAnalysis) => void
}

const ANALYSIS_MAX_AGE_MS = 10_000
const UPKEEP_SECONDS = 60
/** How often it is looked for readings that were taken elsewhere. */
const FEED_LOOK_MS = 1000
/** What a full day of dashboards asks for first. */
const KEPT_WARM = [theLast('24h'), theLast('7d')]
/** What recommendations look back on. */
const PLANNED_OVER = '7d'

/** One cluster's loop: collect → store → analyze. Nothing of it is shared with another cluster's. */
export class ClusterPipeline {
  readonly #parts: PipelineParts
  readonly #rules: PipelineRules
  readonly #recent: RecentUsage
  readonly #sizes: KeptSizes
  readonly #settler: Settler
  readonly #sealer: MonthSealer
  readonly #collector: Collector
  readonly #analyses: AnalysisCache
  readonly #backfill: Backfill
  readonly #recommender: Recommender
  readonly #reading: ReadingTurn
  readonly #months: MonthTotals
  readonly #tokens: TokenCounter
  #loops: Repeating[] = []
  #storing: Repeating | undefined
  readonly #settling = new LoopRecord('settle', UPKEEP_SECONDS * 1000)
  readonly #pruning = new LoopRecord('retention', UPKEEP_SECONDS * 1000)
  readonly #sources: SourceWatch
  readonly #stored: () => Promise<StoredSpans>
  #rolledUpTo = instant(0)
  #isPastRead = false
  #flushing = Promise.resolve()
  readonly #snapshots: SnapshotKeeper
  #stopping = false

  constructor(parts: PipelineParts) {
    const { record, store, clock, log } = parts
    this.#parts = parts
    const rules = new PipelineRules(store.settings)
    this.#sizes = new KeptSizes(store.settings, record.id)
    this.#snapshots = new SnapshotKeeper(store, record.id)
    this.#sealer = new MonthSealer(store, record.id)
    this.#rules = rules
    this.#recent = new RecentUsage({
      cluster: record.id,
      store: store.usage,
      sizes: () => this.#sizes.all(),
      workedTo: parts.feed && (() => parts.feed?.workedTo() ?? instant(0)),
      get policy() {
        return rules.analysis()
      },
    })
    this.#settler = new Settler({
      cluster: record.id,
      store,
      history: parts.history,
      policy: rules.analysis,
      snapshot: this.snapshot,
      onFailure: (error) => log.warn('what was missed could not be read', { cluster: record.id, error: String(error) }),
    })
    this.#recommender = new Recommender(store, parts.admission)
    this.#stored = recentSpans(store.usage, record.id, clock)
    this.#collector = new Collector({ ...parts, recent: this.#recent })
    this.#sources = new SourceWatch({ ...parts, collector: this.#collector })
    const { look } = this.#settler
    this.#reading = new ReadingTurn({ ...parts, collector: this.#collector, recent: this.#recent, look })
    this.#backfill = new Backfill({
      ...parts,
      collector: this.#collector,
      get policy() {
        return rules.analysis()
      },
      since: () => this.#settler.since(),
      onSegment: (segment) => this.#pastRead(segment),
      pause: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
    })
    this.#months = new MonthTotals({
      cluster: record.id,
      usage: store.usage,
      clock,
      rolledUpTo: () => this.#hoursUpTo(),
      onRead: () => this.#monthsRead(),
      onFailure: (error) => log.warn('the months could not be read', { cluster: record.id, error: String(error) }),
    })
    this.#tokens = new TokenCounter({ ...parts, rolledUpTo: () => this.#hoursUpTo(), stored: this.#stored })
    this.#analyses = new AnalysisCache({
      clock,
      maxAgeMs: ANALYSIS_MAX_AGE_MS,
      compute: (of) =>
        analyze(of, { whole: (range) => this.#analyses.get(range), request: () => this.#request(of.range) }),
      onComputed: (of, tookMs, analysis) => this.#analyzed(of, tookMs, analysis),
      onFailure: (error) =>
        log.warn('analysis failed, the one before is shown', { cluster: record.id, error: String(error) }),
    })
  }

  /** Starts the loops; connecting goes on behind them, so that one silent cluster delays nobody, until its past is read. */
  async start(): Promise<void> {
    const { pace, feed, log, record, repeat: run = repeat } = this.#parts
    const onError = (error: unknown): void =>
      log.warn('a turn of the pipeline failed', { cluster: record.id, error: String(error) })
    const behind = (seconds: number) => ({ everyMs: seconds * 1000, startMs: seconds * 1000, onError })
    const turnMs = feed === undefined ? pace.pollSeconds * 1000 : FEED_LOOK_MS
    this.#storing = run(() => this.#flush(), { name: 'store', ...behind(pace.storeSeconds) })
    this.#loops = [
      run(() => this.#turn(), { name: 'collect', everyMs: turnMs, onError }),
      this.#storing,
      run(() => this.#upkeep(), { name: 'upkeep', ...behind(UPKEEP_SECONDS) }),
      run(() => this.#recommend(), { name: 'recommend', ...behind(pace.recommendSeconds) }),
    ]
    // Before the first reading: while telemetry is silent GPUs keep the names that they had.
    await this.#restore().catch(onError)
    await this.#collector.connect(() => this.#connected(onError)).catch(onError)
  }

  /** Stops the loops and writes what is not written yet. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.#reading.stop()
    this.#backfill.cancel()
    // Questions that are out are given up first: a turn would wait for an engine that keeps silent.
    const closed = this.#collector.close()
    await Promise.all(this.#loops.map((loop) => loop.stop()))
    await this.#flush().catch((error: unknown) =>
      this.#parts.log.warn('the last usage could not be written', { error: String(error) }),
    )
    await closed
  }

  /** The newest reading. */
  snapshot = (): ClusterSnapshot | undefined => this.#collector.snapshot()

  /** All but whether and how it may be changed, and what of it is worth an alert, which it does not know. */
  facts(): Omit<ClusterFacts, 'acting' | 'judge' | 'outlook' | 'health'> {
    const collector = this.#collector
    return {
      record: this.#parts.record,
      connection: () => this.#parts.reader.state(),
      picture: this.snapshot,
      size: () => collector.size(),
      samples: () => collector.samples(),
      admission: () => this.#parts.admission?.view(collector.snapshot()),
      idle: () => this.#recent.idle(),
      targets: () => collector.targets(),
      problems: () => [
        ...collector.problems(),
        ...this.#backfill.problems(),
        ...this.#settler.problems(),
        ...(this.#storing === undefined ? [] : notSaved(this.#storing.state())),
      ],
      asOf: () => collector.asOf(),
      history: () => this.#backfill.progress(),
      analysis: (range, namespaces) => this.#analyses.get(range, namespaces),
      plan: (question, waiting) => planOf(collector.snapshot(), question, waiting),
      files: async (plan) => filesOf(collector.snapshot(), plan),
      start: async (question) => startsOf(collector.snapshot(), question),
      workload: (id) => this.#workload(id),
      tokens: (window) => this.#tokens.count(window),
    }
  }

  /** How its work goes; other loops of the cluster are added to it. */
  health(): PipelineHealth {
    const watched = [...this.#loops, this.#settling, this.#pruning, this.#backfill.attempts, this.#months.reads]
    return {
      loops: watched.map((loop) => loop.state()),
      sources: this.#sources.look(this.#parts.clock()),
      unwrittenRows: this.#recent.unwritten(),
    }
  }

  async #workload(id: WorkloadId): Promise<WorkloadDetail | undefined> {
    const { store, reader, clock } = this.#parts
    const snapshot = this.#collector.snapshot()
    if (snapshot === undefined) return undefined
    // As recommendations do, so that both say the same of its size.
    const segments = segmentsOf(windowOf(PLANNED_OVER, clock()), COARSEST[PLANNED_OVER], await this.#hoursUpTo())
    const [overrun, policy] = [this.#recommender.overrun(), this.#rules.recommend()]
    return detailOf(id, { snapshot, reader, store, segments, overrun, policy })
  }

  async #request(range: AnalyzeRequest['range']): Promise<AnalyzeRequest> {
    const { store, clock } = this.#parts
    return {
      range,
      history: this.#backfill.progress(),
      now: clock(),
      store,
      snapshot: this.#collector.snapshot(),
      samples: this.#collector.judged(),
      rolledUpTo: await this.#hoursUpTo(),
      stored: await this.#stored(),
      months: this.#months,
      policy: this.#rules.analysis(),
    }
  }

  #analyzed(of: AnalysisOf, tookMs: number, analysis: RangeAnalysis | undefined): void {
    if (analysis === undefined) return
    if (of.namespaces === undefined) this.#parts.observe('analyze', tookMs)
    this.#parts.analyzed(of, analysis)
  }

  /** Shown with the next analysis, which is made at once. */
  #monthsRead(): void {
    const { log, record } = this.#parts
    this.#analyses
      .refresh(theLast('24h'))
      .then(() => this.#tell('analysis'))
      .catch((error: unknown) => log.warn('analysis failed', { cluster: record.id, error: String(error) }))
  }

  /** What was seen last is shown at once, and stays when the cluster does not answer. */
  async #restore(): Promise<void> {
    const { store, record } = this.#parts
    const snapshot = await store.snapshots.latest(record.id)
    if (snapshot === undefined) return
    this.#reading.restore(snapshot)
    this.#tell('inventory')
  }

  /** First contact: take up what is stored, read once, show it, close what was missed since, then read the past behind it. */
  async #connected(onError: (error: unknown) => void): Promise<void> {
    const { feed, clock } = this.#parts
    // What a store does not answer now, the loops ask again; the past has to be read all the same.
    await this.#recent.resume(feed?.at() ?? clock()).catch(onError)
    await this.#turn().catch(onError)
    // What an agent had kept is not a past that its metrics engine is asked for: it is written first.
    await this.#upkeep().catch(onError)
    await this.#backfill.run()
    this.#isPastRead = true
    await this.#recommend()
  }

  async #turn(): Promise<void> {
    const changed = await this.#rules.refresh()
    if (!(await this.#reading.take())) return
    // By other rules the analyses that are kept are wrong, not only old.
    if (changed) this.#analyses.outdate()
    await (changed ? this.#analyses.refresh(theLast('24h')) : this.#analyses.get(theLast('24h')))
    this.#tell('analysis')
  }

  /** A week tells what a day does not: what idles on Saturdays, and how high a peak can be. */
  async #recommend(): Promise<void> {
    const snapshot = this.#collector.snapshot()
    const { analysis } = (await this.#analyses.get(theLast(PLANNED_OVER))) ?? {}
    if (snapshot === undefined || analysis === undefined) return
    const started = performance.now()
    const segments = segmentsOf(analysis.window, COARSEST[PLANNED_OVER], await this.#hoursUpTo())
    const { record } = this.#parts
    await this.#recommender.keep({ record, snapshot, analysis, segments, policy: this.#rules.recommend() })
    // While the past is being read nothing is known of most of the week; a metrics engine that is away is not waited for.
    const isRead = this.#backfill.progress() === undefined || this.#backfill.problems().length > 0
    if (isRead) await this.#judgeSizes(analysis)
    this.#parts.observe('recommend', performance.now() - started)
    this.#tell('recommendations')
  }

  /** Once a day. The first sizes hold for the week that they were judged by: between two flushes what is stored is marked. */
  async #judgeSizes(analysis: RangeAnalysis['analysis']): Promise<void> {
    const { store, record, clock } = this.#parts
    const first = await this.#sizes.judge(analysis, clock())
    if (first === undefined || first.sizes.length === 0) return
    await this.#inTurn(() => markStored(store.usage, record.id, { sizes: first, now: clock() }))
  }

  /** Between two flushes: what is not written yet would look like a hole. */
  async #settle(now: Instant): Promise<void> {
    if ((await this.#inTurn(() => this.#settler.settle(now))) !== undefined) this.#recent.adoptEarlier()
  }

  #flush = (): Promise<void> => this.#inTurn(() => this.#write())

  /** One after the other: two flushes at a time would write the same rows twice. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#flushing.then(work)
    this.#flushing = turn.then(
      () => undefined,
      () => undefined,
    )
    return turn
  }

  async #write(): Promise<void> {
    const started = performance.now()
    await this.#recent.flush(this.#parts.clock())
    await this.#reading.flush()
    await this.#snapshots.keep(this.#collector.snapshot(), this.#stopping)
    this.#parts.observe('flush', performance.now() - started)
  }

  async #upkeep(): Promise<void> {
    if (await this.#rules.refresh()) this.#analyses.outdate()
    const { store, record, clock } = this.#parts
    const now = clock()
    // Only what is written can be settled and rolled up.
    await this.#flush()
    await this.#settling.run(() => this.#settle(now))
    await store.usage.rollUp(record.id, now)
    this.#rolledUpTo = now
    const keptFrom = instant(now - this.#rules.retention()['1d'] * 1000)
    await this.#sealMonths(now, keptFrom)
    await this.#pruning.run(async () => {
      await store.usage.prune(this.#rules.retention(), now)
      // One row a stretch, however long: they are kept as long as the longest rows.
      await store.waits.prune(keptFrom)
    })
  }

  async #sealMonths(now: Instant, keptFrom: Instant): Promise<void> {
    const [{ nodes } = {}, settledTo] = [this.#collector.snapshot(), this.#settler.settledTo()]
    if (nodes === undefined || settledTo === undefined) return
    const [filledFrom, isPastRead] = [this.#settler.changedFrom(), this.#isPastRead]
    await this.#sealer.look({ now, settledTo, isPastRead, filledFrom, keptFrom, nodes })
    await this.#settler.sealed(filledFrom)
  }

  /** Up to when hours are rolled up: by an earlier process, until this one has done it too. */
  async #hoursUpTo(): Promise<Instant> {
    if (this.#rolledUpTo > 0) return this.#rolledUpTo
    const stored = await this.#parts.store.usage.coverage(this.#parts.record.id, '1h')
    return stored?.to ?? this.#rolledUpTo
  }

  #tell(kind: 'analysis' | 'inventory' | 'recommendations'): void {
    this.#parts.publish({ kind, cluster: this.#parts.record.id, asOf: new Date(this.#parts.clock()).toISOString() })
  }

  /** More of the past is stored: idle stretches reach further back, and every range shows more. */
  async #pastRead({ span, window }: Segment): Promise<void> {
    this.#recent.adoptEarlier()
    await this.#settler.change(window.from)
    // Each time is read by one length of rows; the longer ones are made of them.
    await this.#parts.store.usage.rollUp(this.#parts.record.id, this.#parts.clock())
    this.#months.forget()
    this.#analyses.outdate()
    for (const range of KEPT_WARM) await this.#analyses.refresh(range)
    this.#tell('analysis')
    // The hours of a week are enough to recommend from; the months behind them change nothing that it says.
    if (span === COARSEST[PLANNED_OVER]) await this.#recommend()
  }
}
