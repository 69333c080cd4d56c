import type { Role } from '../../access/role.ts'
import type { ActContext } from './act-context.ts'

/** Who may approve a run: a change of MIG mode may restart a node, and a removed node does not come back. */
export function neededRole({ kind, run }: Pick<ActContext, 'kind' | 'run'>): Role {
  const removes = kind === 'remove-node' || run.plan.steps.some(({ action }) => action.kind === 'remove-node')
  return removes || kind === 'mig-mode' ? 'admin' : 'operator'
}
