import { notReady, type ServerEvent } from '@septet/contract'
import {
  timeText,
  type ModelSection,
  type ClusterRecord,
  type PlanProgress,
  type Problem,
  type TimeRange,
} from '@septet/domain'

import type { ActingState, ClusterFacts, Namespaces, RangeAnalysis, Waiting } from '../facts.ts'
import { isOutdated, lookedBack, PATIENCE_MS } from '../freshness.ts'
import { inTime } from '../in-time.ts'
import {
  analysisKey,
  errorOf,
  type ReadAnswer,
  type Forgettable,
  type AnswerOf,
  type AskedOf,
  type Asking,
  type Numbered,
  type NumberedAnswer,
} from './questions.ts'
import { ReadModel } from './read-model.ts'
import { unpack } from './pack.ts'
import { analysisOfSection, isEvent } from './section.ts'

/** Of a pipeline that works something is heard every five seconds. */
const SILENT_MS = 20_000

const OBSERVED: ActingState = { kind: 'observe' }

/** What is known of a cluster whose pipeline runs elsewhere: its read model, and what that pipeline answers beside it. */
export class ModelFacts implements ClusterFacts {
  record: ClusterRecord
  readonly #model = new ReadModel()
  #edition = {}
  readonly #tell: Tell
  readonly #waiting = new Map<string, OnItsWay>()
  readonly #open: { readonly [Of in Numbered]: OpenQuestions<AnswerOf[Of]> } = {
    plan: new OpenQuestions(MOST_WAITING),
    files: new OpenQuestions(MOST_WAITING),
    start: new OpenQuestions(MOST_WAITING),
    workload: new OpenQuestions(),
    tokens: new OpenQuestions(),
    judge: new OpenQuestions(),
    outlook: new OpenQuestions(),
  }

  readonly #heard: (event: ServerEvent) => void
  #isSilent = false
  /** Begins anew with all that is taken; undefined before, and where no pipeline is expected to say anything. */
  #silentSoon: NodeJS.Timeout | undefined

  /** `heard` is called with every event, once what it is about can be looked at. */
  constructor(record: ClusterRecord, tell: Tell = nobody, heard: (event: ServerEvent) => void = () => undefined) {
    this.record = record
    this.#tell = tell
    this.#heard = heard
  }

  edition = () => this.#edition
  connection = () => this.#model.state().connection
  problems = () => [...this.#silence(), ...this.#model.state().problems]
  health = () => this.#model.health()
  asOf = () => this.#model.state().asOf
  history = () => this.#model.state().history
  acting = () => this.#model.state().acting ?? OBSERVED
  admission = () => this.#model.admission()
  size = () => this.#model.state().size
  picture = () => this.#model.picture()
  samples = () => this.#model.samples()
  targets = () => this.#model.targets()
  idle = () => this.#model.idle()
  /** Resolves when all that was taken so far can be looked at without a delay. */
  settled = () => this.#model.settled()
  version = () => this.#model.version()

  /** The newest one that was written, at once where it reaches far enough; else what is written within a few seconds. */
  async analysis(range: TimeRange, namespaces?: Namespaces): Promise<RangeAnalysis | undefined> {
    const of = { range, namespaces }
    const known = this.#model.analysis(of)
    const kept = known === undefined ? 'nothing' : this.#isOutdated(range, known) ? 'outdated' : 'fresh'
    this.#tell({ kind: 'analysis', of, kept })
    if (kept === 'fresh') return known
    const key = analysisKey(of)
    const waiting = this.#waiting.get(key) ?? onItsWay()
    this.#waiting.set(key, waiting)
    const told = known === undefined ? waiting.inTime : waiting.inTime.catch(() => known)
    return (await told) ?? this.#model.analysis(of)
  }

  #isOutdated(range: TimeRange, analysis: RangeAnalysis): boolean {
    const asOf = this.asOf()
    return asOf !== undefined && isOutdated(lookedBack(range, analysis), asOf)
  }

  plan = (question: AskedOf['plan'], waiting?: Waiting) => this.#ask('plan', question, this.#until('plan', waiting))
  start = (question: AskedOf['start'], waiting?: Waiting) => this.#ask('start', question, this.#until('start', waiting))
  files = (plan: AskedOf['files']) => this.#ask('files', plan)
  workload = (id: AskedOf['workload']) => this.#ask('workload', id)
  tokens = (window: AskedOf['tokens']) => this.#ask('tokens', window)
  judge = (question: AskedOf['judge']) => this.#ask('judge', question)
  outlook = (run: AskedOf['outlook']) => this.#ask('outlook', run)

  take(sections: readonly ModelSection[]): void {
    this.#model.take(sections)
    this.#isSilent = false
    if (this.#tell !== nobody) this.#silentSoon = this.#silentSoon?.refresh() ?? this.#untilSilent()
    this.#edition = {}
    for (const { key, bytes } of sections) {
      // Anyone who hears of it asks at once.
      if (isEvent(key) && bytes !== undefined) void this.settled().then(() => this.#heard(unpack({ bytes })))
      const of = this.#waiting.size === 0 ? undefined : analysisOfSection(key)
      if (of !== undefined) this.#settle(analysisKey(of))?.resolve(this.#model.analysis(of))
    }
  }

  takeAnswer(answer: ReadAnswer): void {
    switch (answer.kind) {
      case 'no-news':
        this.#settle(analysisKey(answer.of))?.resolve(this.#model.analysis(answer.of))
        break
      case 'analysis-failed':
        this.#settle(analysisKey(answer.of))?.reject(errorOf(answer.failure))
        break
      case 'progress':
        this.#open[answer.of].progressed(answer.number, answer.progress)
        break
      case 'answered':
        this.#answered(answer)
        break
      case 'failed':
        this.#open[answer.of].failed(answer.number, errorOf(answer.failure))
        break
    }
  }

  /** One that works says how it does every few seconds; one that hangs or fails again and again says nothing. */
  #silence(): readonly Problem[] {
    if (!this.#isSilent) return []
    const asOf = this.asOf()
    const figures = asOf === undefined ? 'nothing has been read yet' : `the newest data is from ${timeText(asOf)}`
    const message = `The part of Septet that reads ${this.record.name} is not responding; ${figures}. Septet starts it again if it has failed. If this lasts, restart Septet.`
    return [{ code: 'pipeline-silent', message, object: 'pipeline' }]
  }

  /** Anyone who looks is told then, as of nothing else they would hear. */
  #untilSilent(): NodeJS.Timeout {
    const silent = (): void => {
      this.#isSilent = true
      this.#edition = {}
      this.#heard({ kind: 'inventory', cluster: this.record.id, asOf: new Date().toISOString() })
    }
    return setTimeout(silent, SILENT_MS).unref()
  }

  /** It is shown by another name from now on. */
  rename(record: ClusterRecord): void {
    this.record = record
    this.#edition = {}
  }

  /** The pipeline is gone: nobody waits for it in vain. What it wrote stays. */
  abandon(error: Error): void {
    for (const key of this.#waiting.keys()) this.#settle(key)?.reject(error)
    for (const open of Object.values(this.#open)) open.abandon(error)
  }

  #ask<Of extends Numbered>(of: Of, question: AskedOf[Of], until?: Until): Promise<AnswerOf[Of]> {
    return this.#open[of].ask((number) => this.#tell({ kind: 'ask', of, number, question }), until)
  }

  #answered<Of extends Numbered>({ of, number, answer }: NumberedAnswer<Of>): void {
    this.#open[of].answered(number, answer)
  }

  #until(of: Forgettable, waiting: Waiting | undefined): Until | undefined {
    return waiting && { ...waiting, forget: (number) => this.#tell({ kind: 'forget', of, number }) }
  }

  #settle(key: string): OnItsWay | undefined {
    const waiting = this.#waiting.get(key)
    this.#waiting.delete(key)
    return waiting
  }
}

