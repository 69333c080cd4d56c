import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { HOUR_MS, instant, mib, seconds } from '../../units.ts'
import { coverageOf, growthPerBlock, hasWorked, objectionTo } from './history-guards.ts'
import { type RightSizeOptions, rightSizeOptions } from './right-size-options.ts'
import type { UsageBucket, UsageHistory } from './usage-history.ts'

type Hour = { readonly memory?: number | undefined; readonly busy?: number | undefined; readonly measured?: number }

const bucket = ({ memory, busy, measured = 3600 }: Hour, hour: number): UsageBucket => ({
  at: instant(hour * HOUR_MS),
  length: seconds(3600),
  measured: seconds(measured),
  compute: busy,
  computePeak: busy,
  memoryPeak: memory === undefined ? undefined : mib(memory),
})
const of = (hours: readonly Hour[], more: Partial<UsageHistory> = {}): UsageHistory => ({
  id: 'w',
  buckets: hours.map(bucket),
  restarts: [],
  untrusted: undefined,
  ...more,
})
const steady = (count: number, hour: Hour = { memory: 1000, busy: 0.4 }) => Array.from({ length: count }, () => hour)
const options: RightSizeOptions = rightSizeOptions.production
const objection = (history: UsageHistory, more: Partial<RightSizeOptions> = {}) => {
  const { kind, because } = objectionTo(history, { ...options, ...more }) ?? {}
  return kind === undefined ? undefined : `${kind}: ${because}`
}
const at = (hours: number) => instant(hours * HOUR_MS)

describe('why a history carries no smaller size', () => {
  test.for<[string, UsageHistory, string | undefined]>([
    ['nothing', of(steady(48)), undefined],
    [
      'its device is shared',
      of(steady(48), { untrusted: 'it shares its device with others' }),
      'unknown: it shares its device with others',
    ],
    ['it is empty', of([]), 'unknown: its memory was not measured'],
    ['its memory is missing', of(steady(48, { busy: 0.4 })), 'unknown: its memory was not measured'],
    ['how busy it was is missing', of(steady(48, { memory: 1000 })), 'unknown: how busy it was is not measured'],
    [
      'its memory reads 0',
      of(steady(48, { memory: 0, busy: 0.4 })),
      'unknown: its memory reads 0 MiB while it works, so it is not measured',
    ],
    ['it is short', of(steady(20)), 'unknown: not enough history: 20 h of 24 h'],
    [
      'it has minutes only',
      of(steady(1, { memory: 1000, busy: 0.4, measured: 90 })),
      'unknown: not enough history: 1 min of 24 h',
    ],
    [
      'most of it is missing',
      of([...steady(24), ...steady(30, { measured: 0 }), ...steady(1)]),
      'unknown: only 45% of its history is measured',
    ],
    [
      'it restarted just now',
      of(steady(48), { restarts: [at(47.5)] }),
      'keep: it restarted within the last hour: what it needs now is unknown',
    ],
    [
      'it restarts again and again',
      of(steady(48), { restarts: [at(30), at(35), at(40)] }),
      'keep: it restarted 3 times within a day, as work does that runs out of memory',
    ],
    ['it restarted long ago', of(steady(72), { restarts: [at(1), at(2), at(3), at(60)] }), undefined],
    [
      'its memory rose',
      of([...steady(30), ...steady(10, { memory: 2000, busy: 0.4 })]),
      'keep: its memory rose from 1000 to 2000 MiB 10 h ago: 10 h of 24 h since',
    ],
    ['its memory rose long ago', of([...steady(30), ...steady(24, { memory: 2000, busy: 0.4 })]), undefined],
    ['its memory rose a little', of([...steady(30), ...steady(10, { memory: 1250, busy: 0.4 })]), undefined],
    ['its memory rose once and fell back', of([...steady(30), { memory: 2000, busy: 0.4 }, ...steady(10)]), undefined],
    ['its first hour loaded the model', of([{ memory: 10, busy: 0.4 }, ...steady(40)]), undefined],
  ])('%s', ([, history, because]) => {
    expect(objection(history)).toBe(because)
  })
  test('missing busy is none where compute does not count; then its memory may be that of idle work', () => {
    expect(objection(of(steady(48, { memory: 1000 })), { compute: 'ignored' })).toBe(
      'keep: how busy it was is unknown, so its memory may be that of idle work',
    )
  })
  test('it hardly worked', () => {
    expect(objection(of([...steady(46, { memory: 1000, busy: 0.01 }), ...steady(2)]))).toMatch(/^keep: /u)
    expect(objection(of([...steady(40, { memory: 1000, busy: 0.01 }), ...steady(8)]))).toBeUndefined()
  })
  test('it restarted within the last day, where its history is by day', () => {
    const days = of(steady(5)).buckets.map((each, day) => ({
      ...each,
      at: at(day * 24),
      length: seconds(86_400),
      measured: seconds(86_400),
    }))
    expect(objection({ ...of([]), buckets: days, restarts: [at(100)] })).toBe(
      'keep: it restarted within the last day: what it needs now is unknown',
    )
    expect(objection({ ...of([]), buckets: days, restarts: [at(90)] })).toBeUndefined()
  })
  test('a gap that is not measured at all is still time that passed', () => {
    const buckets = [...of(steady(24)).buckets, ...of(steady(1)).buckets.map((each) => ({ ...each, at: at(60) }))]
    expect(objection({ ...of([]), buckets })).toBe('unknown: only 40% of its history is measured')
  })
})

