import { useId, type InputHTMLAttributes, type ReactNode, type Ref } from 'react'

import { describedBy, Labeled } from './Labeled.tsx'

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
  /** A name that programs read: nothing completes, capitalizes or corrects it. */
  readonly verbatim?: boolean
  readonly ref?: Ref<HTMLInputElement>
}

const VERBATIM = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const

/** One labeled line to type into, 40 pixels high; 16 pixel type on phones, where smaller type makes them zoom. */
export function Field({ label, note, problem, aside, tool, verbatim, className = '', ...input }: Props) {
  const id = useId()
  return (
    <Labeled id={id} label={label} note={note} problem={problem} aside={aside}>
      <div className="relative">
        <input
          {...(verbatim === true && VERBATIM)}
          {...input}
          id={id}
          aria-invalid={problem === undefined ? undefined : true}
          aria-describedby={describedBy(id, { note, problem })}
          className={`h-10 w-full rounded-control border border-(--free) bg-surface px-3 text-16 transition-colors placeholder:text-ink-quiet hover:border-ink-quiet disabled:text-ink-quiet aria-invalid:border-fault sm:text-14 ${tool === undefined ? '' : 'pr-16'} ${className}`}
        />
        {tool !== undefined && <span className="absolute inset-y-0 right-1 flex items-center">{tool}</span>}
      </div>
    </Labeled>
  )
}
