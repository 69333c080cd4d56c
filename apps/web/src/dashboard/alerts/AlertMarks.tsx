import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'

import { tell } from '../../api.ts'
import { usePlace } from '../../session/place-context.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { formText } from '../../ui/form-text.ts'
import { SelectField } from '../../ui/SelectField.tsx'
import { SubmitButton } from '../../ui/SubmitButton.tsx'
import { Problem } from '../form/Problem.tsx'
import { useSending } from '../client/use-sending.ts'
import { useUrlState } from '../address/url-state.ts'
import { useAnswer } from '../client/use-answer.ts'
import type { Alert } from '../words/alert-kinds.ts'

const LENGTHS = [
  { value: '60', words: '1 hour' },
  { value: '480', words: '8 hours' },
  { value: '1440', words: '1 day' },
  { value: '10080', words: '7 days' },
] as const

type Mark = 'acknowledge' | 'silence'
type Props = { readonly alert: Alert; readonly isSilent: boolean }

/** What an operator can say about an alert: that they know, or that nobody need be told for a while. */
export function AlertMarks({ alert, isSilent }: Props) {
  const { demo } = usePlace()
  const role = useAnswer('sessionMe', {}).data?.role
  const [form, setForm] = useState<Mark>()
  const [closed, setClosed] = useState<Mark>()
  const { run, busy, problem } = useMarking()
  const close = (): void => {
    setForm(undefined)
    setClosed(form)
  }
  if (demo || role === undefined || role === 'viewer') return null
  if (form !== undefined) return <MarkForm alert={alert} what={form} close={close} />
  const isKnown = alert.acknowledgement !== null
  const takeBack = () =>
    run((cluster) => tell('alertsAcknowledge', { ...cluster, id: alert.id, reason: 'no longer needed', on: false }))
  const endSilence = () =>
    run((cluster) => tell('alertsSilence', { ...cluster, id: alert.id, reason: 'ended', minutes: 0 }))
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Button
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- focus goes back to what had opened the form
        autoFocus={closed === 'acknowledge'}
        disabled={busy}
        aria-label={`${isKnown ? 'Unacknowledge' : 'Acknowledge'} ${alert.title}`}
        onClick={() => (isKnown ? void takeBack() : setForm('acknowledge'))}
      >
        {isKnown ? 'Unacknowledge' : 'Acknowledge'}
      </Button>
      <Button
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- focus goes back to what had opened the form
        autoFocus={closed === 'silence'}
        disabled={busy}
        aria-label={`${isSilent ? 'End the silence of' : 'Silence'} ${alert.title}`}
        onClick={() => (isSilent ? void endSilence() : setForm('silence'))}
      >
        {isSilent ? 'End silence' : 'Silence'}
      </Button>
      <Problem words={problem} />
    </span>
  )
}

type FormProps = { readonly alert: Alert; readonly what: Mark; readonly close: () => void }

function MarkForm({ alert, what, close }: FormProps) {
  const { run, busy, problem } = useMarking()
  const send = async (data: FormData): Promise<void> => {
    const reason = formText(data, 'reason').trim()
    const minutes = Number(formText(data, 'minutes'))
    const isDone = await run((cluster) =>
      what === 'acknowledge'
        ? tell('alertsAcknowledge', { ...cluster, id: alert.id, reason })
        : tell('alertsSilence', { ...cluster, id: alert.id, reason, minutes }),
    )
    if (isDone) close()
  }
  return (
    <Form
      className="enters grid w-full max-w-xl gap-3 rounded-control bg-sunken p-3"
      aria-label={`${what === 'silence' ? 'Silence' : 'Acknowledge'} ${alert.title}`}
      send={(data) => void send(data)}
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      <Field
        label="Reason"
        name="reason"
        required
        minLength={3}
        maxLength={300}
        autoComplete="off"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the field was asked for by the button that it replaces
        autoFocus
        note={
          what === 'silence'
            ? 'No notifications until then, even if it clears and fires again.'
            : 'No further notifications while it lasts.'
        }
      />
      {what === 'silence' && <SelectField label="For" name="minutes" defaultValue="480" choices={LENGTHS} />}
      <Problem words={problem} />
      <div className="flex gap-2">
        <SubmitButton busy={busy}>{what === 'silence' ? 'Silence' : 'Acknowledge'}</SubmitButton>
        <Button className="h-10" onClick={close}>
          Cancel
        </Button>
      </div>
    </Form>
  )
}

/** Sends a mark for the cluster that is looked at, and asks for the alerts anew. Resolves with whether it went well. */
function useMarking() {
  const { cluster } = useUrlState()
  const queries = useQueryClient()
  const { run, busy, problem } = useSending()
  const mark = async (send: (cluster: { readonly cluster?: string }) => Promise<unknown>): Promise<boolean> => {
    let isDone = false
    await run(async () => {
      await send(cluster === undefined ? {} : { cluster })
      await queries.invalidateQueries({ queryKey: ['alertsList'] })
      isDone = true
      return undefined
    })
    return isDone
  }
  return { run: mark, busy, problem }
}
