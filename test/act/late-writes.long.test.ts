import { expect, test } from 'vitest'

import { flawsAfter } from './late-write.ts'
import { withPlan } from './swept-plans.ts'

test.for(['a cut that displaces a pod', 'a node that is removed', 'a StatefulSet that is stopped'])(
  'each write of %s that arrives when another has long finished changes nothing',
  async (name) => {
    let nth = 1
    for (; ; nth += 1) {
      const flaws = await withPlan(name, (on) => flawsAfter(on, nth))
      if (flaws === undefined) break
      expect({ nth, flaws }).toEqual({ nth, flaws: [] })
    }
    expect(nth).toBeGreaterThan(1)
  },
)
