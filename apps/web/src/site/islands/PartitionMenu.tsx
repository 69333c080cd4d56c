import type { Board, Layout } from '@septet/domain'

import { Button } from '../../ui/Button.tsx'
import type { Offer } from './partition-offers.ts'
import { SlotRow } from '../../geometry/SlotRow.tsx'

type Props = {
  readonly board: Board
  readonly layout: Layout
  readonly offers: readonly Offer[]
  readonly onAdd: (offer: Offer) => void
  readonly onPlaceAnew: (layout: Layout) => void
}

/** Every profile of the board: where it would go, or why it does not fit. A profile that does not fit can be pressed to hear why. */
export function PartitionMenu({ board, layout, offers, onAdd, onPlaceAnew }: Props) {
  return (
    <ul aria-label={`Profiles of ${board.key}`} className="border-t border-line">
      {offers.map((offer) => {
        const { name } = offer.profile
        const fits = offer.kind === 'fits'
        const landing = fits ? { start: offer.start, size: offer.profile.size } : undefined
        return (
          <li
            key={name}
            className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-1.5 border-b border-line px-4 py-2.5 last:border-b-0 sm:grid-cols-[7.5rem_7rem_minmax(0,1fr)] sm:px-5"
          >
            <Button
              aria-disabled={!fits}
              aria-describedby={`why-${name}`}
              className="justify-start font-mono"
              onClick={() => onAdd(offer)}
            >
              <span aria-hidden>{fits ? '+' : '×'}</span>
              <span className="sr-only">Add </span>
              {name}
            </Button>
            <SlotRow board={board} layout={layout} landing={landing} look="quiet" />
            <p id={`why-${name}`} className="col-span-2 text-13 text-pretty text-ink-soft sm:col-span-1">
              {offer.because}
              {offer.kind === 'refused' && offer.anew !== undefined && (
                <PlaceAnew name={name} layout={offer.anew} onPlaceAnew={onPlaceAnew} />
              )}
            </p>
          </li>
        )
      })}
    </ul>
  )
}

type AnewProps = Pick<Props, 'onPlaceAnew' | 'layout'> & { readonly name: string }

function PlaceAnew({ name, layout, onPlaceAnew }: AnewProps) {
  return (
    <>
      {' '}
      <button
        type="button"
        onClick={() => onPlaceAnew(layout)}
        className="min-h-6 text-busy-ink underline decoration-dotted underline-offset-4 hover:decoration-solid"
      >
        Place all anew with {name}
      </button>
    </>
  )
}
