import { plural } from '@septet/domain/words'
import { useState, type ReactNode } from 'react'

import { Button } from '../../ui/Button.tsx'
import { Form } from '../../ui/Form.tsx'
import { SubmitButton } from '../../ui/SubmitButton.tsx'
import { dayTime } from '../../ui/time-words.ts'
import { useAnswer } from '../client/use-answer.ts'
import { useSending, type Sent } from '../client/use-sending.ts'
import { ProblemBox } from '../form/Problem.tsx'
import { showWrong } from '../form/show-wrong.ts'
import { mayAs } from '../words/role-words.ts'
import type { Change } from '../form/changes.ts'

type View = { readonly changedAt: string | null; readonly changedBy: string | null }
/** What is in force with what was typed and not saved yet. */
export type KeptDraft<T> = {
  readonly value: T
  readonly change: (edit: (before: T) => T) => void
  readonly canChange: boolean
}

type Props<T> = {
  readonly view: View
  readonly inForce: T
  readonly defaults: T
  /** What one differs from the other in. */
  readonly changesOf: (before: T, after: T) => readonly Change[]
  readonly put: (draft: T, count: number) => Promise<Sent>
  readonly submit: string
  /** Where nothing was changed yet. */
  readonly unchanged: string
  /** What becomes of a change, said always. */
  readonly about?: string
  /** From when on the changes below would apply. */
  readonly applies?: string
  /** What stands over the fields, and the fields themselves. */
  readonly renderFirst?: (draft: KeptDraft<T>) => ReactNode
  readonly children: (draft: KeptDraft<T>) => ReactNode
}

/** Settings that are saved together: what was changed and not saved yet, the button that saves it, and the defaults. */
export function KeptForm<T extends object>({
  view,
  inForce,
  defaults,
  changesOf,
  put,
  renderFirst,
  ...props
}: Props<T>) {
  const { busy, problem, run } = useSending()
  const canChange = mayAs(useAnswer('sessionMe', {}).data?.role, 'admin')
  const [value, setValue] = useState(inForce)
  const [version, setVersion] = useState(0)
  const changes = changesOf(inForce, value)
  const fill = (from: T): void => {
    setValue(from)
    setVersion(version + 1)
  }
  const save = async (): Promise<Sent> =>
    changes.length === 0 ? { problem: 'No changes to save.' } : put(value, changes.length)
  const draft = { value, change: setValue, canChange }
  return (
    <Form className="grid grid-cols-1 gap-4" send={() => void run(save)} onInvalidCapture={showWrong}>
      <p className="max-w-3xl text-13 text-ink-soft">
        {sinceWords(view, props.unchanged)} {props.about}
      </p>
      {renderFirst?.(draft)}
      {/* Fields keep what was typed into them; filled in from elsewhere, they start over. */}
      <fieldset key={version} disabled={!canChange} className="grid min-w-0 grid-cols-1 gap-2">
        {props.children(draft)}
      </fieldset>
      {canChange ? (
        <>
          <ChangeList changes={changes} applies={props.applies} />
          <ProblemBox words={problem} />
          <div className="flex flex-wrap items-center gap-3">
            <SubmitButton busy={busy}>{props.submit}</SubmitButton>
            {changes.length > 0 && <Button onClick={() => fill(inForce)}>Discard changes</Button>}
            <Button onClick={() => fill(defaults)}>Reset to defaults</Button>
          </div>
        </>
      ) : (
        <p className="text-13 text-ink-soft">Only admins can change this.</p>
      )}
    </Form>
  )
}

const sinceWords = ({ changedAt, changedBy }: View, unchanged: string): string =>
  changedAt === null ? unchanged : `Changed ${dayTime(changedAt)} by ${changedBy ?? 'an unknown account'}.`

const ChangeList = ({
  changes,
  applies,
}: {
  readonly changes: readonly Change[]
  readonly applies: string | undefined
}) => (
  <output className="block text-13">
    {changes.length > 0 && (
      <div className="grid gap-1.5 rounded-control bg-sunken px-3 py-2.5">
        <p className="font-medium">{plural(changes.length, 'change')}, not saved yet</p>
        <ul className="grid gap-1" aria-label="Changes">
          {changes.map(({ name, before, after }) => (
            <li key={name} className="wrap-anywhere">
              {name}: <span className="text-ink-soft">{before}</span> <span aria-hidden>→</span>
              <span className="sr-only">becomes</span> {after}
            </li>
          ))}
        </ul>
        {applies !== undefined && <p className="text-ink-soft">{applies}</p>}
      </div>
    )}
  </output>
)
