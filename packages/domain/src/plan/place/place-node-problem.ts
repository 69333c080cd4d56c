import type { Board } from '../../gpu/board.ts'
import { isFeasible, occupancy, type Layout } from '../../gpu/layout.ts'
import { isAmount, type PlaceGpu, type PlaceNode } from './place-index-ask.ts'

/** Why a node cannot be as it is described, in words; undefined: it can. */
export function placeNodeProblem({ board, gpus, price, room }: PlaceNode): string | undefined {
  if (price !== undefined && !isAmount(price)) return `a price is 0 or more, not ${price}`
  const amounts = [room.cpuMilli, room.memory, room.cpuUsed, room.memoryUsed]
  if (!amounts.every((amount) => amount === undefined || isAmount(amount)))
    return 'CPU and memory, and what is used of them, are 0 or more, or unknown'
  for (const gpu of gpus) {
    const problem = placeGpuProblem(board, gpu)
    if (problem !== undefined) return `GPU ${gpu.id} ${problem}`
  }
  const dynamic = gpus.filter(({ kind }) => kind === 'dynamic').length
  return dynamic > 0 && dynamic < gpus.length ? 'DRA and mig-manager do not run on one node' : undefined
}

/** The same for one GPU. */
function placeGpuProblem(board: Board | undefined, gpu: PlaceGpu): string | undefined {
  if (gpu.kind === 'whole') return undefined
  if (board === undefined) return 'is partitioned, and its GPU model is unknown'
  if (gpu.kind === 'cut')
    return infeasible(board, gpu.layout) ?? (isPartOf(gpu) ? undefined : 'has fewer instances than are held')
  return gpu.held === undefined || gpu.held === 'whole' ? undefined : infeasible(board, gpu.held)
}

function infeasible(board: Board, layout: Layout): string | undefined {
  const verdict = isFeasible(board, layout)
  return verdict.kind === 'infeasible' ? `cannot be partitioned this way: ${verdict.because}` : undefined
}

const isPartOf = ({ layout, held = [] }: Extract<PlaceGpu, { readonly kind: 'cut' }>): boolean =>
  held.every(({ placement }) => layout.some((one) => one.placement.start === placement.start)) &&
  (occupancy(held) & ~occupancy(layout)) === 0
