import { WHOLE_GPU_RESOURCE } from '../../gpu/whole-gpu.ts'
import { capitalized, plural } from '../../words.ts'
import { partsOfSnapshot } from '../../analyze/gpu-parts.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuId } from '../../cluster/node.ts'
import { limits, quotaName } from '../../cluster/quota-limits.ts'
import type { Quota } from '../../cluster/scheduling.ts'
import type { Pod, Workload } from '../../cluster/workload.ts'
import { profileOf, type Board, type MigProfile } from '../../gpu/board.ts'
import type { Layout } from '../../gpu/layout.ts'
import { profileOfResource } from '../../gpu/profile-name.ts'
import { fitsIn, nodeRefusal } from '../../cluster/node-rules.ts'
import type { PlaceGpu, PlaceNode } from '../place/place-index-ask.ts'
import { placeNodes } from '../place/place-nodes.ts'
import { whyNot } from './explain-gpu.ts'
import { cohortRoom, type CohortRoom, type Promises } from './cohort-room.ts'
import { elsewhereIn, firstOn } from './place-elsewhere.ts'
import { queuePatch, type FreeGpus, type QueuePatch } from './queue-patch.ts'

/** One thing that would let a waiting pod start, or that keeps it from starting whatever is free. */
export type StartHint = {
  readonly kind: 'free' | 'recut' | 'switch' | 'rules' | 'room' | 'holders' | 'quota' | 'volume' | 'queue'
  /** For people: what there is, and what to do. */
  readonly sentence: string
  /** GPUs that it speaks of; undefined where it speaks of none. */
  readonly gpus: number | undefined
  /** One of their nodes. */
  readonly example: string | undefined
  /** The change of a manifest that brings it about, where only that is missing. */
  readonly patch?: QueuePatch | undefined
}

/**
 * What would let a waiting pod start, the nearest first: a place that is free, GPUs that would have one after being cut
 * again, rules that keep it off free ones, and the quotas and volumes that it waits for. Each GPU is counted under the
 * first that is true of it, so that the counts add up to the GPUs of the cluster that can be used.
 */
export function startHints(snapshot: ClusterSnapshot, pod: Pod, workload: Workload): readonly StartHint[] {
  const wish = wishOf(pod)
  const gpus = wish === undefined ? [] : gpuHints(snapshot, pod, wish)
  return [...gpus, ...limitHints(snapshot, workload), ...volumeHint(pod)]
}

/** Quotas that leave less than the work asks for; also for work that Kueue holds back before it has pods. */
export function limitHints(snapshot: FreeGpus & Promises, workload: Workload): readonly StartHint[] {
  return tightQuotas(snapshot, workload).map(({ quota, asked, room }): StartHint => {
    const left = quota.hard - quota.used
    const sentence = `${capitalized(quotaName(quota))} has ${Math.max(0, left)} of ${quota.hard} ${quota.resource} left${borrowWords(quota, room)}, and ${asked} are asked for: raise it, or wait until its other work ends.`
    const patch = queuePatch({ quota, asked, workload, room }, snapshot)
    return { kind: quota.queue === undefined ? 'quota' : 'queue', sentence, gpus: undefined, example: undefined, patch }
  })
}

/** Quotas of a workload's namespace or queue that leave less than it asks for, with how many it asks for. */
export const tightQuotas = (
  promises: Promises,
  workload: Pick<Workload, 'namespace' | 'queue' | 'queueOwner' | 'requests'>,
): readonly { readonly quota: Quota; readonly asked: number; readonly room: CohortRoom }[] =>
  promises.quotas.flatMap((quota) => {
    const asked = workload.requests.find(({ resource }) => resource === quota.resource)?.count ?? 0
    const room = asked > 0 && limits(quota, workload) ? cohortRoom(quota, promises) : undefined
    return room !== undefined && asked > room.available ? [{ quota, asked, room }] : []
  })

/** Of a queue in a cohort: what it might borrow. */
const borrowWords = ({ cohort, hard, used }: Quota, { available }: CohortRoom): string => {
  const borrowed = Math.max(0, available - Math.max(0, hard - used))
  return cohort === undefined ? '' : ` and may borrow ${borrowed} more from the cohort ${cohort}`
}

export type StartWish =
  | { readonly kind: 'whole'; readonly count: number }
  | { readonly kind: 'mig'; readonly profile: string }

/** One kind of GPU device that a pod asks for, as far as placement has an answer for it. */
export function wishOf({ requests }: Pick<Pod, 'requests'>): StartWish | undefined {
  const [request, ...more] = requests.filter(({ count }) => count > 0)
  if (request === undefined || more.length > 0) return undefined
  const { resource, count } = request
  if (resource === WHOLE_GPU_RESOURCE) return { kind: 'whole', count }
  const profile = resource.endsWith('.shared') ? undefined : profileOfResource(resource)
  return profile === undefined || count > 1 ? undefined : { kind: 'mig', profile }
}

type Found = 'free' | 'recut' | 'switch' | 'held' | 'never'
/** One GPU, by what it would need to take a pod. */
export type Sorted = { readonly found: Found | 'rules' | 'room'; readonly node: string; readonly gpu: GpuId }

function gpuHints(snapshot: ClusterSnapshot, pod: Pod, wish: StartWish): readonly StartHint[] {
  const sorted = placeNodes(snapshot).nodes.flatMap((node) => sortNode(node, pod, wish))
  const groups = Map.groupBy(sorted, ({ found }) => found)
  const elsewhere = groups.has('rules') ? elsewhereIn(snapshot, partsOfSnapshot(snapshot))(pod.workload) : undefined
  return HINTS.flatMap(([found, kind, words]): StartHint[] => {
    const group = groups.get(found) ?? []
    const example = firstOn(group, found === 'rules' ? elsewhere : undefined)?.node
    if (example === undefined) return []
    return [{ kind, sentence: words(group.length, wishText(wish), example), gpus: group.length, example }]
  })
}

