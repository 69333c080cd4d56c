import { quotaName } from '../../cluster/quota-limits.ts'
import type { AskedJob } from './asked-job.ts'
import type { Judged } from './judge-job.ts'
import type { CountedFleet } from '../../fleet/counted-fleet.ts'
import type { OpenNode } from '../../fleet/open-nodes.ts'
import type { Seating } from './seat-groups.ts'
import { devicesOf, fits } from '../../fleet/fits.ts'
import type { StartWay } from './start-answer.ts'
import { WHOLE_GPU_RESOURCE } from '../../gpu/whole-gpu.ts'
import { profileOfResource } from '../../gpu/profile-name.ts'
import { agree, firstFew, plural } from '../../words.ts'
import { repack } from '../repack/repack.ts'
import { compareText } from '../../units.ts'
import type { RoomPlace } from '../../fleet/profile-room.ts'
import { recutPlaces, recutWords } from '../../fleet/recut-places.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Gpu } from '../../cluster/node.ts'
import { profileOf } from '../../gpu/board.ts'
import type { RepackGoal } from '../repack/repack-regions.ts'
import { boardOf } from '../../fleet/gpu-state.ts'

/**
 * What others could do so that a job starts as it is: cut GPUs again that nobody holds, move other work, bring a node
 * back, raise a quota. Cuts and moves are looked for where room for devices is all that is missing.
 */
