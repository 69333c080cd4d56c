import { cents } from '@septet/domain/words'
import { ownedPrice, type OwnedHardware } from '@septet/domain'

import { Field } from '../../ui/Field.tsx'
import { type Draft, hardwareIn, priceIn } from './price-draft.ts'

type Props = { readonly draft: Draft; readonly change: (owned: Draft['owned']) => void }

type Asked = {
  readonly name: keyof OwnedHardware
  readonly label: string
  readonly min: number
  readonly note?: string
}

const ASKED: readonly Asked[] = [
  { name: 'purchaseUsd', label: 'Server, USD', min: 1, note: 'With its share of network and storage.' },
  { name: 'gpus', label: 'GPUs in it', min: 1 },
  { name: 'lifeYears', label: 'Years of use', min: 0.5, note: 'Moves the price more than anything else here.' },
  { name: 'residualUsd', label: 'Worth at the end, USD', min: 0 },
  { name: 'powerKw', label: 'Power drawn, kW', min: 0, note: 'On average; the plate says the most.' },
  { name: 'pue', label: 'PUE of the site', min: 1 },
  { name: 'usdPerKwh', label: 'USD per kWh', min: 0 },
  { name: 'hostingUsdPerMonth', label: 'Hosting, USD a month', min: 0, note: 'Space, staff, support for this server.' },
]

/** What a server of one's own costs, and the GPU-hour that comes of it. */
export function OwnedFields({ draft, change }: Props) {
  const { capital, power, hosting, total } = ownedPrice(hardwareIn(draft))
  return (
    <fieldset className="grid gap-4 sm:col-span-2 sm:grid-cols-4">
      <legend className="mb-3 text-13 font-medium">The server</legend>
      {ASKED.map(({ name, label, min, note }) => (
        <Field
          key={name}
          label={label}
          note={note}
          type="number"
          min={min}
          step="any"
          required
          inputMode="decimal"
          value={draft.owned[name]}
          onChange={(event) => change({ ...draft.owned, [name]: event.target.value })}
        />
      ))}
      <output className="text-13 sm:col-span-4">
        {priceIn(draft) === undefined
          ? 'Give what the server cost to see what a GPU-hour does.'
          : `A GPU-hour costs ${cents(total)}: ${cents(capital)} the server, ${cents(power)} power, ${cents(hosting)} hosting, over every hour of its life, used or not.`}
      </output>
    </fieldset>
  )
}
