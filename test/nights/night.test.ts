import { expect, test } from 'vitest'

import { playNight } from './night.ts'

test('of a day on which everything goes wrong nothing is lost, nothing is made up, and every face says the same', async () => {
  const { flaws, checks } = await playNight(7, 1)
  expect(flaws).toEqual([])
  expect(checks).toBeGreaterThan(200)
})

test('a store that says yes and keeps nothing is noticed', async () => {
  const { flaws } = await playNight(6, 0.5, true)
  expect(flaws[0]).toContain('and nothing went wrong')
})
