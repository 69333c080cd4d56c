import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { mib } from '../units.ts'
import { mergeTotals } from './usage-sum.ts'
import { kindOf, sumUsage } from './usage-sum.ts'
import type { UsageTotal } from './usage.ts'

const total = (
  kind: string,
  workload: string,
  ...[gpuSeconds, memoryPeak]: readonly [number, number?]
): UsageTotal => ({
  ...sumUsage([]),
  key: { kind, workload },
  gpuSeconds,
  rows: 1,
  ...(memoryPeak === undefined ? {} : { memoryPeak: mib(memoryPeak) }),
})

describe('totals of several batches', () => {
  test('are added by their groups, in order of first appearance; of peaks the highest stays', () => {
    const merged = mergeTotals(
      [total('held', 'a', 1, 30), total('free', '', 2), total('held', 'a', 4, 20), total('held', 'b', 8)],
      ['kind', 'workload'],
    )
    expect(merged.map(({ key, gpuSeconds, memoryPeak, rows }) => [key, gpuSeconds, memoryPeak, rows])).toEqual([
      [{ kind: 'held', workload: 'a' }, 5, 30, 2],
      [{ kind: 'free', workload: '' }, 2, undefined, 1],
      [{ kind: 'held', workload: 'b' }, 8, undefined, 1],
    ])
  })

  test('come to the same however they are cut into batches', () => {
    const totals = fc.array(
      fc
        .tuple(
          fc.constantFrom('held', 'free', 'down'),
          fc.constantFrom('', 'a', 'b'),
          fc.nat(1000),
          fc.option(fc.nat(90)),
        )
        .map(([kind, workload, seconds, peak]) => total(kind, workload, seconds, peak ?? undefined)),
      { maxLength: 20 },
    )
    fc.assert(
      fc.property(totals, fc.nat(20), (all, cut) => {
        const by = ['kind', 'workload'] as const
        const batches = [all.slice(0, cut), all.slice(cut)].flatMap((batch) => mergeTotals(batch, by))
        expect(mergeTotals(batches, by)).toEqual(mergeTotals(all, by))
        expect(sumUsage(mergeTotals(all, by))).toEqual(sumUsage(all))
      }),
    )
  })
})

test('what nobody grouped by kind is refused: held and free time must not be mixed', () => {
  expect(() => kindOf({ key: { workload: 'a' } })).toThrow(
    'usage totals must be grouped by kind, this one is {"workload":"a"}',
  )
  expect(() => kindOf({ key: { kind: 'lent' } })).toThrow('grouped by kind')
})
