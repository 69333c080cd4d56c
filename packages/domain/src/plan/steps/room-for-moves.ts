import type { Gpu, GpuId, GpuNode, Partition, PartitionId } from '../../cluster/node.ts'
import { unsoundGpu, unsoundNode } from '../../cluster/soundness.ts'
import type { Pod } from '../../cluster/workload.ts'
import { profileOf } from '../../gpu/board.ts'
import type { ProfileName } from '../../gpu/geometry.ts'
import { podsOf } from '../guardrail/displaced-by.ts'
import { refuse, type PlanRefusal } from '../guardrail/guardrail.ts'
import { isSharedWithOthers } from '../guardrail/respects-tenants.ts'
import { WHOLE_GPU } from '../../gpu/whole-gpu.ts'
import type { Destination, PodMove } from '../words/action.ts'
import { boardOf, resourceOf } from '../../fleet/gpu-state.ts'
import type { PlanPolicy } from '../words/plan-policy.ts'
import type { PlanUnit } from './plan-unit.ts'
import { gpuOf, holdersOf, podsOn, type Fleet } from '../../fleet/fleet.ts'
import { hostLeft, type HostLeft } from '../../cluster/host-left.ts'
import { nodeRefusal } from '../../cluster/node-rules.ts'

type Wanting = { readonly unit: PlanUnit; readonly moves: readonly PodMove[] }

/**
 * The units whose displaced pods would find no room once all steps are done, each with the reason. Room that a move names
 * is given out first; work that may start anywhere takes what is left.
 */
export function withoutRoom(
  wanting: readonly Wanting[],
  state: Fleet,
  { mayWait }: PlanPolicy,
): ReadonlyMap<PlanUnit, PlanRefusal> {
  const taken = new Set<PartitionId>()
  const hosts = openHostRoom(state)
  const refused = new Map<PlanUnit, PlanRefusal>()
  for (const { unit, moves } of wanting) {
    for (const { pod, to } of moves) {
      if (to === undefined) continue
      const because = takeNamed(state, { pod, to }, { taken, hosts })
      if (because !== undefined) refused.set(unit, refuse('no-room', because))
    }
  }
  if (mayWait) return refused
  const free = freeByResource(state, taken)
  const housed = new Set(wanting.flatMap(({ moves }) => moves.flatMap(({ pod, to }) => (to === undefined ? [] : pod))))
  for (const { unit, moves } of wanting) {
    const homeless = homelessPods(unit, moves, state).find((candidate) => {
      if (housed.has(candidate.pod.id)) return false
      housed.add(candidate.pod.id)
      return !takeAny(free, candidate, hosts)
    })
    if (homeless === undefined || refused.has(unit)) continue
    const wants = homeless.pod.requests.map(({ resource, count }) => `${count} × ${resource}`).join(' + ')
    const because = `No room is left for ${homeless.pod.id}, which asks for ${wants || 'a GPU'}. Make room first, or allow that it waits.`
    refused.set(unit, refuse('no-room', because))
  }
  return refused
}

type Given = { readonly taken: Set<PartitionId>; readonly hosts: HostRoom }
type NamedMove = { readonly pod: string; readonly to: { readonly gpu: GpuId; readonly profile: ProfileName } }

/** Takes the partition that a move names, or says why it cannot be had. */
function takeNamed(state: Fleet, { pod: id, to }: NamedMove, { taken, hosts }: Given): string | undefined {
  const gpu = gpuOf(state, to.gpu)
  const node = state.nodes.get(gpu?.node ?? '')
  const pod = state.pods.get(id)
  const what = to.profile === WHOLE_GPU ? 'a GPU' : `a ${to.profile}`
  const aim = `${id} was to move to ${what} on GPU ${to.gpu}`
  if (gpu === undefined || node === undefined || pod === undefined) return `${aim}, which is not in the cluster.`
  const closed = closedFor(state, { gpu, node, namespace: pod.namespace })
  if (closed !== undefined) return `${aim}, ${closed}`
  const room = gpu.partitions.find(
    (partition) => !taken.has(partition.id) && isFree(state, partition) && offers(gpu, partition, to.profile),
  )
  if (room === undefined) return `${aim}, but none will be free there.`
  const refusal = hosts.take(pod, node, 'own')
  if (refusal !== undefined) return `${aim}, but ${node.name} does not take it: ${refusal}.`
  taken.add(room.id)
  return undefined
}

/** Why a GPU takes no pod of the namespace, as the end of a sentence. */
function closedFor(
  state: Fleet,
  { gpu, node, namespace }: { readonly gpu: Gpu; readonly node: GpuNode; readonly namespace: string },
): string | undefined {
  const unsound = unsoundNode(node) ?? unsoundGpu(gpu)
  if (unsound !== undefined) return `where nothing is planned: ${unsound}`
  if (!node.schedulable) return `but ${node.name} takes no pods.`
  return isSharedWithOthers(state, node, namespace) ? 'which another namespace shares without isolation.' : undefined
}

const isFree = (state: Fleet, { id }: Partition): boolean => (state.holders.get(id) ?? []).length === 0

