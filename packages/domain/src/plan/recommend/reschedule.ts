import { plural } from '../../words.ts'
import type { GpuNode } from '../../cluster/node.ts'
import type { GpuRequest, Pod, Workload } from '../../cluster/workload.ts'
import { findModel } from '../../gpu/catalog.ts'
import { compareText, mib, ratio } from '../../units.ts'
import { nodeRefusal } from '../../cluster/node-rules.ts'
import { whyBarred } from '../repack/unblock.ts'
import { FreeRoom, type FreePartition } from './free-room.ts'
import { type Proposal } from './proposal.ts'
import type { RecommendContext } from './recommend-context.ts'

/** Waiting for less, hours, may be the scheduler's next turn. */
export const LEAST_WAIT_HOURS = 1 / 6
/** How sure it is that the work runs there as well: on the model that it asked for, and on another. */
const SURE = { same: ratio(0.75), other: ratio(0.4) }

/**
 * Waiting workloads that a node selector or affinity keeps from equal room elsewhere: send them where all their pods can
 * start, to the GPU model that they ask for first, else to one with as much memory. What a taint keeps away is not
 * proposed, as somebody reserved those nodes.
 */
export function reschedule(context: RecommendContext): readonly Proposal[] {
  const room = new FreeRoom(context)
  return context.snapshot.workloads
    .filter(({ status }) => status === 'queued')
    .flatMap((workload) => proposalFor(workload, room, context) ?? [])
}

function proposalFor(workload: Workload, room: FreeRoom, context: RecommendContext): Proposal | undefined {
  const waiting = waitingWork(workload, context)
  if (waiting === undefined) return undefined
  const { pods, pod, asked } = waiting
  const rooms = roomsFor(pod, asked, room)
  // Room that it may already use means that something else holds it back: its queue, or the scheduler's next turn.
  if (rooms.some(({ refusal }) => refusal === undefined)) return undefined
  const wanted = modelsAskedFor(pod, context)
  const places = placesOf(rooms.filter(({ isTaint }) => !isTaint)).filter((place) => place.pods >= pods.length)
  const place = places.find(({ model }) => wanted.has(model)) ?? places.find(({ model }) => hasMemoryOf(model, wanted))
  if (place === undefined) return undefined
  const used = takeRoom(place, { pods, asked, room })
  return proposalOf(workload, { ...waiting, place, used, isSame: wanted.has(place.model), context })
}

/** Pods of one shape that have waited for a while, all of their workload: any of them speaks for all. */
type WaitingWork = { readonly pods: readonly Pod[]; readonly pod: Pod; readonly asked: GpuRequest }

function waitingWork(workload: Workload, context: RecommendContext): WaitingWork | undefined {
  const pods = context.podsOf.get(workload.id) ?? []
  const [pod] = pods
  if (pod === undefined || pods.some((each) => !isLike(each, pod))) return undefined
  const [asked, ...more] = pod.requests
  if (asked === undefined || more.length > 0) return undefined
  if (!mayWaitForPlace(pod) || waitedHours(pods, context) < LEAST_WAIT_HOURS) return undefined
  return whyBarred(context.snapshot, workload, pods) === undefined ? { pods, pod, asked } : undefined
}

/** What insists on no place is not kept waiting by one, and what is gated is not even looked at by the scheduler. */
const mayWaitForPlace = ({ scheduling: { nodeSelector, nodeTerms }, waiting }: Pod): boolean =>
  Object.keys(nodeSelector).length + nodeTerms.length > 0 && waiting?.reason !== 'SchedulingGated'

const isLike = (pod: Pod, other: Pod): boolean =>
  pod.node === undefined &&
  JSON.stringify([pod.requests, pod.scheduling]) === JSON.stringify([other.requests, other.scheduling])

const waitedHours = (pods: readonly Pod[], { snapshot }: RecommendContext): number =>
  pods.reduce((least, { createdAt }) => Math.min(least, (snapshot.takenAt - createdAt) / 3_600_000), Infinity)

/** GPU models of the nodes that the pod's own rules lead to, full or not. */
function modelsAskedFor({ scheduling }: Pod, { nodes }: RecommendContext): ReadonlySet<string> {
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
  const offered = Map.groupBy(room.offered(resource), ({ node, part }) => JSON.stringify([node.name, part.model]))
  return [...offered.values()].flatMap((partitions): Room[] => {
    const [first] = partitions
    if (first === undefined) return []
    const { node, part, partition } = first
    // Replicas belong to the namespace that shares the GPU; whose they are is not looked into here.
    if (partition.kind === 'shared') return []
    let pods = Math.floor(partitions.length / Math.max(1, count))
    while (pods > 0 && !room.hasHostFor(pod, node, pods)) pods -= 1
    if (pods === 0) return []
    const refusal = nodeRefusal(pod.scheduling, node.room)
    // With its own wishes left out, only a taint can still refuse.
    const isTaint = nodeRefusal({ ...pod.scheduling, nodeSelector: {}, nodeTerms: [] }, node.room) !== undefined
    return [{ node, model: part.model, partitions, pods, refusal, isTaint }]
  })
}

