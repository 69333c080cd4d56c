import { useState } from 'react'

import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { BROWSER_ZONE, zonesWith } from '../../address/range-choice.ts'
import { ChoiceField } from '../../form/ChoiceField.tsx'
import type { MaintenanceWindow } from './act-policy.ts'
import { clock, WEEKDAYS } from './policy-fields.ts'

type Props = {
  readonly windows: readonly MaintenanceWindow[]
  readonly canChange: boolean
  readonly change: (windows: MaintenanceWindow[]) => void
}
/** A window with a key that stays while others come and go. */
type Kept = MaintenanceWindow & { readonly key: number }

/** The stretches of the week in which changes may begin. */
export function WindowFields({ windows, canChange, change }: Props) {
  const [kept, setKept] = useState<readonly Kept[]>(() => windows.map((window, key) => ({ ...window, key })))
  const put = (next: readonly Kept[]): void => {
    setKept(next)
    change(next.map(({ key: _key, ...window }) => window))
  }
  const nextKey = Math.max(-1, ...kept.map(({ key }) => key)) + 1
  return (
    <div className="grid justify-items-start gap-3">
      {kept.length > 0 && (
        <ol className="grid w-full max-w-3xl divide-y divide-line" aria-label="Maintenance windows">
          {kept.map((window, place) => (
            <WindowRow
              key={window.key}
              name={`window ${place + 1}`}
              window={window}
              change={(changed) => put(kept.toSpliced(place, 1, { ...window, ...changed }))}
              remove={canChange ? () => put(kept.toSpliced(place, 1)) : undefined}
            />
          ))}
        </ol>
      )}
      {canChange && (
        <Button onClick={() => put([...kept, { weekday: 5, from: 1320, to: 120, zone: BROWSER_ZONE, key: nextKey }])}>
          Add a window
        </Button>
      )}
    </div>
  )
}

type RowProps = {
  readonly name: string
  readonly window: MaintenanceWindow
  readonly change: (changed: Partial<MaintenanceWindow>) => void
  readonly remove: (() => void) | undefined
}

const WindowRow = ({ name, window, change, remove }: RowProps) => (
  <li className="py-3">
    <fieldset className="grid min-w-0 grid-cols-2 gap-3 sm:grid-cols-[9rem_8.5rem_8.5rem_minmax(0,1fr)_auto] sm:items-end">
      <legend className="sr-only">{name}</legend>
      <div className="max-sm:col-span-2">
        <ChoiceField
          label="Weekday"
          options={WEEKDAYS.map((label, day) => ({ value: String(day), label }))}
          value={String(window.weekday)}
          onChange={(day) => change({ weekday: Number(day) })}
        />
      </div>
      {(['from', 'to'] as const).map((end) => (
        <Field
          key={end}
          label={end === 'from' ? 'From' : 'To'}
          type="time"
          required
          defaultValue={clock(window[end])}
          onChange={({ target }) => {
            const minutes = minutesOf(target.value)
            if (minutes !== undefined) change({ [end]: minutes })
          }}
        />
      ))}
      <div className="max-sm:col-span-2">
        <ChoiceField
          label="Time zone"
          options={zonesWith(window.zone).map((value) => ({ value, label: value }))}
          value={window.zone}
          onChange={(zone) => change({ zone })}
        />
      </div>
      {remove !== undefined && (
        <Button look="quiet" className="justify-self-start sm:mb-1.5" aria-label={`Remove ${name}`} onClick={remove}>
          Remove
        </Button>
      )}
    </fieldset>
  </li>
)

/** What a field of a time of day holds, as minutes after midnight; undefined while it is being typed. */
function minutesOf(text: string): number | undefined {
  const found = /^(\d\d):(\d\d)/u.exec(text)
  return found === null ? undefined : Number(found[1]) * 60 + Number(found[2])
}
