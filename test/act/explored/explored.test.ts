import { expect, test } from 'vitest'

import { exploreAll, ONE_FAULT } from './cases.ts'

test('whatever goes wrong once, in every order, nothing is written that may not be, and an end can be reached', async () => {
  const found = await exploreAll(ONE_FAULT, 100_000)
  expect(found.flaws).toEqual([])
  expect(found).toMatchObject({ complete: ONE_FAULT.length })
  expect(found.states).toBeGreaterThan(20_000)
})
