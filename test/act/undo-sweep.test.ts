import { describe, expect, test } from 'vitest'

import { eachOnDemo } from './on-demo.ts'
import { undoCase } from './undo-case.ts'

eachOnDemo()

// Every moment: `undo-sweep.long.test.ts`.
describe('who takes a change back may be killed at any moment: the cluster ends as it was, and nobody else is blamed', () => {
  test.for<readonly [string, number]>([
    ['after write evict', 1],
    ['after write evict', 2],
    ['before settle', 3],
    ['after write patch', 2],
    ['after advance', 2],
  ])('killed %s (%i)', async ([what, nth]) => {
    expect(await undoCase({ what, nth })).toEqual({ diedAt: what, outcome: 'reverted', flaws: [] })
  })
})
