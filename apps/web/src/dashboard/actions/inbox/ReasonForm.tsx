import { plural } from '@septet/domain/words'
import { useRef, useState } from 'react'

import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Form } from '../../../ui/Form.tsx'
import { formText } from '../../../ui/form-text.ts'
import { SubmitButton } from '../../../ui/SubmitButton.tsx'
import type { ActionDetail } from '../../acting/action-words.ts'
import { undoWords } from './undo-words.ts'
import type { Decide } from './use-decide.ts'

type Props = {
  readonly what: 'reject' | 'undo'
  readonly detail: ActionDetail
  readonly decide: Decide
  /** Goes back to what can be decided. */
  readonly close: (isDone: boolean) => void
}

/** Says no, or back, with the reason that everybody will read. */
export function ReasonForm({ what, detail, decide, close }: Props) {
  const { button, note, stops } = wordsOf(what, detail)
  const field = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<string>()
  const send = (reason: string): void => {
    // The browser's own bubble would cover what the undo does.
    setProblem(reason.length < SHORTEST ? `Give a reason of at least ${SHORTEST} characters.` : undefined)
    if (reason.length < SHORTEST) field.current?.focus()
    else if (what === 'undo') decide.undo(reason, close)
    else decide.reject(reason, close)
  }
  return (
    <Form
      aria-label={button}
      noValidate
      className="enters grid gap-2.5"
      send={(data) => send(formText(data, 'reason').trim())}
    >
      {stops !== undefined && <p className="max-h-40 overflow-y-auto text-13 wrap-anywhere">{stops}</p>}
      <Field
        label="Why"
        name="reason"
        onChange={() => setProblem(undefined)}
        required
        ref={field}
        problem={problem}
        maxLength={300}
        autoComplete="off"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the field was asked for by the button that it replaces
        autoFocus
        note={note}
      />
      <div className="flex flex-wrap gap-2">
        <SubmitButton busy={decide.busy}>{button}</SubmitButton>
        <Button className="h-10 px-4" onClick={() => close(false)}>
          Not now
        </Button>
      </div>
    </Form>
  )
}

/** As the server has it. */
const SHORTEST = 3

function wordsOf(
  what: Props['what'],
  detail: ActionDetail,
): { readonly button: string; readonly note: string; readonly stops?: string } {
  const { action, steps } = detail
  if (what === 'reject') {
    return action.state === 'proposed'
      ? { button: 'Reject', note: 'Shown with the action. Nothing has changed, and nothing will.' }
      : { button: 'Cancel action', note: 'Nothing has changed yet, and nothing will.' }
  }
  const done = steps.filter(({ state }) => state === 'done' || state === 'doing').length
  return {
    ...undoWords(detail),
    note: `Reverts ${plural(done, 'step')}, last one first, within disruption budgets. Each step lists its rollback.`,
  }
}
