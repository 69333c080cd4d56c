import { money } from '@septet/domain/words'
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
  { name: 'purchaseUsd', label: 'Server, USD', min: 1, note: 'Including its share of network and storage.' },
  { name: 'gpus', label: 'GPUs in it', min: 1 },
  { name: 'lifeYears', label: 'Years of use', min: 0.5, note: 'Affects the price the most.' },
  { name: 'residualUsd', label: 'Residual value, USD', min: 0 },
  { name: 'powerKw', label: 'Power drawn, kW', min: 0, note: 'Average, not the rated maximum.' },
  { name: 'pue', label: 'PUE of the site', min: 1 },
  { name: 'usdPerKwh', label: 'USD per kWh', min: 0 },
  {
    name: 'hostingUsdPerMonth',
    label: 'Hosting, USD per month',
    min: 0,
    note: 'Space, staff and support for this server.',
  },
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
          ? 'Enter the server’s cost to see the price of a GPU-hour.'
          : `A GPU-hour costs ${money(total)}: ${money(capital)} server, ${money(power)} power and ${money(hosting)} hosting, over the server’s whole life.`}
      </output>
    </fieldset>
  )
}
