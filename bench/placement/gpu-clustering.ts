import { at, type Demand, type ShareFleet, type Policy, scoredChooser } from '@septet/domain'

import { nodeMilliFree } from './best-fit.ts'

/** Pods that ask for equal GPU room together: a node where most of the pods ask for the same, then the fullest. */
export const gpuClustering: Policy = {
  name: 'clustering',
  start: ({ fleet }) => {
    const pods = fleet.nodes.map(() => new Map<string, number>())
    const chooser = scoredChooser(fleet, (demand, node, gpu) => {
      // Within a node the fullest GPU that still has room: far below any difference between nodes.
      return nearness(fleet, pods[node], { demand, node }) + (gpu === -1 ? 0 : at(fleet.milliFree, gpu) * 1e-12)
    })
    return {
      ...chooser,
      choose: (demand) => {
        const spot = chooser.choose(demand)
        const there = spot === undefined ? undefined : pods[spot.node]
        there?.set(gpuRequest(demand), (there.get(gpuRequest(demand)) ?? 0) + 1)
        return spot
      },
    }
  },
}

type Candidate = { readonly demand: Demand; readonly node: number }

type There = ReadonlyMap<string, number> | undefined

function nearness(fleet: ShareFleet, there: There, { demand, node }: Candidate): number {
  const alike = there?.get(gpuRequest(demand)) ?? 0
  const others = (there?.size ?? 0) - Number(alike > 0)
  const fullness = nodeMilliFree(fleet, node) / 1e6
  // CPU-only pods gathered together would leave GPUs without CPU; they go where GPUs are taken.
  if (demand.gpu.kind === 'none' || alike > 0) return fullness + (demand.gpu.kind === 'none' ? 0 : others)
  return fullness + 100 + others
}

function gpuRequest({ gpu }: Demand): string {
  if (gpu.kind === 'none') return 'none'
  return gpu.kind === 'whole' ? `${gpu.count}x` : 'share'
}
