import { comparePolicies, type Demand, type FleetNode, type Simulation, type Spot } from '@septet/domain'

import { seedsOf, type SimulateOptions } from './simulate-options.ts'

export type PodExplanation = {
  readonly pod: string
  readonly seed: number
  /** Place in the order of arrival, from 1. */
  readonly arrival: number
  readonly asks: string
  readonly policies: readonly PolicyExplanation[]
}

export type PolicyExplanation = {
  readonly policy: string
  readonly placed: string | undefined
  /** The best spots with the policy's score, lower is better; empty where it compares none. */
  readonly considered: ReadonlyArray<{ readonly spot: string; readonly score: number }>
}

const SPOTS_SHOWN = 3

/** Where each policy puts one pod with the first seed, and why. Throws where the trace has no such pod. */
export function explainPod(
  trace: { readonly nodes: readonly FleetNode[]; readonly pods: readonly Demand[] },
  options: SimulateOptions,
  pod: string,
): PodExplanation {
  const [seed = 0] = seedsOf(1)
  const { policies, arrivals: ratio } = options
  const comparison = comparePolicies({ ...trace, policies, seed, ratio, recordAt: [] })
  const arrival = comparison.arrivals.findIndex(({ id }) => id === pod)
  const demand = comparison.arrivals[arrival]
  if (demand === undefined)
    throw new Error(`No pod "${pod}" arrives. Pods are named as in the list, such as ${example(trace)}.`)
  comparison.advance(arrival)
  const explained = comparison.simulations.map((simulation) => explainFor(simulation, demand))
  return { pod, seed, arrival: arrival + 1, asks: asksOf(demand), policies: explained }
}

function explainFor(simulation: Simulation, demand: Demand): PolicyExplanation {
  const judged = simulation.consider(demand, SPOTS_SHOWN)
  const considered = judged.map(({ spot, score }) => ({ spot: spotText(simulation, spot), score }))
  simulation.advance(1)
  const last = simulation.placed.at(-1)
  const placed = last?.demand === demand ? spotText(simulation, last.spot) : undefined
  return { policy: simulation.policy, placed, considered }
}

function spotText({ fleet }: Simulation, { node, gpus }: Spot): string {
  const { id = '', model = '' } = fleet.nodes[node] ?? {}
  const first = fleet.firstGpu[node] ?? 0
  const free = fleet.milliFree.subarray(first, fleet.firstGpu[node + 1] ?? first)
  const gpuText = gpus.length === 0 ? 'no GPU' : `GPU ${gpus.map((gpu) => gpu - first).join(', ')}`
  return `${id} (${model}) ${gpuText}; free now: ${free.join(' ')} milli, ${(fleet.cpuFree[node] ?? 0) / 1000} cores`
}

function asksOf({ gpu, cpuMilli, memory, models }: Demand): string {
  const limits = models.length === 0 ? '' : `, on ${models.join(' or ')}`
  const rest = `${cpuMilli / 1000} cores, ${memory} MiB${limits}`
  if (gpu.kind === 'none') return `no GPU, ${rest}`
  return gpu.kind === 'whole' ? `${gpu.count} whole GPUs, ${rest}` : `${gpu.milli} milli of one GPU, ${rest}`
}

const example = ({ pods }: { readonly pods: readonly Demand[] }): string => pods[0]?.id ?? 'openb-pod-0000'