type Place = { readonly pool: string; readonly model: string; readonly rooms: readonly Room[]; readonly pods: number }

/** By pool and model, those with most room first. */
const placesOf = (rooms: readonly Room[]): readonly Place[] =>
  [...Map.groupBy(rooms, ({ node, model }) => JSON.stringify([node.pool, model])).values()]
    .flatMap((own): Place[] => {
      const [first] = own
      const pods = own.reduce((sum, each) => sum + each.pods, 0)
      return first === undefined ? [] : [{ pool: first.node.pool, model: first.model, rooms: own, pods }]
    })
    .toSorted((a, b) => b.pods - a.pods || compareText(a.pool, b.pool) || compareText(a.model, b.model))

/** Takes room for all pods, so that the next workload does not count on it too. */
function takeRoom(
  { rooms }: Place,
  { pods, asked, room }: { readonly pods: readonly Pod[]; readonly asked: GpuRequest; readonly room: FreeRoom },
): readonly FreePartition[] {
  const places = rooms.flatMap(({ partitions, pods: most }) =>
    Array.from({ length: most }, (_, index) => partitions.slice(index * asked.count, (index + 1) * asked.count)),
  )
  return pods.flatMap((pod, index) => {
    const [first, ...more] = places[index] ?? []
    if (first === undefined) return []
    room.take(first, pod)
    // CPU and memory are the pod's, not each partition's.
    for (const free of more) room.take(free, { ...pod, scheduling: { ...pod.scheduling, ...NO_HOST } })
    return [first, ...more]
  })
}

const NO_HOST = { cpuMilli: 0, memory: mib(0) }

type Chosen = WaitingWork & {
  readonly place: Place
  readonly used: readonly FreePartition[]
  readonly isSame: boolean
  readonly context: RecommendContext
}

function proposalOf(workload: Workload, chosen: Chosen): Proposal {
  const { pods, pod, asked, place, used, isSame, context } = chosen
  const { pool, model } = place
  return {
    kind: 'reschedule',
    object: `workload/${workload.id}`,
    ...wordsFor(workload, chosen),
    rule: { name: 'reschedule', version: 1 },
    evidence: {
      query: `kubectl get pod -n ${pod.namespace} ${pod.name} -o yaml`,
      window: { from: workload.createdAt, to: context.snapshot.takenAt },
      samples: pods.length,
      coverage: ratio(1),
      figures: {
        'waiting for, h': Math.round(waitedHours(pods, context) * 10) / 10,
        'pods that wait': pods.length,
        'pods for which there is room': place.pods,
        asks: `${asked.count} × ${asked.resource}`,
        says: pod.waiting?.message ?? 'no reason given',
      },
    },
    wishes: [{ kind: 'reschedule', workload: workload.id, to: { pool, model, requests: pod.requests } }],
    needs: [...new Set(used.flatMap(({ node, partition }) => [`node/${node.name}`, `partition/${partition.id}`]))],
    bound: 'No pod is displaced: no plan can do better.',
    gain: {
      freed: [{ gpus: used.reduce((sum, { part }) => sum + part.share, 0), pool, model }],
      shown: {
        kind: 'none',
        brings: `starts ${plural(pods.length, 'pod')}`,
        because: 'It starts waiting work on capacity that is paid for already: time, not money.',
      },
    },
    confidence: isSame ? SURE.same : SURE.other,
  }
}

function wordsFor({ namespace, name }: Workload, { pods, place, isSame }: Chosen): Pick<Proposal, 'title' | 'message'> {
  const { pool, model, rooms } = place
  const who = pods.length === 1 ? 'Its waiting pod' : `All ${pods.length} of its waiting pods`
  const check = isSame ? 'that it may leave where it insists to run' : `that it runs as well on ${model}`
  return {
    title: `Let ${namespace}/${name} run on ${model}${pool === '' ? '' : ` in pool ${pool}`}`,
    message: `${who} would start there at once, but for this: ${rooms[0]?.refusal ?? ''}. Check with its owner ${check}.`,
  }
}
