import { namespaceOf } from '../../cluster/held-by.ts'
import { coversName } from '../../plan/guardrail/keeps-protected-namespaces.ts'
import { type ActRule, refusing } from './act-context.ts'
import { WHERE_POLICIES_ARE } from './words.ts'

/** Nothing in a protected namespace is changed, stopped, or put at risk by a node that may restart. */
export const keepsProtectedNamespaces: ActRule = ({ touched, policy, plans }) => {
  const patterns = [...policy.protectedNamespaces, ...(plans.protectedNamespaces ?? [])]
  const kept = [...touched.pods, ...touched.workloads].find((id) =>
    patterns.some((pattern) => coversName(pattern, namespaceOf(id))),
  )
  return refusing(
    'protected-namespace',
    kept === undefined
      ? undefined
      : `${kept} is in the namespace ${namespaceOf(kept)}, which is protected in ${WHERE_POLICIES_ARE}. Leave it, or take the namespace off that list.`,
  )
}
