import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Pod } from '../../cluster/workload.ts'
import { profileOfResource } from '../../gpu/profile-name.ts'
import type { PlaceAsk } from '../place/place-index-ask.ts'
import type { IndexedGpu, IndexedNode } from '../place/place-index-view.ts'
import { RepackFleet } from '../repack/repack-fleet.ts'
import type { RepackSpace } from '../repack/repack-space.ts'
import { WHOLE_GPU, WHOLE_GPU_RESOURCE } from '../../gpu/whole-gpu.ts'

/** A cluster's working nodes as `explainPod` and `explainGpu` look at them. */
export function fleetViews(snapshot: ClusterSnapshot): readonly IndexedNode[] {
  const fleet = new RepackFleet(snapshot)
  const byNode = Map.groupBy(
    fleet.spaces().filter(({ open, gpu }) => open && gpu.model !== undefined),
    ({ node }) => node.name,
  )
  return [...byNode].flatMap(([name, spaces]): readonly IndexedNode[] => {
    const [first] = spaces
    if (first === undefined) return []
    const { cpuMilli = Infinity, memory = Infinity } = fleet.hostLeft(name)
    const gpus = spaces.map(viewOf)
    const { node } = first
    const board = node.mig.strategy === 'mixed' ? first.board : undefined
    const placed = {
      id: name,
      model: node.model ?? '',
      board,
      room: node.room,
      gpus: spaces.map(({ gpu }) => ({ kind: 'whole' as const, id: gpu.id })),
    }
    return [{ node: placed, cpuFree: cpuMilli, memoryFree: memory, gpus }]
  })
}

/** What a pod asks for; undefined where it asks for several kinds of things, or for what is no GPU. */
export function fleetAskOf({ requests, scheduling, namespace }: Pod): PlaceAsk | undefined {
  const [request, ...more] = requests
  if (request === undefined || more.length > 0) return undefined
  const profile = profileOfResource(request.resource)
  const common = { models: [], tenant: namespace, scheduling }
  if (request.resource === WHOLE_GPU_RESOURCE) return { ...common, wants: { kind: 'whole', count: request.count } }
  return profile === undefined || request.count !== 1 ? undefined : { ...common, wants: { kind: 'mig', profile } }
}

function viewOf({ gpu: { id }, slots, actuator }: RepackSpace): IndexedGpu {
  if (slots.some(({ shared }) => shared)) {
    const free = slots.filter(({ pods }) => pods.length === 0).length
    const holder = free === slots.length ? undefined : { tenant: '' }
    return { kind: 'shared', id, freeMilli: Math.floor((1000 * free) / slots.length), holder }
  }
  if (slots.some(({ profile, pods }) => profile === WHOLE_GPU && pods.length > 0)) return { kind: 'held', id }
  const instances = slots.flatMap(({ profile, placement, pods }) =>
    placement === undefined ? [] : [{ instance: { profile, placement }, held: pods.length > 0 }],
  )
  if (actuator === 'dra') return { kind: 'dynamic', id, instances }
  return instances.length > 0
    ? { kind: 'cut', id, instances }
    : { kind: 'shared', id, freeMilli: 1000, holder: undefined }
}