function offers(gpu: Gpu, partition: Partition, wanted: ProfileName): boolean {
  if (partition.kind !== 'mig') return wanted === WHOLE_GPU
  const board = boardOf(gpu)
  if (board === undefined) return partition.profile === wanted
  return profileOf(board, partition.profile) === profileOf(board, wanted)
}

type FreeRoom = { readonly node: GpuNode; readonly partition: Partition; readonly tenants: ReadonlySet<string> }

function freeByResource(state: Fleet, taken: ReadonlySet<PartitionId>): Map<string, FreeRoom[]> {
  const free = new Map<string, FreeRoom[]>()
  const open = [...state.nodes.values()].filter((node) => node.schedulable && unsoundNode(node) === undefined)
  for (const room of open.flatMap((node) => freeOn(node, state))) {
    if (taken.has(room.partition.id)) continue
    const resource = resourceOf(room.node, room.partition)
    const rooms = free.get(resource) ?? []
    free.set(resource, rooms)
    rooms.push(room)
  }
  return free
}

const freeOn = (node: GpuNode, state: Fleet): readonly FreeRoom[] =>
  node.gpus
    .filter((gpu) => unsoundGpu(gpu) === undefined)
    .flatMap((gpu) => {
      const tenants = new Set(holdersOf(state, gpu).flatMap((pod) => state.pods.get(pod)?.namespace ?? []))
      return gpu.partitions.filter((each) => isFree(state, each)).map((partition) => ({ node, partition, tenants }))
    })

type Homeless = { readonly pod: Pod; readonly place: Pick<Destination, 'pool' | 'model'> }

/** Pods of a unit that need room which no move of the unit names. */
function homelessPods(unit: PlanUnit, moves: readonly PodMove[], state: Fleet): readonly Homeless[] {
  if (unit.kind === 'workload') {
    if (unit.wish.kind === 'scale') return []
    const place = unit.wish.kind === 'reschedule' ? unit.wish.to : ANYWHERE
    return podsOf(state, unit.wish.workload).map((pod) => ({ pod, place }))
  }
  return moves
    .filter(({ to }) => to === undefined)
    .flatMap(({ pod }) => state.pods.get(pod) ?? [])
    .map((pod) => ({ pod, place: ANYWHERE }))
}

const ANYWHERE = { pool: '', model: '' }

/** Takes free partitions for a pod that may start anywhere: all of one pod on one node. */
function takeAny(free: Map<string, FreeRoom[]>, { pod, place }: Homeless, hosts: HostRoom): boolean {
  // A workload that is sent elsewhere gets another node selector; taints still hold.
  const rules = place.pool === '' && place.model === '' ? 'own' : 'taints-only'
  for (const { resource, count } of pod.requests) {
    const rooms = free.get(resource) ?? []
    const byNode = new Map<string, FreeRoom[]>()
    for (const room of rooms) {
      if (!isOpenTo(room, pod, place)) continue
      byNode.set(room.node.name, [...(byNode.get(room.node.name) ?? []), room])
    }
    const enough = [...byNode.values()].find(
      ([first, ...more]) =>
        first !== undefined && more.length + 1 >= count && hosts.take(pod, first.node, rules) === undefined,
    )
    if (enough === undefined) return false
    const used = new Set(enough.slice(0, count))
    free.set(
      resource,
      rooms.filter((room) => !used.has(room)),
    )
  }
  return true
}

function isOpenTo({ node, partition, tenants }: FreeRoom, pod: Pod, { pool, model }: Homeless['place']): boolean {
  if (pool !== '' && node.pool !== pool) return false
  if (model !== '' && node.model !== model) return false
  return partition.kind !== 'shared' || [...tenants].every((tenant) => tenant === pod.namespace)
}

/** CPU and memory of nodes, given out to the pods that a plan displaces; what is not known of a node does not bind. */
type HostRoom = {
  /** Why the pod may not run on the node, in a few words; undefined: it may, and its CPU and memory are taken. */
  readonly take: (pod: Pod, node: GpuNode, rules: 'own' | 'taints-only') => string | undefined
}

/** The room beside GPUs as the state is now. `taints-only` is for work whose node selector the plan replaces. */
function openHostRoom(state: Fleet): HostRoom {
  const free = new Map<string, HostLeft>()
  return {
    take: (pod, node, rules) => {
      const { scheduling } = pod
      const own = rules === 'own' ? scheduling : { ...scheduling, nodeSelector: {}, nodeTerms: [] }
      const refusal = nodeRefusal(own, node.room)
      if (refusal !== undefined) return refusal
      const left = free.get(node.name) ?? hostLeft(node, podsOn(state, node.name))
      if (scheduling.cpuMilli > left.cpuMilli) return 'too little CPU is free there'
      if (scheduling.memory > left.memory) return 'too little memory is free there'
      free.set(node.name, {
        cpuMilli: left.cpuMilli - scheduling.cpuMilli,
        memory: left.memory - scheduling.memory,
      })
      return undefined
    },
  }
}
