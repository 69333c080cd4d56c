import { SECONDS_PER_HOUR } from '@septet/domain/units'
import { expect, test } from 'vitest'

import { changeWords } from './cost-words.ts'

test('change is of the cost per hour that was seen: a week against a part of one', () => {
  const week = { amount: 1071, observedSeconds: 168 * SECONDS_PER_HOUR }
  expect(changeWords(week, { amount: 1000, observedSeconds: 155 * SECONDS_PER_HOUR })).toBe('−1.2%')
  expect(changeWords(week, { amount: 1000, observedSeconds: 168 * SECONDS_PER_HOUR })).toBe('+7.1%')
})

test('without anything before there is no change', () => {
  const now = { amount: 10, observedSeconds: SECONDS_PER_HOUR }
  expect(changeWords(now, { amount: 0, observedSeconds: SECONDS_PER_HOUR })).toBeUndefined()
  expect(changeWords(now, { amount: 10, observedSeconds: 0 })).toBeUndefined()
})
