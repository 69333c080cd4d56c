import type { OperationKey, ServerEvent } from '@septet/contract'
import type { Caller } from '@septet/domain'

import type { ClusterFacts } from '../../facts.ts'

/**
 * What open dashboards ask again with every event, and what takes more than a moment to work out, to read from the store
 * or to write as text. Their answers are made of the facts of one cluster and of the store; of their caller only what
 * `keyOf` names goes into them. What is told of a person, and what somebody is about to decide by, is always made anew.
 */
export const SHARED: ReadonlySet<OperationKey> = new Set<OperationKey>([
  'summaryGet',
  'utilizationTrend',
  'partitionsList',
  'fleetMap',
  'workloadsList',
  'queueWaits',
  'costBreakdown',
  'costTokens',
  'costMonths',
  'costDays',
  'costLedger',
  'budgetsList',
  'recommendationsList',
])

/** What other servers write, and time that passes, show within this, milliseconds. */
const KEPT_MS = 1000
const MOST_ANSWERS = 48
/** A longer text is shared by those who ask while it is made, and not kept, characters. */
const LONGEST = 2 * 1024 * 1024

/** Parsed input of an operation on one cluster, and who asks. */
type Question = {
  readonly key: OperationKey
  readonly input: object
  readonly caller: Caller
  readonly cluster: ClusterFacts
}

type Kept = {
  readonly at: number
  readonly cluster: string
  /** Of the facts that it is made of. */
  readonly edition: object
  readonly answer: Promise<object>
}

type Events = { follow(listener: (logged: { readonly event: ServerEvent }) => void): unknown }

/**
 * Answers each question once per change: whoever asks the same as others, of the same facts and with the same rights, gets
 * the very object that these get, also while it is being made. No answer is older than a second, and no failure is kept.
 */
export class KeptAnswers {
  readonly #now: () => number
  readonly #kept = new Map<string, Kept>()

  /** `now`: steady, in milliseconds. Hears `events`, before those who follow them later and may ask at once. */
  constructor(now: () => number, events?: Events) {
    this.#now = now
    events?.follow(({ event }) => this.heard(event))
  }

  /** Gives an object that must not be changed: others are given it too. Rejects as `make` does. */
  answer(question: Question, make: () => Promise<object>): Promise<object> {
    const { key, cluster } = question
    // Before anything is read: what changes while the answer is made makes it old.
    const edition = cluster.edition?.()
    if (edition === undefined || !SHARED.has(key)) return make()
    const at = this.#now()
    const name = keyOf(question)
    const known = this.#kept.get(name)
    if (known?.edition === edition && at - known.at < KEPT_MS) return known.answer
    const kept: Kept = { at, cluster: cluster.record.id, edition, answer: written(make()) }
    this.#keep(name, kept)
    return kept.answer
  }

  /** Answers about that cluster, or all of them, may be old from now on. */
  heard(event: ServerEvent): void {
    if (event.kind === 'reset') this.#kept.clear()
    else if ('cluster' in event) {
      for (const [name, { cluster }] of this.#kept) if (cluster === event.cluster) this.#kept.delete(name)
    }
  }

  /** An operation that writes was carried out on this server, or has failed midway: any answer may be old from now on. */
  wrote(): void {
    this.#kept.clear()
  }

  #keep(name: string, kept: Kept): void {
    this.#kept.delete(name)
    this.#kept.set(name, kept)
    const [oldest] = this.#kept.keys()
    if (oldest !== undefined && this.#kept.size > MOST_ANSWERS) this.#kept.delete(oldest)
    const drop = (): void => {
      if (this.#kept.get(name) === kept) this.#kept.delete(name)
    }
    // What is not asked again must not take memory until something else is.
    setTimeout(drop, KEPT_MS).unref()
    kept.answer.then((answer) => (textOf(answer)?.length ?? 0) > LONGEST && drop(), drop)
  }
}

/** Equal for questions that have the same answer while nothing changes. */
const keyOf = ({ key, input, caller: { kind, role, clusters, namespaces }, cluster }: Question): string =>
  JSON.stringify([key, cluster.record.id, input, kind, role, clusters ?? 'all', namespaces ?? 'all'])

/** They live as long as their answers. */
const texts = new WeakMap<object, string>()

async function written(making: Promise<object>): Promise<object> {
  const answer = await making
  texts.set(answer, JSON.stringify(answer))
  return answer
}

/** An answer as JSON where it was written already; undefined for one that is not shared. */
export const textOf = (answer: unknown): string | undefined =>
  typeof answer === 'object' && answer !== null ? texts.get(answer) : undefined