export function waysToStart(fleet: CountedFleet, job: AskedJob, { lacking, limits }: Judged): readonly StartWay[] {
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

/** Pods that lack one device each. */
type MissingRoom = {
  readonly device: string
  readonly pods: number
  /** Nodes that would take the pods if they had the devices, with how many CPU and memory leave room for. */
  readonly roomy: ReadonlyMap<string, number>
}

/** Undefined where each pod asks for several devices, or the pods are spread by rules. */
function missingOf(fleet: CountedFleet, { namespace }: AskedJob, { pods, most }: Seating): MissingRoom | undefined {
  const [first, ...more] = devicesOf(pods)
  if (more.length > 0 || pods.spread.length > 0 || first?.count !== 1) return undefined
  const roomy = new Map(
    fits(fleet, { ...pods, requests: [], claims: [], either: [] }, namespace).flatMap(({ on, sure }) =>
      sure > 0 ? [[on.node.name, sure]] : [],
    ),
  )
  return { device: first.resource, pods: pods.count - most, roomy }
}

/** Nodes that are closed and have what the pods ask for. */
function brought({ nodes }: CountedFleet, { pods, slots }: Seating): readonly StartWay[] {
  const closed = new Set(slots.flatMap(({ on, because }) => (because?.kind === 'closed' ? on.node.name : [])))
  const [first] = nodes.filter(
    ({ node, free }) =>
      closed.has(node.name) &&
      pods.claims.length === 0 &&
      devicesOf(pods).every(({ resource, count }) => (free.get(resource) ?? 0) >= count),
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
function movedWork(fleet: CountedFleet, { device, pods, roomy }: MissingRoom): readonly StartWay[] {
  const goal = pods === 1 ? goalOf(device) : undefined
  if (goal === undefined) return []
  const near = nearFleet(fleet, goal)
  const answer = repack(near, goal)
  const isFound = answer.kind === 'found' && answer.displaced.length > 0 && roomy.has(answer.node)
  const [looked, all] = [near.nodes.length, fleet.nodes.length]
  if (!isFound) return looked < all ? [unsearched(looked, all)] : []
  const { node, displaced } = answer
  const place = agree(displaced.length, 'another place', 'other places')
  const sentence = `Move ${plural(displaced.length, 'pod')} (${firstFew(displaced, 3)}) to ${place}: that makes room on ${node}.`
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

/** GPUs that nobody holds cut again for a MIG device; undefined where that does not give enough. */
function cutAnew(fleet: CountedFleet, { device, pods, roomy }: MissingRoom): readonly StartWay[] | undefined {
  const profile = profileOfResource(device)
  if (profile === undefined) return undefined
  const nodes = fleet.nodes.filter(({ node }) => roomy.has(node.name))
  const used = enoughOf(recutPlaces(nodes, profile), roomy, pods)
  const [first] = used
  if (first === undefined) return undefined
  return [{ kind: 'recut', sentence: recutWords(used, profile), room: { profile, node: first.node.name } }]
}

/** The fewest places that give so many once they are cut again; none where all are not enough. */
function enoughOf(
  places: readonly RoomPlace[],
  roomy: ReadonlyMap<string, number>,
  wanted: number,
): readonly RoomPlace[] {
  const used: RoomPlace[] = []
  const left = new Map(roomy)
  let missing = wanted
  for (const place of places) {
    if (missing <= 0) break
    const room = Math.min(place.recut, left.get(place.node.name) ?? 0)
    if (room <= 0) continue
    left.set(place.node.name, (left.get(place.node.name) ?? 0) - room)
    missing -= room
    used.push(place)
  }
  return missing > 0 ? [] : used
}

type MoveGoal = Extract<RepackGoal, { kind: 'free-gpu' | 'room-for' }>

/** Nodes whose work may make room, and nodes that may take it: a search among so many ends at once. */
const TO_CLEAR = 32
const TO_FILL = 64

/**
 * The part of a large fleet in which moves for a goal are looked for: the nodes where the fewest devices are in the way, and
 * those with most of what their pods hold free. A small fleet whole.
 */
export function nearFleet(fleet: CountedFleet, goal: MoveGoal): ClusterSnapshot {
  const { snapshot, nodes } = fleet
  if (nodes.length <= TO_CLEAR + TO_FILL) return snapshot
  const open = nodes.filter(({ node, unsure }) => node.schedulable && unsure === undefined)
  const cleared = lowest(open, (on) => fewestInTheWay(on, goal), TO_CLEAR)
  const moved = new Set(
    cleared.flatMap(({ pods }) => pods.flatMap(({ requests }) => requests.map((each) => each.resource))),
  )
  const filled = lowest(open, (on) => -roomFor(on, moved) || Infinity, TO_FILL)
  return partOf(fleet, [...cleared, ...filled])
}

/** Devices held on the GPU of a node that would take the fewest moves; endless where none serves the goal. */
function fewestInTheWay({ node, isHeld }: OpenNode, goal: MoveGoal): number {
  if (goal.kind === 'room-for' && node.mig.strategy !== 'mixed') return Infinity
  let fewest = Infinity
  for (const gpu of node.gpus) {
    const taken = heldOn(gpu, isHeld)
    if (taken > 0 && taken < fewest && gpu.fault === undefined && serves(gpu, goal)) fewest = taken
  }
  return fewest
}

function heldOn({ partitions }: Gpu, isHeld: OpenNode['isHeld']): number {
  let taken = 0
  for (const { id } of partitions) if (isHeld(id)) taken += 1
  return taken
}

function serves(gpu: Gpu, goal: MoveGoal): boolean {
  if (goal.kind === 'free-gpu') return gpu.partitions.every(({ kind }) => kind !== 'shared')
  const board = boardOf(gpu)
  return board !== undefined && profileOf(board, goal.profile) !== undefined
}

/** Devices that work could move to: those free of its kinds, and GPUs that nobody holds, which can be cut again. */
function roomFor({ node, free, isHeld }: OpenNode, resources: ReadonlySet<string>): number {
  let room = 0
  for (const resource of resources) room += Math.max(0, free.get(resource) ?? 0)
  for (const gpu of node.gpus) if (gpu.fault === undefined && heldOn(gpu, isHeld) === 0) room += 1
  return room
}

/** The nodes with the lowest finite cost; equal ones by name. */
function lowest(nodes: readonly OpenNode[], costOf: (on: OpenNode) => number, most: number): readonly OpenNode[] {
  return nodes
    .map((on) => ({ on, cost: costOf(on) }))
    .filter(({ cost }) => Number.isFinite(cost))
    .toSorted((a, b) => a.cost - b.cost || compareText(a.on.node.name, b.on.node.name))
    .slice(0, most)
    .map(({ on }) => on)
}

function partOf({ snapshot, nodes }: CountedFleet, chosen: readonly OpenNode[]): ClusterSnapshot {
  const isChosen = new Set(chosen)
  const near = nodes.filter((on) => isChosen.has(on))
  const pods = near.flatMap((on) => on.pods)
  const ids = new Set(pods.map(({ id }) => id))
  return {
    ...snapshot,
    nodes: near.map(({ node }) => node),
    pods,
    allocations: snapshot.allocations.filter(({ pod }) => ids.has(pod)),
  }
}