describe('what a history shows', () => {
  test('work is more than two hours over the idle threshold, and a tenth of all', () => {
    const idle = { memory: 1000, busy: 0.05 }
    expect(hasWorked(of([...steady(1), ...steady(5, idle)]), 0.05)).toBe(false)
    expect(hasWorked(of([...steady(2), ...steady(5, idle)]), 0.05)).toBe(true)
    expect(hasWorked(of([...steady(2), ...steady(19, idle)]), 0.05)).toBe(false)
    expect(hasWorked(of([]), 0.05)).toBe(false)
  })
  test('coverage is what was measured of the time since its first bucket', () => {
    expect(coverageOf(of([]))).toBe(0)
    expect(coverageOf(of(steady(10)))).toBe(1)
    expect(coverageOf(of([...steady(5), ...steady(5, { measured: 0 })]))).toBe(0.5)
    expect(coverageOf(of([...steady(5), ...steady(5, { memory: 1, measured: 1800 })]))).toBe(0.75)
  })
  test('growth is that of the median pair of hours, where nearly all rise', () => {
    const line = (count: number, slope: number) =>
      of(Array.from({ length: count }, (_, hour) => ({ memory: 1000 + hour * slope, busy: 0.4 })))
    expect(growthPerBlock(line(5, 10))).toBe(0)
    expect(growthPerBlock(line(6, 10))).toBe(10)
    expect(growthPerBlock(line(300, 3))).toBe(3)
    expect(growthPerBlock(line(20, -3))).toBe(0)
    const spike = Array.from({ length: 12 }, (_, hour) => ({ memory: 1000 + hour * 10, busy: 0.4 }))
    spike[6] = { memory: 9000, busy: 0.4 }
    expect(growthPerBlock(of(spike))).toBeCloseTo(10, 0)
  })
  test('growth does not depend on how much memory there is to begin with', () => {
    const peaks = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 6, maxLength: 20 })
    fc.assert(
      fc.property(peaks, fc.integer({ min: 0, max: 5000 }), (all, more) => {
        const grown = growthPerBlock(of(all.map((memory) => ({ memory, busy: 0.4 }))))
        const shifted = growthPerBlock(of(all.map((memory) => ({ memory: memory + more, busy: 0.4 }))))
        expect(shifted).toBeCloseTo(grown, 9)
        expect(grown).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})
