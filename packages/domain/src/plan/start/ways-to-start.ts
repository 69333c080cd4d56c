import { profileOfResource } from '../../gpu/profile-name.ts'
import { firstFew, plural } from '../../words.ts'
import { explainRoom, type RoomPlace } from '../explain/explain-room.ts'
import { repack } from '../repack/repack.ts'
import type { RepackGoal } from '../repack/repack-regions.ts'
import { WHOLE_GPU_RESOURCE } from '../state/gpu-state.ts'
import type { AskedJob, AskedPods } from './asked-job.ts'
import type { Judged } from './judge-job.ts'
import type { OpenFleet } from './open-fleet.ts'
import type { Seating } from './seat-groups.ts'
import { slotsIn } from './slots-on-node.ts'
import type { StartWay } from './start-answer.ts'

/**
 * What others could do so that a job starts as it is: cut GPUs anew that nobody holds, move other work, bring a node back,
 * raise a quota. Cuts and moves are looked for where room for devices is all that is missing.
 */
export function waysToStart(fleet: OpenFleet, job: AskedJob, { lacking, limits }: Judged): readonly StartWay[] {
  const quotas = limits.tight.map(({ id, queue, resource }): StartWay => {
    const whose =
      queue === undefined ? `the ResourceQuota ${id.split('/').slice(0, 2).join('/')}` : `the cluster queue ${queue}`
    return {
      kind: 'quota',
      sentence: `Raise ${whose} for ${resource}, or wait until other work of it ends.`,
      room: undefined,
    }
  })
  const [seating, ...more] = lacking
  // Each of several ways would be enough for one group only.
  if (seating === undefined || more.length > 0) return quotas
  return [...quotas, ...(cutAnew(fleet, job, seating) ?? moved(fleet, job, seating)), ...brought(fleet, seating)]
}

/** The device of which each of the pods asks for one; undefined where they ask for several, or are spread by rules. */
function deviceOf({ requests, claims, spread }: AskedPods): string | undefined {
  const [first, ...more] = [...requests, ...claims]
  return more.length > 0 || spread.length > 0 || first?.count !== 1 ? undefined : first.resource
}

/** Nodes that would take the pods if they had devices, with how many of the pods CPU and memory leave room for. */
const roomyNodes = (fleet: OpenFleet, { namespace }: AskedJob, pods: AskedPods): ReadonlyMap<string, number> =>
  new Map(
    slotsIn(fleet, { ...pods, requests: [], claims: [] }, namespace).flatMap(({ on, count, unsure }) =>
      count > 0 && unsure === undefined ? [[on.node.name, count]] : [],
    ),
  )

function cutAnew(fleet: OpenFleet, job: AskedJob, { pods, most }: Seating): readonly StartWay[] | undefined {
  const device = deviceOf(pods)
  const profile = device === undefined ? undefined : profileOfResource(device)
  if (profile === undefined) return undefined
  const roomy = roomyNodes(fleet, job, pods)
  const nodes = fleet.snapshot.nodes.filter(({ name }) => roomy.has(name))
  const { places } = explainRoom({ nodes, allocations: fleet.snapshot.allocations }, { profile })
  const used = enoughOf(places, roomy, pods.count - most)
  const [first] = used
  if (first === undefined) return undefined
  const names = used.map(({ gpu, node }) => `GPU ${gpu.index} of ${node.name}`)
  const sentence = `Cut ${firstFew(names, 3)} anew for ${profile}: nobody holds what would be cut, so nothing moves.`
  return [{ kind: 'recut', sentence, room: { profile, node: first.node.name } }]
}

/** The fewest places that give so many once they are cut anew; none where all are not enough. */
function enoughOf(
  places: readonly RoomPlace[],
  roomy: ReadonlyMap<string, number>,
  wanted: number,
): readonly RoomPlace[] {
  const used: RoomPlace[] = []
  const left = new Map(roomy)
  let missing = wanted
  for (const place of places.toSorted((a, b) => b.recut - a.recut)) {
    const room = Math.min(place.recut, left.get(place.node.name) ?? 0)
    if (missing <= 0 || room <= 0) continue
    left.set(place.node.name, (left.get(place.node.name) ?? 0) - room)
    missing -= room
    used.push(place)
  }
  return missing > 0 ? [] : used
}

/** Moves for one pod that is missing. */
function moved(fleet: OpenFleet, job: AskedJob, { pods, most }: Seating): readonly StartWay[] {
  const device = deviceOf(pods)
  const goal = device === undefined || pods.count - most !== 1 ? undefined : goalOf(device)
  if (goal === undefined) return []
  const answer = repack(fleet.snapshot, goal)
  if (answer.kind === 'refused' || answer.displaced.length === 0) return []
  const { node, displaced } = answer
  if (!roomyNodes(fleet, job, pods).has(node)) return []
  const sentence = `Move ${plural(displaced.length, 'pod')} (${firstFew(displaced, 3)}) to other GPUs: that makes room on ${node}.`
  return [{ kind: 'move', sentence, room: goal.kind === 'free-gpu' ? undefined : { profile: goal.profile, node } }]
}

function goalOf(device: string): Exclude<RepackGoal, { kind: 'free-node' }> | undefined {
  const profile = profileOfResource(device)
  if (profile !== undefined) return { kind: 'room-for', profile }
  return device === WHOLE_GPU_RESOURCE ? { kind: 'free-gpu' } : undefined
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
