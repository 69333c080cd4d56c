import { describe, expect, test } from 'vitest'

import { acting, eachOnDemo, store } from './on-demo.ts'
import { killCase } from './kill-case.ts'
import { sweptPlan } from './swept-plans.ts'

eachOnDemo()

// Of each plan once: when a write was sent and what came of it is not recorded, or between its steps. Every moment of each is
// in `kill-sweep.long.test.ts`.
describe('whoever acts may be killed at any moment: the cluster ends in the new layout or in the old one', () => {
  test.for<readonly [string, string, number]>([
    ['a cut that displaces a pod', 'after write delete', 1],
    ['a Deployment that is stopped', 'after advance', 4],
    ['a node that is removed', 'after write delete', 1],
    ['a node whose GPUs are shared', 'after advance', 6],
    ['a StatefulSet that is stopped', 'before settle', 1],
    ['a Deployment that is made smaller', 'after write patch', 1],
    ['GPUs for an appointment', 'after advance', 5],
    ['MIG instances for an appointment', 'before advance', 6],
  ])('%s, killed %s (%i)', async ([name, what, nth]) => {
    const found = await killCase({ acting, store, plan: await sweptPlan(name) }, { what, nth })
    expect(found).toMatchObject({ diedAt: what, flaws: [] })
  })
})
