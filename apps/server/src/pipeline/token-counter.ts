import {
  type ClusterRecord,
  type InferenceReader,
  type Instant,
  MINUTE_MS,
  namespaceOf,
  servedTokens,
  type UsageStore,
  type Window,
} from '@septet/domain'
import { errorText } from '@septet/domain/words'

import type { CountedTokens } from '../facts.ts'
import { keptFor, type KeptFor } from '../recently-used.ts'
import { planWindow, type StoredSpans } from '../usage/range-plan.ts'

type CounterParts = {
  readonly record: ClusterRecord
  /** Undefined where no metrics engine is asked. */
  readonly inference: InferenceReader | undefined
  /** Where the cluster is read elsewhere. */
  readonly feed: object | undefined
  readonly store: { readonly usage: Pick<UsageStore, 'stays'> }
  readonly clock: () => Instant
  /** Up to when usage has hourly rows. */
  readonly rolledUpTo: () => Promise<Instant>
  readonly stored: () => Promise<StoredSpans>
}

/** A reading is good for a part of its window, so that a month is not added up again with every figure that moves. */
const GOOD_FOR = 1 / 288
const AT_LEAST_MS = 30_000
const AT_MOST_MS = 15 * MINUTE_MS

/** Has a cluster's metrics engine add up the tokens of a window, and tells which workloads the counting pods belong to. */
export class TokenCounter {
  readonly #parts: CounterParts
  readonly #kept: KeptFor<CountedTokens>

  constructor(parts: CounterParts) {
    this.#parts = parts
    this.#kept = keptFor(AT_MOST_MS, parts.clock)
  }

  async count(window: Window): Promise<CountedTokens> {
    const { inference, feed, record } = this.#parts
    if (inference === undefined) return { kind: 'unread', because: feed === undefined ? NO_ENGINE : BY_AGENT }
    const length = window.to - window.from
    const grain = Math.min(AT_MOST_MS, Math.max(AT_LEAST_MS, length * GOOD_FOR))
    // A window that moves on by less is the same one.
    const key = [window.from, window.to].map((at) => Math.round(at / grain)).join('/')
    return this.#kept
      .get(`${key}/${Math.round(grain)}`, () => this.#read(window, inference))
      .catch((error: unknown) => ({
        kind: 'unread',
        because: `The metrics engine of ${record.name} did not add up the tokens: ${errorText(error)}`,
      }))
  }

  async #read(window: Window, inference: InferenceReader): Promise<CountedTokens> {
    const { store, record, clock, rolledUpTo, stored } = this.#parts
    const read = await inference.tokens(window)
    const namespaces = [...new Set(read.counts.map(({ pod }) => namespaceOf(pod)))]
    // The rows that the cost is made of: whatever they leave out is in neither.
    const context = { now: clock(), rolledUpTo: await rolledUpTo(), stored: await stored() }
    const stays = await Promise.all(
      planWindow(window, context).segments.map((segment) =>
        store.usage.stays({ cluster: record.id, span: segment.span, window: segment.window, namespaces }),
      ),
    )
    return { kind: 'read', served: servedTokens(read, stays.flat()), readAt: clock() }
  }
}

const NO_ENGINE =
  'Septet asks no metrics engine about this cluster, so it cannot tell how many tokens were served. ' +
  'Name one under Settings → Clusters that scrapes the inference engines.'
const BY_AGENT =
  'An agent reads this cluster and sends no token counters. ' +
  'Let Septet read its metrics engine directly to see what tokens cost.'
