import { setImmediate as turn } from 'node:timers/promises'

import type { ClusterPicture } from '../facts.ts'
import { packList, unpacking, type PackedList, type Unpacking } from './pack.ts'

/** A picture on its way to another thread. */
export type PackedPicture = {
  readonly nodes: PackedList<ClusterPicture['nodes'][number]>
  readonly allocations: PackedList<ClusterPicture['allocations'][number]>
  readonly workloads: PackedList<ClusterPicture['workloads'][number]>
}

/** So many take some ten milliseconds to unpack. */
const PIECE = { nodes: 100, allocations: 4000, workloads: 1000 }

export const packPicture = ({ nodes, allocations, workloads }: ClusterPicture): PackedPicture => ({
  nodes: packList(nodes, PIECE.nodes),
  allocations: packList(allocations, PIECE.allocations),
  workloads: packList(workloads, PIECE.workloads),
})

/**
 * Unpacks a picture piece by piece, with a turn for others between two: as one, 10,000 GPUs would hold up every answer
 * for a quarter of a second. Whoever looks before the end has the rest unpacked at once, so nobody sees an old one.
 */
export function unpackPicture(packed: PackedPicture): {
  readonly picture: () => ClusterPicture
  readonly whole: Promise<void>
} {
  const nodes = unpacking(packed.nodes)
  const allocations = unpacking(packed.allocations)
  const workloads = unpacking(packed.workloads)
  let made: ClusterPicture | undefined
  return {
    picture: () => (made ??= { nodes: nodes.list(), allocations: allocations.list(), workloads: workloads.list() }),
    whole: inTurns([nodes, allocations, workloads]),
  }
}

async function inTurns(lists: readonly Pick<Unpacking<unknown>, 'step'>[]): Promise<void> {
  await turn()
  for (const { step } of lists) while (step()) await turn()
}