/** An analysis that is on its way: all who ask meanwhile wait a few seconds for it in all. */
type OnItsWay = PromiseWithResolvers<RangeAnalysis | undefined> & {
  readonly inTime: Promise<RangeAnalysis | undefined>
}
function onItsWay(): OnItsWay {
  const waiting = Promise.withResolvers<RangeAnalysis | undefined>()
  return { ...waiting, inTime: inTime(PATIENCE_MS, waiting.promise) }
}

/** Tells a pipeline what it is asked. */
type Tell = (asking: Asking) => void
/** Where no pipeline runs, nothing more is known. */
const nobody: Tell = () => undefined

/** How many may be out of what the pipeline's thread answers one after the other, because each takes long. */
const MOST_WAITING = 64

const tooManyWait = () =>
  notReady('Too many others wait for the same kind of answer about this cluster.', {
    words: 'Try again in a few seconds.',
    retryAfter: 5,
  })

/** Questions that are out to another thread, by number: whoever asked waits until the answer names it. */
class OpenQuestions<Answer> {
  readonly #most: number
  readonly #waiting = new Map<number, Open<Answer>>()
  #asked = 0

  constructor(most = Infinity) {
    this.#most = most
  }

  /** `send` is handed the number that the answer must name. Rejects with the reason of the signal. */
  async ask(send: (number: number) => void, until?: Until): Promise<Answer> {
    until?.signal?.throwIfAborted()
    if (this.#waiting.size >= this.#most) throw tooManyWait()
    const waiting = { ...Promise.withResolvers<Answer>(), progress: until?.progress }
    this.#asked += 1
    const number = this.#asked
    this.#waiting.set(number, waiting)
    send(number)
    const { signal } = until ?? {}
    return until === undefined || signal === undefined
      ? waiting.promise
      : this.#answeredUntil(waiting.promise, number, { ...until, signal })
  }

  async #answeredUntil(answer: Promise<Answer>, number: number, { signal, forget }: Leaving): Promise<Answer> {
    const quit = (): void => {
      this.#take(number)?.reject(signal.reason)
      forget(number)
    }
    signal.addEventListener('abort', quit, { once: true })
    return answer.finally(() => signal.removeEventListener('abort', quit))
  }

  progressed(number: number, progress: PlanProgress): void {
    this.#waiting.get(number)?.progress?.(progress)
  }

  answered(number: number, answer: Answer): void {
    this.#take(number)?.resolve(answer)
  }

  failed(number: number, error: Error): void {
    this.#take(number)?.reject(error)
  }

  /** Nobody will answer any more. */
  abandon(error: Error): void {
    for (const number of this.#waiting.keys()) this.failed(number, error)
  }

  #take(number: number): Open<Answer> | undefined {
    const waiting = this.#waiting.get(number)
    this.#waiting.delete(number)
    return waiting
  }
}

/** For how long somebody waits, and whom to tell when they no longer do. */
type Until = Waiting & { readonly forget: (number: number) => void }
type Leaving = Until & { readonly signal: AbortSignal }
type Open<Answer> = PromiseWithResolvers<Answer> & { readonly progress: Until['progress'] | undefined }
