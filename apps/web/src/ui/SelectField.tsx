import { useId } from 'react'

import { Labeled } from './Labeled.tsx'

type Props = {
  readonly label: string
  readonly name: string
  readonly defaultValue: string
  readonly choices: readonly { readonly value: string; readonly words: string }[]
}

/** One of a few, in a form. */
export function SelectField({ label, name, defaultValue, choices }: Props) {
  const id = useId()
  return (
    <Labeled id={id} label={label}>
      <select
        id={id}
        name={name}
        defaultValue={defaultValue}
        className="h-10 w-full rounded-control border border-(--free) bg-surface px-2.5 text-16 hover:border-ink-quiet sm:text-14"
      >
        {choices.map(({ value, words }) => (
          <option key={value} value={value} dir="auto">
            {words}
          </option>
        ))}
      </select>
    </Labeled>
  )
}
