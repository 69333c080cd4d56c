import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuNode } from '../../cluster/node.ts'
import { countedFleet } from '../../fleet/counted-fleet.ts'
import { nodeRefusal } from '../../cluster/node-rules.ts'
import type { GpuRequest, Pod, WorkloadId } from '../../cluster/workload.ts'
import { findModel } from '../../gpu/catalog.ts'
import { compareText } from '../../units.ts'
import { FreeRoom, type FreePartition } from '../../fleet/free-room.ts'

/** Pods of one shape, all of their workload: any of them speaks for all. */
export type WaitingWork = { readonly pods: readonly Pod[]; readonly pod: Pod; readonly asked: GpuRequest }

/** Undefined where the pods of a workload differ, run in part, or no rule of their own keeps them from a place. */
export function waitingAlike(pods: readonly Pod[]): WaitingWork | undefined {
  const [pod] = pods
  if (pod === undefined || !mayWaitForPlace(pod) || pods.some((each) => !isLike(each, pod))) return undefined
  const [asked, ...more] = pod.requests
  return asked === undefined || more.length > 0 ? undefined : { pods, pod, asked }
}

/** What insists on no place is not kept waiting by one, and what is gated is not even looked at by the scheduler. */
const mayWaitForPlace = ({ scheduling: { nodeSelector, nodeTerms }, waiting }: Pod): boolean =>
  Object.keys(nodeSelector).length + nodeTerms.length > 0 && waiting?.reason !== 'SchedulingGated'

const isLike = (pod: Pod, other: Pod): boolean =>
  pod.node === undefined &&
  JSON.stringify([pod.requests, pod.scheduling]) === JSON.stringify([other.requests, other.scheduling])

type Ground = { readonly room: FreeRoom; readonly nodes: ReadonlyMap<string, GpuNode> }

/** Nodes of one pool and model; `isSame`: a model that its own rules lead to as well. */
export type Elsewhere = Place & { readonly isSame: boolean }

/**
 * Where waiting work would start if its node selector and affinity did not keep it away: all its pods in one pool, on the
 * GPU model that it asks for first, else on one with as much memory. What a taint keeps away is left out, as somebody
 * reserved those nodes. What tells why it waits and what recommends another place both take this choice.
 */
export function placeElsewhere({ pods, pod, asked }: WaitingWork, ground: Ground): Elsewhere | undefined {
  const rooms = roomsFor(pod, asked, ground.room)
  // Room that it may already use means that something else holds it back: its queue, or the scheduler's next turn.
  if (rooms.some(({ refusal }) => refusal === undefined)) return undefined
  const wanted = modelsAskedFor(pod, ground)
  const places = placesOf(rooms.filter(({ isTaint }) => !isTaint)).filter((place) => place.pods >= pods.length)
  const place = places.find(({ model }) => wanted.has(model)) ?? places.find(({ model }) => hasMemoryOf(model, wanted))
  return place && { ...place, isSame: wanted.has(place.model) }
}

export type ElsewhereOf = (workload: WorkloadId) => Elsewhere | undefined

/** The same for each workload by itself, as if nobody else waited. */
export function elsewhereIn(snapshot: ClusterSnapshot): ElsewhereOf {
  const living = snapshot.pods.filter(({ phase }) => phase !== 'Succeeded' && phase !== 'Failed')
  const podsOf = Map.groupBy(living, ({ workload }) => workload)
  const nodes = new Map(snapshot.nodes.map((node) => [node.name, node]))
  const room = new FreeRoom({ fleet: countedFleet(snapshot) })
  const known = new Map<string, Elsewhere | undefined>()
  const once = (key: string, find: () => Elsewhere | undefined): Elsewhere | undefined => {
    if (!known.has(key)) known.set(key, find())
    return known.get(key)
  }
  return (workload) =>
    once(workload, () => {
      const waiting = waitingAlike(podsOf.get(workload) ?? [])
      if (waiting === undefined) return undefined
      const { pods, pod, asked } = waiting
      return once(JSON.stringify([pods.length, asked, pod.scheduling]), () => placeElsewhere(waiting, { room, nodes }))
    })
}

