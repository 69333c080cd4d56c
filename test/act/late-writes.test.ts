import { expect, test } from 'vitest'

import { eachOnDemo } from './on-demo.ts'
import { flawsAfter } from './late-write.ts'
import { sweptPlan } from './swept-plans.ts'

eachOnDemo()

// The second write of a cut evicts a pod; every write of every kind is in `late-writes.long.test.ts`.
test('a write that arrives when another has long finished changes nothing', async () => {
  expect(await flawsAfter(await sweptPlan('a cut that displaces a pod'), 2)).toEqual([])
})
