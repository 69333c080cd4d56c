import { at, GPU_MILLI, gpuMilliOf, type Policy, scoredChooser, type ShareFleet } from '@septet/domain'

/** The spot with the least room left, CPU and GPU weighed alike; a share goes to the fullest GPU. */
export const bestFit: Policy = {
  name: 'best-fit',
  start: ({ fleet }) => {
    const most = mostOf(fleet)
    return scoredChooser(fleet, (demand, node, gpu) => {
      const left =
        (at(fleet.cpuFree, node) - demand.cpuMilli) / most.cpuMilli +
        (nodeMilliFree(fleet, node) - gpuMilliOf(demand.gpu)) / most.gpuMilli
      // Within a node the fullest GPU that still has room: far below any difference between nodes.
      return left + (gpu === -1 ? 0 : at(fleet.milliFree, gpu) * 1e-9)
    })
  },
}

/** Thousandths of GPUs free on a node. */
export function nodeMilliFree(fleet: ShareFleet, node: number): number {
  let free = 0
  const end = at(fleet.firstGpu, node + 1)
  for (let gpu = at(fleet.firstGpu, node); gpu < end; gpu += 1) free += at(fleet.milliFree, gpu)
  return free
}

/** The largest node in each resource, never 0. */
export function mostOf({ nodes }: ShareFleet): { cpuMilli: number; memory: number; gpuMilli: number } {
  const most = { cpuMilli: 1, memory: 1, gpuMilli: 1 }
  for (const { cpuMilli, memory, gpus } of nodes) {
    most.cpuMilli = Math.max(most.cpuMilli, cpuMilli)
    most.memory = Math.max(most.memory, memory)
    most.gpuMilli = Math.max(most.gpuMilli, gpus * GPU_MILLI)
  }
  return most
}
