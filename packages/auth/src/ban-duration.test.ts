import { expect, test } from 'vitest'

import { readBanDuration } from './admin-wish.ts'

test.each([
  ['none', 0],
  ['0', 0],
  ['24h', 86_400_000],
  ['1h30m', 5_400_000],
  ['1.5h', 5_400_000],
  ['+10s', 10_000],
  ['2000ms', 2000],
  ['876000h', 876_000 * 3_600_000],
  ['', undefined],
  ['forever', undefined],
  ['24', undefined],
  ['-1h', undefined],
  ['1d', undefined],
  ['h', undefined],
  ['1h 30m', undefined],
  ['99999999999h', undefined],
])('"%s" is %s', (text, milliseconds) => {
  expect(readBanDuration(text)).toBe(milliseconds)
})
