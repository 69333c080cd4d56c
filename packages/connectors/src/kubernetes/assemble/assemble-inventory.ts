import { compareText, type Inventory } from '@septet/domain'
import { assembleBudgets } from './assemble-budgets.ts'
import { assembleNodes } from './assemble-nodes.ts'
import { claimedRequests } from './assemble-devices.ts'
import { assemblePods } from './assemble-pods.ts'
import { assembleWorkloads } from './assemble-workloads.ts'
import type { InventoryParts } from './inventory-parts.ts'

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
