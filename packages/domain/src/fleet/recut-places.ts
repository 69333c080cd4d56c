import type { ProfileName } from '../gpu/geometry.ts'
import { compareText } from '../units.ts'
import { firstFew } from '../words.ts'
import { roomOnGpu } from './gpu-room.ts'
import type { OpenNode } from './open-nodes.ts'
import type { RoomPlace } from './profile-room.ts'

/** GPUs that give more of a profile once they are cut again, with nobody asked to leave; those that give most first. */
export function recutPlaces(nodes: readonly OpenNode[], profile: ProfileName): readonly RoomPlace[] {
  const places = nodes.flatMap(({ node, dra, isHeld }) =>
    node.gpus.flatMap((gpu): readonly RoomPlace[] => {
      // mig-manager cuts a GPU as a whole, so one that somebody holds gives nothing more.
      if (!dra && gpu.partitions.some(({ id }) => isHeld(id))) return []
      const room = roomOnGpu(gpu, node, { profile, holders: { has: isHeld, get: () => undefined } })
      return room.kind === 'room' && room.recut > 0 ? [{ node, gpu, ...room }] : []
    }),
  )
  return places.toSorted(
    (a, b) => b.recut - a.recut || b.now - a.now || compareText(a.node.name, b.node.name) || a.gpu.index - b.gpu.index,
  )
}

/** What to do with some of them, for people. */
export function recutWords(places: readonly RoomPlace[], profile: ProfileName): string {
  const names = places.map(({ gpu, node }) => `GPU ${gpu.index} of ${node.name}`)
  return `Repartition ${firstFew(names, 3)} for ${profile}: no workload holds what changes, so nothing moves.`
}
