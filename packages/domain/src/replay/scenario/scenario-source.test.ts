import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { GpuStay } from '../../analyze/gpu-stay.ts'
import { HOUR_MS, instant, mib, ratio, seconds } from '../../units.ts'
import { jobsOfStays, spreadWithinRows } from './scenario-source.ts'

const DAY = 86_400
type Span = readonly [from: number, to: number]
const stay = (pod: string, [from, to]: Span, more: Partial<GpuStay> = {}): GpuStay => ({
  pod,
  namespace: 'lab',
  workload: `lab/Job/${pod}`,
  model: 'A100-SXM4-80GB',
  profile: '',
  share: ratio(1),
  devices: 1,
  from: instant(from * 1000),
  to: instant(to * 1000),
  measuredGpuSeconds: 0,
  busyGpuSeconds: 0,
  measuredSeconds: seconds(0),
  busyPeak: undefined,
  memoryPeak: undefined,
  ...more,
})
const window = { from: instant(1_000_000), to: instant(2_000_000) }
const jobsIn = (...stays: readonly GpuStay[]) => jobsOfStays(stays, window).jobs

const inNamespace = (pod: string, from: number, namespace: string) => stay(pod, [from, from + 10], { namespace })

describe('the stays of a window as jobs', () => {
  test('come when they began, at its start where they were there before, and stay on where they still are at its end', () => {
    const { at, stays } = jobsIn(
      stay('a', [500, 1200]),
      stay('b', [1300, 1400]),
      stay('c', [1900, 2000]),
      stay('d', [1950, 9000]),
    )
    expect(at).toEqual([0, 300, 900, 950])
    expect(stays).toEqual([200, 100, null, null])
  })
  test('are those that lie in it, and no stay of no length', () => {
    expect(jobsIn(stay('a', [0, 1000]), stay('b', [2000, 2100]), stay('c', [1500, 1500])).at).toEqual([])
  })
  test('of one moment come largest first, equal ones by name', () => {
    const { shapes, jobs } = jobsOfStays(
      [stay('b', [1100, 1200]), stay('a', [1100, 1200]), stay('large', [1100, 1200], { devices: 4 })],
      window,
    )
    expect(jobs.shape.map((index) => shapes[index]?.size)).toEqual([
      { kind: 'whole', gpus: 4 },
      { kind: 'whole', gpus: 1 },
      { kind: 'whole', gpus: 1 },
    ])
    expect(shapes).toHaveLength(2)
  })
  test('count namespaces in the order in which they come', () => {
    expect(
      jobsIn(inNamespace('a', 1100, 'web'), inNamespace('b', 1200, 'lab'), inNamespace('c', 1300, 'web')).tenant,
    ).toEqual([0, 1, 0])
  })
  test('kept busy what was measured of them, scaled to all that they held; nothing measured is not 0', () => {
    const busy = { devices: 2, measuredGpuSeconds: 100, busyGpuSeconds: 25 }
    expect(jobsIn(stay('a', [1100, 1200], busy), stay('b', [1150, 1200])).work).toEqual([0.5, null])
    expect(jobsIn(stay('a', [1100, 1200], { ...busy, busyGpuSeconds: 0 })).work).toEqual([0])
  })
})

const shapeOf = (more: Partial<GpuStay>) => jobsOfStays([stay('a', [1100, 1200], more)], window).shapes[0]?.size

describe('what a stay held', () => {
  test.for<[string, Partial<GpuStay>, unknown]>([
    ['whole GPUs', { devices: 2 }, { kind: 'whole', gpus: 2 }],
    ['a share that is a whole GPU but for rounding', { share: ratio(0.9995) }, { kind: 'whole', gpus: 1 }],
    ['a MIG device', { profile: '3g.40gb', share: ratio(3 / 7) }, { kind: 'mig', profile: '3g.40gb' }],
    ['two replicas of four', { share: ratio(0.25), devices: 2 }, { kind: 'share', milli: 500 }],
  ])('%s', ([, more, size]) => {
    expect(shapeOf(more)).toEqual(size)
  })
})

