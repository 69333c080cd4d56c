import { displacedBy } from './displaced-by.ts'
import { unless, type Guardrail } from './guardrail.ts'

/** Pods of namespaces that a person protects stay where they are; `team-*` is every one that begins so. */
export const planKeepsProtectedNamespaces: Guardrail = (action, state, { protectedNamespaces = [] }) => {
  if (protectedNamespaces.length === 0) return unless('protected-namespace', undefined)
  const kept = displacedBy(action, state)
    .flatMap((id) => state.pods.get(id) ?? [])
    .find(({ namespace }) => protectedNamespaces.some((pattern) => coversName(pattern, namespace)))
  return unless(
    'protected-namespace',
    kept === undefined
      ? undefined
      : `${kept.id} is in the namespace ${kept.namespace}, which is protected in Settings → Policies. Leave it, or remove the namespace from that list.`,
  )
}

/** Whether a name is the one that is meant, or begins like a pattern that ends in `*`. */
export const coversName = (pattern: string, namespace: string): boolean =>
  pattern.endsWith('*') ? namespace.startsWith(pattern.slice(0, -1)) : namespace === pattern
