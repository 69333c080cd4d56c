import {
  holdsBeside,
  instant,
  podName,
  textAt,
  whereProtected,
  whyInUse,
  type ActionRun,
  type LastDue,
  type StepContext,
} from '@septet/domain'
import { Cron } from 'croner'

import type { ActingTurn } from './act-parts.ts'

type Work = { readonly run: ActionRun; readonly isUndo: boolean; readonly isRehearsal?: boolean }

/** What a step of a run is decided by, beside what the cluster says. */
export async function stepContext(
  turn: ActingTurn,
  { run, isUndo, isRehearsal = false }: Work,
): Promise<Omit<StepContext, 'written'>> {
  const { clock, operatorNamespace, patience } = turn
  return {
    run: run.id,
    isUndo,
    isRehearsal,
    now: clock(),
    operatorNamespace,
    patience,
    ...(removesNode(run) ? await rulesOfNodes(turn) : UNREAD),
    lastDue,
    inUse: (action) => {
      const node = turn.snapshot()?.nodes.find(({ name }) => 'node' in action && name === action.node)
      return node && whyInUse(action, node)
    },
    isBeside: (action, pod) => {
      const read = turn.snapshot()
      return read !== undefined && holdsBeside(action, { id: podName(pod), uid: textAt(pod, 'metadata', 'uid') }, read)
    },
  }
}

/** Only who empties a node asks; looks follow one another, and each would read what nobody needs. */
const removesNode = ({ plan }: ActionRun): boolean => plan.steps.some(({ action }) => action.kind === 'remove-node')

type Rules = Pick<StepContext, 'isProtected' | 'mostPods'>

async function rulesOfNodes(turn: ActingTurn): Promise<Rules> {
  const [policy, plans] = await Promise.all([turn.policy(), turn.plans()])
  return {
    isProtected: (namespace) => whereProtected(namespace, { policy, plans }) !== undefined,
    mostPods: policy.limits.run.pods,
  }
}

/** What was not read might forbid anything. */
const UNREAD: Rules = { isProtected: () => true, mostPods: 0 }

const lastDue: LastDue = (schedule, now) => {
  try {
    // It looks for times before the reference, which may be due itself.
    const [last] = new Cron(schedule, { timezone: 'UTC', paused: true }).previousRuns(1, new Date(now + 1000))
    return last === undefined ? undefined : instant(last.getTime())
  } catch {
    return undefined
  }
}
