import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { NOTHING_MEASURED } from './field-values.ts'
import { instant, ratio, seconds } from '../units.ts'
import { idleNow, markIdle, openStretches } from './idle.ts'
import { DEFAULT_POLICY } from './policy.ts'
import type { UsageRow } from './usage.ts'

const policy = DEFAULT_POLICY.idle

type Bucket =
  | number
  | '?'
  | { readonly busy: number; readonly present?: number; readonly measured?: number; readonly idle?: number }

/** One pod's buckets, from a drawing: busy, or `?` where it is not known, or undefined where the bucket is missing. */
const history = (...buckets: readonly (Bucket | undefined)[]): UsageRow[] =>
  buckets.flatMap((bucket, order) => {
    if (bucket === undefined) return []
    const {
      busy,
      present = 300,
      measured = present,
      idle = 0,
    } = typeof bucket === 'number' ? { busy: bucket } : bucket === '?' ? { busy: 0, measured: 0 } : bucket
    return {
      at: instant(order * 300_000),
      span: '5m',
      node: 'a',
      pool: '',
      gpu: 'GPU-0',
      partition: 'GPU-0',
      profile: '',
      model: 'T4',
      machine: '',
      kind: 'held',
      share: ratio(1),
      namespace: 'team',
      workload: 'team/Pod/x',
      pod: 'team/x',
      workloadClass: 'notebook',
      present: seconds(present),
      measured: seconds(measured),
      idle: seconds(idle),
      oversized: seconds(0),
      ...NOTHING_MEASURED,
      busy: measured > 0 ? ratio(busy) : undefined,
      reason: undefined,
    }
  })
const idleOf = (rows: readonly UsageRow[]): number[] => markIdle(rows, policy).map(({ idle }) => idle)

describe('held time is idle', () => {
  test('from 30 minutes in a row at 5 % or less', () => {
    expect(idleOf(history(0, 0.05, 0, 0.01, 0, 0))).toEqual([300, 300, 300, 300, 300, 300])
  })
  test('not in a shorter stretch', () => {
    expect(idleOf(history(0, 0, 0, 0, 0))).toEqual([0, 0, 0, 0, 0])
  })
  test('not across a busy bucket', () => {
    expect(idleOf(history(0, 0, 0, 0.06, 0, 0, 0))).toEqual([0, 0, 0, 0, 0, 0, 0])
  })
  test('across one bucket that is unknown, or missing', () => {
    expect(idleOf(history(0, 0, 0, '?', 0, 0, 0))).toEqual([300, 300, 300, 0, 300, 300, 300])
    expect(idleOf(history(0, 0, 0, undefined, 0, 0, 0))).toEqual([300, 300, 300, 300, 300, 300])
  })
  test('not across two of these', () => {
    expect(idleOf(history(0, 0, 0, '?', '?', 0, 0, 0))).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
    expect(idleOf(history(0, 0, 0, '?', undefined, 0, 0, 0))).toEqual([0, 0, 0, 0, 0, 0, 0])
  })
  test('when a minute of a bucket could not be read, or the watcher was away for some of it', () => {
    expect(idleOf(history(0, 0, { busy: 0, measured: 240 }, 0, 0, 0))).toEqual([300, 300, 240, 300, 300, 300])
    expect(idleOf(history(0, 0, 0, { busy: 0, present: 100 }, 0, 0, 0))).toEqual([300, 300, 300, 100, 300, 300, 300])
  })
  test('not because of what was seen for less than half of a bucket', () => {
    expect(idleOf(history(0, 0, { busy: 0, measured: 30 }, { busy: 0, measured: 30 }, 0, 0, 0))).toEqual([
      0, 0, 0, 0, 0, 0, 0,
    ])
    expect(idleOf(history(0, 0, 0, { busy: 0.9, measured: 30 }, 0, 0, 0))).toEqual([0, 0, 0, 0, 0, 0, 0])
  })
  test('from when its first bucket begins until its last one ends', () => {
    const rows = history({ busy: 0, present: 200 }, 0, 0, 0, 0, 0, { busy: 0, present: 100 })
    expect(idleOf(rows)).toEqual([200, 300, 300, 300, 300, 300, 100])
    expect(idleOf(history({ busy: 0, present: 200 }, 0, 0, 0, 0, { busy: 0, present: 100 }))).toEqual([
      0, 0, 0, 0, 0, 0,
    ])
  })
  test('not for what a gap at its end might have been', () => {
    expect(idleOf(history(0, 0, 0, 0, 0, '?'))).toEqual([0, 0, 0, 0, 0, 0])
    expect(idleOf(history('?', 0, 0, 0, 0, 0))).toEqual([0, 0, 0, 0, 0, 0])
  })
  test('only for the seconds that were measured', () => {
    expect(idleOf(history(0, 0, { busy: 0, measured: 280 }, 0, 0, 0, 0))).toEqual([300, 300, 280, 300, 300, 300, 300])
  })
  test('when the stretch began before the rows that are given', () => {
    expect(idleOf(history({ busy: 0, idle: 300 }, 0))).toEqual([300, 300])
  })
  test('no longer when a bucket that was marked turns out busy', () => {
    expect(idleOf(history({ busy: 0.5, idle: 300 }))).toEqual([0])
  })
})

