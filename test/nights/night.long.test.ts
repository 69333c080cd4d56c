import { expect, test } from 'vitest'

import { playNight } from './night.ts'

const DAYS = 4

// A failure names its seed, from which the same night is played again.
test.each([101, 102, 103, 104, 105, 106])('nights of seed %i', async (seed) => {
  expect((await playNight(seed, DAYS)).flaws).toEqual([])
})
