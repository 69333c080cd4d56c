import { placeAt, plainProfiles, type Board, type Layout, type MigProfile, type PlacedInstance } from '@septet/domain'
import { useRef, useState, type KeyboardEvent } from 'react'
import { span } from '../../geometry/partition-words.ts'
import { slotColumns, slotPlace } from '../../geometry/SlotRow.tsx'
import { placing, type Placing } from './layout-draft.ts'

/**
 * Where an arrow key leads from a place (`profile@start`): left and right along a profile's row, up and down to the nearest
 * start of the next one, Home and End to the row's ends. Undefined: the key leads nowhere.
 */
function nextPlace(key: string, from: string, rows: readonly MigProfile[]): string | undefined {
  const at = from.lastIndexOf('@')
  const row = rows.findIndex(({ name }) => name === from.slice(0, at))
  const own = rows[row]
  if (own === undefined) return undefined
  const start = Number(from.slice(at + 1))
  const step = STEPS[key]
  if (step !== undefined) {
    const next = rows[row + step]
    return next === undefined ? undefined : `${next.name}@${nearest(next.starts, start)}`
  }
  const to = own.starts[ALONG[key]?.(own.starts.indexOf(start), own.starts.length) ?? -1]
  return to === undefined ? undefined : `${own.name}@${to}`
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }
const ALONG: Readonly<Record<string, (index: number, length: number) => number>> = {
  ArrowLeft: (index) => index - 1,
  ArrowRight: (index) => index + 1,
  Home: () => 0,
  End: (_index, length) => length - 1,
}

const nearest = (starts: readonly number[], to: number): number =>
  starts.toSorted((a, b) => Math.abs(a - to) - Math.abs(b - to) || a - b)[0] ?? 0

type Props = {
  readonly board: Board
  readonly layout: Layout
  readonly onPreview: (instance: PlacedInstance | undefined) => void
  readonly onPlace: (layout: Layout, said: string) => void
  readonly onRefused: (because: string) => void
}

/**
 * Every profile of the board at every place where it may begin, on the same eight slots as the bar above. Arrow keys walk
 * over them; what is hovered or focused is shown on the bar.
 */
export function PlacementMenu({ board, layout, onPreview, onPlace, onRefused }: Props) {
  const menu = useRef<HTMLFieldSetElement>(null)
  const [current, setCurrent] = useState('')
  const rows = plainProfiles(board).toSorted((a, b) => b.size - a.size || b.computeSlices - a.computeSlices)
  const first = rows[0] === undefined ? '' : keyOf(rows[0], rows[0].starts[0] ?? 0)
  const inTabOrder = current === '' ? first : current
  const walk = (event: KeyboardEvent): void => {
    const to = nextPlace(event.key, inTabOrder, rows)
    if (to === undefined) return
    event.preventDefault()
    menu.current?.querySelector<HTMLButtonElement>(`[data-place="${to}"]`)?.focus()
  }
  return (
    <fieldset ref={menu} className="grid min-w-0 gap-1">
      <legend className="sr-only">Profiles and where they may go; arrow keys move between places</legend>
      {rows.map((profile) => (
        <div
          key={profile.name}
          className="grid grid-cols-[3.75rem_minmax(0,1fr)] items-center gap-2 sm:grid-cols-[5.25rem_minmax(0,1fr)] sm:gap-3"
        >
          <span className="font-mono text-12">{profile.name}</span>
          <div className="grid gap-[3px]" style={slotColumns(board.memorySlices)}>
            {profile.starts.map((start) => (
              <Place
                key={start}
                id={keyOf(profile, start)}
                instance={placeAt(profile, start)}
                found={placing(board, layout, { profile, start })}
                isCurrent={keyOf(profile, start) === inTabOrder}
                onFocus={() => setCurrent(keyOf(profile, start))}
                onWalk={walk}
                {...{ onPreview, onPlace, onRefused }}
              />
            ))}
          </div>
        </div>
      ))}
    </fieldset>
  )
}

const keyOf = ({ name }: MigProfile, start: number): string => `${name}@${start}`

type PlaceProps = Pick<Props, 'onPreview' | 'onPlace' | 'onRefused'> & {
  readonly id: string
  readonly instance: PlacedInstance
  readonly found: Placing
  readonly isCurrent: boolean
  readonly onFocus: () => void
  readonly onWalk: (event: KeyboardEvent) => void
}

function Place({ id, instance, found, isCurrent, onFocus, onWalk, onPreview, onPlace, onRefused }: PlaceProps) {
  const { profile, placement } = instance
  const at = `${profile} at ${span(placement)}`
  const press = (): void => {
    if (found.kind === 'refused') onRefused(`${at}: ${found.because}.`)
    else
      onPlace(found.layout, found.kind === 'fits' ? `${at} placed.` : `${at} placed; ${replacedWords(found)} removed.`)
  }
  return (
    <button
      type="button"
      data-place={id}
      tabIndex={isCurrent ? 0 : -1}
      aria-label={placeWords(at, found)}
      aria-disabled={found.kind === 'refused'}
      title={placeWords(at, found)}
      onClick={press}
      onKeyDown={onWalk}
      onFocus={() => {
        onFocus()
        onPreview(instance)
      }}
      onBlur={() => onPreview(undefined)}
      onMouseEnter={() => onPreview(instance)}
      onMouseLeave={() => onPreview(undefined)}
      style={slotPlace(placement)}
      className={`flex h-7 min-w-0 items-center justify-center rounded-[3px] border text-12 transition-colors ${LOOK[found.kind]}`}
    >
      <span aria-hidden>{SIGN[found.kind]}</span>
    </button>
  )
}

const LOOK = {
  fits: 'border-busy bg-busy-soft hover:bg-busy hover:text-(--on-busy) focus-visible:bg-busy focus-visible:text-(--on-busy)',
  replaces: 'border-line-strong border-dashed bg-surface text-ink-soft hover:border-ink hover:text-ink',
  refused: 'cursor-not-allowed border-line bg-sunken text-ink-quiet',
} satisfies Record<Placing['kind'], string>

const SIGN = { fits: '+', replaces: '⇄', refused: '×' } satisfies Record<Placing['kind'], string>

function placeWords(at: string, found: Placing): string {
  if (found.kind === 'refused') return `${at} cannot be placed: ${found.because}`
  return found.kind === 'fits' ? `Place ${at}` : `Place ${at}; blocked by ${replacedWords(found)}`
}

const replacedWords = ({ replaced }: Extract<Placing, { readonly replaced: Layout }>): string =>
  replaced.map((one) => `${one.profile} at ${one.placement.start}`).join(', ')
