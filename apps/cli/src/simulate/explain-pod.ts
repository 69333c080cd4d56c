import { comparePolicies, type Demand, type Simulation, type Spot } from '@septet/domain'

import { arrivalOf } from './arrival-of.ts'
import { explainMigPod } from './explain-mig-pod.ts'
import type { Trace } from './read-trace-folder.ts'
import type { PodExplanation, PolicyExplanation } from './pod-explanation.ts'
import { seedsOf, type SimulateOptions } from './simulate-options.ts'

const SPOTS_SHOWN = 3

/** Where each policy puts one pod with the first seed, and why. Throws where the pod does not arrive. */
export function explainPod(trace: Trace, options: SimulateOptions, pod: string): PodExplanation {
  const [seed = 0] = seedsOf(1)
  const { alternatives, arrivals: ratio } = options
  if (alternatives.as === 'mig') return explainMigPod(trace, alternatives, { pod, seed, ratio })
  const comparison = comparePolicies({ ...trace, policies: alternatives.policies, seed, ratio, recordAt: [] })
  const arrival = arrivalOf(pod, comparison.arrivals, trace.pods)
  const demand = comparison.arrivals[arrival]
  comparison.advance(arrival)
  const explained = comparison.simulations.flatMap((simulation) =>
    demand === undefined ? [] : [explainFor(simulation, demand)],
  )
  const asks = demand === undefined ? '' : asksOf(demand)
  return { pod, seed, arrival: arrival + 1, asks, policies: explained }
}

function explainFor(simulation: Simulation, demand: Demand): PolicyExplanation {
  const judged = simulation.consider(demand, SPOTS_SHOWN)
  const considered = judged.map(({ spot, score }) => ({ spot: spotText(simulation, spot, 'free now'), score }))
  simulation.advance(1)
  const last = simulation.placed.at(-1)
  const placed = last?.demand === demand ? spotText(simulation, last.spot, 'left there') : undefined
  return { policy: simulation.policy, placed, considered }
}

function spotText({ fleet }: Simulation, { node, gpus }: Spot, when: 'free now' | 'left there'): string {
  const { id = '', model = '' } = fleet.nodes[node] ?? {}
  const first = fleet.firstGpu[node] ?? 0
  const free = fleet.milliFree.subarray(first, fleet.firstGpu[node + 1] ?? first)
  const gpuText = gpus.length === 0 ? 'no GPU' : `GPU ${gpus.map((gpu) => gpu - first).join(', ')}`
  return `${id} (${model}) ${gpuText}; ${when}: ${free.join(' ')} milli, ${(fleet.cpuFree[node] ?? 0) / 1000} cores`
}

function asksOf({ gpu, cpuMilli, memory, models }: Demand): string {
  const limits = models.length === 0 ? '' : `, on ${models.join(' or ')}`
  const rest = `${cpuMilli / 1000} cores, ${memory} MiB${limits}`
  if (gpu.kind === 'none') return `no GPU, ${rest}`
  return gpu.kind === 'whole' ? `${gpu.count} whole GPUs, ${rest}` : `${gpu.milli} milli of one GPU, ${rest}`
}
