import type { TimeRange } from '@septet/domain'

import type { Namespaces } from '../facts.ts'
import { KeptAnalyses } from '../read-model/kept-analyses.ts'
import type { AnalysisOf } from '../read-model/questions.ts'

type Entry<Value> = {
  value: Value | undefined
  computedAt: number
  tookMs: number
  running: Promise<Value | undefined> | undefined
}

type AnalysisCacheOptions<Value> = {
  readonly compute: (of: AnalysisOf) => Promise<Value | undefined>
  /** Milliseconds; only differences count. */
  readonly clock: () => number
  /** How old an answer may be before it is computed again, milliseconds. */
  readonly maxAgeMs: number
  readonly onComputed: (of: AnalysisOf, tookMs: number, value: Value | undefined) => void
  readonly onFailure: (error: unknown) => void
}

/**
 * Keeps the newest analysis of each range, and of each set of namespaces that somebody is limited to. An answer is given at once when there is one; an old one is computed again
 * behind it, once however many ask, and never more than a twentieth of the time is spent on it.
 */
export class AnalysisCache<Value> {
  readonly #options: AnalysisCacheOptions<Value>
  readonly #entries = new KeptAnalyses<Entry<Value>>()

  constructor(options: AnalysisCacheOptions<Value>) {
    this.#options = options
  }

  async get(range: TimeRange, namespaces?: Namespaces): Promise<Value | undefined> {
    const entry = this.#entries.get({ range, namespaces })
    if (entry?.value === undefined) return this.refresh(range, namespaces)
    const age = this.#options.clock() - entry.computedAt
    if (age > Math.max(this.#options.maxAgeMs, entry.tookMs * REST)) {
      this.refresh(range, namespaces).catch(this.#options.onFailure)
    }
    return entry.value
  }

  /** Computes now, or joins the computation that is going on. The old value stays when it fails. */
  refresh(range: TimeRange, namespaces?: Namespaces): Promise<Value | undefined> {
    const of = { range, namespaces }
    const entry = this.#entries.get(of) ?? { value: undefined, computedAt: 0, tookMs: 0, running: undefined }
    this.#entries.set(of, entry)
    entry.running ??= this.#compute(of, entry)
    return entry.running
  }

  async #compute(of: AnalysisOf, entry: Entry<Value>): Promise<Value | undefined> {
    const started = this.#options.clock()
    try {
      const value = await this.#options.compute(of)
      entry.computedAt = this.#options.clock()
      entry.tookMs = entry.computedAt - started
      if (value !== undefined) entry.value = value
      this.#options.onComputed(of, entry.tookMs, value)
      return entry.value
    } finally {
      entry.running = undefined
    }
  }
}

const REST = 20
