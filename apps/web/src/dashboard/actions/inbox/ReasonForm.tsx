import { plural } from '@septet/domain/words'

import { Button } from '../../../ui/Button.tsx'
import { SubmitButton } from '../../../ui/SubmitButton.tsx'
import type { ActionDetail } from '../../acting/action-words.ts'
import { ReasonedForm } from '../../form/ReasonedForm.tsx'
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
  const send = what === 'undo' ? decide.undo : decide.reject
  return (
    <div className="enters grid gap-2.5">
      {stops !== undefined && <p className="max-h-40 overflow-y-auto text-13 wrap-anywhere">{stops}</p>}
      <ReasonedForm
        name={button}
        label="Why"
        note={note}
        takesFocus
        className="grid gap-2.5"
        send={(reason) => send(reason, close)}
      >
        <div className="flex flex-wrap gap-2">
          <SubmitButton busy={decide.busy}>{button}</SubmitButton>
          <Button className="h-10 px-4" onClick={() => close(false)}>
            Not now
          </Button>
        </div>
      </ReasonedForm>
    </div>
  )
}

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
