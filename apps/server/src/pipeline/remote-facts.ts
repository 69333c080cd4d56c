import type { Range } from '@septet/contract'
import { isQuickRange, type ClusterRecord, type JudgedSample, type TargetState } from '@septet/domain'

import type { ClusterFacts, ClusterPicture, Namespaces, RangeAnalysis } from '../facts.ts'
import { lazily } from './pack.ts'
import { unpackAnalysis } from './packed-analysis.ts'
import {
  analysisKey,
  errorOf,
  NAMESPACE_SETS_KEPT,
  WINDOWS_KEPT,
  type AnalysisOf,
  type FactMessage,
  type PipelineState,
} from './pipeline-messages.ts'
import { RecentlyUsed } from './recently-used.ts'

/** What is known of a cluster whose pipeline runs in another thread, from what that thread told last. */
export class RemoteFacts implements ClusterFacts {
  readonly record: ClusterRecord
  readonly #ask: Ask
  #state: PipelineState = {
    connection: { kind: 'connecting', lastContact: undefined, problems: [] },
    problems: [],
    asOf: undefined,
    history: undefined,
    size: undefined,
  }
  #picture: () => ClusterPicture | undefined = () => undefined
  #samples: () => ReadonlyMap<string, JudgedSample> = () => new Map()
  #targets: () => readonly TargetState[] = () => []
  #idle: ReadonlySet<string> = new Set()
  readonly #analyses = new Map<string, RangeAnalysis>()
  readonly #ofNamespaces = new RecentlyUsed<RangeAnalysis>(NAMESPACE_SETS_KEPT)
  readonly #ofWindows = new RecentlyUsed<RangeAnalysis>(WINDOWS_KEPT)
  readonly #waiting = new Map<string, PromiseWithResolvers<RangeAnalysis | undefined>>()

  /** `ask` lets the pipeline know which analysis is wanted. */
  constructor(record: ClusterRecord, ask: Ask) {
    this.record = record
    this.#ask = ask
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

  take(message: FactMessage): void {
    switch (message.kind) {
      case 'state':
        this.#state = message.state
        break
      case 'picture':
        this.#picture = lazily(message.picture)
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
      case 'analysis':
        this.#analyzed(message.of, message.analysis === undefined ? undefined : unpackAnalysis(message.analysis))
        break
      case 'analysis-failed':
        this.#settle(analysisKey(message.of))?.reject(errorOf(message.failure))
        break
    }
  }

  /** The pipeline is gone: nobody waits for it in vain. What it told stays. */
  abandon(error: Error): void {
    for (const key of this.#waiting.keys()) this.#settle(key)?.reject(error)
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

/** `isKnown`: whether there is an older one already. */
type Ask = (of: AnalysisOf, isKnown: boolean) => void
type Kept = { get(key: string): RangeAnalysis | undefined; set(key: string, analysis: RangeAnalysis): unknown }
