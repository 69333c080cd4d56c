/**
 * Who a workload is charged to. A rule with both namespaces and labels asks for both; one with neither matches nothing.
 */
export type TenantRule = {
  readonly name: string
  /** Names, or beginnings of names that end in `*`. */
  readonly namespaces: readonly string[]
  /** Labels that a workload must carry, all of them, with these values. */
  readonly labels: Readonly<Record<string, string>>
}

/** What decides about a workload's tenant. */
export type TenantSubject = {
  readonly namespace: string
  /** Undefined where nobody knows any more which labels it carried: then no rule with labels matches. */
  readonly labels?: Readonly<Record<string, string>> | undefined
}

/** The name of the first rule that matches; undefined when none does. */
export const tenantOf = (workload: TenantSubject, rules: readonly TenantRule[]): string | undefined =>
  rules.find((rule) => matchesTenant(workload, rule))?.name

/** Whether one rule speaks of a workload. */
function matchesTenant({ namespace, labels }: TenantSubject, rule: TenantRule): boolean {
  const wanted = Object.entries(rule.labels)
  if (namespace === '' || (rule.namespaces.length === 0 && wanted.length === 0)) return false
  const inNamespace = rule.namespaces.length === 0 || rule.namespaces.some((pattern) => matchesName(namespace, pattern))
  return inNamespace && wanted.every(([key, value]) => valueOfLabel(labels, key) === value)
}

const matchesName = (name: string, pattern: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern

/** Labels are a stranger's words: `constructor` must not find what every object has. */
const valueOfLabel = (labels: TenantSubject['labels'], key: string): string | undefined =>
  labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined
