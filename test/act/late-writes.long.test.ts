import { expect, test } from 'vitest'

import { beginAgain, eachOnDemo } from './on-demo.ts'
import { flawsAfter } from './late-write.ts'
import { sweptPlan } from './swept-plans.ts'

eachOnDemo()

test.for(['a cut that displaces a pod', 'a node that is removed', 'a StatefulSet that is stopped'])(
  'each write of %s that arrives when another has long finished changes nothing',
  async (name) => {
    let nth = 1
    for (; ; nth += 1) {
      const flaws = await flawsAfter(await sweptPlan(name), nth)
      if (flaws === undefined) break
      expect({ nth, flaws }).toEqual({ nth, flaws: [] })
      await beginAgain()
    }
    expect(nth).toBeGreaterThan(1)
  },
)
