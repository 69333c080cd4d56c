import type { Range } from '@septet/contract'
import type { ClusterRecord, JudgedSample, TargetState } from '@septet/domain'

import type { ClusterFacts, ClusterPicture, RangeAnalysis } from '../facts.ts'
import { lazily } from './pack.ts'
import { unpackAnalysis } from './packed-analysis.ts'
import { errorOf, type FactMessage, type PipelineState } from './pipeline-messages.ts'

/** What is known of a cluster whose pipeline runs in another thread, from what that thread told last. */
export class RemoteFacts implements ClusterFacts {
  readonly record: ClusterRecord
  readonly #ask: (range: Range) => void
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
  readonly #analyses = new Map<Range, RangeAnalysis>()
  readonly #waiting = new Map<Range, PromiseWithResolvers<RangeAnalysis | undefined>>()

  /** `ask` lets the pipeline know that the analysis of a range is wanted. */
  constructor(record: ClusterRecord, ask: (range: Range) => void) {
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
  async analysis(range: Range): Promise<RangeAnalysis | undefined> {
    this.#ask(range)
    const known = this.#analyses.get(range)
    if (known !== undefined) return known
    const waiting = this.#waiting.get(range) ?? Promise.withResolvers<RangeAnalysis | undefined>()
    this.#waiting.set(range, waiting)
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
        this.#analyzed(message.range, message.analysis === undefined ? undefined : unpackAnalysis(message.analysis))
        break
      case 'analysis-failed':
        this.#settle(message.range)?.reject(errorOf(message.failure))
        break
    }
  }

  /** The pipeline is gone: nobody waits for it in vain. What it told stays. */
  abandon(error: Error): void {
    for (const range of this.#waiting.keys()) this.#settle(range)?.reject(error)
  }

  #analyzed(range: Range, analysis: RangeAnalysis | undefined): void {
    if (analysis !== undefined) this.#analyses.set(range, analysis)
    this.#settle(range)?.resolve(analysis)
  }

  #settle(range: Range): PromiseWithResolvers<RangeAnalysis | undefined> | undefined {
    const waiting = this.#waiting.get(range)
    this.#waiting.delete(range)
    return waiting
  }
}
