import type { Range } from '@septet/contract'

import type { ClusterFacts, RangeAnalysis } from '../facts.ts'
import { pack } from './pack.ts'
import { packAnalysis } from './packed-analysis.ts'
import { failureOf, type FactMessage, type PipelineState } from './pipeline-messages.ts'

/** Tells another thread what is known of a cluster, each thing only when it has changed. */
export class FactsPublisher {
  readonly #facts: ClusterFacts
  readonly #post: (message: FactMessage) => void
  readonly #told = new Map<string, unknown>()

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
      const { nodes, allocations, workloads } = picture
      this.#post({ kind: 'picture', picture: pack({ nodes, allocations, workloads }) })
    }
    const samples = facts.samples()
    if (this.#isNews('samples', samples)) this.#post({ kind: 'samples', samples: pack(samples) })
    const targets = facts.targets()
    if (this.#isNews('targets', targets)) this.#post({ kind: 'targets', targets: pack(targets) })
    const idle = facts.idle()
    if (this.#isNews('idle', idle)) this.#post({ kind: 'idle', idle })
  }

  /** An analysis that was computed; one that was told already is not told again. */
  analyzed(range: Range, analysis: RangeAnalysis): void {
    if (this.#isNews(range, analysis)) this.#post({ kind: 'analysis', range, analysis: packAnalysis(analysis) })
  }

  /** Answers whoever waits for the first analysis of a range, also that there is none. */
  async answer(range: Range): Promise<void> {
    try {
      const analysis = await this.#facts.analysis(range)
      if (analysis === undefined) this.#post({ kind: 'analysis', range, analysis })
      else this.analyzed(range, analysis)
    } catch (error) {
      this.#post({ kind: 'analysis-failed', range, failure: failureOf(error) })
    }
  }

  #isNews(name: string, value: unknown): boolean {
    if (this.#told.get(name) === value) return false
    this.#told.set(name, value)
    return true
  }
}
