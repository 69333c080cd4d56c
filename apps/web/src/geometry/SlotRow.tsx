import type { Board, Layout, Placement } from '@septet/domain'

import { blocksOf } from './partition-blocks.ts'
import { GAPS, TEXTURES } from './partition-textures.ts'
import { span } from './partition-words.ts'

type Props = { readonly board: Board; readonly layout: Layout; readonly look: 'strong' | 'quiet' }

/** A GPU in small: what is taken, and what is not cut or stranded. The words beside it say the same. */
export function SlotRow({ board, layout, look }: Props) {
  const held = look === 'strong' ? 'bg-busy' : 'bg-[var(--free)]'
  return (
    <div aria-hidden className="grid h-3.5 gap-[2px]" style={slotColumns(board.memorySlices)}>
      {blocksOf(board, layout).map(({ kind, placement }) => (
        <span
          key={placement.start}
          className={`row-start-1 rounded-[2px] ${kind === 'instance' ? held : GAPS[kind]}`}
          style={{ ...slotPlace(placement), ...(kind === 'instance' ? {} : TEXTURES[kind]) }}
        />
      ))}
    </div>
  )
}

/** A grid with a column for each of so many memory slices, and where a placement lies in it. */
export const slotColumns = (slots: number) => ({ gridTemplateColumns: `repeat(${slots}, minmax(0, 1fr))` })
export const slotPlace = ({ start, size }: Placement) => ({ gridColumn: `${start + 1} / span ${size}` })

/** The numbers of the memory slices, below a bar as wide as theirs. */
export const SlotNumbers = ({ board }: Pick<Props, 'board'>) => (
  <div
    aria-hidden
    className="mt-1 grid gap-[3px] font-mono text-12 text-ink-quiet"
    style={slotColumns(board.memorySlices)}
  >
    {Array.from({ length: board.memorySlices }, (_, slot) => (
      <span key={slot} className="pl-1">
        {slot}
      </span>
    ))}
  </div>
)

type NameProps = { readonly profile: string; readonly placement: Placement }

/** What a button that removes an instance is called: by its profile, of which a narrow one shows on a phone how it computes. */
export function RemovedName({ profile, placement }: NameProps) {
  const [compute = '', memory = ''] = profile.split('.')
  return (
    <span className="whitespace-nowrap">
      <span className="sr-only">Remove </span>
      {compute}
      <span className={placement.size === 1 ? 'max-sm:sr-only' : ''}>.{memory}</span>
      <span className="sr-only"> from {span(placement)}</span>
    </span>
  )
}
