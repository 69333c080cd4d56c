import { WHOLE_GPU_RESOURCE } from '../../gpu/whole-gpu.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuId, GpuNode } from '../../cluster/node.ts'
import { nodeRefusal } from '../../cluster/node-rules.ts'
import type { Pod } from '../../cluster/workload.ts'

/**
 * Whole GPUs of nodes that join them (NVLink) and on which work that spans at least half of them runs, or waits and may
 * run: cutting one of them would leave that work no such node.
 */
export function gpusWantedWhole({ nodes, pods }: ClusterSnapshot): ReadonlySet<GpuId> {
  const spanning = pods.filter((pod) => spanOf(pod) > 1 && (pod.node !== undefined || pod.phase === 'Pending'))
  return new Set(
    nodes.flatMap((node) => {
      const whole = node.gpus.filter(({ migEnabled }) => !migEnabled)
      const isWanted = whole.length > 1 && isJoined(node) && spanning.some((pod) => wants(pod, node, whole.length))
      return isWanted ? whole.map(({ id }) => id) : []
    }),
  )
}

function wants(pod: Pod, node: GpuNode, whole: number): boolean {
  const span = spanOf(pod)
  if (span > whole || 2 * span < node.gpus.length) return false
  return pod.node === node.name || (pod.node === undefined && nodeRefusal(pod.scheduling, node.room) === undefined)
}

const spanOf = ({ requests }: Pod): number =>
  requests.reduce((most, { resource, count }) => (resource === WHOLE_GPU_RESOURCE ? Math.max(most, count) : most), 0)

/** By its label of an NVLink domain, or by boards that are made to be joined: SXM, NVL, and those sold as nothing else. */
const isJoined = ({ room, model, product, gpus }: GpuNode): boolean =>
  room.labels['nvidia.com/gpu.clique'] !== undefined ||
  [model ?? product, ...gpus.flatMap((gpu) => gpu.model ?? [])].some((name) => JOINED.test(name))

const JOINED = /SXM|HBM3$|NVL|^(?:H20|H200|H800|G?B[23]00)$/u
