import { isUnderWay } from '../policy/run-times.ts'
import { type ActRule, refusing } from './act-context.ts'

/** No other change is under way, or still to be verified, on a node or a workload that this one touches. */
export const changesOneThingAtATime: ActRule = ({ past, touched }) => {
  const own = new Set([...touched.nodes, ...touched.workloads])
  for (const { run, touched: theirs } of past) {
    const both = isUnderWay(run) ? [...theirs.nodes, ...theirs.workloads].find((name) => own.has(name)) : undefined
    if (both !== undefined) {
      return refusing('other-run', `Another change of ${both} is under way: ${run.title}. Wait until it is verified.`)
    }
  }
  return undefined
}
