import { Fragment, useId, useState, type ReactNode } from 'react'

import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { type Sent, useSending } from '../client/use-sending.ts'
import { ProblemBox } from './Problem.tsx'

type Props = {
  readonly title: string
  /** What has to be typed, and what that is called. */
  readonly name: string
  readonly called: string
  /** The button, also while it is sent. */
  readonly verb: readonly [string, string]
  /** What becomes of what, by a word or two. */
  readonly facts: readonly (readonly [string, ReactNode])[]
  readonly send: (confirm: string) => Promise<Sent>
  readonly cancel: () => void
  readonly children?: ReactNode
}

/** Says what goes and what stays of something, and sends what cannot be undone once its name was typed. */
export function TypedConfirm({ title, name, called, verb, facts, send, cancel, children }: Props) {
  const [typed, setTyped] = useState('')
  const { busy, problem, run } = useSending()
  const noteId = useId()
  const isMeant = typed.trim() === name
  const [does, doing] = verb
  return (
    <section aria-label={title} className="grid gap-3 border-t border-line pt-4 text-13">
      <h3 className="font-semibold">{title}</h3>
      <dl className="grid gap-x-4 gap-y-1.5 sm:grid-cols-[6.5rem_1fr]">
        {facts.map(([word, fact]) => (
          <Fragment key={word}>
            <dt className="text-ink-soft">{word}</dt>
            <dd>{fact}</dd>
          </Fragment>
        ))}
      </dl>
      {children}
      <Field
        label={`Type ${name} to confirm`}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        verbatim
      />
      <ProblemBox words={problem} />
      <div className="flex flex-wrap items-center gap-2">
        <Button
          look={isMeant ? 'strong' : 'outline'}
          aria-disabled={!isMeant || busy}
          aria-describedby={isMeant ? undefined : noteId}
          className={isMeant ? 'bg-fault-ink' : ''}
          onClick={() => {
            if (isMeant) void run(() => send(typed.trim()))
          }}
        >
          {busy ? doing : does}
        </Button>
        <Button onClick={cancel}>Cancel</Button>
        {!isMeant && (
          <span id={noteId} className="text-12 text-ink-soft">
            Type the {called} to confirm.
          </span>
        )}
      </div>
    </section>
  )
}
