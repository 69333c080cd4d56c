import type { Instant, Inventory, Problem, Quota } from '@septet/domain'
import { compareText } from '@septet/domain'
import { assembleBudgets } from './assemble-budgets.ts'
import { assembleNodes } from './assemble-nodes.ts'
import { claimedRequests } from './assemble-devices.ts'
import { assemblePods } from './assemble-pods.ts'
import { assembleWorkloads } from './assemble-workloads.ts'
import type { OwnerChain } from './owner-chain.ts'
import type { BudgetFacts } from './parse-budget.ts'
import type { ClaimFacts } from './parse-claim.ts'
import type { SliceFacts } from './parse-device.ts'
import type { ClusterQueueFacts, KueueFacts, LocalQueueFacts } from './parse-kueue.ts'
import type { MigMenu } from './parse-mig-config.ts'
import type { NodeFacts } from './parse-node.ts'
import type { PodFacts } from './parse-pod.ts'

/** Everything that the mirrors hold, and what is known beside. */
export type InventoryParts = {
  readonly nodes: Iterable<NodeFacts>
  readonly pods: Iterable<PodFacts>
  readonly menus: Iterable<MigMenu>
  readonly slices: Iterable<SliceFacts>
  readonly claims: Iterable<ClaimFacts>
  readonly kueueWorkloads: Iterable<KueueFacts>
  readonly clusterQueues: Iterable<ClusterQueueFacts>
  readonly localQueues: Iterable<LocalQueueFacts>
  readonly budgets: Iterable<BudgetFacts>
  readonly quotas: Iterable<readonly Quota[]>
  readonly chainOf: (pod: PodFacts) => OwnerChain
  readonly pendingSince: (node: string) => Instant | undefined
  readonly now: Instant
  readonly takenAt: Instant
  readonly serverVersion: string
  readonly problems: readonly Problem[]
}

/** Joins what was read into one inventory. Everything in it is in order of its id, so equal facts make equal answers. */
export function assembleInventory(read: InventoryParts): Inventory {
  // What is handed over may be walked once only, and pods are looked at twice.
  const parts = { ...read, pods: [...read.pods] }
  const slices = [...parts.slices]
  const claims = [...parts.claims]
  const queues = [...parts.clusterQueues]
  const quotas = [...[...parts.quotas].flat(), ...queues.flatMap((each) => each.quotas)]
  const pods = assemblePods(parts.pods, { chainOf: parts.chainOf, claimed: claimedRequests(slices, claims) })
  return {
    takenAt: parts.takenAt,
    serverVersion: parts.serverVersion,
    nodes: assembleNodes(parts, slices, claims),
    pods: pods.map(({ pod }) => pod),
    workloads: assembleWorkloads(pods, {
      kueue: [...parts.kueueWorkloads],
      clusterQueueOf: new Map([...parts.localQueues].map(({ id, clusterQueue }) => [id, clusterQueue])),
    }),
    queues: queues.map(({ queue }) => queue).toSorted((a, b) => compareText(a.name, b.name)),
    budgets: assembleBudgets(parts.budgets, pods),
    quotas: quotas.toSorted((a, b) => compareText(a.id, b.id)),
    problems: parts.problems,
  }
}