export const wishText = (wish: StartWish): string =>
  wish.kind === 'mig' ? `a ${wish.profile}` : wish.count === 1 ? 'it' : `${wish.count} GPUs of one node`

type Words = (gpus: number, wish: string, example: string) => string

/** In the order in which they are told: the nearest first. */
const HINTS: readonly (readonly [Sorted['found'], StartHint['kind'], Words])[] = [
  [
    'free',
    'free',
    (gpus, wish, at) =>
      `${plural(gpus, 'GPU')} could take ${wish} now, such as one on ${at}: the scheduler has not tried since, or something other than GPUs blocks it.`,
  ],
  [
    'recut',
    'recut',
    (gpus, wish, at) =>
      `${plural(gpus, 'GPU')} would have room for ${wish} after repartitioning, with nothing moved, such as one on ${at}.`,
  ],
  [
    'switch',
    'switch',
    (gpus, wish, at) =>
      `${plural(gpus, 'unallocated GPU')} would have room for ${wish} after a change of MIG mode, such as one on ${at}.`,
  ],
  [
    'rules',
    'rules',
    (gpus, wish, at) =>
      `${plural(gpus, 'GPU')} would fit ${wish}, but its node selector, affinity or missing tolerations keep it off their nodes, such as ${at}.`,
  ],
  [
    'room',
    'room',
    (gpus, wish, at) =>
      `${plural(gpus, 'GPU')} would fit ${wish}, but their nodes have too little CPU or memory left, such as ${at}.`,
  ],
  [
    'held',
    'holders',
    (gpus, wish, at) =>
      `${plural(gpus, 'GPU')} could provide ${wish}, but all are in use: it starts when enough of them are free, such as one on ${at}.`,
  ],
]

/** What each GPU of a node would need to take the pod; whole GPUs of one node are looked at together. */
export function sortNode(node: PlaceNode, pod: Pod, wish: StartWish): readonly Sorted[] {
  const found = wish.kind === 'mig' ? node.gpus.map((gpu) => forProfile(node, gpu, wish.profile)) : forWhole(node, wish)
  const barred = barredBy(node, pod)
  return found.map((each, order) => ({
    found: barred !== undefined && each !== 'held' && each !== 'never' ? barred : each,
    node: node.id,
    gpu: node.gpus[order]?.id ?? '',
  }))
}

/** What keeps a pod off a node, whatever GPUs are free there. */
export function barredBy({ room }: PlaceNode, { scheduling }: Pod): 'rules' | 'room' | undefined {
  if (nodeRefusal(scheduling, room) !== undefined) return 'rules'
  const cpuLeft = room.cpuMilli === undefined ? Infinity : room.cpuMilli - (room.cpuUsed ?? 0)
  const memoryLeft = room.memory === undefined ? Infinity : room.memory - (room.memoryUsed ?? 0)
  return fitsIn(scheduling.cpuMilli, cpuLeft) && fitsIn(scheduling.memory, memoryLeft) ? undefined : 'room'
}

function forProfile({ board }: PlaceNode, gpu: PlaceGpu, name: string): Found {
  const profile = board === undefined ? undefined : profileOf(board, name)
  if (board === undefined || profile === undefined) return 'never'
  if (gpu.kind === 'whole') return gpu.held === true ? 'held' : 'switch'
  return gpu.held === 'whole' ? 'held' : onCutGpu(board, gpu, profile)
}

type CutGpu = Exclude<PlaceGpu, { kind: 'whole' }>

function onCutGpu(board: Board, gpu: CutGpu, profile: MigProfile): Found {
  const held = gpu.held === undefined || gpu.held === 'whole' ? [] : gpu.held
  const fits = (kind: 'dynamic' | 'cut', layout: Layout): boolean => {
    const instances = layout.map((instance) => ({ instance, held: held.includes(instance) }))
    return whyNot(board, { kind, id: gpu.id, instances }, profile) === undefined
  }
  if (gpu.kind === 'cut' && fits('cut', gpu.layout)) return 'free'
  if (!fits('dynamic', held)) return 'held'
  return gpu.kind === 'dynamic' ? 'free' : 'recut'
}

function forWhole({ gpus }: PlaceNode, { count }: Extract<StartWish, { kind: 'whole' }>): readonly Found[] {
  if (gpus.length < count) return gpus.map(() => 'never')
  const each = gpus.map((gpu): Found => {
    if (gpu.kind === 'whole') return gpu.held === true ? 'held' : 'free'
    if (gpu.held === 'whole' || (gpu.held ?? []).length > 0) return 'held'
    return gpu.kind === 'dynamic' ? 'free' : 'switch'
  })
  const free = each.filter((found) => found === 'free').length
  const able = free + each.filter((found) => found === 'switch').length
  // What is free on a node that has too few of them waits for its neighbors.
  if (free >= count) return each
  if (able >= count) return each.map((found) => (found === 'held' ? found : 'switch'))
  return each.map(() => 'held')
}

/** The scheduler's words for volumes (kube-scheduler's VolumeBinding, NodeVolumeLimits and VolumeZone plugins). */
const VOLUME = /persistentvolume|volume node affinity|max volume count|no available volume zone/iu

const volumeHint = ({ waiting }: Pod): readonly StartHint[] =>
  VOLUME.test(waiting?.message ?? '')
    ? [
        {
          kind: 'volume',
          sentence: 'It waits for a volume as well: see the events of its PersistentVolumeClaim.',
          gpus: undefined,
          example: undefined,
        },
      ]
    : []
