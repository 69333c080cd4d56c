import type { Quota, QuotaFlavor } from '../../cluster/scheduling.ts'

export type CohortRoom = {
  /** How many more the queue may use now. */
  readonly available: number
  /** The same if it might borrow without a limit. */
  readonly unlimited: number
  /** The limit that it has; undefined: none, or no cohort. */
  readonly borrowing: number | undefined
}

/**
 * What a cluster queue may use of a resource beyond what it uses: its own quota, and in a cohort what the other queues of it lend
 * and do not use, up to its borrowing limit. As Kueue counts it (`available` in pkg/cache/scheduler/resource_node.go) for a
 * cohort without a parent and without quota of its own, which are not read.
 */
export function cohortRoom(quota: Quota, quotas: readonly Quota[]): CohortRoom {
  const own = sumOf(quota)
  const members = quotas.filter(({ cohort, resource }) => cohort === quota.cohort && resource === quota.resource)
  if (quota.cohort === undefined) {
    const available = own.nominal - own.used
    return { available, unlimited: available, borrowing: undefined }
  }
  const names = new Set(quota.flavors?.map(({ name }) => name))
  const all = members.map((member) => sumOf(member, names))
  const lendable = all.reduce((sum, { nominal, kept }) => sum + nominal - kept, 0)
  const taken = all.reduce((sum, { used, kept }) => sum + Math.max(0, used - kept), 0)
  const local = Math.max(0, own.kept - own.used)
  const limits = (quota.flavors ?? []).map(({ borrowing }) => borrowing)
  const borrowing = limits.some((limit) => limit === undefined)
    ? undefined
    : limits.reduce((sum, limit) => sum + Number(limit), 0)
  const most = own.nominal - own.kept - Math.max(0, own.used - own.kept) + (borrowing ?? Infinity)
  return { available: local + Math.min(most, lendable - taken), unlimited: local + lendable - taken, borrowing }
}

type Sum = { readonly nominal: number; readonly used: number; readonly kept: number }

/** Of all flavors, or of those that another queue has as well; `kept` is what it lends to nobody. */
function sumOf({ flavors, hard, used }: Quota, names?: ReadonlySet<string>): Sum {
  const counted = (flavors ?? []).filter(({ name, amount }) => amount !== undefined && names?.has(name) !== false)
  if (names === undefined && counted.length === 0) return { nominal: hard, used, kept: 0 }
  return counted.map(oneOf).reduce(plus, { nominal: 0, used: 0, kept: 0 })
}

const oneOf = ({ amount = 0, used = 0, lending = amount }: QuotaFlavor): Sum => ({
  nominal: amount,
  used,
  kept: Math.max(0, amount - lending),
})

const plus = (a: Sum, b: Sum): Sum => ({
  nominal: a.nominal + b.nominal,
  used: a.used + b.used,
  kept: a.kept + b.kept,
})
