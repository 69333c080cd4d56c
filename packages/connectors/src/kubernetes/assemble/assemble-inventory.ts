import {
  compareText,
  type Inventory,
  type Neighbors,
  type Quota,
  type Repulsion,
  type DisruptionBudget,
} from '@septet/domain'
import { assembleNodes, otherNode } from './assemble-nodes.ts'
import { claimedRequests } from './assemble-devices.ts'
import { assemblePods, type OwnedPod } from './assemble-pods.ts'
import { assembleWorkloads } from './assemble-workloads.ts'
import { withChecks, type ClusterQueueFacts, type FlavorFacts, type LocalQueueFacts } from '../read/parse-kueue.ts'
import type { NodeFacts } from '../read/parse-node.ts'
import type { Bystanders } from './host-use.ts'
import { quotasOfQueues } from '../read/queue-limits.ts'
import type { InventoryParts } from './inventory-parts.ts'
import { matches } from '../read/label-selector.ts'
import type { BudgetFacts } from '../read/parse-budget.ts'

/** Joins what was read into one inventory. Everything in it is in order of its id, so equal facts make equal answers. */
export function assembleInventory(read: InventoryParts): Inventory {
  // What is handed over may be walked once only, and pods are looked at twice.
  const parts = { ...read, pods: [...read.pods], nodes: [...read.nodes] }
  const slices = [...parts.slices]
  const claims = [...parts.claims]
  const localQueues = [...parts.localQueues]
  const queues = withLocalQueues([...parts.clusterQueues], localQueues)
  const flavors = new Map([...parts.flavors].map((flavor) => [flavor.name, flavor]))
  const cohorts = [...(parts.cohorts ?? [])].toSorted((a, b) => compareText(a.name, b.name))
  const classes = [...(parts.priorityClasses ?? [])].toSorted((a, b) => compareText(a.name, b.name))
  const namespaces = [...(parts.namespaces ?? [])].toSorted(compareText)
  const quotas = [
    ...[...parts.quotas].flat(),
    ...queues.flatMap((each) => each.quotas.map((quota) => withFlavors(quota, flavors))),
    ...quotasOfQueues([...(parts.limitedQueues ?? [])]),
  ]
  const clusterQueueOf = new Map(localQueues.map(({ id, clusterQueue }) => [id, clusterQueue]))
  const checksOf = (local: string) => queues.find(({ queue }) => queue.name === clusterQueueOf.get(local))?.checks ?? []
  const choosing = claims.filter(({ chooses, allocated }) => chooses === true && allocated.length === 0)
  const owned = {
    chainOf: parts.chainOf,
    claimed: claimedRequests(slices, claims),
    choosing: new Set(choosing.map(({ namespace, name }) => `${namespace}/${name}`)),
  }
  const pods = assemblePods(parts.pods, owned)
  const nodes = assembleNodes(parts, slices, claims)
  return {
    takenAt: parts.takenAt,
    serverVersion: parts.serverVersion,
    nodes,
    pods: pods.map(({ pod }) => pod),
    finished: assemblePods(parts.finishedPods ?? [], owned).map(({ pod }) => pod),
    workloads: assembleWorkloads(pods, {
      queued: [...parts.queuedWork].map((each) => withChecks(each, checksOf)),
      clusterQueueOf,
    }),
    queues: queues.map(({ queue }) => queue).toSorted((a, b) => compareText(a.name, b.name)),
    budgets: assembleBudgets(parts.budgets, pods),
    quotas: quotas.toSorted((a, b) => compareText(a.id, b.id)),
    ...(cohorts.length === 0 ? {} : { cohorts }),
    ...(namespaces.length === 0 ? {} : { namespaces }),
    ...(classes.length === 0 ? {} : { priorityClasses: classes }),
    ...(parts.bystanders === undefined ? {} : { neighbors: neighborsOf(parts.bystanders, parts.nodes, nodes) }),
    problems: parts.problems,
  }
}

