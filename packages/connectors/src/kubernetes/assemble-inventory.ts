import type { Instant, Inventory, Problem, Queue } from '@septet/domain'
import { compareText } from '@septet/domain'
import { assembleNodes } from './assemble-nodes.ts'
import { claimedRequests } from './assemble-devices.ts'
import { assemblePods } from './assemble-pods.ts'
import { assembleWorkloads } from './assemble-workloads.ts'
import type { OwnerChain } from './owner-chain.ts'
import type { ClaimFacts } from './parse-claim.ts'
import type { SliceFacts } from './parse-device.ts'
import type { KueueFacts, LocalQueueFacts } from './parse-kueue.ts'
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
  readonly clusterQueues: Iterable<Queue>
  readonly localQueues: Iterable<LocalQueueFacts>
  readonly chainOf: (pod: PodFacts) => OwnerChain
  readonly pendingSince: (node: string) => Instant | undefined
  readonly now: Instant
  readonly takenAt: Instant
  readonly serverVersion: string
  readonly problems: readonly Problem[]
}

/** Joins what was read into one inventory. Everything in it is in order of its id, so equal facts make equal answers. */
export function assembleInventory(parts: InventoryParts): Inventory {
  const slices = [...parts.slices]
  const claims = [...parts.claims]
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
    queues: [...parts.clusterQueues].toSorted((a, b) => compareText(a.name, b.name)),
    budgets: [],
    quotas: [],
    problems: parts.problems,
  }
}
