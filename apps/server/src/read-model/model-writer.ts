import { setImmediate as hearing } from 'node:timers/promises'
import type { ServerEvent } from '@septet/contract'
import type { Allocation, GpuNode, ModelSection, PlanProgress, Workload, ReadModelStore } from '@septet/domain'
import type { ClusterFacts, ClusterPicture, RangeAnalysis, Waiting } from '../facts.ts'
import { KeptAnalyses } from './kept-analyses.ts'
import { packColumns } from './columns.ts'
import { ListWriter } from './list-writer.ts'
import { pack } from './pack.ts'
import { packAnalysis } from './packed-analysis.ts'
import {
  failureOf,
  type AnalysisOf,
  type AnswerOf,
  type AskedOf,
  type Asking,
  type ReadAnswer,
  type Numbered,
  type NumberedQuestion,
} from './questions.ts'
import {
  analysisSection,
  eventSection,
  HEALTH,
  pieceKey,
  type ListName,
  type ModelState,
  analysisOfSection,
} from './section.ts'

export type ModelWriterOptions = {
  readonly facts: ClusterFacts
  /** Versions go on from here, so that they are above those of any pipeline before. */
  readonly firstVersion: number
  readonly write: (sections: readonly ModelSection[]) => void
  readonly answer: (answer: ReadAnswer) => void
}

const HEALTH_MS = 5000

/** Keeps one cluster's read model current: writes what has changed, each section only then. */
export class ModelWriter {
  readonly #options: ModelWriterOptions
  #version: number
  #healthAt = -Infinity
  #changed: ModelSection[] = []
  readonly #written = new Map<string, unknown>()
  #analyses = new KeptAnalyses<RangeAnalysis>()
  readonly #nodes = new ListWriter<GpuNode>(8, ({ name }) => name)
  readonly #allocations = new ListWriter<Allocation>(128, ({ pod }) => pod)
  readonly #queue = new QuestionQueue()
  readonly #workloads = new ListWriter<Workload>(64, ({ id }) => id)

  constructor(options: ModelWriterOptions) {
    this.#options = options
    this.#version = options.firstVersion
  }

