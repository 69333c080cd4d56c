import { nodeRefusal } from '../../cluster/node-rules.ts'
import { CORDON_TAINT, type PodScheduling } from '../../cluster/scheduling.ts'
import type { Gpu, Partition } from '../../cluster/node.ts'
import { profileOf } from '../../gpu/board.ts'
import type { ProfileName } from '../../gpu/geometry.ts'
import { placeableTogether } from '../../gpu/occupancy.ts'
import { profileOfResource } from '../../gpu/profile-name.ts'
import { boardOf, cutOf, WHOLE_GPU_RESOURCE } from '../state/gpu-state.ts'
import type { AskedPods } from './asked-job.ts'
import { isKeptLabel } from '../../cluster/kept-labels.ts'
import { soundGpus, type OpenFleet, type OpenNode } from './open-fleet.ts'

/** How many of some pods one node takes now, and what limits that. */
export type Slots = {
  readonly on: OpenNode
  /** 0 where `because` says why. */
  readonly count: number
  /** What the node has too little of, or which rule keeps the pods off; undefined where it takes at least one. */
  readonly because: Barrier | undefined
  /** Why the count may not hold; undefined: it does. */
  readonly unsure: string | undefined
}

export type Barrier = {
  readonly kind: 'rules' | 'taint' | 'closed' | 'device' | 'cpu' | 'memory'
  readonly words: string
}

/** How many of the pods each node takes if they alone come, in the order of the snapshot's nodes. */
export const slotsIn = (fleet: OpenFleet, pods: AskedPods, namespace: string): readonly Slots[] => {
  const unkept = unkeptKey(fleet, pods.scheduling)
  return fleet.nodes.map((on) => {
    const found = slotsOn(fleet, on, pods)
    return { on, ...found, unsure: found.count > 0 ? unsureOf(on, pods, { namespace, unkept }) : undefined }
  })
}

function slotsOn(fleet: OpenFleet, on: OpenNode, pods: AskedPods): Pick<Slots, 'count' | 'because'> {
  const barrier = barrierAt(fleet, on, pods.scheduling)
  if (barrier !== undefined) return { count: 0, because: barrier }
  const limits = limitsOn(fleet, on, pods)
  const short = limits.find(({ fits }) => fits <= 0)
  if (short !== undefined) return { count: 0, because: short }
  return { count: limits.reduce((least, { fits }) => Math.min(least, fits), Infinity), because: undefined }
}

type Limit = Barrier & { readonly fits: number }

function limitsOn(fleet: OpenFleet, on: OpenNode, { requests, claims, scheduling }: AskedPods): readonly Limit[] {
  return [
    ...requests.map(({ resource, count }): Limit => {
      const free = Math.max(0, on.free.get(resource) ?? 0)
      const words =
        count > 1 && free > 0 ? `fewer than ${count} ${resource} are free together` : `no ${resource} is free`
      return { kind: 'device', fits: Math.floor(free / count), words }
    }),
    ...claims.map(({ resource, count }): Limit => {
      const words = `no device for a claim like ${resource} is free`
      return { kind: 'device', fits: Math.floor(claimable(fleet, on, resource) / count), words }
    }),
    ...amount(scheduling.cpuMilli, on.cpuLeft, { kind: 'cpu', words: 'too little CPU is left beside free GPUs' }),
    ...amount(scheduling.memory, on.memoryLeft, {
      kind: 'memory',
      words: 'too little memory is left beside free GPUs',
    }),
  ]
}

const amount = (asked: number, left: number, barrier: Barrier): readonly Limit[] =>
  asked <= 0 || left === Infinity ? [] : [{ ...barrier, fits: Math.floor(Math.max(0, left) / asked) }]

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

/** What keeps the pods off a node, whatever is free there. */
function barrierAt({ labelKeys }: OpenFleet, { node }: OpenNode, pods: PodScheduling): Barrier | undefined {
  if (!node.schedulable && !tolerates(pods, CORDON_TAINT)) return { kind: 'closed', words: 'the node is cordoned' }
  const { name, room } = node
  // The kubelet gives its node this label; affinity may name the node by the field as well.
  const labels = { [HOSTNAME]: name, 'metadata.name': name, ...room.labels }
  const open = withoutUnkept(pods, labelKeys)
  const refusal = nodeRefusal(open, { labels, taints: room.taints })
  if (refusal === undefined) return undefined
  if (!node.ready) return { kind: 'closed', words: 'the node is not ready' }
  return { kind: refusal.startsWith('untolerated') ? 'taint' : 'rules', words: refusal }
}

const HOSTNAME = 'kubernetes.io/hostname'

const tolerates = ({ tolerations }: PodScheduling, key: string): boolean =>
  tolerations.some((one) => one.operator === 'Exists' && (one.key === '' || one.key === key))

/** A label that no node is known to carry and that is not kept may be on any of them: it is left to `unsure`. */
const isUnknownKey = (key: string, labelKeys: ReadonlySet<string>): boolean =>
  key !== HOSTNAME && key !== 'metadata.name' && !labelKeys.has(key) && !isKeptLabel(key)

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

type Known = { readonly namespace: string; readonly unkept: string | undefined }

function unsureOf(on: OpenNode, { scheduling }: AskedPods, { namespace, unkept }: Known): string | undefined {
  if (unkept !== undefined) return `Septet does not keep the node label ${unkept}`
  if ((!on.cpuKnown && scheduling.cpuMilli > 0) || (!on.memoryKnown && scheduling.memory > 0))
    return `how much CPU and memory is left on ${on.node.name} is not known`
  // By default such a rule is about pods of its own namespace.
  const rival = on.pods.find((pod) => pod.namespace === namespace && pod.scheduling.unread?.includes('podAntiAffinity'))
  if (rival !== undefined) return `${rival.id} keeps some pods off its node, and which is not read`
  return on.unsure
}
