import { expect, test } from 'vitest'

import { exploreAll, FAULTS_TOGETHER } from './cases.ts'

test('faults together, with two who act', async () => {
  const found = await exploreAll(FAULTS_TOGETHER[1] ?? [], 80_000)
  expect(found.flaws).toEqual([])
  expect(found.states).toBeGreaterThan(500_000)
})
