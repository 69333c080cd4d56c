import { expect, test } from 'vitest'

import { poisoned } from './poisoned-readings.ts'

test('1,000 poisoned inputs lead to no write', () => {
  const written = Array.from({ length: 1000 }, (_, seed) => poisoned(seed)).filter(({ writes }) => writes.length > 0)
  expect(written).toEqual([])
})
