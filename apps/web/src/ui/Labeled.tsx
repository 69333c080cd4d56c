import type { ReactNode } from 'react'

type Props = {
  readonly id: string
  readonly label: string
  /** What helps before typing; its id is `noteIdOf` the field's. */
  readonly note?: ReactNode
  /** Beside the label, at the right. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}

/** A field below its label, with what helps below both. */
export const Labeled = ({ id, label, note, aside, children }: Props) => (
  <div className="grid content-start gap-1.5">
    <div className="flex items-baseline justify-between gap-4">
      <label htmlFor={id} className="text-13 font-medium">
        {label}
      </label>
      {aside}
    </div>
    {children}
    {note !== undefined && (
      <p id={noteIdOf(id)} className="text-12 text-ink-soft">
        {note}
      </p>
    )}
  </div>
)

export const noteIdOf = (id: string): string => `${id}-note`
