import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { ActionRun, RunState } from '../action-run.ts'
import type { Action } from '../../plan/words/action.ts'
import { wasHandedOver } from '../policy/run-times.ts'

/** States from which on all steps of a run were done. */
const DONE: ReadonlySet<RunState> = new Set(['applied', 'verified', 'kept'])

/**
 * The node that a run cut whose configuration somebody has set again since, a sentence without its end; undefined: none.
 * The layout may be the same, but from then on the label is theirs.
 */
export function setByOthers(
  run: Pick<ActionRun, 'plan' | 'transitions'>,
  { nodes }: Pick<ClusterSnapshot, 'nodes'>,
): string | undefined {
  if (wasHandedOver(run) || !run.transitions.some(({ state }) => DONE.has(state))) return undefined
  for (const { action, inverse } of run.plan.steps) {
    if (action.kind !== 'repartition') continue
    const now = nodes.find(({ name }) => name === action.node)?.mig.config
    if (now !== undefined && now !== action.config && !(isTakenBack(run) && isOwnBack(inverse, now))) {
      return `Someone set nvidia.com/mig.config of ${action.node} to "${now}" since`
    }
  }
  return undefined
}

/** A way back that was begun before, and not ended, has set a label of its own. */
const isTakenBack = ({ transitions }: Pick<ActionRun, 'transitions'>): boolean =>
  transitions.some(({ state }) => state === 'reverting')

const isOwnBack = (inverse: readonly Action[], config: string): boolean =>
  inverse.some((action) => action.kind === 'repartition' && action.config === config)
