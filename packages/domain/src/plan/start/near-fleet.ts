import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Gpu } from '../../cluster/node.ts'
import { profileOf } from '../../gpu/board.ts'
import { compareText } from '../../units.ts'
import type { RepackGoal } from '../repack/repack-regions.ts'
import { boardOf } from '../state/gpu-state.ts'
import type { OpenFleet, OpenNode } from './open-fleet.ts'

export type MoveGoal = Extract<RepackGoal, { kind: 'free-gpu' | 'room-for' }>

/** Nodes whose work may make room, and nodes that may take it: a search among so many ends at once. */
const TO_CLEAR = 32
const TO_FILL = 64

/**
 * The part of a large fleet in which moves for a goal are looked for: the nodes where the fewest devices are in the way, and
 * those with most of what their pods hold free. A small fleet whole.
 */
export function nearFleet(fleet: OpenFleet, goal: MoveGoal): ClusterSnapshot {
  const { snapshot, nodes, held } = fleet
  if (nodes.length <= TO_CLEAR + TO_FILL) return snapshot
  const open = nodes.filter(({ node, unsure }) => node.schedulable && unsure === undefined)
  const cleared = lowest(open, (on) => fewestInTheWay(on, goal, held), TO_CLEAR)
  const moved = new Set(
    cleared.flatMap(({ pods }) => pods.flatMap(({ requests }) => requests.map((each) => each.resource))),
  )
  const filled = lowest(open, (on) => -roomFor(on, moved, held) || Infinity, TO_FILL)
  return partOf(fleet, [...cleared, ...filled])
}

/** Devices held on the GPU of a node that would take the fewest moves; endless where none serves the goal. */
function fewestInTheWay({ node }: OpenNode, goal: MoveGoal, held: OpenFleet['held']): number {
  if (goal.kind === 'room-for' && node.mig.strategy !== 'mixed') return Infinity
  let fewest = Infinity
  for (const gpu of node.gpus) {
    const taken = heldOn(gpu, held)
    if (taken > 0 && taken < fewest && gpu.fault === undefined && serves(gpu, goal)) fewest = taken
  }
  return fewest
}

function heldOn({ partitions }: Gpu, held: OpenFleet['held']): number {
  let taken = 0
  for (const { id } of partitions) if (held.has(id)) taken += 1
  return taken
}

function serves(gpu: Gpu, goal: MoveGoal): boolean {
  if (goal.kind === 'free-gpu') return gpu.partitions.every(({ kind }) => kind !== 'shared')
  const board = boardOf(gpu)
  return board !== undefined && profileOf(board, goal.profile) !== undefined
}

/** Devices that work could move to: those free of its kinds, and GPUs that nobody holds, which can be cut anew. */
function roomFor({ node, free }: OpenNode, resources: ReadonlySet<string>, held: OpenFleet['held']): number {
  let room = 0
  for (const resource of resources) room += Math.max(0, free.get(resource) ?? 0)
  for (const gpu of node.gpus) if (gpu.fault === undefined && heldOn(gpu, held) === 0) room += 1
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

function partOf({ snapshot, nodes }: OpenFleet, chosen: readonly OpenNode[]): ClusterSnapshot {
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
