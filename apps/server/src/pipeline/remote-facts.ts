import type { Range } from '@septet/contract'
import {
  isQuickRange,
  type ClusterRecord,
  type Draft,
  type DraftQuestion,
  type JudgedSample,
  type TargetState,
  type WorkloadId,
} from '@septet/domain'

import type { ClusterFacts, ClusterPicture, Namespaces, RangeAnalysis, WorkloadDetail } from '../facts.ts'
import { OpenQuestions } from './open-questions.ts'
import { lazily } from './pack.ts'
import { unpackAnalysis } from './packed-analysis.ts'
import { unpackPicture, type PackedPicture } from './packed-picture.ts'
import {
  analysisKey,
  errorOf,
  isAnswer,
  NAMESPACE_SETS_KEPT,
  WINDOWS_KEPT,
  type AnalysisOf,
  type AnswerMessage,
  type FactMessage,
  type PipelineState,
} from './pipeline-messages.ts'
import { RecentlyUsed } from '../recently-used.ts'

/** What is known of a cluster whose pipeline runs in another thread, from what that thread told last. */
export class RemoteFacts implements ClusterFacts {
  record: ClusterRecord
  readonly #ask: Ask
  readonly #askMore: AskMore
  #state: PipelineState = {
    connection: { kind: 'connecting', lastContact: undefined, problems: [] },
    problems: [],
    asOf: undefined,
    history: undefined,
    size: undefined,
  }
  #picture: () => ClusterPicture | undefined = () => undefined
  #settled: Promise<void> = Promise.resolve()
  #samples: () => ReadonlyMap<string, JudgedSample> = () => new Map()
  #targets: () => readonly TargetState[] = () => []
  #idle: ReadonlySet<string> = new Set()
  readonly #analyses = new Map<string, RangeAnalysis>()
  readonly #ofNamespaces = new RecentlyUsed<RangeAnalysis>(NAMESPACE_SETS_KEPT)
  readonly #ofWindows = new RecentlyUsed<RangeAnalysis>(WINDOWS_KEPT)
  readonly #waiting = new Map<string, PromiseWithResolvers<RangeAnalysis | undefined>>()

  readonly #drafts = new OpenQuestions<Draft | undefined>()
  readonly #details = new OpenQuestions<WorkloadDetail | undefined>()

  /** `ask` lets the pipeline know which analysis is wanted, `askMore` which plan or workload. */
  constructor(record: ClusterRecord, ask: Ask, askMore: AskMore = NOBODY) {
    this.record = record
    this.#ask = ask
    this.#askMore = askMore
  }

  connection = () => this.#state.connection
  problems = () => this.#state.problems
  asOf = () => this.#state.asOf
  history = () => this.#state.history
  size = () => this.#state.size
  picture = () => this.#picture()
  samples = () => this.#samples()
  targets = () => this.#targets()
  idle = () => this.#idle

  /** The newest one that was told, at once; whether it is too old is for the pipeline to judge. */
  async analysis(range: Range, namespaces?: Namespaces): Promise<RangeAnalysis | undefined> {
    const of = { range, namespaces }
    const key = analysisKey(of)
    const known = this.#kept(of).get(key)
    this.#ask(of, known !== undefined)
    if (known !== undefined) return known
    const waiting = this.#waiting.get(key) ?? Promise.withResolvers<RangeAnalysis | undefined>()
    this.#waiting.set(key, waiting)
    return waiting.promise
  }

  draft(question: DraftQuestion): Promise<Draft | undefined> {
    return this.#drafts.ask((number) => this.#askMore.draft(number, question))
  }

  workload(id: WorkloadId): Promise<WorkloadDetail | undefined> {
    return this.#details.ask((number) => this.#askMore.workload(number, id))
  }

  take(message: FactMessage): void {
    if (isAnswer(message)) return this.#takeAnswer(message)
    switch (message.kind) {
      case 'state':
        this.#state = message.state
        break
      case 'picture':
        this.#takePicture(message.picture)
        break
      case 'samples':
        this.#samples = lazily(message.samples)
        break
      case 'targets':
        this.#targets = lazily(message.targets)
        break
      case 'idle':
        this.#idle = message.idle
        break
    }
  }

  /** Resolves when all that was told so far can be looked at without a delay. */
  settled = () => this.#settled

  #takePicture(packed: PackedPicture): void {
    const { picture, whole } = unpackPicture(packed)
    this.#picture = picture
    this.#settled = this.#settled.then(() => whole)
  }

  #takeAnswer(message: AnswerMessage): void {
    switch (message.kind) {
      case 'analysis':
        this.#analyzed(message.of, message.analysis === undefined ? undefined : unpackAnalysis(message.analysis))
        break
      case 'analysis-failed':
        this.#settle(analysisKey(message.of))?.reject(errorOf(message.failure))
        break
      case 'drafted':
        this.#drafts.answered(message.number, message.draft)
        break
      case 'draft-failed':
        this.#drafts.failed(message.number, errorOf(message.failure))
        break
      case 'workload':
        this.#details.answered(message.number, message.detail)
        break
      case 'workload-failed':
        this.#details.failed(message.number, errorOf(message.failure))
        break
    }
  }

  /** It is shown by another name from now on. */
  rename(record: ClusterRecord): void {
    this.record = record
  }

  /** The pipeline is gone: nobody waits for it in vain. What it told stays. */
  abandon(error: Error): void {
    for (const key of this.#waiting.keys()) this.#settle(key)?.reject(error)
    this.#drafts.abandon(error)
    this.#details.abandon(error)
  }

  #analyzed(of: AnalysisOf, analysis: RangeAnalysis | undefined): void {
    const key = analysisKey(of)
    if (analysis !== undefined) this.#kept(of).set(key, analysis)
    this.#settle(key)?.resolve(analysis)
  }

  #kept({ range, namespaces }: AnalysisOf): Kept {
    if (namespaces !== undefined) return this.#ofNamespaces
    return isQuickRange(range) ? this.#analyses : this.#ofWindows
  }

  #settle(key: string): PromiseWithResolvers<RangeAnalysis | undefined> | undefined {
    const waiting = this.#waiting.get(key)
    this.#waiting.delete(key)
    return waiting
  }
}

/** Where no pipeline runs, nothing more is known. */
const NOBODY: AskMore = { draft: () => undefined, workload: () => undefined }

/** `isKnown`: whether there is an older one already. */
type Ask = (of: AnalysisOf, isKnown: boolean) => void
/** `number`: what the answer must name. */
type AskMore = {
  draft(number: number, question: DraftQuestion): void
  workload(number: number, id: WorkloadId): void
}
type Kept = { get(key: string): RangeAnalysis | undefined; set(key: string, analysis: RangeAnalysis): unknown }
