import type { ReactNode } from 'react'

type Props = {
  readonly id: string
  readonly label: string
  /** What helps before typing; its id is `noteIdOf` the field's. */
  readonly note?: ReactNode
  /** What is wrong with what was typed; read out with the field. */
  readonly problem?: string | undefined
  /** Beside the label, at the right. */
  readonly aside?: ReactNode
  /** What stands around it says what it is: the label is only heard. */
  readonly isBare?: boolean | undefined
  readonly children: ReactNode
}

/** A field below its label, with what helps below both. */
export const Labeled = ({ id, label, note, problem, aside, isBare = false, children }: Props) => (
  <div className="grid content-start gap-1.5">
    <div className={isBare ? 'sr-only' : 'flex items-baseline justify-between gap-4'}>
      <label htmlFor={id} className="text-13 font-medium">
        {label}
      </label>
      {aside}
    </div>
    {children}
    {problem !== undefined && (
      <p id={problemIdOf(id)} className="text-12 text-fault-ink">
        {problem}
      </p>
    )}
    {note !== undefined && (
      <p id={noteIdOf(id)} className="text-12 text-ink-soft">
        {note}
      </p>
    )}
  </div>
)

/** What a field of that id is described by. */
export const describedBy = (id: string, { note, problem }: Pick<Props, 'note' | 'problem'>): string | undefined =>
  [problem && problemIdOf(id), note && noteIdOf(id)].filter(Boolean).join(' ') || undefined

const problemIdOf = (id: string): string => `${id}-problem`
export const noteIdOf = (id: string): string => `${id}-note`
