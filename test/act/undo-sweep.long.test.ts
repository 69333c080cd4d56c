import { expect, test } from 'vitest'

import { beginAgain, eachOnDemo } from './on-demo.ts'
import type { KillCase } from './kill-case.ts'
import { undoCase } from './undo-case.ts'

eachOnDemo()

/** Each test takes every so many moments, so that none takes long. */
const EVERY = 12

test.for(Array.from({ length: EVERY }, (_, index) => index + 1))(
  'who takes a change back is killed at every moment, from %i on: the cluster ends as it was',
  async (first) => {
    const found: KillCase[] = []
    for (let killAt = first; ; killAt += EVERY) {
      const one = await undoCase(killAt)
      if (one === undefined) break
      found.push(one)
      await beginAgain()
    }
    expect(found.length).toBeGreaterThan(2)
    expect(found.filter(({ outcome, flaws }) => outcome !== 'reverted' || flaws.length > 0)).toEqual([])
  },
)
