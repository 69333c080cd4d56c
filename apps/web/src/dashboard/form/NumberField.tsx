import { useId, type ReactNode } from 'react'

import { Labeled, noteIdOf } from '../../ui/Labeled.tsx'

type Props = {
  readonly label: string
  readonly name: string
  readonly unit: string
  readonly defaultValue: number
  readonly min: number
  readonly max: number
  readonly step?: number
  readonly note?: ReactNode
  readonly onValue?: (value: number) => void
}

/** A number with its unit; the browser holds it within its limits. */
export function NumberField({ label, name, unit, note, onValue, step = 1, ...input }: Props) {
  const id = useId()
  return (
    <Labeled id={id} label={label} note={note}>
      <div className="flex items-center gap-2">
        <input
          {...input}
          id={id}
          name={name}
          type="number"
          inputMode="decimal"
          required
          step={step}
          aria-describedby={`${id}-unit${note === undefined ? '' : ` ${noteIdOf(id)}`}`}
          onChange={(event) => onValue?.(event.target.valueAsNumber)}
          className="h-10 w-28 rounded-control border border-(--free) bg-surface px-3 font-mono text-16 hover:border-ink-quiet disabled:text-ink-soft sm:text-14"
        />
        <span id={`${id}-unit`} className="text-13 text-ink-soft">
          {unit}
        </span>
      </div>
    </Labeled>
  )
}
