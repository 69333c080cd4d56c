import type { Gpu, GpuId, GpuNode, Partition } from '../../cluster/node.ts'
import { unsoundGpu, unsoundNode } from '../../cluster/soundness.ts'
import type { Pod } from '../../cluster/workload.ts'
import { profileOf } from '../../gpu/board.ts'
import type { ProfileName } from '../../gpu/geometry.ts'
import { podsOf } from '../guardrail/displaced-by.ts'
import { refuse, type PlanRefusal } from '../guardrail/guardrail.ts'
import { isSharedWithOthers } from '../guardrail/respects-tenants.ts'
import { WHOLE_GPU } from '../../gpu/whole-gpu.ts'
import type { Destination, PodMove } from '../words/action.ts'
import { boardOf } from '../../fleet/gpu-state.ts'
import type { PlanPolicy } from '../words/plan-policy.ts'
import type { PlanUnit } from './plan-unit.ts'
import { gpuOf, snapshotOf, type Fleet } from '../../fleet/fleet.ts'
import { countedFleet } from '../../fleet/counted-fleet.ts'
import { FreeRoom } from '../../fleet/free-room.ts'
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
  const room = new FreeRoom({ fleet: countedFleet(snapshotOf(state)) })
  const refused = new Map<PlanUnit, PlanRefusal>()
  for (const { unit, moves } of wanting) {
    for (const { pod, to } of moves) {
      if (to === undefined) continue
      const because = takeNamed(state, { pod, to }, room)
      if (because !== undefined) refused.set(unit, refuse('no-room', because))
    }
  }
  if (mayWait) return refused
  const housed = new Set(wanting.flatMap(({ moves }) => moves.flatMap(({ pod, to }) => (to === undefined ? [] : pod))))
  for (const { unit, moves } of wanting) {
    const homeless = homelessPods(unit, moves, state).find((candidate) => {
      if (housed.has(candidate.pod.id)) return false
      housed.add(candidate.pod.id)
      return !takeAny(room, candidate)
    })
    if (homeless === undefined || refused.has(unit)) continue
    const wants = homeless.pod.requests.map(({ resource, count }) => `${count} × ${resource}`).join(' + ')
    const because = `No room is left for ${homeless.pod.id}, which asks for ${wants || 'a GPU'}. Make room first, or allow that it waits.`
    refused.set(unit, refuse('no-room', because))
  }
  return refused
}

type NamedMove = { readonly pod: string; readonly to: { readonly gpu: GpuId; readonly profile: ProfileName } }

/** Takes the partition that a move names, or says why it cannot be had. */
function takeNamed(state: Fleet, { pod: id, to }: NamedMove, room: FreeRoom): string | undefined {
  const gpu = gpuOf(state, to.gpu)
  const node = state.nodes.get(gpu?.node ?? '')
  const pod = state.pods.get(id)
  const what = to.profile === WHOLE_GPU ? 'a GPU' : `a ${to.profile}`
  const aim = `${id} was to move to ${what} on GPU ${to.gpu}`
  if (gpu === undefined || node === undefined || pod === undefined) return `${aim}, which is not in the cluster.`
  const closed = closedFor(state, { gpu, node, namespace: pod.namespace })
  if (closed !== undefined) return `${aim}, ${closed}`
  const free = room.on(gpu).find(({ partition }) => offers(gpu, partition, to.profile))
  if (free === undefined) return `${aim}, but none will be free there.`
  const refusal = refusalOf(pod, node, room)
  if (refusal !== undefined) return `${aim}, but ${node.name} does not take it: ${refusal}.`
  room.take([free], pod)
  return undefined
}

const refusalOf = (pod: Pod, node: GpuNode, room: FreeRoom): string | undefined =>
  nodeRefusal(pod.scheduling, node.room) ?? room.noHostFor(pod, node)

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

function offers(gpu: Gpu, partition: Partition, wanted: ProfileName): boolean {
  if (partition.kind !== 'mig') return wanted === WHOLE_GPU
  const board = boardOf(gpu)
  if (board === undefined) return partition.profile === wanted
  return profileOf(board, partition.profile) === profileOf(board, wanted)
}

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

/** Takes room for a pod that may start anywhere. */
function takeAny(room: FreeRoom, { pod, place: { pool, model } }: Homeless): boolean {
  if (pod.requests.length === 0) return true
  // A workload that is sent elsewhere gets another node selector; taints still hold.
  const isSent = pool !== '' || model !== ''
  const asking = isSent ? { ...pod, scheduling: { ...pod.scheduling, nodeSelector: {}, nodeTerms: [] } } : pod
  const found = room.find({ pod: asking, ...(pool === '' ? {} : { pool }), ...(model === '' ? {} : { model }) })
  if (found !== undefined) room.take(found, pod)
  return found !== undefined
}
