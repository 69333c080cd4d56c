import { compareText, findModel, type GpuShare, ratio } from '@septet/domain'
import type { ShareFacts } from '../read/gpu-shares.ts'
import type { NodeFacts } from '../read/parse-node.ts'
import type { PodFacts } from '../read/parse-pod.ts'

/** Which shares of its GPUs the pods of each node have, in order of GPU and pod. */
export function sharesByNode(
  pods: readonly PodFacts[],
  nodes: readonly NodeFacts[],
): ReadonlyMap<string, readonly GpuShare[]> {
  const known = new Map(nodes.map((node) => [node.name, node]))
  const reserved = new Map(
    pods.flatMap(({ reserves }) => (reserves === undefined ? [] : [[reserves.group, reserves.gpu]])),
  )
  const shares = pods.flatMap((pod) => {
    const node = known.get(pod.node ?? '')
    return node === undefined || pod.isPlaceholder === true
      ? []
      : (pod.shares ?? []).map((given) => ({
          node: node.name,
          share: { ...shareOf(pod, given, { node, reserved }), ...(given.instance && { instance: given.instance }) },
        }))
  })
  const byNode = Map.groupBy(shares, ({ node }) => node)
  return new Map(
    [...byNode].map(([node, own]) => [
      node,
      own.map(({ share }) => share).toSorted((a, b) => compareText(a.gpu, b.gpu) || compareText(a.pod, b.pod)),
    ]),
  )
}

type Around = { readonly node: NodeFacts; readonly reserved: ReadonlyMap<string, string> }

/** The larger of the two that it takes from others: what limits neither has all of the GPU. */
function shareOf(pod: PodFacts, given: ShareFacts, { node, reserved }: Around): GpuShare {
  const gpu = reserved.get(given.gpu) ?? given.gpu
  const divided = node.divided.find(({ id }) => id === gpu)
  const all = divided?.memory ?? node.gpuMemory ?? memoryOf(node.product)
  const ofMemory = all > 0 ? (given.memory ?? 0) / all : 0
  const share = Math.min(1, Math.max(ofMemory, given.fraction ?? 0))
  return { gpu, index: divided?.index, pod: `${pod.namespace}/${pod.name}`, share: ratio(share > 0 ? share : 1) }
}

/** MiB, as the model's maker says it, where no label does; 0: not known. */
function memoryOf(product: string): number {
  const model = findModel(product)
  return model?.reportedMemory ?? (model?.memory?.min ?? 0) * 1024
}
