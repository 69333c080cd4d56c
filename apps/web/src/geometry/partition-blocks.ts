import { occupancy, placementMask, type Board, type Layout, type PlacedInstance, type Placement } from '@septet/domain'

/** A piece of the row of memory slices: an instance, or memory that is not cut and that a profile can still use, or that none can. */
export type PartitionBlock =
  | { readonly kind: 'instance'; readonly placement: Placement; readonly instance: PlacedInstance }
  | { readonly kind: 'uncut' | 'stranded'; readonly placement: Placement }

/** The whole row, left to right; what is not cut slice by slice, stranded ones together. */
export function blocksOf(board: Board, layout: Layout): readonly PartitionBlock[] {
  const instances = layout.map((instance) => ({ kind: 'instance' as const, placement: instance.placement, instance }))
  return [...instances, ...gapsOf(board, layout)].toSorted((a, b) => a.placement.start - b.placement.start)
}

function gapsOf(board: Board, layout: Layout): readonly PartitionBlock[] {
  const taken = occupancy(layout)
  const usable = board.profiles
    .flatMap(({ starts, size }) => starts.map((start) => placementMask({ start, size })))
    .filter((mask) => (mask & taken) === 0)
    .reduce((all, mask) => all | mask, 0)
  return Array.from({ length: board.memorySlices }, (_, start) => ({ start, size: 1 })).flatMap((placement) => {
    const bit = placementMask(placement)
    if ((taken & bit) !== 0) return []
    return [{ kind: (usable & bit) === 0 ? ('stranded' as const) : ('uncut' as const), placement }]
  })
}
