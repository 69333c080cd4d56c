import { useId, type ReactNode } from 'react'

import { Labeled, noteIdOf } from './Labeled.tsx'

type Props = {
  readonly label: string
  readonly value: string
  readonly change: (text: string) => void
  readonly rows: number
  readonly placeholder: string
  readonly note: ReactNode
  /** Beside the label, at the right. */
  readonly aside?: ReactNode
}

/** Several lines that programs read, to be pasted: nothing completes, capitalizes or corrects them. */
export function LongField({ label, value, change, rows, placeholder, note, aside }: Props) {
  const id = useId()
  return (
    <Labeled id={id} label={label} note={note} aside={aside}>
      <textarea
        id={id}
        value={value}
        onChange={({ target }) => change(target.value)}
        rows={rows}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="none"
        aria-describedby={noteIdOf(id)}
        placeholder={placeholder}
        className="w-full resize-y rounded-control border border-(--free) bg-surface px-3 py-2 font-mono text-16 hover:border-ink-quiet sm:text-12"
      />
    </Labeled>
  )
}
