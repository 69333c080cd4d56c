import { array, assert, constantFrom, double, integer, property, record } from 'fast-check'
import { expect, test } from 'vitest'

import { instant, ratio, seconds } from '../units.ts'
import { NOTHING_MEASURED } from './field-values.ts'
import { markOversized, oversizedTotals, sizesToForce, type SizesInForce } from './size-in-force.ts'
import { totalsOf } from './usage-sum.ts'
import type { UsageRow } from './usage.ts'

const MODEL = 'A100-SXM4-80GB'
const row = (more: Partial<UsageRow> = {}): UsageRow => ({
  ...NOTHING_MEASURED,
  at: instant(1000),
  span: '5m',
  node: 'a',
  pool: '',
  gpu: 'GPU-0',
  partition: 'GPU-0',
  profile: '',
  model: MODEL,
  machine: '',
  kind: 'held',
  share: ratio(1),
  namespace: 'team',
  workload: 'team/Job/x',
  pod: 'team/x-0',
  workloadClass: 'training',
  present: seconds(300),
  measured: seconds(300),
  idle: seconds(0),
  oversized: seconds(0),
  reason: undefined,
  ...more,
})
const inForce = (from: number, share = 2 / 7): SizesInForce => ({
  from: instant(from),
  sizes: [{ workload: 'team/Job/x', model: MODEL, profile: '2g.20gb', share: ratio(share) }],
})
const oversized = (rows: UsageRow[], judged: SizesInForce[]): number[] =>
  markOversized(rows, judged).map((each) => Math.round(each.oversized * 1e6) / 1e6)

test('oversized time is what was measured and not idle, beyond the share that fits', () => {
  const half = row({ measured: seconds(200), idle: seconds(60) })
  expect(oversized([half], [inForce(0)])).toEqual([100])
  const instance = row({ share: ratio(3 / 7), profile: '3g.40gb' })
  expect(oversized([instance], [inForce(0)])).toEqual([100])
})

test('what fits, is held by nobody, by other work, on another model or before a size was judged is not oversized', () => {
  const others = [
    row({ share: ratio(2 / 7) }),
    row({ share: ratio(1 / 7) }),
    row({ kind: 'free', workload: '' }),
    row({ workload: 'team/Job/y' }),
    row({ model: 'H200' }),
    row({ at: instant(0) }),
  ]
  expect(oversized(others, [inForce(1)])).toEqual([0, 0, 0, 0, 0, 0])
})

test('each hour goes by the size that was in force then, in whatever order they were judged', () => {
  const rows = [row({ at: instant(10) }), row({ at: instant(20) }), row({ at: instant(30) })]
  expect(oversized(rows, [inForce(25, 1 / 7), inForce(15, 4 / 7)])).toEqual([0, 128.571429, 257.142857])
})

test('a row that is right already is the same object, and marking twice changes nothing', () => {
  const anyRow = record({
    share: constantFrom(1, 3 / 7, 1 / 7),
    measured: integer({ min: 0, max: 300 }),
    idle: double({ min: 0, max: 1, noNaN: true }),
    at: integer({ min: 0, max: 50 }),
  }).map(({ share, measured, idle, at }) =>
    row({ at: instant(at), share: ratio(share), measured: seconds(measured), idle: seconds(measured * idle) }),
  )
  assert(
    property(array(anyRow), (rows) => {
      const marked = markOversized(rows, [inForce(10), inForce(30, 1 / 7)])
      expect(markOversized(marked, [inForce(10), inForce(30, 1 / 7)]).every((each, at) => each === marked[at])).toBe(
        true,
      )
      for (const each of marked) expect(each.oversized).toBeLessThanOrEqual(each.measured - each.idle + 1e-9)
    }),
  )
})

test('sizes come into force of work on one model that is larger than it need be', () => {
  const size = { kind: 'oversized', profile: '2g.20gb', share: ratio(2 / 7) } as const
  expect(
    sizesToForce([
      { id: 'a', models: [MODEL], rightSize: size },
      { id: 'b', models: [MODEL, 'H200'], rightSize: size },
      { id: 'c', models: [], rightSize: size },
      { id: 'd', models: [MODEL], rightSize: { kind: 'fits' } },
    ]),
  ).toEqual([{ workload: 'a', model: MODEL, profile: '2g.20gb', share: 2 / 7 }])
})

const oversizedOf = (totals: ReturnType<typeof totalsOf>): number[] =>
  totals.map(({ oversizedGpuSeconds }) => Math.round(oversizedGpuSeconds * 1e6) / 1e6)

test('totals are marked as their rows are, where all go by one size', () => {
  const rows = [row(), row({ measured: seconds(200), idle: seconds(60) }), row({ kind: 'free', workload: '' })]
  const by = ['kind', 'workload', 'model'] as const
  const { sizes } = inForce(0)
  expect(oversizedOf(oversizedTotals(totalsOf(rows, by), sizes))).toEqual(
    oversizedOf(totalsOf(markOversized(rows, [inForce(0)]), by)),
  )
})
