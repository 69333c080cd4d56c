import type { ClusterWriter, Plan, WriteOutcome } from '@septet/domain'
import { openTestStore } from '@septet/storage/testing'
import { expect, test } from 'vitest'

import { ActingDemo } from './acting-demo.ts'
import { ENDED, flawsOf, podsToLeave } from './kill-case.ts'
import { proposed, someCut, someRemoval, someStop } from './runs.ts'

/**
 * A line whose n-th write gets no answer and arrives when everything is over: a process that was stopped between its decision
 * and its call, or a packet that took its time.
 */
function lateLine(writer: ClusterWriter, nth: number) {
  let writes = 0
  let late: (() => Promise<WriteOutcome>) | undefined
  return {
    isHeld: () => late !== undefined,
    arrive: async () => late?.(),
    writer: {
      get: (object) => writer.get(object),
      list: (objects, query) => writer.list(objects, query),
      close: () => writer.close(),
      write: async (write, options) => {
        const isLease = write.object.resource === 'leases'
        if (!options.dryRun && !isLease && (writes += 1) === nth) {
          late = () => writer.write(write, options)
          throw new Error('no answer came')
        }
        return writer.write(write, options)
      },
    } satisfies ClusterWriter,
  }
}

/** What is wrong in the end; undefined where the plan has fewer writes. */
async function flawsAfter(nth: number, planOf: (acting: ActingDemo) => Promise<Plan>) {
  const store = await openTestStore()
  const acting = await ActingDemo.start(store)
  try {
    const plan = await planOf(acting)
    const before = await acting.read()
    const leaving = await podsToLeave(acting, plan)
    const run = await proposed(store.actions, plan, { now: acting.now() })
    const line = lateLine(acting.writer, nth)
    const first = acting.actor({ writer: line.writer, watchMs: 2000 })
    await acting.pass(240, [first], async () => line.isHeld() || ENDED.includes((await acting.stateOf(run.id)) ?? ''))
    if (!line.isHeld()) return undefined
    const over = await acting.until(run.id, ENDED, [acting.actor({ watchMs: 2000 })])
    // Whatever is said of it: it must not change anything any more.
    await line.arrive()
    return await flawsOf(acting, { run: over, before, leaving })
  } finally {
    await acting.close()
    await store.close()
  }
}

test.for<readonly [string, (acting: ActingDemo) => Promise<Plan>]>([
  ['a cut that displaces a pod', (acting) => someCut(acting, 1)],
  ['a node that is removed', (acting) => someRemoval(acting, 1)],
  ['a StatefulSet that is stopped', (acting) => someStop(acting, 'StatefulSet')],
])('a write of %s that arrives when another has long finished changes nothing', async ([, planOf]) => {
  let nth = 1
  for (; ; nth += 1) {
    const flaws = await flawsAfter(nth, planOf)
    if (flaws === undefined) break
    expect({ nth, flaws }).toEqual({ nth, flaws: [] })
  }
  expect(nth).toBeGreaterThan(1)
})
