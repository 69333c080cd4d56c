import type { WaitCause } from '../../analyze/wait-causes.ts'
import type { WaitChange } from '../../analyze/waits.ts'
import { partsOfSnapshot } from '../../analyze/gpu-parts.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Gpu, GpuNode, PartitionId } from '../../cluster/node.ts'
import { unsoundGpu, unsoundNode } from '../../cluster/soundness.ts'
import { WHERE_TOLD, whereNotTried } from '../../analyze/told-waits.ts'
import { toldCause, toldQuota, type ToldCause, type ToldQuota } from '../../cluster/wait-cause.ts'
import type { Pod, Workload } from '../../cluster/workload.ts'
import { countedFleet } from '../../fleet/counted-fleet.ts'
import { askOfPod, fits, type Slots } from '../../fleet/fits.ts'
import { boardOf, cutOf, whyNoCuts } from '../../fleet/gpu-state.ts'
import { freeOn, mayUse, nearestOn, wishOf, type DeviceWish, type Nearest } from '../../fleet/nearest.ts'
import { isClosed, type OpenNode } from '../../fleet/open-nodes.ts'
import { tightQuotas } from './tight-quotas.ts'
import { elsewhereIn } from './place-elsewhere.ts'
import {
  addNode,
  besides,
  gpuName,
  leaveIdle,
  looseRules,
  mend,
  quotaChange,
  recut,
  type ChangedFleet,
} from './wait-change.ts'
import { freeOf } from './queue-patch.ts'
import { agree, plural } from '../../words.ts'
import { profileOf } from '../../gpu/board.ts'
import { freeMemorySlices } from '../../gpu/occupancy.ts'

type WaitVerdict = { readonly cause: WaitCause; readonly change: WaitChange | undefined }

/** Tells of work that waits, pod or workload without pods, for what it waits now. */
export type WaitJudge = (pod: Pod | undefined, workload: Workload) => WaitVerdict

/**
 * Why work waits and the cheapest single change that would start it: what the scheduler or Kueue says, and where they say
 * only that no device is free, what the GPUs say. Each is judged for itself, as if nobody else waited. `idle` are
 * partitions that are idle-held.
 */
export function judgeWaits(snapshot: ClusterSnapshot, idle: ReadonlySet<PartitionId>): WaitJudge {
  let fleet: ChangedFleet | undefined
  const fleetNow = (): ChangedFleet => (fleet ??= fleetOf(snapshot, idle))
  const known = new Map<string, WaitVerdict>()
  return (pod, workload) => {
    const waiting = waitingOf(pod, workload)
    const told = waiting === undefined ? undefined : toldCause(waiting)
    if (told === 'not-tried' && pod !== undefined)
      return { cause: told, change: whereNotTried({ ...pod, waiting }, snapshot.takenAt) }
    const byQueue = told === 'quota' || told === 'not-let-in' ? ofQuota(workload) : []
    const short = waiting === undefined ? undefined : toldQuota(waiting)
    const key = JSON.stringify([told, short, ...byQueue, ...(told === 'quota' ? [] : ofGpus(pod, workload, fleetNow))])
    const verdict = known.get(key) ?? verdictOf(told, { pod, workload, short }, fleetNow)
    known.set(key, verdict)
    return verdict
  }
}

function fleetOf(snapshot: ClusterSnapshot, idle: ReadonlySet<PartitionId>): ChangedFleet {
  const parts = partsOfSnapshot(snapshot)
  return {
    fleet: countedFleet(snapshot),
    idle,
    parts: Map.groupBy(parts, ({ node }) => node),
    elsewhere: elsewhereIn(snapshot),
  }
}

/** What a verdict depends on: equal asks are judged once. */
const ofQuota = ({ namespace, queue, queueOwner, requests }: Workload): readonly unknown[] => [
  namespace,
  queue,
  queueOwner,
  requests,
]
function ofGpus(pod: Pod | undefined, { id }: Workload, fleetNow: () => ChangedFleet): readonly unknown[] {
  if (pod === undefined) return []
  const { nodeSelector, nodeTerms, tolerations, cpuMilli, memory } = pod.scheduling
  const { pool, model } = fleetNow().elsewhere(id) ?? {}
  return [pod.requests, nodeSelector, nodeTerms, tolerations, cpuMilli, memory, pool, model]
}

/** A pod that its queue holds back says only that it is gated, or that nobody has looked at it; the queue itself says why. */
function waitingOf(pod: Pod | undefined, { waiting }: Workload): Pod['waiting'] {
  const own = pod?.waiting
  const told = waiting === undefined ? undefined : toldCause(waiting)
  const isHeld = told === 'not-let-in' || (told !== undefined && own !== undefined && toldCause(own) === 'gate')
  return own === undefined || isHeld ? waiting : own
}

