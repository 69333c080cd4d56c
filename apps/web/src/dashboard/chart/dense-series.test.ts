import { expect, test } from 'vitest'

import { denseWords } from './dense-series.ts'

test.each([
  [0, 'ratio', '0%'],
  [0.0004, 'ratio', '0.04%'],
  [0.000001, 'ratio', '<0.01%'],
  [0.571, 'ratio', '57%'],
  [0.04, 'GPU', '0.04 GPUs'],
  [7.84, 'GiB', '7.8 GiB'],
  [104.4, 'W', '104 W'],
  [12.5, 'USD', '$12.5'],
] as const)('%d as %s reads %s: little is not nothing', (value, unit, words) => {
  expect(denseWords(value, unit)).toBe(words)
})
