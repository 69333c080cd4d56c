import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { DAY_MS, gpuHours, HOUR_MS, instant } from '../../units.ts'
import { hoursIn, isPaidAnyway, judge, promisedFor } from './judge-saving.ts'
import type { Realized, SavingQuestion } from './saving.ts'

const WEEK = { from: instant(0), to: instant(7 * DAY_MS) }
const hours = (count: number) => ({ window: { from: WEEK.to, to: instant(WEEK.to + count * HOUR_MS) }, heldByHour: [] })
const BASELINE: SavingQuestion['baseline'] = {
  window: WEEK,
  heldByHour: [],
  workload: undefined,
  usdPerGpuHour: undefined,
  priceSource: undefined,
}

/** A change that was estimated to save one GPU, measured for a week before and after. */
const question = (change: Partial<SavingQuestion> = {}): SavingQuestion => ({
  run: 'run-1',
  state: 'kept',
  effect: 'capacity-freed',
  estimate: { gpuHoursPerMonth: 730, usdPerMonth: undefined },
  appliedAt: WEEK.to,
  touches: [],
  baseline: BASELINE,
  after: hours(168),
  ...change,
})

/** So many GPU-hours saved at least and at most, in hours of which so many were measured. */
const found = (range: readonly [number, number] | undefined, known = 168): Realized =>
  ({
    gpuHours: {
      value: gpuHours(0),
      range: range === undefined ? undefined : { low: gpuHours(range[0]), high: gpuHours(range[1]) },
    },
    knownHours: known,
    unknownHours: 168 - known,
  }) as unknown as Realized

describe('whether a change saves what was estimated', () => {
  test.each<[string, SavingQuestion, Realized | undefined, string, string]>([
    ['as much', question(), found([150, 180]), 'verified', 'It saves what was estimated.'],
    ['nearly as much', question(), found([100, 152]), 'verified', 'It saves what was estimated.'],
    ['less', question(), found([100, 151]), 'partly-verified', 'It saves less than was estimated.'],
    [
      'as much in the hours that were measured, which are too few',
      question(),
      found([80, 110], 100),
      'partly-verified',
      'It saves something, but only 100 of 168 hours were measured.',
    ],
    ['maybe nothing', question(), found([0, 180]), 'failed', 'The measured difference may be chance.'],
    [
      'not known for want of days before',
      question(),
      found(undefined),
      'applied',
      'Too few days were measured before the change to tell savings from chance.',
    ],
    [
      'not known for want of hours',
      question(),
      undefined,
      'applied',
      'No hour was measured that can be compared with one before the change.',
    ],
    ['too early to say', question({ after: hours(40) }), found([150, 180]), 'applied', 'Measured for 40 of 168 hours.'],
    ['not even begun', question({ after: undefined }), undefined, 'applied', 'Measured for 0 of 168 hours.'],
    [
      'measured by nothing from before',
      question({ baseline: undefined }),
      found([150, 180]),
      'applied',
      'Nothing was measured before the change, so its saving cannot be calculated.',
    ],
    [
      'a node that is paid for all the same',
      question({ effect: 'bill-reduced', baseline: { ...BASELINE, prepaid: true } }),
      found([150, 180]),
      'failed',
      'The node is gone, but it is paid for either way, so the bill did not fall.',
    ],
  ])('%s', (...[, asked, realized, state, because]) => expect(judge(asked, realized)).toEqual([state, because]))

  test('what earlier changes have is not counted again', () => {
    expect(judge(question(), found([150, 180]), 'claimed')).toEqual([
      'failed',
      'Its savings are already counted under earlier changes.',
    ])
  })

  test('what promised nothing is verified by anything that is more than chance', () => {
    expect(judge(question({ estimate: undefined }), found([1, 2]))[0]).toBe('verified')
  })

  test('nothing is verified that may be chance, however it was measured', () => {
    fc.assert(
      fc.property(fc.double({ min: -500, max: 0, noNaN: true }), fc.nat(500), fc.nat(168), (low, more, known) => {
        expect(judge(question(), found([low, low + more], known))[0]).toBe('failed')
      }),
    )
  })
})

test('only a bill that would fall is not lowered by what is paid for anyway', () => {
  const prepaid = { ...BASELINE, prepaid: true } as const
  expect(isPaidAnyway(question({ effect: 'bill-reduced', baseline: prepaid }))).toBe(true)
  expect(isPaidAnyway(question({ effect: 'capacity-freed', baseline: prepaid }))).toBe(false)
  expect(isPaidAnyway(question({ effect: 'bill-reduced' }))).toBe(false)
})

test('a month’s estimate is cut to the hours that were measured, and hours of a window are counted whole', () => {
  expect(promisedFor(730, { knownHours: 168 })).toBe(168)
  expect(promisedFor(730, { knownHours: 0 })).toBe(0)
  expect(hoursIn({ window: { from: instant(HOUR_MS - 1), to: instant(2 * HOUR_MS + 1) } })).toBe(3)
})
