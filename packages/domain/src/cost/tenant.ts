import { onceFor } from '../once-for.ts'

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
export const tenantOf = ({ namespace, labels }: TenantSubject, rules: readonly TenantRule[]): string | undefined =>
  speakingOf(namespace, indexed(rules)).find(({ wanted }) =>
    wanted.every(([key, value]) => valueOfLabel(labels, key) === value),
  )?.name

type Indexed = { readonly name: string; readonly wanted: readonly (readonly [string, string])[] }
type Index = {
  readonly all: readonly Indexed[]
  readonly byPattern: ReadonlyMap<string, ReadonlySet<Indexed>>
  readonly known: Map<string, readonly Indexed[]>
}

/** Made once for a list of rules: it may name thousands of namespaces, and a fleet has tens of thousands of workloads. */
const indexed = onceFor((rules: readonly TenantRule[]): Index => {
  const all: Indexed[] = []
  const byPattern = new Map<string, Set<Indexed>>()
  for (const { name, namespaces, labels } of rules) {
    const rule = { name, wanted: Object.entries(labels) }
    all.push(rule)
    for (const pattern of namespaces.length === 0 && rule.wanted.length > 0 ? ['*'] : namespaces)
      byPattern.set(pattern, (byPattern.get(pattern) ?? new Set()).add(rule))
  }
  return { all, byPattern, known: new Map() }
})

/** The rules that speak of a namespace, in their order. */
function speakingOf(namespace: string, { all, byPattern, known }: Index): readonly Indexed[] {
  const before = known.get(namespace)
  if (before !== undefined) return before
  const beginnings = Array.from({ length: namespace.length + 1 }, (_, length) => `${namespace.slice(0, length)}*`)
  const patterns = namespace === '' ? [] : [namespace, ...beginnings]
  const found = new Set(patterns.flatMap((pattern) => [...(byPattern.get(pattern) ?? [])]))
  const speaking = all.filter((rule) => found.has(rule))
  known.set(namespace, speaking)
  return speaking
}

/** Labels are a stranger's words: `constructor` must not find what every object has. */
const valueOfLabel = (labels: TenantSubject['labels'], key: string): string | undefined =>
  labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined
