import type { ClusterSnapshot } from '../cluster/inventory.ts'
import { compareText } from '../units.ts'
import type { GpuPart } from './gpu-parts.ts'

/** Counts of the moment, from the snapshot. */
export type CapacityNow = {
  readonly nodes: number
  readonly readyNodes: number
  readonly gpus: number
  /** GPUs that can be used: node ready, offered by its kubelet, and no fault that leaves the GPU unheld. */
  readonly readyGpus: number
  /** Sum of the shares that pods hold now, in GPUs. */
  readonly heldGpus: number
  readonly partitions: number
  readonly heldPartitions: number
  /** GPUs by model, most first. */
  readonly models: ReadonlyArray<{ readonly model: string; readonly gpus: number }>
}

/** Counts the snapshot. `parts` are `partsOfSnapshot` of the same. */
export function capacityNow({ nodes }: ClusterSnapshot, parts: readonly GpuPart[]): CapacityNow {
  const gpus = nodes.flatMap((node) => node.gpus.map((gpu) => gpu.model ?? node.model ?? node.product))
  const down = parts.filter(({ kind }) => kind === 'down').length
  const held = parts.filter(({ kind }) => kind === 'held')
  const models = new Map<string, number>()
  for (const model of gpus) models.set(model, (models.get(model) ?? 0) + 1)
  return {
    nodes: nodes.length,
    readyNodes: nodes.filter(({ ready }) => ready).length,
    gpus: gpus.length,
    readyGpus: gpus.length - down,
    // Sevenths do not add up to whole numbers; nobody needs a millionth of a GPU.
    heldGpus: Math.round(held.reduce((sum, { share }) => sum + share, 0) * 1e6) / 1e6,
    partitions: nodes.reduce((sum, node) => sum + node.gpus.reduce((more, gpu) => more + gpu.partitions.length, 0), 0),
    heldPartitions: new Set(held.map(({ partition }) => partition)).size,
    models: [...models]
      .map(([model, count]) => ({ model, gpus: count }))
      .toSorted((a, b) => b.gpus - a.gpus || compareText(a.model, b.model)),
  }
}
