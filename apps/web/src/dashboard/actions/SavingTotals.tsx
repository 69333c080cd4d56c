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
      <Total name="Bill reduction" figure={billReduced} note="Estimated, from removing machines." />
      <Total
        name="Capacity freed"
        figure={capacityFreed}
        note="Estimated value of GPU time freed. The bill stays the same."
      />
      <div>
        <dt className="text-12 text-ink-quiet">No dollar value</dt>
        <dd
          className={`mt-0.5 ${without === undefined ? 'text-20 tracking-tight text-ink-soft' : 'text-28 tracking-[-0.03em]'} font-semibold tabular-nums`}
        >
          {without ?? 'Unknown'}
        </dd>
        <dd className="mt-1 text-12 text-ink-soft">These start waiting work sooner instead of saving money.</dd>
      </div>
    </dl>
  )
}

type TotalProps = { readonly name: string; readonly figure: FigureView; readonly note: string }

const Total = ({ name, figure, note }: TotalProps) => (
  <div>
    <dt className="text-12 text-ink-quiet">{name}</dt>
    <dd className="mt-0.5">
      <FigureText name={name} figure={figure} size="headline" unknown="Unknown" />
    </dd>
    <dd className="mt-1 text-12 text-ink-soft">{note}</dd>
  </div>
)