type Asking = { readonly pod: Pod | undefined; readonly workload: Workload; readonly short: ToldQuota | undefined }

function verdictOf(told: ToldCause | undefined, asking: Asking, fleetNow: () => ChangedFleet): WaitVerdict {
  if (told === undefined) return { cause: 'not-told', change: undefined }
  if (told === 'quota')
    return {
      cause: 'quota',
      change: quotaChange(tightQuotas(fleetNow().fleet.snapshot, asking.workload), asking.short),
    }
  if (told === 'not-let-in') return ofQueue(fleetNow(), asking)
  const { pod } = asking
  if (told === 'device') return pod === undefined ? CAPACITY : ofDevices(fleetNow(), pod)
  return ofWords(told, pod, fleetNow)
}

function ofWords(told: keyof typeof WHERE_TOLD, pod: Pod | undefined, fleetNow: () => ChangedFleet): WaitVerdict {
  const { cause, change } = WHERE_TOLD[told]
  if (pod === undefined) return { cause, change }
  if (cause === 'affinity')
    return { cause, change: looseRules(sorted(fleetNow(), pod), fleetNow().elsewhere(pod.workload)) ?? change }
  if (cause === 'broken') return { cause, change: mend(fleetNow(), pod, wishOf(pod.requests)) ?? change }
  return { cause, change }
}

/** Volcano lets work in where its queue and the cluster have room for all of it: where the cluster has, it is the queue. */
function ofQueue(fleet: ChangedFleet, { pod, workload }: Asking): WaitVerdict {
  const { snapshot } = fleet.fleet
  const tight = tightQuotas(snapshot, workload)
  const hasRoom =
    pod === undefined
      ? workload.requests.every(({ resource, count }) => freeOf(resource, snapshot) >= count)
      : fits(fleet.fleet, askOfPod(pod), pod.namespace).some(({ sure }) => sure > 0)
  if (tight.length > 0 || hasRoom) return { cause: 'quota', change: quotaChange(tight) }
  return pod === undefined ? CAPACITY : ofDevices(fleet, pod)
}

const CAPACITY: WaitVerdict = { cause: 'capacity', change: undefined }

function sorted({ fleet }: ChangedFleet, pod: Pod): readonly Nearest[] {
  const wish = wishOf(pod.requests)
  return wish === undefined ? [] : fits(fleet, askOfPod(pod), pod.namespace).flatMap((slots) => nearestOn(slots, wish))
}

/** What the GPUs say where the scheduler found no device: the nearest way to a place gives the cause. */
function ofDevices(fleet: ChangedFleet, pod: Pod): WaitVerdict {
  const { cause, change } = nearestWay(fleet, pod)
  return { cause, change: change && besides(change, fleet.elsewhere(pod.workload)) }
}

/** Nodes that would take the pod, for all that is known, if they had the devices. */
const hostsFor = ({ fleet }: ChangedFleet, pod: Pod): ReadonlySet<string> =>
  new Set(
    fits(fleet, { ...askOfPod(pod), either: [] }, pod.namespace).flatMap(({ on, sure }) =>
      sure > 0 ? on.node.name : [],
    ),
  )

function nearestWay(fleet: ChangedFleet, pod: Pod): WaitVerdict {
  const wish = wishOf(pod.requests)
  if (wish === undefined) return CAPACITY
  const gpus = sorted(fleet, pod)
  const first = (found: Nearest['found']): Nearest | undefined => gpus.find((gpu) => gpu.found === found)
  const hosts = hostsFor(fleet, pod)
  const able = gpus.filter(({ found, node }) => (found === 'recut' || found === 'switch') && hosts.has(node))
  const cut = recut(fleet, able, wish)
  const slots = fits(fleet.fleet, askOfPod(pod), pod.namespace)
  const taken = slots.find(({ sure }) => sure > 0) ?? slots.find(({ count }) => count > 0)
  const broken = taken?.sure === 0 ? mend(fleet, pod, wish) : undefined
  if (broken !== undefined) return { cause: 'broken', change: broken }
  if (taken !== undefined) return { cause: 'not-tried', change: look(taken) }
  if (cut !== undefined) return { cause: 'shape', change: cut }
  const room = first('room')
  if (room !== undefined) return { cause: 'cpu-memory', change: makeRoom(room) }
  return withoutRoom({ fleet, pod, wish, gpus })
}

type Question = {
  readonly fleet: ChangedFleet
  readonly pod: Pod
  readonly wish: DeviceWish
  readonly gpus: readonly Nearest[]
}

