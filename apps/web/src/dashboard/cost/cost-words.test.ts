import { expect, test } from 'vitest'

import { changeWords } from './cost-words.ts'

const HOUR = 3600

test('change is of the cost per hour that was seen: a week against a part of one', () => {
  const week = { amount: 1071, observedSeconds: 168 * HOUR }
  expect(changeWords(week, { amount: 1000, observedSeconds: 155 * HOUR })).toBe('−1.2%')
  expect(changeWords(week, { amount: 1000, observedSeconds: 168 * HOUR })).toBe('+7.1%')
})

test('without anything before there is no change', () => {
  const now = { amount: 10, observedSeconds: HOUR }
  expect(changeWords(now, { amount: 0, observedSeconds: HOUR })).toBeUndefined()
  expect(changeWords(now, { amount: 10, observedSeconds: 0 })).toBeUndefined()
})
