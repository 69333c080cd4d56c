import type { NodeRequirement, Repulsion } from '@septet/domain'
import { z } from 'zod'
import { intern } from './intern.ts'
import type { SchedulingSpec } from './parse-scheduling.ts'
import { LabelsSchema, lenientList } from './schemas.ts'

/** A term of a pod's required anti-affinity. */
export type RepelRule = Omit<Repulsion, 'pod' | 'domain'>

/** Whom a pod keeps away from its node or zone; undefined: nobody. */
export function repelRules({ affinity }: SchedulingSpec, namespace: string): readonly RepelRule[] | undefined {
  const terms = affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []
  const rules = terms.flatMap((term) => ruleOf(Term.parse(term), namespace) ?? [])
  return rules.length === 0 ? undefined : intern(rules)
}

/** A term without a selector is about no pods. */
function ruleOf(term: z.infer<typeof Term>, own: string): RepelRule | undefined {
  const { topologyKey, labelSelector, matchLabelKeys, mismatchLabelKeys } = term
  if (labelSelector === undefined) return undefined
  // Which labels those keys stand for was decided when the pod was made, and is not looked up again.
  const isOpen = matchLabelKeys.length + mismatchLabelKeys.length > 0
  return { topologyKey, selector: requirementsOf(labelSelector), namespaces: isOpen ? 'unread' : reachOf(term, own) }
}

/** What a LabelSelector asks of labels; undefined: there is none, which selects nothing. */
export function readSelector(raw: unknown): readonly NodeRequirement[] | undefined {
  const read = absent(Selector).parse(raw)
  return read && requirementsOf(read)
}

function requirementsOf({ matchLabels, matchExpressions }: z.infer<typeof Selector>): readonly NodeRequirement[] {
  const named = Object.entries(matchLabels)
  return [...named.map(([key, value]) => ({ key, operator: 'In' as const, values: [value] })), ...matchExpressions]
}

function reachOf({ namespaces, namespaceSelector }: z.infer<typeof Term>, own: string): RepelRule['namespaces'] {
  if (namespaceSelector === undefined) return namespaces.length === 0 ? [own] : namespaces
  return Object.keys(namespaceSelector).length === 0 ? 'all' : 'unread'
}

const Requirement = z.object({
  key: z.string(),
  operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist']),
  values: lenientList(z.string()),
})
const absent = <T>(schema: z.ZodType<T>) => schema.nullish().transform((value) => value ?? undefined)
const Selector = z.object({ matchLabels: LabelsSchema, matchExpressions: lenientList(Requirement) })
const Term = z.object({
  topologyKey: z.string().catch(''),
  labelSelector: absent(Selector),
  namespaces: lenientList(z.string()),
  namespaceSelector: absent(z.record(z.string(), z.unknown())),
  matchLabelKeys: lenientList(z.string()),
  mismatchLabelKeys: lenientList(z.string()),
})
