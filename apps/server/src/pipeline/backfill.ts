import { errorText } from '@septet/domain/words'
import type { ServerEvent } from '@septet/contract'
import {
  enrichHistory,
  historyContext,
  markIdle,
  SPAN_SECONDS,
  type AnalysisPolicy,
  type ClusterRecord,
  type ClusterSnapshot,
  type HistoryReader,
  type Instant,
  type Log,
  type Problem,
  type Store,
  type UsageRow,
} from '@septet/domain'

import type { HistoryProgress } from '../facts.ts'
import type { Pace } from '../pace.ts'
import { backfillPlan, piecesOf } from './backfill-plan.ts'
import type { Collector } from './collect.ts'
import type { Segment } from '../usage/segments.ts'

export type BackfillParts = {
  readonly record: ClusterRecord
  readonly history: HistoryReader | undefined
  readonly store: Store
  readonly collector: Collector
  /** As it is at that moment. */
  readonly policy: AnalysisPolicy
  readonly log: Log
  readonly clock: () => Instant
  readonly pace: Pace
  readonly publish: (event: ServerEvent) => void
  /** Called when one stretch of the past is stored. */
  readonly onSegment: (segment: Segment) => Promise<void>
}

/** Reads past usage from a metrics engine into the store, once, newest first, behind the live readings. */
export class Backfill {
  readonly #parts: BackfillParts
  readonly #signal = { aborted: false }
  #progress: HistoryProgress | undefined
  #problems: readonly Problem[] = []

  constructor(parts: BackfillParts) {
    this.#parts = parts
  }

  progress = (): HistoryProgress | undefined => this.#progress
  problems = (): readonly Problem[] => this.#problems
  cancel = (): void => void (this.#signal.aborted = true)

  async run(): Promise<void> {
    const { history, record, log, onSegment } = this.#parts
    if (history === undefined) return
    const plan = await this.#plan()
    const buckets = plan.reduce((sum, segment) => sum + bucketsOf(segment), 0)
    try {
      let done = 0
      for (const segment of plan) {
        await this.#read(history, segment, (read) => this.#report(done + read, buckets, segment))
        done += bucketsOf(segment)
        await onSegment(segment)
      }
      this.#progress = undefined
    } catch (error) {
      if (this.#signal.aborted) return
      const message = errorText(error)
      log.warn('past usage could not be read', { cluster: record.id, error: message })
      this.#progress = undefined
      this.#problems = [
        {
          code: 'history-unavailable',
          message: `${message} Past usage of ${record.name} is missing; live readings go on. It is tried again at the next start.`,
          object: `history of ${record.name}`,
        },
      ]
    }
  }

  async #plan(): Promise<readonly Segment[]> {
    const { store, record, clock, collector, pace } = this.#parts
    const coverage = (span: '5m' | '1h' | '1d') => store.usage.coverage(record.id, span)
    const [fine, hourly, daily] = await Promise.all([coverage('5m'), coverage('1h'), coverage('1d')])
    return backfillPlan({
      now: clock(),
      days: pace.historyDays,
      partitions: partitionsOf(collector.snapshot()),
      // The live bucket is no past: what counts as stored in fine rows is only what an earlier process left.
      stored: { '5m': fine, '1h': hourly, '1d': daily },
    })
  }

  async #read(history: HistoryReader, segment: Segment, report: (buckets: number) => void): Promise<void> {
    const { collector } = this.#parts
    const context = historyContext(collector.snapshot())
    const seen = new Set<number>()
    for (const { span, window } of piecesOf(segment, partitionsOf(collector.snapshot()))) {
      for await (const batch of history.history({ window, span, signal: this.#signal })) {
        if (this.#signal.aborted) return
        await this.#store(markIdle(enrichHistory(batch, context), this.#parts.policy.idle))
        for (const row of batch) seen.add(row.at)
        report(seen.size)
      }
    }
  }

  /** Portion by portion: each is all or nothing, and live readings have their turn in between. */
  async #store(rows: readonly UsageRow[]): Promise<void> {
    const { store, record } = this.#parts
    for (let start = 0; start < rows.length && !this.#signal.aborted; start += ROWS_AT_ONCE) {
      await store.usage.write(record.id, rows.slice(start, start + ROWS_AT_ONCE))
    }
  }

  #report(done: number, of: number, { span }: Segment): void {
    const { publish, record, clock } = this.#parts
    this.#progress = { done, of, detail: `Reading past usage (${DETAIL[span]})` }
    publish({ kind: 'history', cluster: record.id, done, of, asOf: new Date(clock()).toISOString() })
  }
}

const ROWS_AT_ONCE = 10_000

const partitionsOf = (snapshot: ClusterSnapshot | undefined): number =>
  snapshot?.nodes.reduce((sum, { gpus }) => sum + gpus.reduce((all, gpu) => all + gpu.partitions.length, 0), 0) ?? 1

const DETAIL = { '5m': 'the last hours', '1h': 'the last days', '1d': 'the last months' } as const
const bucketsOf = ({ span, window }: Segment): number =>
  Math.ceil((window.to - window.from) / 1000 / SPAN_SECONDS[span])