type OnNode = { readonly node: string }

export const isOn = (elsewhere: Elsewhere | undefined, { node }: OnNode): elsewhere is Elsewhere =>
  elsewhere?.rooms.some((room) => room.node.name === node) === true

/** The first that is there, else the first of all. */
export const firstOn = <Item extends OnNode>(
  items: readonly Item[],
  elsewhere: Elsewhere | undefined,
): Item | undefined => items.find((item) => isOn(elsewhere, item)) ?? items[0]

export const elsewhereText = ({ pool, model }: Place): string => `${model}${pool === '' ? '' : ` in pool ${pool}`}`

/** GPU models of the nodes that the pod's own rules lead to, full or not. */
function modelsAskedFor({ scheduling }: Pod, { nodes }: Pick<Ground, 'nodes'>): ReadonlySet<string> {
  const own = [...nodes.values()].filter(({ name, room }) => {
    // The kubelet names its node by this label; a snapshot need not carry it.
    const labels = { [HOSTNAME]: name, ...room.labels }
    return nodeRefusal(scheduling, { ...room, labels }) === undefined
  })
  return new Set(own.flatMap(({ gpus, model }) => gpus.flatMap((gpu) => gpu.model ?? model ?? [])))
}

const HOSTNAME = 'kubernetes.io/hostname'

const memoryOf = (name: string): number | undefined => findModel(name)?.memory?.min

/** Whether the model has as much memory as the least of those wanted; never where none is wanted or known. */
function hasMemoryOf(model: string, wanted: ReadonlySet<string>): boolean {
  const needed = [...wanted].map((name) => memoryOf(name) ?? Infinity)
  return (memoryOf(model) ?? 0) >= Math.min(Infinity, ...needed)
}

type Room = {
  readonly node: GpuNode
  readonly model: string
  readonly partitions: readonly FreePartition[]
  /** Pods of this shape that could start there. */
  readonly pods: number
  readonly refusal: string | undefined
  readonly isTaint: boolean
}

/** Nodes with room for at least one such pod, by model, and why it may not go there. */
function roomsFor(pod: Pod, { resource, count }: GpuRequest, room: FreeRoom): readonly Room[] {
  const offered = Map.groupBy(room.offered(resource), ({ node, model }) => JSON.stringify([node.name, model]))
  return [...offered.values()].flatMap((partitions): Room[] => {
    const [first] = partitions
    if (first === undefined) return []
    const { node, model, partition } = first
    // Replicas belong to the namespace that shares the GPU; whose they are is not looked into here.
    if (partition.kind === 'shared') return []
    let pods = Math.floor(partitions.length / Math.max(1, count))
    while (pods > 0 && room.noHostFor(pod, node, pods) !== undefined) pods -= 1
    if (pods === 0) return []
    const refusal = nodeRefusal(pod.scheduling, node.room)
    // With its own wishes left out, only a taint can still refuse.
    const isTaint = nodeRefusal({ ...pod.scheduling, nodeSelector: {}, nodeTerms: [] }, node.room) !== undefined
    return [{ node, model, partitions, pods, refusal, isTaint }]
  })
}

type Place = { readonly pool: string; readonly model: string; readonly rooms: readonly Room[]; readonly pods: number }

/** By pool and model, in order of their names: by how much room is where, the answer would change with every job. */
const placesOf = (rooms: readonly Room[]): readonly Place[] =>
  [...Map.groupBy(rooms, ({ node, model }) => JSON.stringify([node.pool, model])).values()]
    .flatMap((own): Place[] => {
      const [first] = own
      const pods = own.reduce((sum, each) => sum + each.pods, 0)
      return first === undefined ? [] : [{ pool: first.node.pool, model: first.model, rooms: own, pods }]
    })
    .toSorted((a, b) => compareText(a.pool, b.pool) || compareText(a.model, b.model))
