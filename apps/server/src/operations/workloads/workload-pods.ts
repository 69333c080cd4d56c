import type { FiguresOf, workloadsGet } from '@septet/contract'
import { compareText, type KubernetesEvent, type OwnerLink } from '@septet/domain'

import type { ClusterFacts, ClusterPicture, WorkloadDetail } from '../../facts.ts'
import { barContext, gpuView } from '../fleet/gpu-view.ts'
import { isoOf, isoOrNull } from '../answering/view.ts'
import { holdingsOf, holdingShape, type Holding } from './workload-holdings.ts'

type Detail = FiguresOf<typeof workloadsGet>

/** Its pods, and in words what each holds. */
export function podsView(detail: WorkloadDetail, picture: ClusterPicture): Detail['pods'] {
  const gpus = new Map(picture.nodes.flatMap((node) => node.gpus.map((gpu) => [gpu.id, gpu.index] as const)))
  const parts = holdingsOf(picture).get(detail.workload.id)?.parts ?? []
  const byPod = Map.groupBy(parts, ({ pod }) => pod)
  return detail.pods.map((pod) => {
    const owner = detail.objects?.owners.get(pod.id)?.[0]
    return {
      name: pod.name,
      node: pod.node ?? null,
      phase: pod.phase,
      createdAt: isoOf(pod.createdAt),
      startedAt: isoOrNull(pod.startedAt),
      owner: owner === undefined ? null : `${owner.kind}/${owner.name}`,
      holds: (byPod.get(pod.id) ?? []).map((part) => heldText(part, gpus.get(part.gpu))),
      waiting: pod.waiting === undefined ? null : { ...pod.waiting },
    }
  })
}

function heldText(part: Holding['parts'][number], index: number | undefined): string {
  const gpu = index === undefined ? part.gpu : `GPU ${index}`
  const shape = holdingShape(part)
  return shape === 'whole GPU' ? gpu : `${shape} of ${gpu}`
}

/** The owners above its first pod; all its pods share the topmost. */
export const ownersView = ({ objects, pods }: WorkloadDetail): Detail['owners'] =>
  (pods.map(({ id }) => objects?.owners.get(id)).find((links) => links !== undefined) ?? []).map(ownerView)

const ownerView = ({ kind, name, createdAt, byRule }: OwnerLink): Detail['owners'][number] => ({
  kind,
  name,
  createdAt: isoOrNull(createdAt),
  byRule,
})

/** More bars than these tell nothing more. */
const MOST_GPUS = 64

/** The GPUs that it holds a part of, as slice bars. */
export function gpusView(facts: ClusterFacts, picture: ClusterPicture, id: string): Pick<Detail, 'gpus' | 'gpuCount'> {
  const held = new Set(
    holdingsOf(picture)
      .get(id)
      ?.parts.map(({ gpu }) => gpu),
  )
  const context = barContext(facts, picture)
  const gpus = picture.nodes
    .filter((node) => node.gpus.some((gpu) => held.has(gpu.id)))
    .toSorted((a, b) => compareText(a.name, b.name))
    .flatMap((node) =>
      node.gpus
        .filter((gpu) => held.has(gpu.id))
        .toSorted((a, b) => a.index - b.index)
        .map((gpu) => ({ node: node.name, gpu })),
    )
  return {
    gpus: gpus.slice(0, MOST_GPUS).map(({ node, gpu }) => ({ node, gpu: gpuView(gpu, context) })),
    gpuCount: gpus.length,
  }
}

export const eventView = ({ at, firstAt, object, ...event }: KubernetesEvent): Detail['events'][number] => ({
  ...event,
  at: isoOf(at),
  firstAt: isoOf(firstAt),
  object: { ...object },
})
