import type { FigureView } from '@septet/contract'

import { FigureText } from '../../ui/FigureText.tsx'
import type { Recommendation } from '../recommendation/recommendation-words.ts'
import { savingTotals } from '@septet/contract/saving-totals'

type Props = {
  readonly recommendations: readonly Recommendation[]
  /** Whether there was time to make any. */
  readonly areMade: boolean
}

/** What all of them together would bring: the bill and the capacity apart, for only one of the two is money that is no longer paid. */
export function SavingTotals({ recommendations, areMade }: Props) {
  const { billReduced, capacityFreed, without } = savingTotals(recommendations, areMade)
  return (
    <dl className="grid gap-x-10 gap-y-4 rounded-card border border-line bg-surface px-5 py-4 sm:grid-cols-3">
      <Total
        name="Bill would fall by"
        figure={billReduced}
        note="Estimated. Machines that are given back; nobody pays for them any more."
      />
      <Total
        name="Capacity freed"
        figure={capacityFreed}
        note="Estimated. The bill stays: GPU time for other work, at its price."
      />
      <div>
        <dt className="text-12 text-ink-quiet">Without an amount</dt>
        <dd className="mt-0.5 text-28 font-semibold tracking-[-0.03em] tabular-nums">{without ?? 'Not known'}</dd>
        <dd className="mt-1 text-12 text-ink-soft">
          They start work or spare time: no amount can be defended, so none is shown.
        </dd>
      </div>
    </dl>
  )
}

type TotalProps = { readonly name: string; readonly figure: FigureView; readonly note: string }

const Total = ({ name, figure, note }: TotalProps) => (
  <div>
    <dt className="text-12 text-ink-quiet">{name}</dt>
    <dd className="mt-0.5">
      <FigureText name={name} figure={figure} size="headline" unknown="Not known" />
    </dd>
    <dd className="mt-1 text-12 text-ink-soft">{note}</dd>
  </div>
)