const idleAtTheEndOf = (...buckets: readonly (Bucket | undefined)[]): number => {
  const rows = markIdle(history(...buckets), policy)
  return idleNow(rows, instant((buckets.length - 1) * 300_000)).size
}

describe('idle at this moment', () => {
  test('is what was idle in the newest bucket', () => {
    expect(idleAtTheEndOf(0, 0, 0, 0, 0, 0)).toBe(1)
    expect(idleAtTheEndOf(0, 0, 0, 0, 0, 0, 0.5)).toBe(0)
  })
  test('outlasts one bucket that is unknown', () => {
    expect(idleAtTheEndOf(0, 0, 0, 0, 0, 0, '?')).toBe(1)
    expect(idleAtTheEndOf(0, 0, 0, 0, 0, 0, '?', '?')).toBe(0)
    expect(idleAtTheEndOf(0, 0, 0, 0, 0, 0, undefined)).toBe(0)
  })
})

test('time that nobody holds is never idle-held', () => {
  const free = history(0, 0, 0, 0, 0, 0, 0).map((row): UsageRow => ({ ...row, kind: 'free', pod: '' }))
  expect(idleOf(free)).toEqual([0, 0, 0, 0, 0, 0, 0])
})

test('bucket by bucket, the open stretches alone say what all rows would', () => {
  const bucket = fc.oneof(
    { weight: 6, arbitrary: fc.constant<Bucket>(0.01) },
    { weight: 1, arbitrary: fc.constantFrom<Bucket | undefined>(0.5, '?', undefined) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 300 }).map((present): Bucket => ({ busy: 0, present })) },
    { weight: 1, arbitrary: fc.constant<Bucket>({ busy: 0, measured: 280 }) },
  )
  const held = (buckets: readonly (Bucket | undefined)[], order: number): UsageRow[] =>
    history(...buckets).map((row) => ({ ...row, pod: `team/${order}`, partition: `GPU-${order % 2}` }))
  fc.assert(
    fc.property(fc.array(fc.array(bucket, { maxLength: 24 }), { minLength: 1, maxLength: 3 }), (pasts) => {
      const rows = pasts.flatMap(held)
      const moments = [...new Set(rows.map(({ at }) => at))].toSorted((a, b) => a - b)
      let all: UsageRow[] = []
      let open: UsageRow[] = []
      const kept = new Map<string, number>()
      for (const moment of moments) {
        const now = rows.filter(({ at }) => at === moment)
        all = markIdle([...all, ...now], policy)
        const marked = markIdle([...open, ...now], policy)
        for (const row of marked) kept.set(nameOf(row), row.idle)
        open = openStretches(marked, policy)
        expect(Object.fromEntries(kept)).toEqual(Object.fromEntries(all.map((row) => [nameOf(row), row.idle])))
      }
      expect(open.length).toBeLessThanOrEqual(7 * pasts.length)
    }),
    { numRuns: 300 },
  )
})

const nameOf = ({ at, partition, pod }: UsageRow): string => `${at} ${partition} ${pod}`