/** A pod keeps others out of nothing where its node lacks the label that it goes by. */
function neighborsOf(
  { repelling, labels }: Bystanders,
  nodes: readonly NodeFacts[],
  withGpus: readonly { readonly name: string }[],
): Neighbors {
  const byName = new Map(nodes.map((node) => [node.name, node]))
  const repulsions = repelling.flatMap(({ pod, node, rules }) =>
    rules.flatMap((rule): Repulsion | [] => {
      const domain = byName.get(node)?.labels[rule.topologyKey]
      return domain === undefined ? [] : { ...rule, pod, domain }
    }),
  )
  const kept = new Set(withGpus.map(({ name }) => name))
  const others = nodes.filter(({ name }) => !kept.has(name)).map(otherNode)
  return {
    labels,
    repulsions: repulsions.toSorted((a, b) => compareText(a.pod, b.pod)),
    others: others.toSorted((a, b) => compareText(a.name, b.name)),
  }
}

/** Queues with those that work names in their place; as they are where none was read. */
function withLocalQueues(
  queues: readonly ClusterQueueFacts[],
  locals: readonly LocalQueueFacts[],
): readonly ClusterQueueFacts[] {
  if (locals.length === 0) return queues
  const byQueue = Map.groupBy(locals, ({ clusterQueue }) => clusterQueue)
  return queues.map(({ queue, ...rest }) => ({
    ...rest,
    queue: { ...queue, localQueues: (byQueue.get(queue.name) ?? []).map(({ id }) => id).toSorted(compareText) },
  }))
}

/** A cluster queue's quota with the nodes that its flavors stand for, as far as those were read. */
const withFlavors = (quota: Quota, flavors: ReadonlyMap<string, FlavorFacts>): Quota =>
  quota.flavors === undefined
    ? quota
    : { ...quota, flavors: quota.flavors.map((flavor) => ({ ...flavor, ...flavors.get(flavor.name) })) }

/** Budgets that cover a pod of the list, by id, each with those pods. */
function assembleBudgets(all: Iterable<BudgetFacts>, pods: readonly OwnedPod[]): readonly DisruptionBudget[] {
  const facts = [...all]
  const namespaces = new Set(facts.map(({ namespace }) => namespace))
  const near = finder(
    facts,
    pods.filter(({ pod }) => namespaces.has(pod.namespace)),
  )
  const budgets: DisruptionBudget[] = []
  for (const { namespace, name, selector, allowed, floor } of facts) {
    if (selector === undefined) continue
    const covered = near(namespace, firstLabel(selector)).filter(({ labels }) => matches(selector, labels))
    if (covered.length === 0) continue
    const own = covered.map(({ pod }) => pod.id)
    budgets.push({ id: `${namespace}/${name}`, pods: own, allowed, ...(floor === undefined ? {} : { floor }) })
  }
  return budgets.toSorted((a, b) => compareText(a.id, b.id))
}

type Label = readonly [key: string, value: string]
type Selector = NonNullable<BudgetFacts['selector']>

const firstLabel = ({ matchLabels }: Selector): Label | undefined => Object.entries(matchLabels)[0]

/** Finds the pods of a namespace that have a label, so that each budget looks at few. */
function finder(
  facts: readonly BudgetFacts[],
  pods: readonly OwnedPod[],
): (namespace: string, label: Label | undefined) => readonly OwnedPod[] {
  const keys = new Set(facts.flatMap(({ selector }) => (selector && firstLabel(selector)?.[0]) ?? []))
  const byNamespace = Map.groupBy(pods, ({ pod }) => pod.namespace)
  const byLabel = new Map<string, OwnedPod[]>()
  for (const each of pods) {
    for (const key of keys) {
      const value = each.labels[key]
      if (value === undefined) continue
      const at = `${each.pod.namespace}\n${key}\n${value}`
      const list = byLabel.get(at)
      if (list === undefined) byLabel.set(at, [each])
      else list.push(each)
    }
  }
  return (namespace, label) =>
    (label === undefined ? byNamespace.get(namespace) : byLabel.get(`${namespace}\n${label.join('\n')}`)) ?? []
}
