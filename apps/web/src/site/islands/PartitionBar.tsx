import type { Board, Layout } from '@septet/domain'
import type { RefObject } from 'react'

import { blocksOf, type PartitionBlock } from '../../geometry/partition-blocks.ts'
import { GAPS, TEXTURES } from '../../geometry/partition-textures.ts'
import { computeParts } from '../../geometry/partition-words.ts'
import { RemovedName, SlotNumbers, slotColumns, slotPlace } from '../../geometry/SlotRow.tsx'

type Props = {
  readonly reference: RefObject<HTMLFieldSetElement | null>
  readonly board: Board
  readonly layout: Layout
  readonly onRemove: (index: number) => void
}

/** One GPU to scale: the row of memory slices with its instances, which are buttons, and the compute slices below. */
export function PartitionBar({ reference, board, layout, onRemove }: Props) {
  return (
    <fieldset ref={reference} tabIndex={-1} className="outline-none">
      <legend className="sr-only">The GPU’s current layout</legend>
      <p className="mb-2 flex justify-between gap-4 text-12 text-ink-quiet">
        <span>{board.memorySlices} memory slices</span>
        <span>Press one to remove it</span>
      </p>
      <div className="grid h-12 gap-[3px]" style={slotColumns(board.memorySlices)}>
        {blocksOf(board, layout).map((block) => (
          <Block
            key={`${block.kind}-${block.placement.start}`}
            block={block}
            onRemove={() => block.kind === 'instance' && onRemove(layout.indexOf(block.instance))}
          />
        ))}
      </div>
      <SlotNumbers board={board} />
      <ComputeRow board={board} layout={layout} />
    </fieldset>
  )
}

function Block({ block, onRemove }: { readonly block: PartitionBlock; readonly onRemove: () => void }) {
  const place = slotPlace(block.placement)
  const { size } = block.placement
  if (block.kind !== 'instance') {
    return (
      <div aria-hidden className={`rounded-[3px] ${GAPS[block.kind]}`} style={{ ...place, ...TEXTURES[block.kind] }} />
    )
  }
  return (
    <button
      type="button"
      onClick={onRemove}
      style={{ ...place, color: 'var(--on-busy)' }}
      className="enters group flex min-w-0 items-center justify-between gap-1 overflow-hidden rounded-[3px] bg-busy px-1 text-left font-mono text-12 font-medium transition-opacity hover:opacity-85 sm:px-2.5"
    >
      <RemovedName {...block.instance} />
      <span aria-hidden className={size === 1 ? 'hidden' : 'opacity-70 group-hover:opacity-100 max-sm:hidden'}>
        ×
      </span>
    </button>
  )
}

/** Seven compute slices (A30: four), in instances, in reach, or stranded; they have no place of their own. */
function ComputeRow({ board, layout }: Pick<Props, 'board' | 'layout'>) {
  const { taken, reachable, stranded } = computeParts(board, layout)
  const kinds = [
    ...Array.from({ length: taken }, () => 'instance' as const),
    ...Array.from({ length: reachable }, () => 'uncut' as const),
    ...Array.from({ length: stranded }, () => 'stranded' as const),
  ]
  return (
    <div className="mt-2.5">
      <div aria-hidden className="flex gap-[3px]">
        {kinds.map((kind, index) => (
          <span
            // oxlint-disable-next-line react/no-array-index-key -- the slices are alike and keep their order
            key={index}
            className={`h-3 grow rounded-[2px] ${kind === 'instance' ? 'bg-busy' : GAPS[kind]}`}
            style={kind === 'instance' ? undefined : TEXTURES[kind]}
          />
        ))}
      </div>
      <p className="mt-1.5 flex flex-wrap justify-between gap-x-4 text-12 text-ink-quiet">
        <span>{board.computeSlices} compute slices</span>
        <span>
          {taken} in instances · {reachable} in reach · {stranded} stranded
        </span>
      </p>
    </div>
  )
}
