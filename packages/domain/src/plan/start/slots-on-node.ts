import { WHOLE_GPU_RESOURCE } from '../../gpu/whole-gpu.ts'
import { keysOf, nodeRefusal, toleratesTaint } from '../../cluster/node-rules.ts'
import { CORDON_TAINT, type PodScheduling } from '../../cluster/scheduling.ts'
import type { Gpu, GpuNode, Partition } from '../../cluster/node.ts'
import { profileOf } from '../../gpu/board.ts'
import type { GpuRequest } from '../../cluster/workload.ts'
import type { ProfileName } from '../../gpu/geometry.ts'
import { placeableTogether } from '../../gpu/occupancy.ts'
import { profileOfResource } from '../../gpu/profile-name.ts'
import { boardOf, cutOf } from '../../fleet/gpu-state.ts'
import type { AskedPods } from './asked-job.ts'
import { isKeptLabel } from '../../cluster/kept-labels.ts'
import { soundGpus, type Barrier, type OpenFleet, type OpenNode, type Slots } from './open-fleet.ts'
import { matchLabels, type Repulsion } from '../../cluster/neighbors.ts'

/** How many of the pods each node takes if they alone come, in the order of the fleet's nodes. */
export function slotsIn(fleet: OpenFleet, pods: AskedPods, namespace: string): readonly Slots[] {
  const key = JSON.stringify([namespace, pods.requests, pods.claims, pods.scheduling, pods.labels])
  const known = fleet.known.slots.get(key)
  if (known !== undefined) return known
  const unkept = unkeptKey(fleet, pods.scheduling)
  const barriers = barriersIn(fleet, pods.scheduling)
  const repelled = repelledNodes(fleet, pods, namespace)
  const limits = limitsOf(fleet, pods)
  const slots = fleet.nodes.map((on, at): Slots => {
    const away = repelled?.[at]
    const barrier = barriers[at] ?? barrierBy(away)
    const found = barrier === undefined ? countOn(on, limits) : { count: 0, because: barrier }
    return { on, ...found, unsure: found.count > 0 ? unsureOf(on, pods, { away, unkept }) : undefined }
  })
  fleet.known.slots.set(key, slots)
  return slots
}

const barrierBy = (away: Repelled | undefined): Barrier | undefined =>
  away?.sure === true ? { kind: 'repelled', words: `the anti-affinity of ${away.pod} keeps its pods away` } : undefined

function countOn(on: OpenNode, limits: readonly Limit[]): Pick<Slots, 'count' | 'because'> {
  let count = Infinity
  for (const limit of limits) {
    const fits = limit.fits(on)
    if (fits <= 0) return { count: 0, because: limit.barrier(on) }
    count = Math.min(count, fits)
  }
  return { count, because: undefined }
}

/** How many of the pods one thing that they ask for allows on a node, and what it is called where it allows none. */
type Limit = { readonly fits: (on: OpenNode) => number; readonly barrier: (on: OpenNode) => Barrier }

const limitsOf = (fleet: OpenFleet, { requests, claims, scheduling }: AskedPods): readonly Limit[] => [
  ...requests.map(deviceLimit),
  ...claims.map(({ resource, count }): Limit => {
    const none: Barrier = { kind: 'device', words: `no device for a claim like ${resource} is free` }
    return { fits: (on) => Math.floor(claimable(fleet, on, resource) / count), barrier: () => none }
  }),
  ...amount(scheduling.cpuMilli, ({ cpuLeft }) => cpuLeft, {
    kind: 'cpu',
    words: 'too little CPU is left beside free GPUs',
  }),
  ...amount(scheduling.memory, ({ memoryLeft }) => memoryLeft, {
    kind: 'memory',
    words: 'too little memory is left beside free GPUs',
  }),
]

function deviceLimit({ resource, count }: GpuRequest): Limit {
  const free = (on: OpenNode): number => Math.max(0, on.free.get(resource) ?? 0)
  const none: Barrier = { kind: 'device', words: `no ${resource} is free` }
  const few: Barrier = { kind: 'device', words: `fewer than ${count} ${resource} are free together` }
  return {
    fits: (on) => Math.floor(free(on) / count),
    barrier: (on) => (count > 1 && free(on) > 0 ? few : none),
  }
}

function amount(asked: number, left: (on: OpenNode) => number, barrier: Barrier): readonly Limit[] {
  if (asked <= 0) return []
  return [{ fits: (on) => Math.floor(Math.max(0, left(on)) / asked), barrier: () => barrier }]
}

/** Devices of a DRA driver that a claim could get: instances that are there, and those that fit beside them. */
function claimable({ held }: OpenFleet, on: OpenNode, resource: string): number {
  if (!on.dra) return 0
  const name = profileOfResource(resource)
  const isHeld = ({ id }: Partition): boolean => held.has(id)
  const counts = soundGpus(on).map((gpu) => {
    if (gpu.partitions.some((each) => each.kind === 'whole' && isHeld(each))) return 0
    if (resource === WHOLE_GPU_RESOURCE) return gpu.partitions.some(({ kind }) => kind === 'mig') ? 0 : 1
    return name === undefined ? 0 : instancesLeft(gpu, name, isHeld)
  })
  return counts.reduce((sum: number, count) => sum + count, 0)
}

function instancesLeft(gpu: Gpu, name: ProfileName, isHeld: (partition: Partition) => boolean): number {
  const board = boardOf(gpu)
  const profile = board === undefined ? undefined : profileOf(board, name)
  const layout = cutOf(gpu)?.layout
  if (board === undefined || profile === undefined || layout === undefined) return 0
  const free = gpu.partitions.filter(
    (one) => one.kind === 'mig' && !isHeld(one) && profileOf(board, one.profile) === profile,
  )
  return free.length + placeableTogether(board, layout, profile)
}

