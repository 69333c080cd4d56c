import { profileOfResource } from '../../gpu/profile-name.ts'
import { compareText } from '../../units.ts'
import { firstFew } from '../../words.ts'
import type { RoomPlace } from '../explain/explain-room.ts'
import { roomOnGpu, type RoomAsked } from '../explain/room-on-gpu.ts'
import type { MissingRoom } from './missing-room.ts'
import type { OpenFleet, OpenNode } from './open-fleet.ts'
import type { StartWay } from './start-answer.ts'

/** GPUs that nobody holds cut anew for a MIG device; undefined where that does not give enough. */
export function cutAnew(fleet: OpenFleet, { device, pods, roomy }: MissingRoom): readonly StartWay[] | undefined {
  const profile = profileOfResource(device)
  if (profile === undefined) return undefined
  // Nobody is asked to leave, so who holds what does not matter.
  const holders = { has: (id: string) => fleet.held.has(id), get: () => undefined }
  const nodes = fleet.nodes.filter(({ node }) => roomy.has(node.name))
  const used = enoughOf(recutPlaces(nodes, { profile, holders }), roomy, pods)
  const [first] = used
  if (first === undefined) return undefined
  const names = used.map(({ gpu, node }) => `GPU ${gpu.index} of ${node.name}`)
  const sentence = `Repartition ${firstFew(names, 3)} for ${profile}: no workload holds what changes, so nothing moves.`
  return [{ kind: 'recut', sentence, room: { profile, node: first.node.name } }]
}

/** Places that give more once they are cut anew, those that give most first. */
function recutPlaces(nodes: readonly OpenNode[], asked: RoomAsked): readonly RoomPlace[] {
  const places = nodes.flatMap(({ node, dra }) =>
    node.gpus.flatMap((gpu): readonly RoomPlace[] => {
      // mig-manager cuts a GPU as a whole, so one that somebody holds gives nothing more.
      if (!dra && gpu.partitions.some(({ id }) => asked.holders.has(id))) return []
      const room = roomOnGpu(gpu, node, asked)
      return room.kind === 'room' && room.recut > 0 ? [{ node, gpu, ...room }] : []
    }),
  )
  return places.toSorted(
    (a, b) => b.recut - a.recut || b.now - a.now || compareText(a.node.name, b.node.name) || a.gpu.index - b.gpu.index,
  )
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
