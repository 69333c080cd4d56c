import { HOUR_MS, stateOf } from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { acting, eachOnDemo, store } from './on-demo.ts'
import { cutOffAfter, flawsAfterJump } from './hindrances.ts'
import { ENDED } from './kill-case.ts'
import { proposed, someCut } from './runs.ts'

eachOnDemo()

// After other writes, and other jumps: `hindered.long.test.ts`.
test('a network that is cut after write 3 holds a change up, and harms nothing', async () => {
  expect(await cutOffAfter(3)).toEqual({ isHeldUp: true, ends: 'kept', flaws: [] })
})

describe('a clock that jumps', () => {
  test('an hour back in the middle of a change: the cluster ends in the new layout or in the old one', async () => {
    expect(await flawsAfterJump(-HOUR_MS)).toEqual([])
  })

  test('before it is begun: one that has lapsed since is not begun', async () => {
    const run = await proposed(store.actions, await someCut(acting, 0), { now: acting.now() })
    acting.skew(48 * HOUR_MS)
    expect(stateOf(await acting.until(run.id, ENDED, [acting.actor()])).state).toBe('expired')
    expect(await store.actions.writes(run.id)).toEqual([])
  })
})
