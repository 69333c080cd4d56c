import { type GpuPart, partsOfSnapshot } from '../../analyze/gpu-parts.ts'
import type { GpuNode } from '../../cluster/node.ts'
import type { Fleet } from '../../fleet/fleet.ts'

/** The parts of all GPUs of some nodes of a cluster, without looking through the others. */
export function partsOn(nodes: readonly GpuNode[], state: Fleet): readonly GpuPart[] {
  const partitions = nodes.flatMap(({ gpus }) => gpus.flatMap((gpu) => gpu.partitions.map(({ id }) => id)))
  const held = new Set(partitions)
  const pods = new Set(partitions.flatMap((id) => state.holders.get(id) ?? []))
  const allocations = [...pods].flatMap((pod) => state.allocations.get(pod) ?? [])
  return partsOfSnapshot({
    nodes,
    allocations: allocations.filter(({ partition }) => held.has(partition)),
    workloads: [...new Set(allocations.map(({ workload }) => workload))].flatMap((id) => state.workloads.get(id) ?? []),
  })
}