describe('what its measured peak fits', () => {
  const measured = { measuredSeconds: seconds(DAY), busyPeak: ratio(0.09), memoryPeak: mib(5000) }
  const fitOf = (more: Partial<GpuStay>) => {
    const { shapes, jobs } = jobsOfStays([stay('a', [1100, 1200], { ...measured, ...more })], window)
    const [held, fit] = [jobs.shape[0] ?? -1, jobs.fit[0] ?? -1]
    return held === fit ? 'what it held' : shapes[fit]?.size
  }
  test('is the smallest profile of its own board', () => {
    expect(fitOf({})).toEqual({ kind: 'mig', profile: '1g.10gb' })
    // A tenth of the GPU busy is more than 65 % of a seventh.
    expect(fitOf({ busyPeak: ratio(0.1) })).toEqual({ kind: 'mig', profile: '2g.20gb' })
    expect(fitOf({ memoryPeak: mib(30_000) })).toEqual({ kind: 'mig', profile: '3g.40gb' })
    expect(fitOf({ profile: '3g.40gb', share: ratio(3 / 7) })).toEqual({ kind: 'mig', profile: '1g.10gb' })
  })
  test.for<[string, Partial<GpuStay>]>([
    ['has no smaller size', { profile: '1g.10gb', share: ratio(1 / 7) }],
    ['holds several devices, which MIG devices cannot replace', { devices: 2 }],
    ['shares its GPU by software', { share: ratio(0.5) }],
    ['was measured for less than the policy wants', { measuredSeconds: seconds(DAY - 1) }],
    ['needs more than the largest profile gives', { memoryPeak: mib(80_000) }],
    ['was not measured', { busyPeak: undefined }],
    ['has no known memory', { memoryPeak: undefined }],
    ['runs on a board without MIG', { model: 'T4' }],
  ])('is what it held where it %s', ([, more]) => {
    expect(fitOf(more)).toBe('what it held')
  })
})

const within = (pod: string, [hour, length]: readonly [hour: number, length: number], more: Partial<GpuStay> = {}) =>
  stay(pod, [hour * 3600, hour * 3600 + length], more)

const told = (stays: readonly GpuStay[]) => stays.map(({ pod, from, to }) => [pod, from / 1000, to / 1000])

describe('stays whose time within a stored row is not known', () => {
  const ROW = seconds(3600)

  test('follow one another, those of one shape and row only', () => {
    const stays = [
      within('b', [1, 600]),
      within('a', [1, 600]),
      within('c', [1, 600], { devices: 2 }),
      within('d', [2, 600]),
    ]
    expect(told(spreadWithinRows(stays, ROW))).toEqual([
      ['a', 3600, 4200],
      ['b', 4200, 4800],
      ['c', 3600, 4200],
      ['d', 7200, 7800],
    ])
  })
  test('that fill the row or reach beyond it stay where they are', () => {
    const stays = [within('a', [1, 3600]), within('b', [1, 4000]), stay('c', [3700, 3800])]
    expect(told(spreadWithinRows(stays, ROW))).toEqual(told(stays))
  })
  test('keep their length, stay within their row, and hold no more at once than has to be', () => {
    const lengths = fc.array(
      fc.record({ hour: fc.integer({ min: 1, max: 3 }), length: fc.integer({ min: 1, max: 3599 }) }),
      {
        maxLength: 20,
      },
    )
    fc.assert(
      fc.property(lengths, (drawn) => {
        const stays = drawn.map(({ hour, length }, at) => within(`p${String(at).padStart(2, '0')}`, [hour, length]))
        const spread = spreadWithinRows(stays, ROW)
        expect(spread.map(({ pod }) => pod).toSorted()).toEqual(stays.map(({ pod }) => pod))
        for (const each of spread) {
          const before = stays.find(({ pod }) => pod === each.pod)
          expect(each.to - each.from).toBe((before?.to ?? 0) - (before?.from ?? 0))
          const row = (before?.from ?? 0) / HOUR_MS
          expect([Math.floor(each.from / HOUR_MS), Math.ceil(each.to / HOUR_MS)]).toEqual([row, row + 1])
        }
        for (const hour of [1, 2, 3]) {
          const own = spread.filter(({ from }) => Math.floor(from / HOUR_MS) === hour)
          const total = own.reduce((sum, { from, to }) => sum + (to - from), 0)
          const atOnce = own.map(({ from }) => own.filter((other) => other.from <= from && other.to > from).length)
          // One after the other wastes less than half of each turn.
          expect(Math.max(0, ...atOnce)).toBeLessThanOrEqual(Math.ceil((2 * total) / HOUR_MS))
        }
      }),
    )
  })
})
