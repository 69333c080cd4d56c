import { HOUR_MS } from '@septet/domain'
import { expect, test } from 'vitest'

import { eachOnDemo } from './on-demo.ts'
import { cutOffAfter, flawsAfterJump } from './hindrances.ts'

eachOnDemo()

test.for([1, 4, 5])('a network that is cut after write %i holds a change up, and harms nothing', async (writes) => {
  expect(await cutOffAfter(writes)).toEqual({ isHeldUp: true, ends: 'kept', flaws: [] })
})

test.for([
  ['an hour ahead', HOUR_MS],
  ['two days ahead', 48 * HOUR_MS],
  ['two days back', -48 * HOUR_MS],
] as const)('a clock that jumps %s: the cluster ends in the new layout or in the old one', async ([, by]) => {
  expect(await flawsAfterJump(by)).toEqual([])
})
