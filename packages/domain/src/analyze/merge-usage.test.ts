import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { NOTHING_MEASURED } from './field-values.ts'
import { instant, mib, ratio, seconds, watts } from '../units.ts'
import { mergeUsage } from './merge-usage.ts'
import type { UsageRow } from './usage.ts'
import { sumUsage, totalsOf } from './usage-sum.ts'

const anyRow = fc
  .record({
    partition: fc.constantFrom('p1', 'p2', 'p3'),
    pod: fc.constantFrom('a/x', 'a/y'),
    present: fc.integer({ min: 1, max: 300 }),
    measuredShare: fc.constantFrom(0, 0.5, 1),
    busy: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ partition, pod, present, measuredShare, busy }): UsageRow => ({
    at: instant(0),
    span: '5m',
    node: 'n',
    pool: '',
    gpu: 'g',
    partition,
    profile: '',
    model: 'T4',
    machine: '',
    kind: 'held',
    share: ratio(1),
    namespace: 'a',
    workload: 'w',
    pod,
    workloadClass: 'training',
    present: seconds(present),
    measured: seconds(present * measuredShare),
    idle: seconds(0),
    oversized: seconds(0),
    ...NOTHING_MEASURED,
    busy: measuredShare > 0 ? ratio(busy) : undefined,
    busyPeak: measuredShare > 0 ? ratio(busy) : undefined,
    effective: measuredShare > 0 ? ratio(busy / 2) : undefined,
    memoryUsed: mib(1000),
    memoryPeak: mib(2000),
    power: watts(50),
    reason: measuredShare < 1 ? 'no-telemetry' : undefined,
  }))

test('joining rows changes no sum, and leaves one row a partition and holder', () => {
  fc.assert(
    fc.property(fc.array(anyRow, { maxLength: 20 }), (rows) => {
      const merged = mergeUsage(rows)
      expect(new Set(merged.map((row) => `${row.partition} ${row.pod}`)).size).toBe(merged.length)
      const before = sumUsage(totalsOf(rows, ['kind']))
      const after = sumUsage(totalsOf(merged, ['kind']))
      for (const name of ['gpuSeconds', 'measuredGpuSeconds', 'busyGpuSeconds', 'effectiveGpuSeconds'] as const) {
        expect(after[name]).toBeCloseTo(before[name], 6)
      }
      expect(after.busyPeak).toBe(before.busyPeak)
    }),
  )
})

test('joined rows keep the reason that either has, the later one of two', () => {
  fc.assert(
    fc.property(anyRow, (row) => {
      const joined = (...reasons: ReadonlyArray<UsageRow['reason']>) =>
        mergeUsage(reasons.map((reason) => ({ ...row, reason }))).map(({ reason }) => reason)
      expect(joined('no-telemetry', undefined)).toEqual(['no-telemetry'])
      expect(joined(undefined, 'no-telemetry')).toEqual(['no-telemetry'])
      expect(joined('no-telemetry', 'stale-target')).toEqual(['stale-target'])
      expect(joined(undefined, undefined)).toEqual([undefined])
    }),
  )
})
