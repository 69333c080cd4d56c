import { rangeText, type TimeRange } from '@septet/domain'

import { WINDOWS_KEPT } from '../read-model/questions.ts'
import { RecentlyUsed } from '../recently-used.ts'

type Entry<Value> = {
  value: Value | undefined
  computedAt: number
  tookMs: number
  running: Promise<Value | undefined> | undefined
}

export type AnalysisCacheOptions<Value> = {
  readonly compute: (range: TimeRange) => Promise<Value | undefined>
  /** Milliseconds; only differences count. */
  readonly clock: () => number
  /** How old an answer may be before it is computed again, milliseconds. */
  readonly maxAgeMs: number
  readonly onComputed: (range: TimeRange, tookMs: number, value: Value | undefined) => void
  readonly onFailure: (error: unknown) => void
}

/**
 * Keeps the newest analysis of each range. An answer is given at once when there is one; an old one is computed again
 * behind it, once however many ask, and never more than a twentieth of the time is spent on it.
 */
export class AnalysisCache<Value> {
  readonly #options: AnalysisCacheOptions<Value>
  readonly #entries = new Map<string, Entry<Value>>()
  /** Of windows that somebody chose there is no end: those asked for last are kept. */
  readonly #ofWindows = new RecentlyUsed<Entry<Value>>(WINDOWS_KEPT)

  constructor(options: AnalysisCacheOptions<Value>) {
    this.#options = options
  }

  async get(range: TimeRange): Promise<Value | undefined> {
    const entry = this.#kept(range).get(rangeText(range))
    if (entry?.value === undefined) return this.refresh(range)
    const age = this.#options.clock() - entry.computedAt
    if (age > Math.max(this.#options.maxAgeMs, entry.tookMs * REST)) {
      this.refresh(range).catch(this.#options.onFailure)
    }
    return entry.value
  }

  /** Computes now, or joins the computation that is going on. The old value stays when it fails. */
  refresh(range: TimeRange): Promise<Value | undefined> {
    const entry = this.#entryOf(range)
    entry.running ??= this.#compute(range, entry)
    return entry.running
  }

  #entryOf(range: TimeRange): Entry<Value> {
    const [kept, key] = [this.#kept(range), rangeText(range)]
    const entry = kept.get(key) ?? { value: undefined, computedAt: 0, tookMs: 0, running: undefined }
    kept.set(key, entry)
    return entry
  }

  #kept(range: TimeRange): Kept<Value> {
    return range.kind === 'quick' ? this.#entries : this.#ofWindows
  }

  async #compute(range: TimeRange, entry: Entry<Value>): Promise<Value | undefined> {
    const started = this.#options.clock()
    try {
      const value = await this.#options.compute(range)
      entry.computedAt = this.#options.clock()
      entry.tookMs = entry.computedAt - started
      if (value !== undefined) entry.value = value
      this.#options.onComputed(range, entry.tookMs, value)
      return entry.value
    } finally {
      entry.running = undefined
    }
  }
}

type Kept<Value> = {
  get(key: string): Entry<Value> | undefined
  set(key: string, entry: Entry<Value>): unknown
}

const REST = 20
