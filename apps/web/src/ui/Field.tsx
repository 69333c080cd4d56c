import { useId, type InputHTMLAttributes, type ReactNode, type Ref } from 'react'

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'id'> & {
  readonly label: string
  /** What helps before typing. */
  readonly note?: ReactNode
  /** What is wrong with what was typed; read out with the field. */
  readonly problem?: string | undefined
  /** Beside the label, at the right. */
  readonly aside?: ReactNode
  /** Inside the field, at its right end. */
  readonly tool?: ReactNode
  readonly ref?: Ref<HTMLInputElement>
}

/** One labeled line to type into, 40 pixels high; 16 pixel type on phones, where smaller type makes them zoom. */
export function Field({ label, note, problem, aside, tool, className = '', ...input }: Props) {
  const id = useId()
  const noteId = note === undefined ? undefined : `${id}-note`
  const problemId = problem === undefined ? undefined : `${id}-problem`
  const described = [problemId, noteId].filter((part) => part !== undefined).join(' ')
  return (
    <div className="grid content-start gap-1.5">
      <div className="flex items-baseline justify-between gap-4">
        <label htmlFor={id} className="text-13 font-medium">
          {label}
        </label>
        {aside}
      </div>
      <div className="relative">
        <input
          {...input}
          id={id}
          aria-invalid={problem === undefined ? undefined : true}
          {...(described === '' ? {} : { 'aria-describedby': described })}
          className={`h-10 w-full rounded-control border border-(--free) bg-surface px-3 text-16 transition-colors placeholder:text-ink-quiet hover:border-ink-quiet disabled:text-ink-quiet aria-invalid:border-fault sm:text-14 ${tool === undefined ? '' : 'pr-16'} ${className}`}
        />
        {tool !== undefined && <span className="absolute inset-y-0 right-1 flex items-center">{tool}</span>}
      </div>
      {problem !== undefined && (
        <p id={problemId} className="text-12 text-fault-ink">
          {problem}
        </p>
      )}
      {note !== undefined && (
        <p id={noteId} className="text-12 text-ink-soft">
          {note}
        </p>
      )}
    </div>
  )
}
