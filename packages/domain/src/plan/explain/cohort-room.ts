import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Cohort, Quota, QuotaFlavor } from '../../cluster/scheduling.ts'

export type CohortRoom = {
  /** How many more the queue may use now. */
  readonly available: number
  /** The same if it might borrow without a limit of its own. */
  readonly unlimited: number
  /** The limit that it has; undefined: none, or no cohort. */
  readonly borrowing: number | undefined
}

/** What was promised to whom. */
export type Promises = Pick<ClusterSnapshot, 'quotas' | 'cohorts'>

/**
 * What a cluster queue may use of a resource beyond what it uses: its own quota, and in a cohort what the other queues of it,
 * the cohort itself and the cohorts above and beside it lend and do not use, up to its borrowing limit and theirs. As Kueue
 * counts it (`available` in pkg/cache/scheduler/resource_node.go).
 */
export function cohortRoom(quota: Quota, { quotas, cohorts = [] }: Promises): CohortRoom {
  const own = sumOf(quota)
  if (quota.cohort === undefined) {
    const available = own.nominal - own.used
    return { available, unlimited: available, borrowing: undefined }
  }
  const tree: Tree = { quota, quotas, cohorts, names: new Set(quota.flavors?.map(({ name }) => name)) }
  const above = roomIn(tree, quota.cohort, new Set())
  const borrowing = borrowingOf(quota.flavors ?? [])
  const local = Math.max(0, own.kept - own.used)
  return { available: local + Math.min(mostOf(own, borrowing), above), unlimited: local + above, borrowing }
}

type Tree = Pick<Required<Promises>, 'quotas' | 'cohorts'> & {
  readonly quota: Quota
  /** Only flavors that the queue has as well are of use to it. */
  readonly names: ReadonlySet<string>
}

/** What is promised to a queue or a cohort, what is used of it, and what it lends to nobody. */
type Sum = { readonly nominal: number; readonly used: number; readonly kept: number }

/** What a member may take from its cohort at most. */
const mostOf = ({ nominal, used, kept }: Sum, borrowing: number | undefined): number =>
  nominal - kept - Math.max(0, used - kept) + (borrowing ?? Infinity)

/** What is left in a cohort for one of its members. */
function roomIn(tree: Tree, name: string, seen: ReadonlySet<string>): number {
  const own = cohortSum(tree, name, new Set())
  const cohort = tree.cohorts.find((one) => one.name === name)
  const parent = cohort?.parent
  // Kueue admits nothing in a circle of cohorts, and says so in its queues.
  if (parent === undefined || seen.has(parent)) return own.nominal - own.used
  const above = roomIn(tree, parent, new Set([...seen, name]))
  const local = Math.max(0, own.kept - own.used)
  return local + Math.min(mostOf(own, borrowingOf(flavorsIn(tree, cohort))), above)
}

/** A cohort has what it is promised itself and what its members lend; used is what they took of that. */
function cohortSum(tree: Tree, name: string, seen: ReadonlySet<string>): Sum {
  const { quota, quotas, cohorts, names } = tree
  const queues = quotas.filter(({ cohort, resource }) => cohort === name && resource === quota.resource)
  const children = cohorts.filter((one) => one.parent === name && !seen.has(one.name))
  const within = new Set([...seen, name])
  const members = [
    ...queues.map((one) => sumOf(one, names)),
    ...children.map((one) => cohortSum(tree, one.name, within)),
  ]
  const flavors = flavorsIn(
    tree,
    cohorts.find((one) => one.name === name),
  )
  const own = flavors.reduce((sum, { amount = 0 }) => sum + amount, 0)
  const nominal = members.reduce((sum, each) => sum + each.nominal - each.kept, own)
  const used = members.reduce((sum, each) => sum + Math.max(0, each.used - each.kept), 0)
  const lending = flavors.map((flavor) => flavor.lending)
  const lends = lending.length === 0 || lending.includes(undefined) ? nominal : sumAll(lending)
  return { nominal, used, kept: Math.max(0, nominal - lends) }
}

const flavorsIn = ({ quota, names }: Tree, cohort: Cohort | undefined) =>
  (cohort?.quotas.find(({ resource }) => resource === quota.resource)?.flavors ?? []).filter(({ name }) =>
    names.has(name),
  )

const borrowingOf = (flavors: readonly Pick<QuotaFlavor, 'borrowing'>[]): number | undefined => {
  const limits = flavors.map(({ borrowing }) => borrowing)
  return limits.length === 0 || limits.includes(undefined) ? undefined : sumAll(limits.map(Number))
}

const sumAll = (amounts: readonly (number | undefined)[]): number =>
  amounts.reduce((sum: number, amount = 0) => sum + amount, 0)

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
