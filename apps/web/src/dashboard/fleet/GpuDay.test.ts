import { SECONDS_PER_HOUR } from '@septet/domain/units'
import { expect, test } from 'vitest'

import { minuteTime } from '../../ui/time-words.ts'
import { sinceWords } from './GpuDay.tsx'

const start = Date.UTC(2026, 10, 26) / 1000
const at = Array.from({ length: 24 }, (_, hour) => start + hour * SECONDS_PER_HOUR)
const from = (hour: number) => at.map((_, place) => (place < hour ? null : 0.5))

test('a chart whose first hours are empty says since when there are readings', () => {
  const words = sinceWords(at, [
    ['a', from(20)],
    ['b', from(18)],
  ])
  expect(words).toMatch(/^Readings since /u)
  expect(words).toContain(minuteTime(new Date((start + 18 * SECONDS_PER_HOUR) * 1000).toISOString()))
})

test('a chart that is empty for a moment, or only in between, says nothing', () => {
  expect(sinceWords(at, [['a', from(0)]])).toBeUndefined()
  expect(sinceWords(at, [['a', from(2)]])).toBeUndefined()
  expect(
    sinceWords(at, [['a', from(0).map((value, place) => (place > 3 && place < 20 ? null : value))]]),
  ).toBeUndefined()
})
