import { expect, test } from 'vitest'

import { eachOnDemo } from './on-demo.ts'
import { HOUR, cutOffAfter, flawsAfterJump } from './hindrances.ts'

eachOnDemo()

test.for([1, 4, 5])('a network that is cut after write %i holds a change up, and harms nothing', async (writes) => {
  expect(await cutOffAfter(writes)).toEqual({ isHeldUp: true, ends: 'kept', flaws: [] })
})

test.for([
  ['an hour ahead', HOUR],
  ['two days ahead', 48 * HOUR],
  ['two days back', -48 * HOUR],
] as const)('a clock that jumps %s: the cluster ends in the new layout or in the old one', async ([, by]) => {
  expect(await flawsAfterJump(by)).toEqual([])
})
