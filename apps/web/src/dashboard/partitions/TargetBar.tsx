import type { Board, PlacedInstance } from '@septet/domain'
import { useRef } from 'react'

import { blocksOf } from '../../geometry/partition-blocks.ts'
import { GAPS, TEXTURES } from '../../geometry/partition-textures.ts'
import { RemovedName, SlotNumbers, slotColumns, slotPlace } from '../../geometry/SlotRow.tsx'
import { inTheWayOf, type DraftCut } from './layout-draft.ts'

type Props = {
  readonly board: Board
  readonly cut: DraftCut
  /** Where one more instance would go; what stands in its way is marked. */
  readonly preview: PlacedInstance | undefined
  readonly onRemove: (instance: PlacedInstance) => void
}

/** The target to scale: instances are buttons that remove them, and what is hovered or focused below shows where it lands. */
export function TargetBar({ board, cut, preview, onRemove }: Props) {
  const frame = useRef<HTMLFieldSetElement>(null)
  const layout = cut.mig ? cut.layout : []
  const inTheWay = preview === undefined ? [] : inTheWayOf(layout, preview)
  return (
    <fieldset ref={frame} tabIndex={-1} className="min-w-0 outline-none">
      <legend className="sr-only">The target layout</legend>
      <p aria-hidden className="mb-1 flex justify-between gap-4 text-12 text-ink-quiet">
        <span>Target</span>
        <span>{layout.length > 0 && 'press an instance to remove it'}</span>
      </p>
      <div className="relative grid h-14 gap-[3px]" style={slotColumns(board.memorySlices)}>
        {blocksOf(board, layout).map((block) =>
          block.kind === 'instance' ? (
            <Instance
              key={`${block.instance.profile}-${block.placement.start}`}
              instance={block.instance}
              conflicts={inTheWay.includes(block.instance)}
              onRemove={() => {
                onRemove(block.instance)
                // The button that had the focus is gone.
                frame.current?.focus()
              }}
            />
          ) : (
            <div
              key={`${block.kind}-${block.placement.start}`}
              aria-hidden
              className={`row-start-1 rounded-[3px] ${GAPS[block.kind]}`}
              style={{ ...slotPlace(block.placement), ...TEXTURES[block.kind] }}
            />
          ),
        )}
        {preview !== undefined && (
          <span
            aria-hidden
            className="pointer-events-none row-start-1 flex items-end rounded-[3px] border-2 border-dashed border-ink px-1.5 font-mono text-12"
            style={slotPlace(preview.placement)}
          >
            <span className="truncate rounded-[3px] bg-surface px-1">{preview.profile}</span>
          </span>
        )}
      </div>
      <SlotNumbers board={board} />
    </fieldset>
  )
}

type InstanceProps = {
  readonly instance: PlacedInstance
  readonly conflicts: boolean
  readonly onRemove: () => void
}

function Instance({ instance, conflicts, onRemove }: InstanceProps) {
  return (
    <button
      type="button"
      onClick={onRemove}
      style={{ ...slotPlace(instance.placement), color: 'var(--on-busy)' }}
      className={`row-start-1 flex min-w-0 items-start overflow-hidden rounded-[3px] bg-busy px-1 pt-1 text-left font-mono text-12 font-medium transition-opacity hover:opacity-85 sm:px-2 ${conflicts ? 'opacity-45 outline-2 -outline-offset-2 outline-(--fault)' : ''}`}
    >
      <RemovedName {...instance} />
    </button>
  )
}
