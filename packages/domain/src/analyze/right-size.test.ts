import { describe, expect, test } from 'vitest'

import { NO_PEAKS } from './field-values.ts'
import { draw } from '../cluster/draw.fixture.ts'
import { SECONDS_PER_DAY, mib, ratio } from '../units.ts'
import { DEFAULT_POLICY } from './policy.ts'
import { rightSizing } from './right-size.ts'
import type { UsageTotal } from './usage.ts'

const held = (more: Partial<UsageTotal> = {}, key: UsageTotal['key'] = {}): UsageTotal => ({
  key: { kind: 'held', workload: 'team/Pod/x', model: 'A100-SXM4-80GB', profile: '', ...key },
  gpuSeconds: SECONDS_PER_DAY,
  measuredGpuSeconds: SECONDS_PER_DAY,
  busyGpuSeconds: 0,
  effectiveMeasuredGpuSeconds: 0,
  effectiveGpuSeconds: 0,
  idleGpuSeconds: 0,
  oversizedGpuSeconds: 0,
  seconds: SECONDS_PER_DAY,
  measuredSeconds: SECONDS_PER_DAY,
  ...NO_PEAKS,
  busyPeak: ratio(0.15),
  memoryPeak: mib(16_000),
  rows: 1,
  ...more,
})
const one = draw`a  A100-SXM4-80GB  [team/x]`
const sizeOf = (total: UsageTotal, snapshot = one) =>
  rightSizing([total], snapshot, { policy: DEFAULT_POLICY.rightSize }).of('team/Pod/x')

const withCache = (peak: number) => ({
  ...one,
  workloads: one.workloads.map((workload) => ({ ...workload, cache: { engine: 'vLLM', peak: ratio(peak) } })),
})

describe('a workload', () => {
  test('is oversized when its peaks fit a smaller profile', () => {
    // 16,000 MiB and 10 % fit 19,968 MiB; 15 % at 65 % needs 0.23 of the GPU, which are two compute slices.
    expect(sizeOf(held())).toEqual({ kind: 'oversized', profile: '2g.20gb', share: 2 / 7 })
  })
  test('keeps a margin of memory', () => {
    expect(sizeOf(held({ memoryPeak: mib(18_200), busyPeak: ratio(0.01) }))).toMatchObject({ profile: '3g.40gb' })
  })
  test('fits when only the whole GPU is enough', () => {
    expect(sizeOf(held({ busyPeak: ratio(0.7) }))).toEqual({ kind: 'fits' })
    expect(sizeOf(held({ memoryPeak: mib(60_000) }))).toEqual({ kind: 'fits' })
  })
  test('fits on a board that cannot be cut', () => {
    expect(sizeOf(held({}, { model: 'T4' }), draw`a  T4  [team/x]`)).toEqual({ kind: 'fits' })
  })
  test('on a MIG device is judged by what it uses of that device', () => {
    const share = { gpuSeconds: (SECONDS_PER_DAY * 3) / 7, measuredGpuSeconds: (SECONDS_PER_DAY * 3) / 7 }
    const small = held({ ...share, busyPeak: ratio(0.2), memoryPeak: mib(4000) }, { profile: '3g.40gb' })
    expect(sizeOf(small)).toEqual({ kind: 'oversized', profile: '1g.10gb', share: 1 / 7 })
  })
  test('whose engine reserved its memory for a cache is not judged by that memory, unless the cache was full', () => {
    const reserved = held({ memoryPeak: mib(73_000) })
    expect(sizeOf(reserved)).toEqual({ kind: 'fits' })
    expect(sizeOf(reserved, withCache(0.28))).toEqual({
      kind: 'unknown',
      because:
        'vLLM reserves its memory for a KV cache, of which at most 28% was in use in the last week: memory in use is not ' +
        'what it needs. Let it reserve less, and measure again',
    })
    expect(sizeOf(reserved, withCache(0.97))).toEqual({ kind: 'fits' })
  })
  test('with too little history is not judged', () => {
    const short = { measuredSeconds: 3 * 3600, measuredGpuSeconds: 3 * 3600 }
    expect(sizeOf(held(short))).toEqual({ kind: 'unknown', because: 'not enough history: 3 h of 24 h' })
  })
  test('has the history of one of its pods, not of all together', () => {
    const pods = draw`
      a  A100-SXM4-80GB  [team/x]
      a  A100-SXM4-80GB  [team/y]`
    const snapshot = { workloads: [], pods: pods.pods.map((pod) => ({ ...pod, workload: 'team/Pod/x' })) }
    const size = rightSizing([held()], snapshot, { policy: DEFAULT_POLICY.rightSize }).of('team/Pod/x')
    expect(size).toEqual({ kind: 'unknown', because: 'not enough history: 12 h of 24 h' })
  })
  test('that holds several GPUs at once is not cut', () => {
    const two = draw`
      a  A100-SXM4-80GB  [team/x]
      a  A100-SXM4-80GB  [team/x]`
    expect(sizeOf(held(), two)).toMatchObject({ kind: 'unknown', because: expect.stringContaining('2 devices') })
  })
  test('that ended, shares its device or has no memory reading is not judged', () => {
    expect(sizeOf(held(), draw`a  T4  [-]`)).toMatchObject({ because: 'it has ended' })
    expect(sizeOf(held({ gpuSeconds: SECONDS_PER_DAY / 4 }))).toMatchObject({
      because: 'it shares its device with others',
    })
    expect(sizeOf(held({ memoryPeak: undefined }))).toMatchObject({ because: 'its memory was not measured' })
  })
})
