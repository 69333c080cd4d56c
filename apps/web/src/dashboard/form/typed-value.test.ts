import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { readTyped, spanWords, textOf, timeOf, TIMES, type Scaled } from './typed-value.ts'

const NUMBER: Scaled = { type: 'number', scale: 1 }
const WHOLE: Scaled = { type: 'integer', scale: 1 }
const PERCENT: Scaled = { type: 'number', scale: 0.01 }
const HOURS: Scaled = { type: 'integer', scale: TIMES.hours }
const NAMES: Scaled = { type: 'array', items: { type: 'string' }, scale: 1 }
const LABELS: Scaled = { type: 'object', scale: 1 }

describe('a value comes back as it was, once it is shown and read', () => {
  test('a share in per cent, without the noise of binary fractions', () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000 }), (tenThousandths) => {
        const share = tenThousandths / 10_000
        const text = textOf(PERCENT, share)
        expect(text.length).toBeLessThanOrEqual('100.00'.length)
        expect(readTyped(PERCENT, text)).toBeCloseTo(share, 12)
      }),
    ))

  test('whole seconds in the unit that is chosen for them', () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000 }), (minutes) => {
        const seconds = minutes * 60
        const limits: Scaled = { type: 'integer', scale: TIMES[timeOf(seconds)] }
        expect(textOf(limits, seconds)).toMatch(/^\d+$/u)
        expect(readTyped(limits, textOf(limits, seconds))).toBe(seconds)
      }),
    ))

  test('names and labels', () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z0-9*-]{1,10}$/u), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(names, (list) => {
        expect(readTyped(NAMES, textOf(NAMES, list))).toEqual(list)
      }),
    )
    const labels = fc.dictionary(fc.stringMatching(/^[a-z/.]{1,10}$/u), fc.stringMatching(/^[a-z=]{0,6}$/u))
    fc.assert(
      fc.property(labels, (pairs) => {
        expect(readTyped(LABELS, textOf(LABELS, pairs))).toEqual({ ...pairs })
      }),
    )
  })
})

describe('what was typed', () => {
  test.each([
    [NUMBER, '', undefined],
    [{ ...NUMBER, nullable: true as const }, '', null],
    [NUMBER, '0', 0],
    [WHOLE, '1.5', 1.5],
    [HOURS, '1.5', 5400],
    // A third of an hour is no whole number of hours, but one of seconds.
    [HOURS, '0.3333', 1200],
    [NUMBER, 'many', Number.NaN],
    [NAMES, ' , ', []],
    [{ ...NAMES, minItems: 1 }, ' , ', undefined],
    [{ type: 'array', items: { type: 'number' }, scale: 1 }, '50%, 80', [50, 80]],
    [{ type: 'string', scale: 1 }, '  ada  ', 'ada'],
    [{ type: 'string', scale: 1 }, '   ', undefined],
    [LABELS, 'gpu, team=a=b', { gpu: '', team: 'a=b' }],
  ] satisfies [Scaled, string, unknown][])('%j of %j is %j', (limits, text, value) =>
    expect(readTyped(limits, text)).toEqual(value),
  )

  test('stays empty where there is no value', () => {
    expect([textOf(NUMBER, undefined), textOf(NUMBER, null), textOf(NAMES, [])]).toEqual(['', '', ''])
  })
})

describe('a time', () => {
  test.each([
    [0, 'minutes'],
    [90, 'minutes'],
    [5400, 'minutes'],
    [3600, 'hours'],
    // A day alone reads better as 24 hours.
    [86_400, 'hours'],
    [172_800, 'days'],
    [90_000, 'hours'],
    [undefined, 'minutes'],
  ])('of %j seconds is given in %s', (seconds, unit) => expect(timeOf(seconds)).toBe(unit))

  test.each([
    [0, '0 s'],
    [45, '45 s'],
    [90, '90 s'],
    [120, '2 min'],
    [5400, '1 h 30 min'],
    [86_401, '86401 s'],
  ])('of %j seconds reads %s: no second of a change goes unsaid', (seconds, words) =>
    expect(spanWords(seconds)).toBe(words),
  )
})
