import { expect, test } from 'vitest'

import { partOfDay } from './partial.ts'

const window = { from: '2026-11-20T00:00:00.000Z', to: '2026-11-21T00:00:00.000Z' }

test('a day that is not over, or was seen in part, says how much of it there is', () => {
  expect(partOfDay({ window, seen: 1 }, '2026-11-22T00:00:00.000Z')).toBeUndefined()
  expect(partOfDay({ window, seen: 1 }, '2026-11-20T09:00:00.000Z')).toBe('9 of 24 h')
  expect(partOfDay({ window, seen: 0.5 }, '2026-11-22T00:00:00.000Z')).toBe('12 of 24 h')
  expect(partOfDay({ window, seen: 1 }, '2026-11-20T00:20:00.000Z')).toBe('<1 of 24 h')
  expect(partOfDay({ window, seen: 0 }, '2026-11-22T00:00:00.000Z')).toBe('0 of 24 h')
})
