import type { ClusterWriter, Plan, WriteOutcome } from '@septet/domain'

import { acting, store } from './on-demo.ts'
import { ENDED, flawsOf, podsToLeave } from './kill-case.ts'
import { proposed } from './runs.ts'

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
export async function flawsAfter(plan: Plan, nth: number): Promise<readonly string[] | undefined> {
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
  return flawsOf(acting, { run: over, before, leaving })
}
