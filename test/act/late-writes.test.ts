import { expect, test } from 'vitest'

import { flawsAfter } from './late-write.ts'
import { withPlan } from './swept-plans.ts'

// The second write of a cut evicts a pod; every write of every kind is in `late-writes.long.test.ts`.
test('a write that arrives when another has long finished changes nothing', async () => {
  expect(await withPlan('a cut that displaces a pod', (on) => flawsAfter(on, 2))).toEqual([])
})
