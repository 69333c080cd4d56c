import { stateOf } from '../action-run.ts'
import { classOf } from '../policy/act-policy.ts'
import { isRunStuck } from '../policy/run-times.ts'
import { type ActRule, refusing } from './act-context.ts'
import { CLASS_NAMES } from './words.ts'
import { WHERE_POLICIES_ARE } from '../policy/where-policies-are.ts'

/** Where a change failed half-way nobody knows how things are, until a person has put them right. */
export const waitsAfterFailures: ActRule = ({ past, touched, policy }) => {
  const own = new Set([...touched.nodes, ...touched.workloads])
  for (const { run, touched: theirs } of past) {
    const { at, because } = stateOf(run)
    const kind = classOf(run)
    if (!isRunStuck(run) || (policy.auto.resumedAt[kind] ?? 0) >= at) continue
    const both = [...theirs.nodes, ...theirs.workloads].find((name) => own.has(name))
    if (both !== undefined) {
      return refusing(
        'earlier-change-failed',
        `An earlier change of ${both} failed partway: ${because} Undo it, or fix it by hand, then resume "${CLASS_NAMES[kind]}" in ${WHERE_POLICIES_ARE}.`,
      )
    }
  }
  return undefined
}
