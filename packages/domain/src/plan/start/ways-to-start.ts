import { quotaName } from '../../cluster/quota-limits.ts'
import type { AskedJob } from './asked-job.ts'
import { cutAnew } from './cut-anew.ts'
import type { Judged } from './judge-job.ts'
import type { MissingRoom } from './missing-room.ts'
import type { OpenFleet } from './open-fleet.ts'
import type { Seating } from './seat-groups.ts'
import { slotsIn } from './slots-on-node.ts'
import type { StartWay } from './start-answer.ts'
import { WHOLE_GPU_RESOURCE } from '../../gpu/whole-gpu.ts'
import { profileOfResource } from '../../gpu/profile-name.ts'
import { firstFew, plural } from '../../words.ts'
import { repack } from '../repack/repack.ts'
import { nearFleet, type MoveGoal } from './near-fleet.ts'

/**
 * What others could do so that a job starts as it is: cut GPUs anew that nobody holds, move other work, bring a node back,
 * raise a quota. Cuts and moves are looked for where room for devices is all that is missing.
 */
export function waysToStart(fleet: OpenFleet, job: AskedJob, { lacking, limits }: Judged): readonly StartWay[] {
  const quotas = limits.tight.map((quota): StartWay => {
    const { id, queue, resource } = quota
    const whose = queue === undefined ? `the ResourceQuota ${id.split('/').slice(0, 2).join('/')}` : quotaName(quota)
    return {
      kind: 'quota',
      sentence: `Raise ${whose} for ${resource}, or wait until other work of it ends.`,
      room: undefined,
    }
  })
  const [seating, ...more] = lacking
  // Each of several ways would be enough for one group only.
  if (seating === undefined || more.length > 0) return quotas
  const missing = missingOf(fleet, job, seating)
  const made = missing === undefined ? [] : (cutAnew(fleet, missing) ?? movedWork(fleet, missing))
  return [...quotas, ...made, ...brought(fleet, seating)]
}

/** Undefined where each pod asks for several devices, or the pods are spread by rules. */
function missingOf(fleet: OpenFleet, { namespace }: AskedJob, { pods, most }: Seating): MissingRoom | undefined {
  const [first, ...more] = [...pods.requests, ...pods.claims]
  if (more.length > 0 || pods.spread.length > 0 || first?.count !== 1) return undefined
  const roomy = new Map(
    slotsIn(fleet, { ...pods, requests: [], claims: [] }, namespace).flatMap(({ on, count, unsure }) =>
      count > 0 && unsure === undefined ? [[on.node.name, count]] : [],
    ),
  )
  return { device: first.resource, pods: pods.count - most, roomy }
}

/** Nodes that are closed and have what the pods ask for. */
function brought({ nodes }: OpenFleet, { pods, slots }: Seating): readonly StartWay[] {
  const closed = new Set(slots.flatMap(({ on, because }) => (because?.kind === 'closed' ? on.node.name : [])))
  const [first] = nodes.filter(
    ({ node, free }) =>
      closed.has(node.name) &&
      pods.claims.length === 0 &&
      pods.requests.every(({ resource, count }) => (free.get(resource) ?? 0) >= count),
  )
  if (first === undefined) return []
  const { name, ready } = first.node
  const sentence = ready
    ? `Uncordon ${name}: what it needs is free there.`
    : `Bring ${name} back, which is not ready: what it needs is free there.`
  return [{ kind: 'repair', sentence, room: undefined }]
}

/**
 * Moves that make room for one pod. A small fleet is searched whole; of a large one the nodes where a way is likely, and
 * where none is found there the answer says that more could be looked at.
 */
function movedWork(fleet: OpenFleet, { device, pods, roomy }: MissingRoom): readonly StartWay[] {
  const goal = pods === 1 ? goalOf(device) : undefined
  if (goal === undefined) return []
  const near = nearFleet(fleet, goal)
  const answer = repack(near, goal)
  const isFound = answer.kind === 'found' && answer.displaced.length > 0 && roomy.has(answer.node)
  const [looked, all] = [near.nodes.length, fleet.nodes.length]
  if (!isFound) return looked < all ? [unsearched(looked, all)] : []
  const { node, displaced } = answer
  const sentence = `Move ${plural(displaced.length, 'pod')} (${firstFew(displaced, 3)}) to other GPUs: that makes room on ${node}.`
  return [{ kind: 'move', sentence, room: goal.kind === 'free-gpu' ? undefined : { profile: goal.profile, node } }]
}

const unsearched = (looked: number, all: number): StartWay => ({
  kind: 'unsearched',
  sentence: `Moving other work was tried on ${looked} of ${all} nodes and makes no room there. To search the others too, run septet plan --goal fit.`,
  room: undefined,
})

function goalOf(device: string): MoveGoal | undefined {
  const profile = profileOfResource(device)
  if (profile !== undefined) return { kind: 'room-for', profile }
  return device === WHOLE_GPU_RESOURCE ? { kind: 'free-gpu' } : undefined
}
