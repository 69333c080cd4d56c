import { compareMigPolicies, mapToMig, migTables, type Mask, type MigDemand, type MigRun } from '@septet/domain'

import { arrivalOf } from './arrival-of.ts'
import type { Alternatives } from './alternatives.ts'
import type { PodExplanation, PolicyExplanation } from './pod-explanation.ts'
import type { Trace } from './read-trace-folder.ts'

type Asked = { readonly pod: string; readonly seed: number; readonly ratio: number }

/** Where each MIG policy puts one pod. They compare GPUs by what is taken of them, so no list of near spots is shown. */
export function explainMigPod(
  { nodes, pods }: Trace,
  { board, policies }: Alternatives & { as: 'mig' },
  { pod, seed, ratio }: Asked,
): PodExplanation {
  const tables = migTables(board)
  const mapped = mapToMig(pods, tables).pods
  const gpus = nodes.reduce((sum, node) => sum + node.gpus, 0)
  refuseLeftOut(pod, pods, mapped)
  const comparison = compareMigPolicies({ tables, gpus, pods: mapped, policies, seed, ratio, recordAt: [] })
  const arrival = arrivalOf(pod, comparison.arrivals, mapped)
  comparison.advance(arrival + 1)
  const demand = comparison.arrivals[arrival]
  const profile = tables.profiles[demand?.profile ?? -1]?.name ?? 'nothing'
  const explained = comparison.simulations.map((simulation) => explainFor(simulation, pod, board.memorySlices))
  const asks = `one ${profile} (recorded: ${demand?.milli} milli of one GPU)`
  return { pod, seed, arrival: arrival + 1, asks, policies: explained }
}

function refuseLeftOut(pod: string, pods: Trace['pods'], mapped: readonly MigDemand[]): void {
  if (mapped.some(({ id }) => id === pod)) return
  const known = pods.find(({ id }) => id === pod)
  if (known === undefined) return
  const why = known.gpu.kind === 'none' ? 'asks for no GPU' : 'asks for several GPUs, which MIG cannot serve'
  throw new Error(`${pod} ${why}, so it is left out with --as mig.`)
}

function explainFor({ policy, placed }: MigRun, pod: string, memorySlices: number): PolicyExplanation {
  const last = placed.at(-1)
  if (last?.demand.id !== pod) return { policy, placed: undefined, considered: [] }
  const { gpu, taken, before } = last.spot
  const beside = before === 0 ? 'the GPU was empty' : `taken before: ${slicesText(before, memorySlices)}`
  return { policy, placed: `GPU ${gpu}, memory slices ${slicesText(taken, memorySlices)}; ${beside}`, considered: [] }
}

function slicesText(mask: Mask, memorySlices: number): string {
  return Array.from({ length: memorySlices }, (_, slice) => slice)
    .filter((slice) => ((mask >> slice) & 1) === 1)
    .join(' ')
}
