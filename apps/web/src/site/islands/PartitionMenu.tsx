import type { Board, Layout } from '@septet/domain'

import { Button } from '../../ui/Button.tsx'
import type { Offer } from './partition-offers.ts'

type Props = {
  readonly board: Board
  readonly offers: readonly Offer[]
  readonly onAdd: (offer: Offer) => void
  readonly onPlaceAnew: (layout: Layout) => void
}

/** Every profile of the board: where it would go, or why it does not fit. On a phone, pressing one says so. */
export function PartitionMenu({ board, offers, onAdd, onPlaceAnew }: Props) {
  return (
    <ul aria-label={`Profiles of ${board.key}`} className="-mb-px grid grid-cols-2 border-t border-line">
      {offers.map((offer) => {
        const { name } = offer.profile
        const fits = offer.kind === 'fits'
        return (
          <li key={name} className="flex items-center gap-3 border-b border-line px-3 py-1.5 sm:px-5">
            <Button
              aria-disabled={!fits}
              aria-describedby={`why-${name}`}
              className="min-w-[6.5rem] shrink-0 justify-start font-mono"
              onClick={() => onAdd(offer)}
            >
              <span aria-hidden>{fits ? '+' : '×'}</span>
              <span className="sr-only">Add </span>
              {name}
            </Button>
            <p id={`why-${name}`} className="min-w-0 text-12 leading-tight text-pretty text-ink-soft max-sm:sr-only">
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

type AnewProps = Pick<Props, 'onPlaceAnew'> & { readonly name: string; readonly layout: Layout }

function PlaceAnew({ name, layout, onPlaceAnew }: AnewProps) {
  return (
    <>
      {' '}
      <button
        type="button"
        onClick={() => onPlaceAnew(layout)}
        className="min-h-6 text-busy-ink underline decoration-dotted underline-offset-4 hover:decoration-solid"
      >
        Rearrange to fit {name}
      </button>
    </>
  )
}
