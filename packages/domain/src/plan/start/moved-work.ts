import { WHOLE_GPU_RESOURCE } from '../../gpu/whole-gpu.ts'
import { profileOfResource } from '../../gpu/profile-name.ts'
import { firstFew, plural } from '../../words.ts'
import { repack } from '../repack/repack.ts'
import type { MissingRoom } from './missing-room.ts'
import { nearFleet, type MoveGoal } from './near-fleet.ts'
import type { OpenFleet } from './open-fleet.ts'
import type { StartWay } from './start-answer.ts'

/**
 * Moves that make room for one pod. A small fleet is searched whole; of a large one the nodes where a way is likely, and
 * where none is found there the answer says that more could be looked at.
 */
export function movedWork(fleet: OpenFleet, { device, pods, roomy }: MissingRoom): readonly StartWay[] {
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
