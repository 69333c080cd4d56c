import { describe, expect, test } from 'vitest'

import { killCase, type KillCase } from './kill-case.ts'
import { SWEPT_PLANS, withPlan } from './swept-plans.ts'

/** Each test takes every so many moments of a plan, so that none takes long. */
const EVERY = 6
const firsts = Array.from({ length: EVERY }, (_, index) => index + 1)

describe('whoever acts may be killed at every moment: the cluster ends in the new layout or in the old one', () => {
  test.for(SWEPT_PLANS.flatMap((name) => firsts.map((first) => [name, first] as const)))(
    '%s, from moment %i on',
    async ([name, first]) => {
      const found: KillCase[] = []
      for (let killAt = first; ; killAt += EVERY) {
        const one = await withPlan(name, (on) => killCase(on, killAt))
        if (one === undefined) break
        found.push(one)
      }
      expect(found.length).toBeGreaterThan(2)
      expect(found.filter(({ flaws }) => flaws.length > 0)).toEqual([])
    },
  )
})
