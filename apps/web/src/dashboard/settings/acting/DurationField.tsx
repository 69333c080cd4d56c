import { useId, useState } from 'react'

import { Labeled, noteIdOf } from '../../../ui/Labeled.tsx'

type Props = {
  readonly label: string
  readonly note: string
  /** Seconds, as are its limits. */
  readonly defaultValue: number
  readonly min: number
  readonly max: number
  readonly onValue: (seconds: number) => void
}

const UNITS = { minutes: 60, hours: 3600, days: 86_400 } as const
type Unit = keyof typeof UNITS

/** A length of time, typed in minutes, hours or days. */
export function DurationField({ label, note, defaultValue, min, max, onValue }: Props) {
  const id = useId()
  const [unit, setUnit] = useState(() => unitOf(defaultValue))
  const [amount, setAmount] = useState(String(defaultValue / UNITS[unit]))
  const tell = (text: string, next: Unit): void => {
    const seconds = Math.round(Number(text) * UNITS[next])
    if (text !== '' && Number.isFinite(seconds)) onValue(seconds)
  }
  return (
    <Labeled id={id} label={label} note={note}>
      <div className="flex items-center gap-2">
        <input
          id={id}
          type="number"
          inputMode="decimal"
          required
          step="any"
          min={min / UNITS[unit]}
          max={max / UNITS[unit]}
          value={amount}
          aria-describedby={noteIdOf(id)}
          onChange={({ target }) => {
            setAmount(target.value)
            tell(target.value, unit)
          }}
          className="h-10 w-24 rounded-control border border-(--free) bg-surface px-3 font-mono text-16 hover:border-ink-quiet disabled:text-ink-soft sm:text-14"
        />
        <select
          aria-label={`${label}, unit`}
          value={unit}
          onChange={({ target }) => {
            const next = isUnit(target.value) ? target.value : unit
            setUnit(next)
            tell(amount, next)
          }}
          className="h-10 rounded-control border border-(--free) bg-surface px-2.5 text-16 hover:border-ink-quiet sm:text-14"
        >
          {Object.keys(UNITS).map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </div>
    </Labeled>
  )
}

const isUnit = (text: string): text is Unit => Object.hasOwn(UNITS, text)

/** The largest in which it is a whole number; a day alone reads better as 24 hours. */
function unitOf(seconds: number): Unit {
  if (seconds > UNITS.days && seconds % UNITS.days === 0) return 'days'
  return seconds > 0 && seconds % UNITS.hours === 0 ? 'hours' : 'minutes'
}
