import { describe, expect, test } from 'vitest'

import { NOTHING_MEASURED } from './field-values.ts'
import { instant, ratio, seconds } from '../units.ts'
import { markIdle } from './idle.ts'
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
      kind: 'held',
      share: ratio(1),
      namespace: 'team',
      workload: 'team/Pod/x',
      pod: 'team/x',
      workloadClass: 'notebook',
      present: seconds(present),
      measured: seconds(measured),
      idle: seconds(idle),
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
  test('not across what is unknown', () => {
    expect(idleOf(history(0, 0, 0, '?', 0, 0, 0))).toEqual([0, 0, 0, 0, 0, 0, 0])
  })
  test('not across a bucket that is missing', () => {
    expect(idleOf(history(0, 0, 0, undefined, 0, 0, 0))).toEqual([0, 0, 0, 0, 0, 0])
  })
  test('not across a bucket that is only partly there', () => {
    expect(idleOf(history(0, 0, 0, { busy: 0, present: 100 }, 0, 0, 0))).toEqual([0, 0, 0, 0, 0, 0, 0])
  })
  test('also after one that is only partly there, where it was long enough before', () => {
    const known = { busy: 0, idle: 300 }
    const part = { busy: 0, present: 100 }
    expect(idleOf(history(known, known, part, 0, 0))).toEqual([300, 300, 100, 300, 300])
    expect(idleOf(history(known, known, part, part, 0))).toEqual([300, 300, 100, 100, 0])
    expect(idleOf(history(known, known, part, 0.5, 0))).toEqual([300, 300, 100, 0, 0])
    expect(idleOf(history(known, known, { busy: 0.5, present: 100 }, 0, 0))).toEqual([300, 300, 0, 0, 0])
  })
  test('also when its first bucket begins late and its last ends early', () => {
    const rows = history({ busy: 0, present: 200 }, 0, 0, 0, 0, 0, { busy: 0, present: 100 })
    expect(idleOf(rows)).toEqual([200, 300, 300, 300, 300, 300, 100])
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

test('time that nobody holds is never idle-held', () => {
  const free = history(0, 0, 0, 0, 0, 0, 0).map((row): UsageRow => ({ ...row, kind: 'free', pod: '' }))
  expect(idleOf(free)).toEqual([0, 0, 0, 0, 0, 0, 0])
})
