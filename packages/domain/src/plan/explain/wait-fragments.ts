import type { WaitChange } from '../../analyze/waits.ts'
import { agree, plural } from '../../words.ts'
import { profileOf } from '../../gpu/board.ts'
import { freeMemorySlices } from '../../gpu/occupancy.ts'
import type { PlaceNode } from '../place/place-index-ask.ts'
import type { Wish } from './start-hints.ts'
import { gpuName, isFree, type Fleet } from './wait-change.ts'

/** Where the least has to move so that what is free comes together; undefined where too little is free in sum. */
export function gather(fleet: Fleet, nodes: readonly PlaceNode[], wish: Wish): WaitChange | undefined {
  return wish.kind === 'whole' ? gatherGpus(nodes, wish.count) : gatherSlices(fleet, nodes, wish.profile)
}

function gatherGpus(nodes: readonly PlaceNode[], count: number): WaitChange | undefined {
  const large = nodes
    .filter(({ gpus }) => gpus.length >= count)
    .map(({ id, gpus }) => ({ id, free: gpus.filter(isFree).length }))
    .toSorted((a, b) => b.free - a.free)
  const [best] = large
  if (best === undefined || best.free === 0 || large.reduce((sum, { free }) => sum + free, 0) < count) return undefined
  const missing = count - best.free
  const sentence = `Move work off ${plural(missing, 'more GPU', 'more GPUs')} of ${best.id}, where ${best.free} of the ${count} that it needs ${agree(best.free, 'is', 'are')} free.`
  return { kind: 'move', sentence }
}

function gatherSlices(fleet: Fleet, nodes: readonly PlaceNode[], name: string): WaitChange | undefined {
  const cut = nodes.flatMap((node) => {
    const profile = node.board === undefined ? undefined : profileOf(node.board, name)
    if (node.board === undefined || profile === undefined) return []
    const { board } = node
    return node.gpus.flatMap(({ id, kind, held }) =>
      kind === 'whole' || held === 'whole'
        ? []
        : [{ id, node: node.id, board, needs: profile.size, free: freeMemorySlices(board, held ?? []) }],
    )
  })
  const [best] = cut.toSorted((a, b) => b.free - a.free)
  const free = cut.reduce((sum, one) => sum + one.free / one.board.memorySlices, 0)
  if (best === undefined || best.free === 0 || free < best.needs / best.board.memorySlices) return undefined
  const sentence = `Move work off ${gpuName(fleet, best)}, where ${best.free} of ${plural(best.board.memorySlices, 'memory slice')} are free and a ${name} needs ${best.needs} that lie together.`
  return { kind: 'move', sentence }
}
