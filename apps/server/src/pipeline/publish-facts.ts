import { isQuickRange, type DraftQuestion, type WorkloadId } from '@septet/domain'

import type { ClusterFacts, RangeAnalysis } from '../facts.ts'
import { pack } from './pack.ts'
import { packAnalysis } from './packed-analysis.ts'
import { packPicture } from './packed-picture.ts'
import {
  analysisKey,
  failureOf,
  NAMESPACE_SETS_KEPT,
  WINDOWS_KEPT,
  type AnalysisOf,
  type FactMessage,
  type PipelineState,
} from './pipeline-messages.ts'
import { RecentlyUsed } from '../recently-used.ts'

/** Tells another thread what is known of a cluster, each thing only when it has changed. */
export class FactsPublisher {
  readonly #facts: ClusterFacts
  readonly #post: (message: FactMessage) => void
  readonly #told = new Map<string, unknown>()
  readonly #toldOfNamespaces = new RecentlyUsed<RangeAnalysis>(NAMESPACE_SETS_KEPT)
  readonly #toldOfWindows = new RecentlyUsed<RangeAnalysis>(WINDOWS_KEPT)

  constructor(facts: ClusterFacts, post: (message: FactMessage) => void) {
    this.#facts = facts
    this.#post = post
  }

  /** Everything that has changed since the last call, analyses excepted. */
  publish(): void {
    const facts = this.#facts
    const state: PipelineState = {
      connection: facts.connection(),
      problems: facts.problems(),
      asOf: facts.asOf(),
      history: facts.history(),
      size: facts.size(),
    }
    if (this.#isNews('state', JSON.stringify(state))) this.#post({ kind: 'state', state })
    const picture = facts.picture()
    if (picture !== undefined && this.#isNews('picture', picture)) {
      this.#post({ kind: 'picture', picture: packPicture(picture) })
    }
    const samples = facts.samples()
    if (this.#isNews('samples', samples)) this.#post({ kind: 'samples', samples: pack(samples) })
    const targets = facts.targets()
    if (this.#isNews('targets', targets)) this.#post({ kind: 'targets', targets: pack(targets) })
    const idle = facts.idle()
    if (this.#isNews('idle', idle)) this.#post({ kind: 'idle', idle })
  }

  /** An analysis that was computed; one that was told already is not told again. */
  analyzed(of: AnalysisOf, analysis: RangeAnalysis): void {
    const key = analysisKey(of)
    if (this.#toldOf(of).get(key) === analysis) return
    this.#toldOf(of).set(key, analysis)
    this.#post({ kind: 'analysis', of, analysis: packAnalysis(analysis) })
  }

  /**
   * Answers whoever waits for the first analysis of a range, also that there is none. `isKnown`: they have one
   * already; whoever has forgotten it is told again.
   */
  async answer(of: AnalysisOf, isKnown: boolean): Promise<void> {
    const before = this.#toldOf(of).get(analysisKey(of))
    try {
      const analysis = await this.#facts.analysis(of.range, of.namespaces)
      const isForgotten = !isKnown && analysis === before
      if (analysis === undefined) this.#post({ kind: 'analysis', of, analysis })
      else if (isForgotten) this.#post({ kind: 'analysis', of, analysis: packAnalysis(analysis) })
      else this.analyzed(of, analysis)
    } catch (error) {
      this.#post({ kind: 'analysis-failed', of, failure: failureOf(error) })
    }
  }

  /** Answers whoever waits for a draft by the number of their question. */
  async draft(number: number, question: DraftQuestion): Promise<void> {
    try {
      this.#post({ kind: 'drafted', number, draft: await this.#facts.draft(question) })
    } catch (error) {
      this.#post({ kind: 'draft-failed', number, failure: failureOf(error) })
    }
  }

  /** The same for one workload. */
  async workload(number: number, id: WorkloadId): Promise<void> {
    try {
      this.#post({ kind: 'workload', number, detail: await this.#facts.workload(id) })
    } catch (error) {
      this.#post({ kind: 'workload-failed', number, failure: failureOf(error) })
    }
  }

  #toldOf({ range, namespaces }: AnalysisOf): Told {
    if (namespaces !== undefined) return this.#toldOfNamespaces
    return isQuickRange(range) ? this.#told : this.#toldOfWindows
  }

  #isNews(name: string, value: unknown): boolean {
    if (this.#told.get(name) === value) return false
    this.#told.set(name, value)
    return true
  }
}

/** What was told already, by what it is of. */
type Told = { get(key: string): unknown; set(key: string, analysis: RangeAnalysis): unknown }
