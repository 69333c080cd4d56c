import type { Gpu, GpuNode, PartitionId } from '../../cluster/node.ts'
import { unsoundGpu } from '../../cluster/soundness.ts'
import type { Pod } from '../../cluster/workload.ts'
import { WHOLE_GPU_RESOURCE } from './gpu-state.ts'
import type { PlanState } from './plan-state.ts'

/** `h100` means every model whose name holds it; no name means every model. */
export const isModel = (wanted: string | undefined, model: string | undefined): boolean =>
  wanted === undefined || (model ?? '').toLowerCase().includes(wanted.toLowerCase())

/** Sound GPUs of a model that are neither cut nor shared, so that they can be asked for whole. */
export const wholeGpus = ({ gpus }: Pick<GpuNode, 'gpus'>, wanted: string | undefined): readonly Gpu[] =>
  gpus.filter(
    (gpu) =>
      isModel(wanted, gpu.model) &&
      !gpu.migEnabled &&
      unsoundGpu(gpu) === undefined &&
      gpu.partitions.every(({ kind }) => kind === 'whole'),
  )

/** How many of these a pod holds; those of which nobody says where they are may be any. */
export function heldOf(
  { id, requests }: Pod,
  { allocations }: Pick<PlanState, 'allocations'>,
  partitions: ReadonlySet<PartitionId>,
): number {
  const held = allocations.get(id) ?? []
  const asked = requests.find(({ resource }) => resource === WHOLE_GPU_RESOURCE)?.count ?? 0
  return held.filter(({ partition }) => partitions.has(partition)).length + Math.max(0, asked - held.length)
}
