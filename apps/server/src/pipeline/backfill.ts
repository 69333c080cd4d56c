import { duration, errorText } from '@septet/domain/words'
import type { ServerEvent } from '@septet/contract'
import {
  enrichHistory,
  historyContext,
  SPAN_SECONDS,
  type AnalysisPolicy,
  type ClusterRecord,
  type ClusterSnapshot,
  type HistoryReader,
  type Instant,
  type Log,
  type Problem,
  type UsageStore,
} from '@septet/domain'

import type { HistoryProgress } from '../facts.ts'
import type { Pace } from '../pace.ts'
import { LoopRecord } from '../repeat.ts'
import { backfillPlan, backfillPieces } from './backfill-plan.ts'
import type { Collector } from './collect.ts'
import { storedSpans } from '../usage/range-plan.ts'
import type { Segment } from '../usage/segments.ts'
import { writeRows } from '../usage/write-rows.ts'

export type BackfillParts = {
  readonly record: ClusterRecord
  readonly history: HistoryReader | undefined
  readonly store: { readonly usage: Pick<UsageStore, 'coverage' | 'write'> }
  readonly collector: Pick<Collector, 'snapshot'>
  /** Since when the cluster is seen; undefined before that. */
  readonly since: () => Instant | undefined
  /** As it is at that moment. */
  readonly policy: AnalysisPolicy
  readonly log: Log
  readonly clock: () => Instant
  readonly pace: Pick<Pace, 'historyDays'>
  readonly publish: (event: ServerEvent) => void
  /** Called when one stretch of the past is stored. */
  readonly onSegment: (segment: Segment) => Promise<void>
  /** Waits so many milliseconds, or until the signal. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
}

/** After each failed try the next one is so much later, milliseconds; after these the longest repeats. */
const PAUSES = [10_000, 30_000, 60_000] as const
const LONGEST_PAUSE = 300_000

/**
 * Reads past usage from a metrics engine into the store, once, newest first, behind the live readings. What failed is
 * tried again from where it ended, for as long as it takes.
 */
export class Backfill {
  readonly #parts: BackfillParts
  readonly #stopped = new AbortController()
  /** How the tries to read all that is left go. */
  readonly attempts = new LoopRecord('backfill')
  #progress: HistoryProgress | undefined
  #problems: readonly Problem[] = []

  constructor(parts: BackfillParts) {
    this.#parts = parts
  }

  progress = (): HistoryProgress | undefined => this.#progress
  problems = (): readonly Problem[] => this.#problems
  cancel = (): void => this.#stopped.abort()

  /** Resolves when all of the past is stored, or after `cancel`. */
  async run(): Promise<void> {
    const { history, pause } = this.#parts
    if (history === undefined) return
    let plan: Plan | undefined
    for (let failures = 0; !this.#stopped.signal.aborted; failures += 1) {
      try {
        await this.attempts.run(async () => {
          plan ??= planOf(await this.#wanted())
          // Before the first answer too: until it comes none of it is known.
          this.#report(plan, 0)
          await this.#readPlan(history, plan)
        })
        this.#problems = []
        break
      } catch (error) {
        if (this.#stopped.signal.aborted) break
        const wait = PAUSES[failures] ?? LONGEST_PAUSE
        this.#failed(error, wait)
        await pause(wait, this.#stopped.signal)
      }
    }
    this.#progress = undefined
  }

  #failed(error: unknown, wait: number): void {
    const { record, log } = this.#parts
    const message = errorText(error)
    log.warn('past usage could not be read', { cluster: record.id, error: message })
    const what = `${message} Past usage of ${record.name} is missing; live readings continue.`
    this.#problems = [
      {
        code: 'history-unavailable',
        message: `${what} Retrying in ${duration(wait / 1000)}.`,
        object: `history of ${record.name}`,
      },
    ]
  }

  async #wanted(): Promise<readonly Segment[]> {
    const { store, record, clock, collector, pace, since } = this.#parts
    return backfillPlan({
      now: clock(),
      since: since(),
      days: pace.historyDays,
      partitions: partitionsOf(collector.snapshot()),
      // The live bucket is not a past: what counts as stored in fine rows is only what an earlier process left.
      stored: await storedSpans(store.usage, record.id),
    })
  }

  async #readPlan(history: HistoryReader, plan: Plan): Promise<void> {
    for (let segment = plan.left[0]; segment !== undefined; segment = plan.left[0]) {
      await this.#read(history, plan, segment)
      if (this.#stopped.signal.aborted) return
      await this.#parts.onSegment(segment)
      plan.left.shift()
      plan.untold.shift()
    }
  }

  /** Reads a segment piece by piece; what is left of it then lies before the piece. */
  async #read(history: HistoryReader, plan: Plan, segment: Segment): Promise<void> {
    const { collector, policy, store, record } = this.#parts
    const { signal } = this.#stopped
    const context = historyContext(collector.snapshot())
    for (const { span, window } of backfillPieces(segment, partitionsOf(collector.snapshot()))) {
      const seen = new Set<number>()
      for await (const batch of history.history({ window, span, idle: policy.idle, signal })) {
        if (signal.aborted) return
        await writeRows(enrichHistory(batch, context), { usage: store.usage, cluster: record.id, signal })
        for (const row of batch.usage) seen.add(row.at)
        this.#problems = []
        this.#report(plan, seen.size)
      }
      plan.left[0] = { span, window: { from: segment.window.from, to: window.from } }
    }
  }

  /** `read` buckets of what is left of the plan are stored. */
  #report({ buckets, left, untold }: Plan, read: number): void {
    const { publish, record, clock } = this.#parts
    const [segment] = left
    if (segment === undefined) return
    const done = buckets - bucketsLeft(left) + read
    const windows = untold.map(({ window }) => window)
    this.#progress = { done, of: buckets, detail: `Reading past usage (${DETAIL[segment.span]})`, left: windows }
    publish({ kind: 'history', cluster: record.id, done, of: buckets, asOf: new Date(clock()).toISOString() })
  }
}

/** What is still to be read, newest first, and how many buckets there were to begin with. */
type Plan = {
  readonly buckets: number
  readonly left: Segment[]
  /** The same with all of the stretch that is being read: no answer holds any of that before it is rolled up. */
  readonly untold: Segment[]
}

const planOf = (wanted: readonly Segment[]): Plan => ({
  buckets: bucketsLeft(wanted),
  left: [...wanted],
  untold: [...wanted],
})

const partitionsOf = (snapshot: ClusterSnapshot | undefined): number =>
  snapshot?.nodes.reduce((sum, { gpus }) => sum + gpus.reduce((all, gpu) => all + gpu.partitions.length, 0), 0) ?? 1

const DETAIL = { '5m': 'the last hours', '1h': 'the last days', '1d': 'the last months' } as const
const bucketsLeft = (segments: readonly Segment[]): number =>
  segments.reduce((sum, { span, window }) => sum + Math.ceil((window.to - window.from) / 1000 / SPAN_SECONDS[span]), 0)
