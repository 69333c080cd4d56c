import {
  DAY_MS,
  DEFAULT_POLICY,
  instant,
  NOTHING_MEASURED,
  SPAN_SECONDS,
  type HistoricUsage,
  type HistoryQuery,
  type Instant,
  type Problem,
} from '@septet/domain'
import { DRAWN_AT, draw } from '@septet/domain/testing'
import { openTestStore } from '@septet/storage/testing'
import { expect, test } from 'vitest'

import { Backfill } from './backfill.ts'

const NOW = instant(DRAWN_AT)
const snapshot = draw`a  H100-80GB-HBM3  [lab/x]`
const gpu = snapshot.nodes[0]?.gpus[0]?.id ?? ''

const usedAt = (at: Instant, { span }: HistoryQuery): HistoricUsage => ({
  ...NOTHING_MEASURED,
  at,
  span,
  node: 'a',
  gpu,
  index: 0,
  modelName: 'NVIDIA H100 80GB HBM3',
  instance: undefined,
  namespace: 'lab',
  pod: 'x',
  owner: undefined,
  observedSeconds: SPAN_SECONDS[span],
  idleSeconds: 0,
  stuckSeconds: 0,
  kernelTime: undefined,
})

/** A metrics engine that answers a window's buckets one by one; `before` may throw instead. */
function engine(before: (query: HistoryQuery, answered: number) => void) {
  const answered: string[] = []
  return {
    answered,
    async *history(query: HistoryQuery) {
      for (let at: number = query.window.from; at < query.window.to; at += SPAN_SECONDS[query.span] * 1000) {
        before(query, answered.length)
        answered.push(`${query.span} ${at}`)
        yield { usage: [usedAt(instant(at), query)], covers: () => true }
      }
    },
  }
}

/** Reads thirty days; tells what was said to be wrong while it waited. */
async function backfillFrom(history: ReturnType<typeof engine>) {
  const { usage } = await openTestStore()
  const waits: number[] = []
  const said: Problem[] = []
  const segments: string[] = []
  const left: number[] = []
  const backfill: Backfill = new Backfill({
    record: { id: 'c', name: 'Lab', kind: 'cluster', createdAt: instant(0) },
    history,
    store: { usage },
    collector: { snapshot: () => snapshot },
    since: () => undefined,
    policy: DEFAULT_POLICY,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    clock: () => NOW,
    pace: { historyDays: 30 },
    publish: () => undefined,
    onSegment: async ({ span }) => {
      segments.push(span)
      left.push(backfill.progress()?.left?.length ?? 0)
      await usage.rollUp('c', NOW)
    },
    pause: async (ms) => {
      waits.push(ms)
      said.push(...backfill.problems())
      expect(backfill.progress()?.left?.length).toBeGreaterThan(0)
    },
  })
  await backfill.run()
  const rows = await usage.rows({ cluster: 'c', span: '1d', window: { from: instant(NOW - 40 * DAY_MS), to: NOW } })
  return { backfill, waits, said, segments, left, days: rows.length }
}

test('a metrics engine that is away at the start is asked again until it answers', async () => {
  let tries = 0
  const read = await backfillFrom(
    engine((_, answered) => {
      tries += answered === 0 ? 1 : 0
      if (tries <= 5) throw new Error('The engine is not responding.')
    }),
  )
  expect(read.waits).toEqual([10_000, 30_000, 60_000, 300_000, 300_000])
  expect(read.said.map(({ message }) => message.match(/Retrying in (.*)\./u)?.[1])).toEqual([
    '10 s',
    '30 s',
    '1 min',
    '5 min',
    '5 min',
  ])
  expect(read.backfill.problems()).toEqual([])
  expect(read.segments).toEqual(['5m', '1h', '1d'])
  expect(read.days).toBe(30)
})

test('what was read before a failure is not read again', async () => {
  let fails = true
  const history = engine(({ span }, answered) => {
    if (!fails || span !== '1d' || answered === 0) return
    fails = false
    throw new Error('The engine went away.')
  })
  const read = await backfillFrom(history)
  expect(read.waits).toHaveLength(1)
  expect(read.days).toBe(30)
  expect(new Set(history.answered).size).toBe(history.answered.length)
})

test('what is not read yet is known before the first answer, while the engine is away, and until it is rolled up', async () => {
  let isAway = true
  // Away before it has told anything: what is left is looked at in the pause.
  const read = await backfillFrom(
    engine(() => {
      if (!isAway) return
      isAway = false
      throw new Error('The engine is not responding.')
    }),
  )
  expect(read.waits).toHaveLength(1)
  expect(read.left).toEqual([3, 2, 1])
  expect(read.backfill.progress()).toBeUndefined()
})
