import type { Board, Layout, Placement } from '@septet/domain'

import { blocksOf } from './partition-blocks.ts'
import { GAPS, TEXTURES } from './partition-textures.ts'

type Props = {
  readonly board: Board
  readonly layout: Layout
  /** Where one more instance would land. */
  readonly landing?: Placement | undefined
  readonly look: 'strong' | 'quiet'
}

/** A GPU in small: what is taken, what is not cut or stranded, and where one more would land. The words beside it say the same. */
export function SlotRow({ board, layout, landing, look }: Props) {
  const held = look === 'strong' ? 'bg-busy' : 'bg-[var(--free)]'
  return (
    <div
      aria-hidden
      className="grid h-3.5 gap-[2px]"
      style={{ gridTemplateColumns: `repeat(${board.memorySlices}, minmax(0, 1fr))` }}
    >
      {blocksOf(board, layout).map(({ kind, placement }) => (
        <span
          key={placement.start}
          className={`row-start-1 rounded-[2px] ${kind === 'instance' ? held : GAPS[kind]}`}
          style={{ ...column(placement), ...(kind === 'instance' ? {} : TEXTURES[kind]) }}
        />
      ))}
      {landing !== undefined && (
        <span className="row-start-1 rounded-[2px] border-[1.5px] border-busy bg-busy-soft" style={column(landing)} />
      )}
    </div>
  )
}

const column = ({ start, size }: Placement) => ({ gridColumn: `${start + 1} / span ${size}` })
