import type { Action } from '../words/action.ts'
import type { PlanPolicy } from '../words/plan-policy.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { fitsBoard } from './fits-board.ts'
import { planKeepsProtectedNamespaces } from './keeps-protected-namespaces.ts'
import { keepsStacksApart } from './keeps-stacks-apart.ts'
import { planKeepsUndisturbedPods } from './keeps-undisturbed-pods.ts'
import { keepsUnmanagedPods } from './keeps-unmanaged-pods.ts'
import { ALLOW, type Guardrail, type Verdict } from './guardrail.ts'
import { respectsDisplacedLimit } from './respects-displaced-limit.ts'
import { planRespectsDisruptionBudgets } from './respects-disruption-budgets.ts'
import { respectsQuota } from './respects-quota.ts'
import { respectsTenants } from './respects-tenants.ts'
import { sparesFaultyGpus } from './spares-faulty-gpus.ts'
import { planSparesGpusInUse } from './spares-gpus-in-use.ts'
import { waitsForNode } from './waits-for-node.ts'

/** Asks every guardrail about an action, as the cluster is at that moment; the first that refuses is the answer. */
export function judgePlan(action: Action, state: Fleet, policy: PlanPolicy): Verdict {
  for (const guardrail of GUARDRAILS) {
    const verdict = guardrail(action, state, policy)
    if (verdict.kind === 'refuse') return verdict
  }
  return ALLOW
}

const GUARDRAILS: readonly Guardrail[] = [
  keepsStacksApart,
  waitsForNode,
  sparesFaultyGpus,
  planSparesGpusInUse,
  fitsBoard,
  respectsTenants,
  planKeepsProtectedNamespaces,
  keepsUnmanagedPods,
  planKeepsUndisturbedPods,
  planRespectsDisruptionBudgets,
  respectsQuota,
  respectsDisplacedLimit,
]
