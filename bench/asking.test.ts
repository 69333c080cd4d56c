import { expect, test } from 'vitest'

import { benchmark } from './asking.ts'

test('a line is answered right or not at all', async () => {
  const [right, wrong, refused] = (await benchmark.run({ input: undefined })).map(({ figure }) => figure)
  expect(right).toBeGreaterThanOrEqual(75)
  expect(wrong).toBeLessThanOrEqual(2)
  expect(refused).toBeGreaterThanOrEqual(97)
})
