import type { Instant, TimeRange } from '@septet/domain'

import type { Namespaces, RangeAnalysis } from '../facts.ts'
import { isOutdated, lookedBack, PATIENCE_MS } from '../freshness.ts'
import { inTime } from '../in-time.ts'
import { KeptAnalyses } from '../read-model/kept-analyses.ts'
import type { AnalysisOf } from '../read-model/questions.ts'

type Entry = {
  value: RangeAnalysis | undefined
  computedAt: number
  tookMs: number
  running: Promise<RangeAnalysis | undefined> | undefined
  /** For as long as a newer one is on its way: whoever asks waits for that, a few seconds in all. */
  catchingUp: Promise<unknown> | undefined
}

type AnalysisCacheOptions = {
  readonly compute: (of: AnalysisOf) => Promise<RangeAnalysis | undefined>
  readonly clock: () => Instant
  /** How old an answer may be before it is computed again, milliseconds. */
  readonly maxAgeMs: number
  readonly onComputed: (of: AnalysisOf, tookMs: number, value: RangeAnalysis | undefined) => void
  readonly onFailure: (error: unknown) => void
}

/**
 * Keeps the newest analysis of each range, and of each set of namespaces that somebody is limited to. One that reaches far
 * enough is given at once. It is computed again behind the answer when it is old, once however many ask, and hardly more
 * than a twentieth of the time is spent on that. One that ends too long ago is computed again first.
 */
export class AnalysisCache {
  readonly #options: AnalysisCacheOptions
  readonly #entries = new KeptAnalyses<Entry>()
  #changes = 0

  constructor(options: AnalysisCacheOptions) {
    this.#options = options
  }

  async get(range: TimeRange, namespaces?: Namespaces): Promise<RangeAnalysis | undefined> {
    const { clock, onFailure, maxAgeMs } = this.#options
    const entry = this.#entries.get({ range, namespaces })
    if (entry?.value === undefined) return this.#newest(range, namespaces)
    const age = clock() - entry.computedAt
    // A clock that was set back makes it of the future.
    if (age < 0 || isOutdated(lookedBack(range, entry.value), clock())) {
      const newest = (): Promise<unknown> => this.#newest(range, namespaces).catch(onFailure)
      entry.catchingUp ??= inTime(
        PATIENCE_MS,
        newest().finally(() => (entry.catchingUp = undefined)),
      )
      await entry.catchingUp
      return entry.value
    }
    if (age > Math.max(maxAgeMs, Math.min(entry.tookMs * REST, LONGEST_REST_MS))) {
      this.refresh(range, namespaces).catch(onFailure)
    }
    return entry.value
  }

  /** What all of them were made of has changed: each is computed again when it is next asked for, however new it is. */
  outdate(): void {
    this.#changes += 1
    for (const entry of this.#entries.values()) entry.computedAt = -Infinity
  }

  /** One that began before a pause of this process is of then: another follows it. */
  async #newest(range: TimeRange, namespaces?: Namespaces): Promise<RangeAnalysis | undefined> {
    const value = await this.refresh(range, namespaces)
    const isOld = value !== undefined && isOutdated(lookedBack(range, value), this.#options.clock())
    return isOld ? this.refresh(range, namespaces) : value
  }

  /** Computes now, or joins the computation that is going on. The old value stays when it fails. */
  refresh(range: TimeRange, namespaces?: Namespaces): Promise<RangeAnalysis | undefined> {
    const of = { range, namespaces }
    const entry = this.#entries.get(of) ?? unmade()
    this.#entries.set(of, entry)
    entry.running ??= this.#compute(of, entry)
    return entry.running
  }

  async #compute(of: AnalysisOf, entry: Entry): Promise<RangeAnalysis | undefined> {
    const [started, changes] = [this.#options.clock(), this.#changes]
    try {
      const value = await this.#options.compute(of)
      const ended = this.#options.clock()
      entry.computedAt = changes === this.#changes ? ended : -Infinity
      entry.tookMs = ended - started
      if (value !== undefined) entry.value = value
      this.#options.onComputed(of, entry.tookMs, value)
      return entry.value
    } finally {
      entry.running = undefined
    }
  }
}

const unmade = (): Entry => ({
  value: undefined,
  computedAt: 0,
  tookMs: 0,
  running: undefined,
  catchingUp: undefined,
})

const REST = 20
/** One that took long on a busy machine, such as the first while the past is read, is not of long ago for that. */
const LONGEST_REST_MS = 60_000
