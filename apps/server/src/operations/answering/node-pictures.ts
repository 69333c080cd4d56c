import { onceFor, partsOfSnapshot, type Allocation, type GpuNode, type GpuPart } from '@septet/domain'

import type { ClusterPicture } from '../../facts.ts'

/** What a picture shows of one node. */
export type NodePicture = Omit<ClusterPicture, 'nodes' | 'workloads'> & { readonly nodes: readonly [GpuNode] }

/**
 * A picture node by node. A large cluster has a new picture every few seconds in which most nodes are as before: of those
 * this gives the same objects as before, so that what is made of one node (`onceFor`) is not made again with each
 * picture.
 */
export const nodePictures: (picture: ClusterPicture) => readonly NodePicture[] = onceFor((picture) => {
  const { nodes, heldByOthers } = picture
  const places = placesIn(nodes)
  const held: Allocation[][] = nodes.map(() => [])
  for (const allocation of picture.allocations) held[places.get(allocation.partition) ?? nodes.length]?.push(allocation)
  return nodes.map((node, at) => {
    const allocations = held[at] ?? []
    const before = newest.get(node)
    if (before !== undefined && before.heldByOthers === heldByOthers && isSame(before.allocations, allocations))
      return before
    const now: NodePicture = { nodes: [node], allocations, ...(heldByOthers !== undefined && { heldByOthers }) }
    newest.set(node, now)
    return now
  })
})

/** The place of its node, by partition. */
const placesIn = onceFor((nodes: readonly GpuNode[]) => {
  const places = new Map<string, number>()
  for (const [at, { gpus }] of nodes.entries()) {
    for (const { partitions } of gpus) for (const { id } of partitions) places.set(id, at)
  }
  return places
})

const newest = new WeakMap<GpuNode, NodePicture>()

/** What it says, not which objects: an allocation is read again with all others of its piece of the list. */
const isSame = (before: readonly Allocation[], now: readonly Allocation[]): boolean =>
  before.length === now.length &&
  now.every((one, at) => {
    const other = before[at]
    return (
      one === other ||
      (one.partition === other?.partition &&
        one.pod === other.pod &&
        one.workload === other.workload &&
        one.since === other.since &&
        one.evidence === other.evidence)
    )
  })

/** The parts of a node’s GPUs; what kind of work holds them stands in the workloads of the picture. */
export const pictureParts: (one: NodePicture) => ReadonlyArray<Omit<GpuPart, 'workloadClass'>> = onceFor((one) =>
  partsOfSnapshot({ ...one, workloads: [] }),
)
