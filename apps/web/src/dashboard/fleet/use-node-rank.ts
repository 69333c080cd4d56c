import { useState } from 'react'
import { type FleetPicture, CODE, DOWN_BIT, FAULT_BIT, SHARED } from './fleet-picture.ts'
import type { NodeOrder } from './use-fleet-choice.ts'
import { numberAt } from './number-at.ts'

/**
 * The rank of each node where the worst come first; undefined where they come by name. It stays as it was when it was
 * asked for, so that nothing moves under the reader's eyes with each reading.
 */
export function useNodeRank(picture: FleetPicture, order: NodeOrder): Int32Array | undefined {
  const [kept, keep] = useState<{ readonly frame: unknown; readonly rank: Int32Array }>()
  if (order === 'name') {
    if (kept !== undefined) keep(undefined)
    return undefined
  }
  if (kept?.frame === picture.frame) return kept.rank
  const rank = worstNodes(picture)
  keep({ frame: picture.frame, rank })
  return rank
}

/**
 * The rank of each node, the one with the largest unused share of its GPUs first. What is down, faulty, idle, free or
 * stranded is unused, as is the rest of what is partly busy; what is not measured is not called unused.
 */
export function worstNodes(picture: FleetPicture): Int32Array {
  const nodes = picture.frame.nodes.name.length
  const unused = new Float64Array(nodes)
  const gpus = new Float64Array(nodes)
  for (let gpu = 0; gpu < picture.gpus; gpu += 1) {
    const node = numberAt(picture.node, gpu)
    unused[node] = numberAt(unused, node) + unusedOf(picture, gpu)
    gpus[node] = numberAt(gpus, node) + 1
  }
  const shareOf = (node: number): number => numberAt(unused, node) / Math.max(1, numberAt(gpus, node))
  const rank = new Int32Array(nodes)
  const order = Array.from({ length: nodes }, (_, node) => node).toSorted((a, b) => shareOf(b) - shareOf(a))
  for (const [place, node] of order.entries()) rank[node] = place
  return rank
}

/** The unused share of a GPU, 0 to 1. */
function unusedOf({ has, first, kind, size, busy, slots, mode }: FleetPicture, gpu: number): number {
  if ((numberAt(has, gpu) & (FAULT_BIT | DOWN_BIT)) !== 0) return 1
  const [begin, end] = [numberAt(first, gpu), numberAt(first, gpu + 1)]
  if (begin === end) return 1
  // Replicas of a shared GPU each span all of it.
  const whole = mode[gpu] === SHARED ? end - begin : 1
  let share = 0
  for (let block = begin; block < end; block += 1) {
    const part = numberAt(size, block) / Math.max(1, numberAt(slots, gpu)) / whole
    share += part * unusedBlock(numberAt(kind, block), numberAt(busy, block))
  }
  return Math.min(1, share)
}

function unusedBlock(code: number, thousandths: number): number {
  if (code === CODE.unknown || code === CODE.others) return 0
  if (code === CODE.busy) return thousandths < 0 ? 0 : 1 - Math.min(1, thousandths / 1000)
  return 1
}
