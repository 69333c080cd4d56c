import { coversName } from '../../plan/guardrail/keeps-pods.ts'
import type { PlanPolicy } from '../../plan/words/plan-policy.ts'
import { WHERE_POLICIES_ARE } from './where-policies-are.ts'
import type { ActPolicy } from './act-policy.ts'

type Lists = {
  readonly policy: Pick<ActPolicy, 'protectedNamespaces'>
  readonly plans: Pick<PlanPolicy, 'protectedNamespaces'>
}

/** The page with the list that protects a namespace, of the two that do; undefined: it is on neither. */
export function whereProtected(namespace: string, { policy, plans }: Lists): string | undefined {
  const covers = (patterns: readonly string[]): boolean => patterns.some((pattern) => coversName(pattern, namespace))
  if (covers(policy.protectedNamespaces)) return WHERE_POLICIES_ARE
  return covers(plans.protectedNamespaces ?? []) ? 'Settings → Policies' : undefined
}
