import { openTestStore } from '@septet/storage/testing'
import type { Plan } from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { ActingDemo } from './acting-demo.ts'
import { killCase, type KillCase } from './kill-case.ts'
import { someAppointment, someCut, someRemoval, someResize, someShare, someStop } from './runs.ts'

/** Every so many moments; `npm run bench -- kill-sweep` takes each of them, under every fault. */
const EVERY = 8

describe('whoever acts may be killed at any moment: the cluster ends in the new layout or in the old one', () => {
  test.for<readonly [string, number, (acting: ActingDemo) => Promise<Plan>]>([
    ['a cut that displaces a pod', 2, (acting) => someCut(acting, 1)],
    ['a Deployment that is stopped', 1, (acting) => someStop(acting, 'Deployment')],
    ['a node that is removed', 4, (acting) => someRemoval(acting, 1)],
    ['a node whose GPUs are shared', 5, (acting) => someShare(acting)],
    ['a StatefulSet that is stopped', 3, (acting) => someStop(acting, 'StatefulSet')],
    ['a Deployment that is made smaller', 2, (acting) => someResize(acting, 'Deployment')],
    ['GPUs for an appointment', 4, (acting) => someAppointment(acting)],
    ['MIG instances for an appointment', 5, (acting) => someAppointment(acting, { profile: '3g.40gb', gpus: 2 })],
  ])('%s', async ([, first, planOf]) => {
    const found: KillCase[] = []
    for (let killAt = first; ; killAt += EVERY) {
      const store = await openTestStore()
      const acting = await ActingDemo.start(store)
      const plan = await planOf(acting)
      const one = await killCase(acting, store, { plan, killAt })
      await acting.close()
      await store.close()
      if (one === undefined) break
      found.push(one)
    }
    expect(found.length).toBeGreaterThan(2)
    expect(found.filter(({ flaws }) => flaws.length > 0)).toEqual([])
  })
})
