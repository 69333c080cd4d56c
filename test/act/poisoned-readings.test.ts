import { expect, test } from 'vitest'

import { BUSY, poisoned, RESTING, writesAfter } from './poisoned-readings.ts'

test('work that truly rests for a day is stopped on auto, and work that is busy is not', () => {
  expect(writesAfter(RESTING)).not.toEqual([])
  expect(writesAfter(BUSY)).toEqual([])
})

test('50 poisoned inputs lead to no write', () => {
  const written = Array.from({ length: 50 }, (_, seed) => poisoned(seed)).filter(({ writes }) => writes.length > 0)
  expect(written).toEqual([])
})
