import { useId } from 'react'

type Props = {
  readonly label: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly value: string
  readonly onChange: (value: string) => void
  /** The label stands before the field on one line. */
  readonly inline?: boolean
}

/** One of many, which holds at once. */
export function ChoiceField({ label, options, value, onChange, inline = false }: Props) {
  const id = useId()
  return (
    <div className={inline ? 'flex min-w-0 items-center gap-2 max-sm:w-full' : 'grid content-start gap-1.5'}>
      <label
        htmlFor={id}
        className={inline ? 'text-13 text-ink-soft max-sm:w-20 max-sm:shrink-0' : 'text-13 font-medium'}
      >
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={`max-w-full min-w-0 rounded-control border bg-surface text-16 ${inline ? 'min-h-8 border-line px-2 hover:border-line-strong max-sm:flex-1 sm:max-w-64 sm:text-13' : 'h-10 w-full border-(--free) px-2.5 hover:border-ink-quiet sm:text-14'}`}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} dir="auto">
            {option.label}
          </option>
        ))}
      </select>
    </div>
  )
}
