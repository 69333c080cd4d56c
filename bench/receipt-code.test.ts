import { expect, test } from 'vitest'

import { codeDigest } from './receipt-code.ts'

test('a digest stands for the code that a benchmark reaches: the same again, and another for another', () => {
  expect(codeDigest(['mig-packing'])).toMatch(/^[\da-f]{16}$/u)
  expect(codeDigest(['mig-packing'])).toBe(codeDigest(['mig-packing']))
  expect(codeDigest(['mig-packing'])).not.toBe(codeDigest(['online-placement']))
})

test('of a benchmark that is gone there is none, so that its receipt counts as stale', () => {
  expect(codeDigest(['no-such-benchmark'])).toBeUndefined()
})
