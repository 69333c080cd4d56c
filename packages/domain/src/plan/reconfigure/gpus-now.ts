import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Gpu, GpuNode, Problem } from '../../cluster/node.ts'
import { unsoundGpu, unsoundNode } from '../../cluster/soundness.ts'
import type { Pod } from '../../cluster/workload.ts'
import { profileOf, type Board } from '../../gpu/board.ts'
import { isFeasible } from '../../gpu/layout.ts'
import { boardOf, cutOf, isServedByDra } from '../../fleet/gpu-state.ts'
import type { Actuator } from '../../gpu/actuator.ts'
import { whyNotMoved } from '../repack/may-move.ts'
import type { GpuNow, InstanceNow } from './reconfigure-problem.ts'

/** The GPUs of a cluster that can be cut again, and those that are left out, each with the reason. */
export type GpusNow = { readonly gpus: readonly GpuNow[]; readonly leftOut: readonly Problem[] }

/**
 * Reads a snapshot for `reconfigure`. GPUs held whole or shared by time are simply not among them;
 * faulty GPUs, closed nodes and layouts that cannot be are named. A pod stays where it is when it has no controller, must
 * not be evicted, has no disruption allowed, holds more than one partition, or has rules that a snapshot does not hold.
 */
export function gpusNow(snapshot: ClusterSnapshot): GpusNow {
  const pods = new Map(snapshot.pods.map((pod) => [pod.id, pod]))
  const holders = new Map(snapshot.allocations.map(({ partition, pod }) => [partition, pod]))
  const isMovable = movablePods(snapshot)
  const gpus: GpuNow[] = []
  const leftOut: Problem[] = []
  for (const node of snapshot.nodes) {
    for (const gpu of node.gpus) {
      if (!canBeCut(gpu, holders)) continue
      const read = readGpu(node, gpu)
      if (typeof read === 'string') leftOut.push({ code: 'not-planned', object: `gpu/${gpu.id}`, message: read })
      else gpus.push({ ...read, instances: read.instances.map(withHolder) })
    }
  }
  return { gpus, leftOut }

  function withHolder(instance: InstanceNow): InstanceNow {
    const id = holders.get(instance.partition)
    const pod = id === undefined ? undefined : pods.get(id)
    return { ...instance, pod: id, movable: id === undefined || (pod !== undefined && isMovable(pod)) }
  }
}

/** Whether a pod alone may be moved. */
function movablePods(snapshot: ClusterSnapshot): (pod: Pod) => boolean {
  const held = Map.groupBy(snapshot.allocations, ({ pod }) => pod)
  const covering = Map.groupBy(
    snapshot.budgets.flatMap((budget) => budget.pods.map((pod) => ({ pod, budget }))),
    ({ pod }) => pod,
  )
  return (pod) => {
    const budgets = (covering.get(pod.id) ?? []).map(({ budget }) => budget)
    // Its instances move one by one, and all of them must end on one node. The eviction API answers 500 to two budgets.
    if ((held.get(pod.id) ?? []).length > 1 || budgets.length > 1) return false
    return whyNotMoved({ ...snapshot, budgets }, [pod]) === undefined
  }
}

/** In MIG mode, or whole and held by nobody. */
const canBeCut = (gpu: Gpu, holders: ReadonlyMap<string, string>): boolean =>
  boardOf(gpu) !== undefined &&
  gpu.partitions.every(({ kind, id }) => kind === 'mig' || (kind === 'whole' && !holders.has(id)))

/** The GPU with nobody on it, or why it cannot be planned with. */
function readGpu(node: GpuNode, gpu: Gpu): GpuNow | string {
  const board = boardOf(gpu)
  const cut = cutOf(gpu)
  const actuator = isServedByDra(node) ? 'dra' : 'mig-manager'
  const closed = whyNotTouched(node, gpu, actuator)
  if (closed !== undefined) return closed
  if (board === undefined || cut === undefined) return 'Its MIG layout does not match its GPU model, so it is unknown.'
  const devices = gpu.partitions.filter((partition) => partition.kind === 'mig')
  const instances = devices.flatMap((partition, index): InstanceNow[] => {
    const placement = partition.placement ?? cut.layout[index]?.placement
    return placement === undefined
      ? []
      : [
          {
            profile: nameOn(board, partition.profile),
            placement,
            partition: partition.id,
            pod: undefined,
            movable: true,
          },
        ]
  })
  const feasible = isFeasible(board, instances)
  if (feasible.kind === 'infeasible') return `What it is said to hold cannot be: ${feasible.because}.`
  return { gpu: gpu.id, supplyClass: supplyClassOf(node, gpu, actuator), board, actuator, instances }
}

function whyNotTouched(node: GpuNode, gpu: Gpu, actuator: Actuator): string | undefined {
  const unsound = unsoundNode(node) ?? unsoundGpu(gpu)
  if (unsound !== undefined) return unsound
  if (!node.schedulable) return `${node.name} takes no pods.`
  const faulty = actuator === 'dra' ? undefined : node.gpus.find(({ fault }) => fault !== undefined)
  return faulty === undefined
    ? undefined
    : `mig-manager changes a node as one, and GPU ${faulty.index} of it has a fault: ${faulty.fault?.message}`
}

const nameOn = (board: Board, name: string): string => profileOf(board, name)?.name ?? name

/** GPUs of one model and pool under one actuator are interchangeable. */
const supplyClassOf = (node: GpuNode, gpu: Gpu, actuator: Actuator): string => `${gpu.model}/${node.pool}/${actuator}`
