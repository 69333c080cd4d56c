import { expect, test } from 'vitest'

import { exploreAll, FAULTS_TOGETHER } from './cases.ts'

// The other half is in a file of its own, so that both cores work.
test('faults together, with one who acts', async () => {
  const found = await exploreAll(FAULTS_TOGETHER[0] ?? [], 80_000)
  expect(found.flaws).toEqual([])
  expect(found.states).toBeGreaterThan(500_000)
})
