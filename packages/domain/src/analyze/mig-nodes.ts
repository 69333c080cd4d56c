import type { ClusterSnapshot } from '../cluster/inventory.ts'
import type { Gpu, GpuNode } from '../cluster/node.ts'
import { profileOf } from '../gpu/board.ts'
import { boardFor } from '../gpu/known-boards.ts'
import type { Figure } from './figure.ts'
import { kindOf, sumUsage, sumUsageBy } from './usage-sum.ts'
import type { UsageTotal } from './usage.ts'
import { busyOfAllocated } from './utilization.ts'

export type MigNodeStatus = {
  readonly node: string
  readonly model: string
  /** MIG devices on the node. */
  readonly total: number
  readonly used: number
  readonly available: number
  /** GPUs of the node in MIG mode. */
  readonly migGpus: number
  /** Memory slices of those GPUs, and how many of them are in instances. */
  readonly slots: number
  readonly slotsUsed: number
  /** Busy share of the node's held MIG devices over the window. */
  readonly utilization: Figure
  readonly state: 'pending' | 'rebooting' | 'success' | 'failed' | undefined
}

/** How the MIG nodes of a snapshot are cut and used; their busy share from totals grouped by kind, node and profile. */
export function migNodes(snapshot: ClusterSnapshot, totals: Iterable<UsageTotal>): MigNodeStatus[] {
  const held = new Set(snapshot.allocations.map(({ partition }) => partition))
  const usage = sumUsageBy(totals, (total) =>
    kindOf(total) === 'held' && (total.key.profile ?? '') !== '' ? total.key.node : undefined,
  )
  return snapshot.nodes
    .filter(({ gpus }) => gpus.some(({ migEnabled }) => migEnabled))
    .map((node) => ({
      ...migStatus(node, held),
      utilization: busyOfAllocated(usage.get(node.name) ?? sumUsage([])),
    }))
}

function migStatus(node: GpuNode, held: ReadonlySet<string>): Omit<MigNodeStatus, 'utilization'> {
  const gpus = node.gpus.filter(({ migEnabled }) => migEnabled)
  const devices = gpus.flatMap(({ partitions }) => partitions)
  const used = devices.filter(({ id }) => held.has(id)).length
  const slots = gpus.map((gpu) => slotsOf(gpu, node))
  return {
    node: node.name,
    model: node.model ?? node.product,
    total: devices.length,
    used,
    available: node.ready ? devices.length - used : 0,
    migGpus: gpus.length,
    slots: slots.reduce((sum, gpu) => sum + gpu.slots, 0),
    slotsUsed: slots.reduce((sum, gpu) => sum + gpu.used, 0),
    state: node.mig.state,
  }
}

/** Memory slices of a GPU and those in instances; none of a board whose geometry we do not know. */
function slotsOf({ model, partitions }: Gpu, node: GpuNode): { readonly slots: number; readonly used: number } {
  const board = boardFor(model ?? node.model ?? node.product)
  if (board === undefined) return { slots: 0, used: 0 }
  const used = partitions.reduce(
    (sum, part) => sum + (part.kind === 'mig' ? (profileOf(board, part.profile)?.size ?? 0) : 0),
    0,
  )
  return { slots: board.memorySlices, used }
}
