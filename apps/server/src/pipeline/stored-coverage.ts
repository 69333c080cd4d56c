import type { Instant, UsageStore } from '@septet/domain'

import type { StoredSpans } from '../usage/range-plan.ts'

/** It changes as time goes by, and when more of the past is read. */
const MAX_AGE_MS = 60_000

/** Which rows of one cluster are stored, asked of the store once a minute at most. */
export class StoredCoverage {
  readonly #usage: UsageStore
  readonly #cluster: string
  #known: { readonly at: Instant; readonly spans: Promise<StoredSpans> } | undefined

  constructor(usage: UsageStore, cluster: string) {
    this.#usage = usage
    this.#cluster = cluster
  }

  async get(now: Instant): Promise<StoredSpans> {
    if (this.#known === undefined || now - this.#known.at > MAX_AGE_MS) this.#known = { at: now, spans: this.#read() }
    try {
      return await this.#known.spans
    } catch (error) {
      this.#known = undefined
      throw error
    }
  }

  async #read(): Promise<StoredSpans> {
    const [fine, hours, days] = await Promise.all(
      (['5m', '1h', '1d'] as const).map((span) => this.#usage.coverage(this.#cluster, span)),
    )
    return { '5m': fine, '1h': hours, '1d': days }
  }
}
