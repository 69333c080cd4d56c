import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PastWait } from '../../analyze/past-wait.ts'
import { HOUR_MS, MINUTE_MS, instant, seconds } from '../../units.ts'
import { estimateWait, type WaitEstimate, type WaitQuestion } from './wait-estimate.ts'

const asks = '1 × nvidia.com/gpu'

/** Waits of so many minutes each, one begun every hour. */
const hourly = (minutes: readonly number[], namespace = 'lab'): readonly PastWait[] =>
  minutes.map((length, hour) => {
    const from = instant(hour * HOUR_MS)
    return { namespace, asks, from, to: instant(from + length * MINUTE_MS), over: true }
  })
const after = (hours: number, rest: Partial<WaitQuestion> = {}): WaitQuestion => ({
  now: instant(hours * HOUR_MS),
  namespace: 'lab',
  asks,
  age: seconds(0),
  ...rest,
})
const told = (estimate: WaitEstimate) => {
  if (estimate.kind === 'unknown') throw new Error(estimate.because)
  return estimate
}
const because = (estimate: WaitEstimate) => (estimate.kind === 'unknown' ? estimate.because : undefined)
const share = (list: readonly boolean[]): number => list.filter(Boolean).length / list.length
const evenly = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => 10 + (index % 10))

// One a week, so that none waits behind another.
const weekly = (minutes: (at: number) => number) =>
  hourly(Array.from({ length: 100 * 168 }, (_, hour) => minutes(hour / 168))).filter((_, hour) => hour % 168 === 0)

describe('how long work like this waits', () => {
  test('four of five of the past are inside, and half of them before the middle', () => {
    // Between 5 and 50 minutes, each as likely, in no order.
    const past = hourly(Array.from({ length: 300 }, (_, index) => 5 + ((index * 37) % 181) / 4))
    const asked = past.slice(60).map(({ from, to }) => {
      const { low, middle, high, like } = told(estimateWait(past, after(from / 60 / MINUTE_MS)))
      expect(like).toBe(`${asks} in lab`)
      const length = (to - from) / 1000
      return { inside: low <= length && length <= high, before: length < middle }
    })
    expect(share(asked.map(({ inside }) => inside))).toBeCloseTo(0.8, 1)
    expect(share(asked.map(({ before }) => before))).toBeCloseTo(0.5, 1)
  })

  test('where a namespace has too few waits, those of all namespaces count; too few of both are counted in words', () => {
    const own = hourly(evenly(5))
    expect(told(estimateWait([...own, ...hourly(evenly(40), 'web')], after(100))).like).toBe(
      `${asks} in all namespaces`,
    )
    expect(because(estimateWait(own, after(100)))).toBe(
      `Only 5 waits for ${asks} have ended while Septet watched; an estimate takes 20.`,
    )
    expect(because(estimateWait([], after(100)))).toBe('No such waits observed yet; 20 are needed.')
  })

  test('waits from under a minute to days say nothing', () => {
    const mixed = weekly((at) => (at % 2 === 0 ? 0.8 : 6 * 24 * 60))
    expect(because(estimateWait(mixed, after(100 * 168)))).toBe(
      `Waits for ${asks} in lab end after anything from 46 s to 6 d 6 h, too far apart for an estimate.`,
    )
    const wide = weekly((at) => (at % 2 === 0 ? 1 : 120))
    expect(estimateWait(wide, after(100 * 168)).kind).toBe('known')
  })

  test('what lies in the future of the question is not used', () => {
    const waits = hourly([...evenly(50), ...Array.from({ length: 50 }, () => 50)])
    expect(estimateWait(waits, after(50))).toEqual(estimateWait(waits.slice(0, 50), after(50)))
  })

  test('work that has waited longer than most waits for what the longest still took', () => {
    const waits = hourly([...evenly(80), ...Array.from({ length: 25 }, () => 40)])
    const { low, middle } = told(estimateWait(waits, after(107, { age: seconds(30 * 60) })))
    expect(middle).toBe(10 * 60)
    expect(low).toBeGreaterThan(0)
  })

  test('behind three that wait already it takes four times as long', () => {
    const waits = hourly(evenly(100))
    const open = [1, 2, 3].map((minutes): PastWait => {
      const to = instant(100 * HOUR_MS)
      return { namespace: 'web', asks: '8 × nvidia.com/gpu', from: instant(to - minutes * MINUTE_MS), to, over: false }
    })
    const alone = told(estimateWait(waits, after(100)))
    expect(told(estimateWait([...waits, ...open], after(100))).middle).toBe(4 * alone.middle)
  })

  test('a wait that would outlast half of what was watched is not told: that past says nothing of such a queue', () => {
    const waits = hourly(evenly(48))
    expect(estimateWait(waits, after(48)).kind).toBe('known')
    const now = after(48).now
    const open = Array.from({ length: 199 }, (): PastWait => ({
      namespace: 'web',
      asks: '8 × nvidia.com/gpu',
      from: instant(now - MINUTE_MS),
      to: now,
      over: false,
    }))
    expect(because(estimateWait([...waits, ...open], after(48)))).toBe(
      `Half of the waits for ${asks} in lab would last longer than 1 d 22 h, and Septet has watched them for 2 d: too short for an estimate.`,
    )
  })

  test('its ends stand in order, whatever the past was', () => {
    const minutes = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 20, maxLength: 80 })
    fc.assert(
      fc.property(minutes, fc.integer({ min: 0, max: 20_000 }), (lengths, age) => {
        const estimate = estimateWait(hourly(lengths), after(lengths.length + 5, { age: seconds(age) }))
        if (estimate.kind === 'unknown') return
        expect(estimate.low).toBeLessThanOrEqual(estimate.middle)
        expect(estimate.middle).toBeLessThanOrEqual(estimate.high)
        expect(estimate.low).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})
