import { WHOLE_GPU_RESOURCE } from '../gpu/whole-gpu.ts'
import type { ClusterSnapshot } from '../cluster/inventory.ts'
import type { PodScheduling } from '../cluster/scheduling.ts'
import type { Gpu, Partition } from '../cluster/node.ts'
import { profileOf } from '../gpu/board.ts'
import type { GpuRequest, Pod } from '../cluster/workload.ts'
import type { ProfileName } from '../gpu/geometry.ts'
import { placeableTogether } from '../gpu/occupancy.ts'
import { profileOfResource } from '../gpu/profile-name.ts'
import { onceFor } from '../once-for.ts'
import { boardOf, cutOf } from './gpu-state.ts'
import type { CountedFleet } from './counted-fleet.ts'
import { doubtOf, freeDevices, isClosed, soundGpus, type OpenNode } from './open-nodes.ts'
import { barriersIn, repelledNodes, unkeptKey, type Barrier, type Repelled } from './node-barriers.ts'

/** What one pod asks for. */
export type PodAsk = {
  /** From device plugins. */
  readonly requests: readonly GpuRequest[]
  /** From DRA drivers, by the extended resource that would be the same. */
  readonly claims: readonly GpuRequest[]
  /** Of a pod that was submitted: from whichever serves a node. Absent: nothing more. */
  readonly either?: readonly GpuRequest[]
  readonly scheduling: PodScheduling
  readonly labels: Readonly<Record<string, string>>
}

/** All devices that a pod asks for, whoever serves them. */
export const devicesOf = ({ requests, claims, either = [] }: PodAsk): readonly GpuRequest[] => [
  ...requests,
  ...claims,
  ...either,
]

/** What a pod asks for once it was submitted; `labels` are those that its workload's pods share. */
export const askOfPod = ({ requests, scheduling }: Pod, labels: PodAsk['labels'] = {}): PodAsk => ({
  requests: [],
  claims: [],
  either: requests,
  scheduling,
  labels,
})

/** How many of some pods one node takes now, and what limits that. */
export type Slots = {
  readonly on: OpenNode
  /** By Kubernetes' own count; 0 where `because` says why. */
  readonly count: number
  /** How many of these are free by all that is known. */
  readonly sure: number
  /** What the node has too little of, or which rule keeps the pods off; undefined where it takes at least one. */
  readonly because: Barrier | undefined
  /** Why the two differ; undefined: they do not. */
  readonly unsure: string | undefined
}

/** How many of the pods each node takes if they alone come, in the order of the fleet's nodes. */
export function fits(fleet: CountedFleet, pods: PodAsk, namespace: string): readonly Slots[] {
  const key = JSON.stringify([namespace, pods.requests, pods.claims, pods.either, pods.scheduling, pods.labels])
  const known = slotsKnown(fleet).get(key)
  if (known !== undefined) return known
  const unkept = unkeptKey(fleet, pods.scheduling)
  const barriers = barriersIn(fleet, pods.scheduling)
  const repelled = repelledNodes(fleet, pods, namespace)
  const limits = limitsOf(pods, mayAnswerByClass(fleet.snapshot) ? byClassOn : countedOn)
  const slots = fleet.nodes.map((on, at): Slots => {
    const away = repelled?.[at]
    const barrier = barriers[at] ?? barrierBy(away)
    if (barrier !== undefined) return { on, count: 0, sure: 0, because: barrier, unsure: undefined }
    return slotsOn(on, limits, unsureOf(on, pods, { away, unkept }))
  })
  slotsKnown(fleet).set(key, slots)
  return slots
}

const slotsKnown = onceFor((_fleet: CountedFleet) => new Map<string, readonly Slots[]>())

const barrierBy = (away: Repelled | undefined): Barrier | undefined =>
  away?.sure === true ? { kind: 'repelled', words: `the anti-affinity of ${away.pod} keeps its pods away` } : undefined

function slotsOn(on: OpenNode, limits: readonly Limit[], unsure: string | undefined): Slots {
  let [count, sure] = [Infinity, Infinity]
  let doubt: string | undefined
  for (const limit of limits) {
    const fitting = limit.fits(on)
    if (fitting.most <= 0) return { on, count: 0, sure: 0, because: limit.barrier(on), unsure: undefined }
    count = Math.min(count, fitting.most)
    sure = Math.min(sure, fitting.sure)
    doubt ??= fitting.doubt
  }
  if (unsure !== undefined) return { on, count, sure: 0, because: undefined, unsure }
  return { on, count, sure, because: undefined, unsure: sure < count ? doubt : undefined }
}

/** How many of the pods one thing that they ask for allows on a node, and what it is called where it allows none. */
type Limit = { readonly fits: (on: OpenNode) => Fitting; readonly barrier: (on: OpenNode) => Barrier }
/** By count and by all that is known of the devices. */
type Fitting = { readonly most: number; readonly sure: number; readonly doubt?: string | undefined }

const limitsOf = ({ requests, claims, either = [], scheduling }: PodAsk, plainOn: FreeOn): readonly Limit[] => [
  ...requests.map((request) => deviceLimit(request, plainOn)),
  ...claims.map((request) => deviceLimit(request, claimableOn)),
  ...either.map((request) => deviceLimit(request, devicesLeft)),
  ...amount(scheduling.cpuMilli, ({ cpuLeft }) => cpuLeft, {
    kind: 'cpu',
    words: 'too little CPU is left beside free GPUs',
  }),
  ...amount(scheduling.memory, ({ memoryLeft }) => memoryLeft, {
    kind: 'memory',
    words: 'too little memory is left beside free GPUs',
  }),
]

