import type { ServerEvent } from '@septet/contract'
import type {
  Alert,
  AlertQuestion,
  ModelSection,
  ClusterRecord,
  PlanDraft,
  DraftQuestion,
  StartAnswer,
  TimeRange,
  WorkloadId,
} from '@septet/domain'

import type { ActingState, ClusterFacts, Namespaces, RangeAnalysis, StartQuestion, WorkloadDetail } from '../facts.ts'
import { OpenQuestions, type Until } from './open-questions.ts'
import { analysisKey, errorOf, type AnalysisOf, type ReadAnswer, type Forgettable } from './questions.ts'
import { ReadModel } from './read-model.ts'
import { unpack } from './pack.ts'
import { analysisOfSection, isEvent } from './section.ts'

const OBSERVED: ActingState = { kind: 'observe' }

/** What is known of a cluster whose pipeline runs elsewhere: its read model, and what that pipeline answers beside it. */
export class ModelFacts implements ClusterFacts {
  record: ClusterRecord
  readonly #model = new ReadModel()
  readonly #asks: Asks
  readonly #waiting = new Map<string, PromiseWithResolvers<RangeAnalysis | undefined>>()
  readonly #open = {
    draft: new OpenQuestions<PlanDraft | undefined>(),
    start: new OpenQuestions<readonly StartAnswer[] | undefined>(),
    workload: new OpenQuestions<WorkloadDetail | undefined>(),
    judge: new OpenQuestions<readonly Alert[]>(),
  }

  readonly #heard: (event: ServerEvent) => void

  /** `heard` is called with every event, once what it is about can be looked at. */
  constructor(record: ClusterRecord, asks: Asks = NOBODY, heard: (event: ServerEvent) => void = () => undefined) {
    this.record = record
    this.#asks = asks
    this.#heard = heard
  }

  connection = () => this.#model.state().connection
  problems = () => this.#model.state().problems
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

  /** The newest one that was written, at once; whether it is too old is for the pipeline to judge. */
  async analysis(range: TimeRange, namespaces?: Namespaces): Promise<RangeAnalysis | undefined> {
    const of = { range, namespaces }
    const known = this.#model.analysis(of)
    this.#asks.analysis(of, known !== undefined)
    if (known !== undefined) return known
    const key = analysisKey(of)
    const waiting = this.#waiting.get(key) ?? Promise.withResolvers<RangeAnalysis | undefined>()
    this.#waiting.set(key, waiting)
    return waiting.promise
  }

  draft(question: DraftQuestion, signal?: AbortSignal): Promise<PlanDraft | undefined> {
    return this.#open.draft.ask((number) => this.#asks.draft(number, question), this.#until('draft', signal))
  }

  start(question: StartQuestion, signal?: AbortSignal): Promise<readonly StartAnswer[] | undefined> {
    return this.#open.start.ask((number) => this.#asks.start(number, question), this.#until('start', signal))
  }

  workload(id: WorkloadId): Promise<WorkloadDetail | undefined> {
    return this.#open.workload.ask((number) => this.#asks.workload(number, id))
  }

  judge(question: AlertQuestion): Promise<readonly Alert[]> {
    return this.#open.judge.ask((number) => this.#asks.judge(number, question))
  }

  take(sections: readonly ModelSection[]): void {
    this.#model.take(sections)
    for (const { key, bytes } of sections) {
      // Anyone who hears of it asks at once.
      if (isEvent(key) && bytes !== undefined) void this.settled().then(() => this.#heard(unpack({ bytes })))
      const of = this.#waiting.size === 0 ? undefined : analysisOfSection(key)
      if (of !== undefined) this.#settle(analysisKey(of))?.resolve(this.#model.analysis(of))
    }
  }

  takeAnswer(answer: ReadAnswer): void {
    switch (answer.kind) {
      case 'no-analysis':
        this.#settle(analysisKey(answer.of))?.resolve(undefined)
        break
      case 'analysis-failed':
        this.#settle(analysisKey(answer.of))?.reject(errorOf(answer.failure))
        break
      case 'draft':
        this.#open.draft.answered(answer.number, answer.draft)
        break
      case 'start':
        this.#open.start.answered(answer.number, answer.starts)
        break
      case 'workload':
        this.#open.workload.answered(answer.number, answer.detail)
        break
      case 'judge':
        this.#open.judge.answered(answer.number, answer.changed)
        break
      case 'failed':
        this.#open[answer.of].failed(answer.number, errorOf(answer.failure))
        break
    }
  }

  /** It is shown by another name from now on. */
  rename(record: ClusterRecord): void {
    this.record = record
  }

  /** The pipeline is gone: nobody waits for it in vain. What it wrote stays. */
  abandon(error: Error): void {
    for (const key of this.#waiting.keys()) this.#settle(key)?.reject(error)
    for (const open of Object.values(this.#open)) open.abandon(error)
  }

  #until(of: Forgettable, signal: AbortSignal | undefined): Until | undefined {
    return signal && { signal, forget: (number) => this.#asks.forget(of, number) }
  }

  #settle(key: string): PromiseWithResolvers<RangeAnalysis | undefined> | undefined {
    const waiting = this.#waiting.get(key)
    this.#waiting.delete(key)
    return waiting
  }
}

/** What a pipeline is asked. */
export type Asks = {
  /** `isKnown`: whether there is an older one already. */
  analysis(of: AnalysisOf, isKnown: boolean): void
  /** `number`: what the answer must name. */
  draft(number: number, question: DraftQuestion): void
  start(number: number, question: StartQuestion): void
  workload(number: number, id: WorkloadId): void
  judge(number: number, question: AlertQuestion): void
  /** Nobody waits for that answer any more. */
  forget(of: Forgettable, number: number): void
}

/** Where no pipeline runs, nothing more is known. */
const NOBODY: Asks = {
  analysis: () => undefined,
  draft: () => undefined,
  start: () => undefined,
  workload: () => undefined,
  judge: () => undefined,
  forget: () => undefined,
}