/** What keeps pods with such rules off each node, whatever is free there. */
function barriersIn(fleet: OpenFleet, pods: PodScheduling): readonly (Barrier | undefined)[] {
  const key = JSON.stringify([pods.nodeSelector, pods.nodeTerms, pods.tolerations])
  const known = fleet.known.barriers.get(key)
  if (known !== undefined) return known
  const open = withoutUnkept(pods, fleet.labelKeys)
  const namesHost = keysOf(open).some(isHostKey)
  const barriers = fleet.nodes.map(({ node }) => barrierAt(node, open, namesHost))
  fleet.known.barriers.set(key, barriers)
  return barriers
}

function barrierAt(node: GpuNode, open: PodScheduling, namesHost: boolean): Barrier | undefined {
  const { name, room } = node
  // The kubelet gives its node this label; affinity may name the node by the field as well.
  const labels = namesHost ? { [HOSTNAME]: name, [NAME_FIELD]: name, ...room.labels } : room.labels
  const refusal = nodeRefusal(open, { labels, taints: room.taints })
  // Its own rules come first: a spread rule counts a closed node that they allow, and none that they rule out.
  if (refusal !== undefined && !refusal.startsWith('untolerated')) return { kind: 'rules', words: refusal }
  if (!node.schedulable && !toleratesTaint(open, CORDON)) return { kind: 'closed', words: 'the node is cordoned' }
  if (refusal === undefined) return undefined
  return node.ready ? { kind: 'taint', words: refusal } : { kind: 'closed', words: 'the node is not ready' }
}

const HOSTNAME = 'kubernetes.io/hostname'
const NAME_FIELD = 'metadata.name'
const isHostKey = (key: string): boolean => key === HOSTNAME || key === NAME_FIELD

const CORDON = { key: CORDON_TAINT, value: '', effect: 'NoSchedule' }

/** A label that no node is known to carry and that is not kept may be on any of them: it is left to `unsure`. */
const isUnknownKey = (key: string, labelKeys: ReadonlySet<string>): boolean =>
  !isHostKey(key) && !labelKeys.has(key) && !isKeptLabel(key)

function withoutUnkept(pods: PodScheduling, labelKeys: ReadonlySet<string>): PodScheduling {
  const isOpen = (key: string): boolean => !isUnknownKey(key, labelKeys)
  return {
    ...pods,
    nodeSelector: Object.fromEntries(Object.entries(pods.nodeSelector).filter(([key]) => isOpen(key))),
    nodeTerms: pods.nodeTerms.some((term) => term.some(({ key }) => !isOpen(key))) ? [] : pods.nodeTerms,
  }
}

function unkeptKey({ labelKeys }: OpenFleet, { nodeSelector, nodeTerms }: PodScheduling): string | undefined {
  return [...Object.keys(nodeSelector), ...nodeTerms.flat().map(({ key }) => key)].find((key) =>
    isUnknownKey(key, labelKeys),
  )
}

type Known = { readonly away: Repelled | undefined; readonly unkept: string | undefined }

function unsureOf(on: OpenNode, { scheduling }: AskedPods, { away, unkept }: Known): string | undefined {
  if (unkept !== undefined) return `Septet does not keep the node label ${unkept}`
  if ((!on.cpuKnown && scheduling.cpuMilli > 0) || (!on.memoryKnown && scheduling.memory > 0))
    return `how much CPU and memory is left on ${on.node.name} is unknown`
  if (away !== undefined) return `the anti-affinity of ${away.pod} may keep its pods away from ${on.node.name}`
  return on.unsure
}

/** Which pod keeps some pods off a node, and whether that is sure. */
type Repelled = { readonly pod: string; readonly sure: boolean }

/** Which nodes pods that run already close to such pods (plugin InterPodAffinity), in the order of the fleet's nodes. */
function repelledNodes(
  { snapshot, nodes, labelKeys }: OpenFleet,
  { labels }: Pick<AskedPods, 'labels'>,
  namespace: string,
): readonly (Repelled | undefined)[] | undefined {
  const about = (snapshot.neighbors?.repulsions ?? []).flatMap((repulsion) => {
    const meant = isAbout(repulsion, labels, namespace)
    return meant === 'no' ? [] : { ...repulsion, sure: meant === 'yes' }
  })
  if (about.length === 0) return undefined
  return nodes.map((on) => {
    const found = about.flatMap(({ pod, topologyKey, domain, sure }): Repelled | [] => {
      const own = domainOf(on, topologyKey)
      // A label that no node is known to carry may be on any of them.
      if (own === undefined && !labelKeys.has(topologyKey)) return { pod, sure: false }
      return own === domain ? { pod, sure } : []
    })
    return found.find(({ sure }) => sure) ?? found[0]
  })
}

const domainOf = ({ node }: OpenNode, key: string): string | undefined =>
  node.room.labels[key] ?? (key === HOSTNAME ? node.name : undefined)

function isAbout(
  { namespaces, selector }: Repulsion,
  labels: AskedPods['labels'],
  namespace: string,
): 'yes' | 'no' | 'maybe' {
  if (namespaces !== 'all' && namespaces !== 'unread' && !namespaces.includes(namespace)) return 'no'
  const meant = matchLabels(selector, labels)
  return meant === 'yes' && namespaces === 'unread' ? 'maybe' : meant
}