function withoutRoom({ fleet, pod, wish, gpus }: Question): WaitVerdict {
  const open = fleet.fleet.nodes.filter((on) => !isClosed(on) && mayUse(on, pod.scheduling))
  const idle = leaveIdle(fleet, open, wish)
  const elsewhere = fleet.elsewhere(pod.workload)
  const gathered = gather(fleet, open, wish)
  if (gathered !== undefined) return { cause: 'fragmentation', change: idle ?? gathered }
  const mended = mend(fleet, pod, wish)
  if (mended !== undefined) return { cause: 'broken', change: mended }
  const more = addNode(open, wish)
  const usable = new Set(open.map(({ node }) => node.name))
  if (gpus.some(({ found, node }) => found === 'held' && usable.has(node))) {
    return { cause: 'capacity', change: idle ?? (asksForModel(pod) ? undefined : looseRules(gpus, elsewhere)) ?? more }
  }
  const loose = looseRules(gpus, elsewhere)
  return loose === undefined ? { cause: 'shape', change: more } : { cause: 'affinity', change: loose }
}

/** Who names the GPU wants that one: other nodes are no way out. */
const asksForModel = ({ scheduling: { nodeSelector, nodeTerms } }: Pod): boolean =>
  [...Object.keys(nodeSelector), ...nodeTerms.flat().map(({ key }) => key)].some((key) => /gpu|accelerator/iu.test(key))

const look = ({ on: { node } }: Slots): WaitChange => ({
  kind: 'wait',
  sentence: `Nothing to change: ${node.name} could take it now, and the scheduler has not looked since.`,
})

const makeRoom = ({ node }: Nearest): WaitChange => ({
  kind: 'room',
  sentence: `Free CPU or memory on ${node}, or ask for less: its GPU is free.`,
})

/** Where the least has to move so that what is free comes together; undefined where too little is free in sum. */
function gather(fleet: ChangedFleet, nodes: readonly OpenNode[], wish: DeviceWish): WaitChange | undefined {
  return wish.kind === 'whole' ? gatherGpus(nodes, wish.count) : gatherSlices(fleet, nodes, wish.profile)
}

function gatherGpus(nodes: readonly OpenNode[], count: number): WaitChange | undefined {
  const large = nodes
    .filter(({ node }) => node.gpus.length >= count)
    .map((on) => ({ id: on.node.name, free: freeOn(on) }))
    .toSorted((a, b) => b.free - a.free)
  const [best] = large
  if (best === undefined || best.free === 0 || large.reduce((sum, { free }) => sum + free, 0) < count) return undefined
  const missing = count - best.free
  const sentence = `Move work off ${plural(missing, 'more GPU', 'more GPUs')} of ${best.id}, where ${best.free} of the ${count} that it needs ${agree(best.free, 'is', 'are')} free.`
  return { kind: 'move', sentence }
}

function gatherSlices(fleet: ChangedFleet, nodes: readonly OpenNode[], name: string): WaitChange | undefined {
  const cut = nodes.flatMap((on) => on.node.gpus.flatMap((gpu) => slicesOn(on, gpu, name)))
  const [best] = cut.toSorted((a, b) => b.free - a.free)
  const free = cut.reduce((sum, one) => sum + one.free / one.board.memorySlices, 0)
  if (best === undefined || best.free === 0 || free < best.needs / best.board.memorySlices) return undefined
  const where = gpuName(fleet, best)
  const sentence = best.dra
    ? `Move work off ${where}, where ${best.free} of ${plural(best.board.memorySlices, 'memory slice')} are free and a ${name} needs ${best.needs} that lie together.`
    : `Move the ${plural(best.held, 'pod')} off ${where} and repartition it: ${best.free} of its ${plural(best.board.memorySlices, 'memory slice')} are free, a ${name} needs ${best.needs}, and mig-manager changes no GPU that is in use.`
  return { kind: 'move', sentence }
}

/** What is free of a GPU in MIG mode that could give the profile; nothing where that is not known. */
function slicesOn({ node, dra, isHeld }: OpenNode, gpu: Gpu, name: string) {
  const board = boardOf(gpu)
  const profile = board === undefined ? undefined : profileOf(board, name)
  const layout = cutOf(gpu)?.layout
  if (board === undefined || profile === undefined || layout === undefined || !isGivable(node, gpu)) return []
  const held = layout.filter((_, order) => isHeld(gpu.partitions[order]?.id ?? ''))
  const free = freeMemorySlices(board, held)
  return [{ id: gpu.id, node: node.name, dra, held: held.length, board, needs: profile.size, free }]
}

const isGivable = (node: GpuNode, gpu: Gpu): boolean =>
  node.mig.strategy === 'mixed' &&
  unsoundNode(node) === undefined &&
  whyNoCuts(node) === undefined &&
  gpu.migEnabled &&
  unsoundGpu(gpu) === undefined &&
  gpu.partitions.every(({ kind }) => kind === 'mig')