type FreeOn = (on: OpenNode, resource: string) => Fitting

function deviceLimit({ resource, count }: GpuRequest, freeOn: FreeOn): Limit {
  const what = freeOn === claimableOn ? `device for a claim like ${resource}` : resource
  const none: Barrier = { kind: 'device', words: `no ${what} is free` }
  const few: Barrier = { kind: 'device', words: `fewer than ${count} ${resource} are free together` }
  return {
    fits: (on) => {
      const { most, sure, doubt } = freeOn(on, resource)
      return { most: Math.floor(most / count), sure: Math.floor(sure / count), doubt }
    },
    barrier: (on) => (count > 1 && freeOn !== claimableOn && freeOn(on, resource).most > 0 ? few : none),
  }
}

/** Devices of a node that a pod could get, from whichever serves it. */
export const devicesLeft = (on: OpenNode, resource: string): Fitting =>
  on.dra ? claimableOn(on, resource) : countedOn(on, resource)

/**
 * Devices that pods get for sure, by resource: free by all that is known of them, and no more of a node than Kubernetes
 * counts as free.
 */
export const sureDevices = onceFor((on: OpenNode): ReadonlyMap<string, readonly Partition[]> => {
  const sure = new Map<string, readonly Partition[]>()
  if (isClosed(on)) return sure
  for (const [resource, devices] of freeDevices(on)) {
    const sound = devices.filter(({ doubt }) => doubt === undefined).map(({ partition }) => partition)
    sure.set(resource, on.dra ? sound : sound.slice(0, countedOn(on, resource).sure))
  }
  return sure
})

/** Devices of a device plugin: by the kubelet's count, and by what is known of who uses them. */
function countedOn(on: OpenNode, resource: string): Fitting {
  const most = Math.max(0, on.free.get(resource) ?? 0)
  const devices = most === 0 ? undefined : freeDevices(on).get(resource)
  if (devices === undefined) return { most, sure: most }
  const sound = devices.filter(({ doubt }) => doubt === undefined).length
  const doubt =
    devices.find((device) => device.doubt !== undefined)?.doubt ??
    `${on.node.name} counts more ${resource} free than it has, so a pod would be bound there and then fail`
  return { most, sure: Math.min(most, sound), doubt }
}

/** From Kubernetes 1.36 on a DeviceClass may answer requests by a name (`extendedResourceName`); no node counts those devices. */
const mayAnswerByClass = ({ serverVersion }: Pick<ClusterSnapshot, 'serverVersion'>): boolean =>
  Number(/^v1\.(\d+)/u.exec(serverVersion)?.[1] ?? 0) >= 36

function byClassOn(on: OpenNode, resource: string): Fitting {
  if (!on.dra || on.node.allocatable[resource] !== undefined) return countedOn(on, resource)
  const doubt = `${on.node.name} serves its GPUs by DRA, and whether a DeviceClass answers requests for ${resource} is not read`
  return { most: claimableOn(on, resource).most, sure: 0, doubt }
}

function amount(asked: number, left: (on: OpenNode) => number, barrier: Barrier): readonly Limit[] {
  if (asked <= 0) return []
  return [
    {
      fits: (on) => {
        const most = Math.floor(Math.max(0, left(on)) / asked)
        return { most, sure: most }
      },
      barrier: () => barrier,
    },
  ]
}

/** Devices of a DRA driver that a claim could get: instances that are there, and those that fit beside them. */
function claimableOn(on: OpenNode, resource: string): Fitting {
  if (!on.dra) return { most: 0, sure: 0 }
  const counts = soundGpus(on).map((gpu) => ({ count: claimable(gpu, resource, on.isHeld), doubt: doubtOf(gpu) }))
  const sum = (of: typeof counts): number => of.reduce((all, { count }) => all + count, 0)
  const doubt = counts.find((each) => each.count > 0 && each.doubt !== undefined)?.doubt
  return { most: sum(counts), sure: sum(counts.filter((each) => each.doubt === undefined)), doubt }
}

type IsHeld = OpenNode['isHeld']

function claimable(gpu: Gpu, resource: string, isHeld: IsHeld): number {
  if (gpu.partitions.some(({ kind, id }) => kind !== 'mig' && isHeld(id))) return 0
  if (resource === WHOLE_GPU_RESOURCE) return gpu.partitions.some(({ kind }) => kind === 'mig') ? 0 : 1
  const name = profileOfResource(resource)
  return name === undefined ? 0 : instancesLeft(gpu, name, isHeld)
}

function instancesLeft(gpu: Gpu, name: ProfileName, isHeld: IsHeld): number {
  const board = boardOf(gpu)
  const profile = board === undefined ? undefined : profileOf(board, name)
  const layout = cutOf(gpu)?.layout
  if (board === undefined || profile === undefined || layout === undefined) return 0
  const isOwn = (one: Partition): boolean => one.kind === 'mig' && profileOf(board, one.profile) === profile
  const free = gpu.partitions.filter((one) => isOwn(one) && !isHeld(one.id))
  return free.length + placeableTogether(board, layout, profile)
}

type Known = { readonly away: Repelled | undefined; readonly unkept: string | undefined }

function unsureOf(on: OpenNode, { scheduling }: PodAsk, { away, unkept }: Known): string | undefined {
  if (unkept !== undefined) return `Septet does not keep the node label ${unkept}`
  if ((!on.cpuKnown && scheduling.cpuMilli > 0) || (!on.memoryKnown && scheduling.memory > 0))
    return `how much CPU and memory is left on ${on.node.name} is unknown`
  if (away !== undefined) return `the anti-affinity of ${away.pod} may keep its pods away from ${on.node.name}`
  return on.unsure
}
