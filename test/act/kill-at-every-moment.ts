import { describe, expect, test } from 'vitest'

import { acting, beginAgain, eachOnDemo, store } from './on-demo.ts'
import { killCase, type KillCase } from './kill-case.ts'
import { sweptPlan } from './swept-plans.ts'

/** Each test takes every so many moments of a plan, so that none takes long. */
const EVERY = 6
const firsts = Array.from({ length: EVERY }, (_, index) => index + 1)

/** Tests of a file in which whoever acts on a plan is killed at every moment. Two files share the plans, so that both cores work. */
export function killAtEveryMoment(plans: readonly string[]): void {
  eachOnDemo()
  describe('whoever acts may be killed at every moment: the cluster ends in the new layout or in the old one', () => {
    test.for(plans.flatMap((name) => firsts.map((first) => [name, first] as const)))(
      '%s, from moment %i on',
      async ([name, first]) => {
        const found: KillCase[] = []
        for (let killAt = first; ; killAt += EVERY) {
          const one = await killCase({ acting, store, plan: await sweptPlan(name) }, killAt)
          if (one === undefined) break
          found.push(one)
          await beginAgain()
        }
        expect(found.length).toBeGreaterThan(2)
        expect(found.filter(({ flaws }) => flaws.length > 0)).toEqual([])
      },
    )
  })
}
