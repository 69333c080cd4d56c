import { type Demand, firstWholeGpus, fitsGpu, fitsNode, type Policy, type Spot } from '@septet/domain'

/** Any node where the pod fits, and any GPU of it, all equally likely. */
export const random: Policy = {
  name: 'random',
  start: (context) => ({
    choose: (demand) => {
      const nodes: number[] = []
      for (let node = 0; node < context.fleet.nodes.length; node += 1)
        if (fitsNode(context.fleet, demand, node)) nodes.push(node)
      const node = pick(nodes, context.random)
      return node === undefined ? undefined : spotOn(context, demand, node)
    },
  }),
}

function spotOn({ fleet, random: chance }: Parameters<Policy['start']>[0], demand: Demand, node: number): Spot {
  const { gpu } = demand
  if (gpu.kind === 'none') return { node, gpus: [] }
  if (gpu.kind === 'whole') return { node, gpus: firstWholeGpus(fleet, node, gpu.count) }
  const fitting: number[] = []
  for (let index = fleet.firstGpu[node] ?? 0; index < (fleet.firstGpu[node + 1] ?? 0); index += 1)
    if (fitsGpu(fleet, demand, index)) fitting.push(index)
  const chosen = pick(fitting, chance)
  return { node, gpus: chosen === undefined ? [] : [chosen] }
}

function pick(from: readonly number[], chance: () => number): number | undefined {
  return from[Math.floor(chance() * from.length)]
}