  /** Everything that has changed since the last call, analyses excepted, and then the event that tells of it. */
  publish(event?: ServerEvent): void {
    if (this.#written.size > 0 || hasLooked(this.#options.facts)) this.#putNews()
    if (event !== undefined) this.#put(eventSection(event), event)
    this.#send()
  }

  #putNews(): void {
    const { facts } = this.#options
    const state: ModelState = {
      connection: facts.connection(),
      problems: facts.problems(),
      asOf: facts.asOf(),
      history: facts.history(),
      size: facts.size(),
      acting: facts.acting(),
    }
    if (this.#isNews('state', JSON.stringify(state))) this.#put('state', state)
    const picture = facts.picture()
    if (picture !== undefined && this.#isNews('picture', picture)) this.#putPicture(picture)
    const samples = facts.samples()
    if (this.#isNews('samples', samples)) this.#put('samples', packColumns([...samples.values()]))
    const targets = facts.targets()
    if (this.#isNews('targets', targets)) this.#put('targets', packColumns(targets))
    const idle = facts.idle()
    if (this.#isNews('idle', idle)) this.#put('idle', idle)
    const admission = facts.admission()
    if (admission !== undefined && this.#isNews('admission', admission)) this.#add('admission', admission.bytes)
    this.#putHealth()
  }

  /** It changes all the time, and is told every few seconds; that something fails, or does so no more, at once. */
  #putHealth(): void {
    const health = this.#options.facts.health()
    if (health === undefined) return
    const failing = JSON.stringify([
      health.loops.map(({ failures }) => failures > 0),
      health.sources.map(({ state }) => state),
    ])
    const isDue = performance.now() - this.#healthAt >= HEALTH_MS
    if (!this.#isNews(HEALTH, failing) && !isDue) return
    this.#healthAt = performance.now()
    this.#put(HEALTH, health)
  }

  /** What was written is lost where it was kept: with the next call everything is written again. */
  forget(): void {
    this.#written.clear()
    this.#analyses = new KeptAnalyses()
    for (const list of [this.#nodes, this.#allocations, this.#workloads]) list.forget()
  }

  /** An analysis that was computed; one that is written already is not written again. */
  analyzed(of: AnalysisOf, analysis: RangeAnalysis): void {
    if (this.#analyses.get(of) === analysis) return
    this.#analyses.set(of, analysis)
    this.#put(analysisSection(of), packAnalysis(analysis))
    this.#send()
  }

  /** Does what a pipeline is asked. */
  async hear(asking: Asking): Promise<void> {
    if (asking.kind === 'analysis') return this.#analysis(asking)
    const { of, number } = asking
    // Nobody waits for that answer any more.
    if (asking.kind === 'forget') return this.#queue.forget(`${asking.of} ${number}`)
    const answer = (signal?: AbortSignal): Promise<void> => this.#answer(asking, signal)
    return takesLong(of) ? this.#queue.add(`${of} ${number}`, answer) : answer()
  }

  /**
   * Answers whoever waits for the first analysis of a range, or for a newer one, also that there is none. For anyone who
   * has forgotten it, it is written again.
   */
  async #analysis({ of, kept }: Extract<Asking, { readonly kind: 'analysis' }>): Promise<void> {
    const { facts, answer } = this.#options
    const before = this.#analyses.get(of)
    try {
      const analysis = await facts.analysis(of.range, of.namespaces)
      if (analysis === undefined) return answer({ kind: 'no-news', of })
      if (kept === 'nothing' && analysis === before) {
        this.#put(analysisSection(of), packAnalysis(analysis))
        return this.#send()
      }
      this.analyzed(of, analysis)
      if (kept === 'outdated' && analysis === before) answer({ kind: 'no-news', of })
    } catch (error) {
      answer({ kind: 'analysis-failed', of, failure: failureOf(error) })
    }
  }

  /** Answers whoever asked by the number of their question. */
  async #answer<Of extends Numbered>(
    { of, number, question }: NumberedQuestion<Of>,
    signal?: AbortSignal,
  ): Promise<void> {
    const { answer, facts }: { readonly facts: Answering } & Pick<ModelWriterOptions, 'answer'> = this.#options
    const progress = (far: PlanProgress): void => answer({ kind: 'progress', of: 'plan', number, progress: far })
    try {
      answer({ kind: 'answered', of, number, answer: await facts[of](question, { signal, progress }) })
    } catch (error) {
      answer({ kind: 'failed', of, number, failure: failureOf(error) })
    }
  }

  #putPicture({ nodes, allocations, workloads }: ClusterPicture): void {
    this.#putList('nodes', this.#nodes.write(nodes), (items) => items)
    this.#putList('allocations', this.#allocations.write(allocations), packColumns)
    this.#putList('workloads', this.#workloads.write(workloads), (items) => items)
  }

  #putList<Item extends object>(
    list: ListName,
    { order, fresh, gone }: ReturnType<ListWriter<Item>['write']>,
    valueOf: (items: readonly Item[]) => unknown,
  ): void {
    for (const { number, items } of fresh) this.#put(pieceKey(list, number), valueOf(items))
    if (fresh.length > 0 || gone.length > 0 || !this.#written.has(list)) this.#put(list, order)
    this.#written.set(list, true)
    for (const number of gone) this.#add(pieceKey(list, number), undefined)
  }

  #put(key: string, value: unknown): void {
    this.#add(key, pack(value).bytes)
  }

  #add(key: string, bytes: Uint8Array | undefined): void {
    this.#version += 1
    this.#changed.push({ key, version: this.#version, bytes })
  }

  #send(): void {
    if (this.#changed.length === 0) return
    const sections = this.#changed
    this.#changed = []
    this.#options.write(sections)
  }

  #isNews(name: string, value: unknown): boolean {
    if (this.#written.get(name) === value) return false
    this.#written.set(name, value)
    return true
  }
}

const takesLong = (of: Numbered): boolean => of === 'plan' || of === 'start' || of === 'files'

/** Until a pipeline has looked at its cluster, what another one said before stays. */
const hasLooked = (facts: ClusterFacts): boolean =>
  facts.picture() !== undefined || facts.connection().kind !== 'connecting' || facts.connection().problems.length > 0

/** Who answers each question that has a number. */
type Answering = { readonly [Of in Numbered]: (question: AskedOf[Of], asker: Waiting) => Promise<AnswerOf[Of]> }

type Run = (signal: AbortSignal) => Promise<void>
type Queued = { readonly run: Run } & PromiseWithResolvers<void>

/**
 * Answers questions that take long one after the other, and listens in between: one that nobody waits for any more is not
 * begun, and one that has begun is told so.
 */
export class QuestionQueue {
  readonly #waiting = new Map<string, Queued>()
  #isRunning = false
  #running: { readonly key: string; readonly stop: AbortController } | undefined

  /** Resolves once it was answered or forgotten. */
  add(key: string, run: Run): Promise<void> {
    const waiting = { run, ...Promise.withResolvers<void>() }
    this.#waiting.set(key, waiting)
    if (!this.#isRunning) void this.#run()
    return waiting.promise
  }

  forget(key: string): void {
    if (this.#running?.key === key) this.#running.stop.abort()
    this.#waiting.get(key)?.resolve()
    this.#waiting.delete(key)
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    for (;;) {
      await hearing()
      const [next] = this.#waiting
      if (next === undefined) break
      const [key, { run, resolve, reject }] = next
      this.#waiting.delete(key)
      const stop = new AbortController()
      this.#running = { key, stop }
      await run(stop.signal).then(resolve, reject)
      this.#running = undefined
    }
    this.#isRunning = false
  }
}

type ModelKeeperOptions = {
  readonly cluster: string
  readonly store: ReadModelStore
  /** Called where the store has lost what was written: all must come again. */
  readonly onLost: () => void
}

/** Keeps the newest read model in the store: of each section the last version, one write after the other. */
export class ModelKeeper {
  readonly #options: ModelKeeperOptions
  #waiting = new Map<string, ModelSection>()
  #hasWritten = false

  constructor(options: ModelKeeperOptions) {
    this.#options = options
  }

  add(sections: readonly ModelSection[]): void {
    for (const section of sections) if (isKept(section)) this.#waiting.set(section.key, section)
  }

  /** Writes what has come since. Throws the store's error; what was not written is written the next time. */
  async flush(): Promise<void> {
    const { cluster, store, onLost } = this.#options
    if (this.#waiting.size === 0) return
    if (!this.#hasWritten) await store.forget(cluster)
    else if ((await store.version(cluster)) === undefined) onLost()
    const sections = this.#waiting
    this.#waiting = new Map()
    try {
      await store.write(cluster, [...sections.values()])
      this.#hasWritten = true
    } catch (error) {
      this.#waiting = new Map([...sections, ...this.#waiting])
      throw error
    }
  }
}

/** Analyses of what somebody chose have no end; whoever follows the store makes them from it. */
function isKept({ key }: ModelSection): boolean {
  const of = analysisOfSection(key)
  return of === undefined || (of.namespaces === undefined && of.range.kind === 'quick')
}
