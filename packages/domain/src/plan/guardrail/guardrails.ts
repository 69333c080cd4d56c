import type { Action } from '../words/action.ts'
import type { PlanPolicy } from '../words/plan-policy.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { displacedBy } from './displaced-by.ts'
import { whyMisfit } from './fits-board.ts'
import { ALLOW, refuse, type Guardrail, type StepQuestion, type Verdict } from './guardrail.ts'
import { whyFaulty, whyGpuInUse, whyOtherStack, whyUnsettled } from './keeps-nodes.ts'
import {
  whyBelowFloor,
  whyBudgetHolds,
  whyDisturbed,
  whyLimitReached,
  whyProtected,
  whyUnmanaged,
} from './keeps-pods.ts'
import { whyOverQuota } from './respects-quota.ts'
import { whyOtherTenant } from './respects-tenants.ts'

const PLANNING = ['planning'] as const
/** Of each step of the plan that is to be approved or begun, too, on the cluster as it is by then. */
const THROUGHOUT = ['planning', 'approval', 'start'] as const

/**
 * The guardrails that are about one step. Those that are asked while plans are made alone are held to later as well: a plan
 * that they refuse by then no longer holds, which is a guardrail of its own.
 */
export const STEP_GUARDRAILS: readonly Guardrail<StepQuestion>[] = [
  { code: 'other-stack', asked: PLANNING, why: whyOtherStack },
  { code: 'node-not-settled', asked: PLANNING, why: whyUnsettled },
  { code: 'gpu-fault', asked: PLANNING, why: whyFaulty },
  { code: 'gpu-in-use', asked: THROUGHOUT, passes: true, why: whyGpuInUse },
  { code: 'does-not-fit', asked: PLANNING, why: whyMisfit },
  { code: 'tenant-isolation', asked: THROUGHOUT, why: whyOtherTenant },
  { code: 'protected-namespace', asked: PLANNING, why: whyProtected },
  { code: 'unmanaged-pod', asked: THROUGHOUT, why: whyUnmanaged },
  { code: 'do-not-disrupt', asked: PLANNING, why: whyDisturbed },
  { code: 'disruption-budget', asked: THROUGHOUT, passes: true, why: whyBudgetHolds },
  { code: 'budget-floor', asked: THROUGHOUT, why: whyBelowFloor },
  { code: 'quota', asked: THROUGHOUT, why: whyOverQuota },
  { code: 'displaced-limit', asked: PLANNING, why: whyLimitReached },
]

/** Asks every guardrail about an action, as the cluster is at that moment; the first that refuses is the answer. */
export function judgePlan(action: Action, state: Fleet, policy: PlanPolicy): Verdict {
  const question = { action, state, policy, displaced: displacedBy(action, state) }
  for (const { code, why } of STEP_GUARDRAILS) {
    const because = why(question)
    if (because !== undefined) return refuse(code, because)
  }
  return ALLOW
}
