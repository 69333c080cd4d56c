import { plural } from '@septet/domain/words'
import type { ReactNode } from 'react'

import { GpusBeforeAfter } from '../ui/GpusBeforeAfter.tsx'
import type { PlanAnswer } from './card-answer.ts'

/** The exact change, who is affected, and the way back: what a person looks at before they say yes. */
export function PlanCard({ answer }: { readonly answer: PlanAnswer }) {
  const { because, steps, displaced, bound, refused, wayBack, lost, gpus } = answer
  return (
    <>
      <Brief answer={answer} />
      {because !== null && <p className="text-13 wrap-anywhere">{because}</p>}
      {gpus.length > 0 && <GpusBeforeAfter gpus={gpus} />}
      <Part title="Steps" lines={steps.map((step) => step.replace(/^\d+\. /u, ''))} isOrdered />
      <Part title="Pods that stop" lines={displaced} isMono />
      <Part title="Refused by a guardrail" lines={refused} look="rounded-control bg-idle-soft px-2.5 py-1.5" />
      <Part title="Rollback" lines={wayBack} isOrdered {...(steps.length > 0 ? { none: 'Nothing to undo.' } : {})} />
      <Part title="Cannot be undone" lines={lost} />
      {bound !== null && <p className="text-12 text-ink-quiet wrap-anywhere">{bound}</p>}
    </>
  )
}

const Brief = ({ answer: { steps, displaced, takes } }: { readonly answer: PlanAnswer }) => (
  <p className="flex flex-wrap gap-x-4 gap-y-1 text-12 text-ink-soft">
    <span>{plural(steps.length, 'step')}</span>
    <span className={displaced.length === 0 ? '' : 'font-medium text-idle-ink'}>
      {displaced.length === 0 ? 'stops no pods' : `stops ${plural(displaced.length, 'pod')}`}
    </span>
    {takes !== null && <span>takes {takes}</span>}
  </p>
)

type PartProps = LinesProps & {
  readonly title: string
  /** What to say where there is none; without it the part is left out then. */
  readonly none?: string
}

function Part({ title, none, ...lines }: PartProps) {
  if (lines.lines.length === 0 && none === undefined) return undefined
  return (
    <section aria-label={title} className="grid gap-1.5">
      <h2 className="text-13 font-medium">{title}</h2>
      {lines.lines.length === 0 ? <p className="text-12 text-ink-soft">{none}</p> : <Lines {...lines} />}
    </section>
  )
}

type LinesProps = {
  readonly lines: readonly string[]
  readonly isOrdered?: boolean
  readonly isMono?: boolean
  readonly look?: string
}

const SHOWN = 8

/** The first lines; the rest on request, so that a long plan does not fill the chat. */
function Lines({ lines, isOrdered = false, isMono = false, look = '' }: LinesProps) {
  const rest = lines.slice(SHOWN)
  const list = (shown: readonly string[], from: number): ReactNode => (
    <ol
      start={from}
      className={`grid gap-1 text-12 ${isOrdered ? 'list-decimal pl-5' : ''} ${isMono ? 'font-mono' : ''}`}
    >
      {shown.map((line, index) => (
        // The same sentence can stand twice, and the order is what counts.
        // oxlint-disable-next-line react/no-array-index-key -- the list is replaced as a whole
        <li key={index} className={`wrap-anywhere ${look}`}>
          {line}
        </li>
      ))}
    </ol>
  )
  return (
    <>
      {list(lines.slice(0, SHOWN), 1)}
      {rest.length > 0 && (
        <details className="text-12">
          <summary className="min-h-6 text-ink-soft">{rest.length} more</summary>
          {list(rest, SHOWN + 1)}
        </details>
      )}
    </>
  )
}
