import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { LIMITS } from 'virtual:limits/alertsSilence'

import { tell } from '../../api.ts'
import { usePlace } from '../../session/place-context.ts'
import { Button } from '../../ui/Button.tsx'
import { ProblemBox } from '../form/Problem.tsx'
import type { FieldOf } from '../form/SchemaFields.tsx'
import { SchemaForm } from '../form/SchemaForm.tsx'
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
  const mark = useMark()
  const { run, busy, problem } = useSending()
  const close = (): void => {
    setForm(undefined)
    setClosed(form)
  }
  if (demo || role === undefined || role === 'viewer') return null
  if (form !== undefined) return <MarkForm alert={alert} what={form} close={close} />
  const isKnown = alert.acknowledgement !== null
  const takeBack = () =>
    run(() =>
      mark((cluster) => tell('alertsAcknowledge', { ...cluster, id: alert.id, reason: 'no longer needed', on: false })),
    )
  const endSilence = () =>
    run(() => mark((cluster) => tell('alertsSilence', { ...cluster, id: alert.id, reason: 'ended', minutes: 0 })))
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
        aria-label={`${isSilent ? 'End silence of' : 'Silence'} ${alert.title}`}
        onClick={() => (isSilent ? void endSilence() : setForm('silence'))}
      >
        {isSilent ? 'End silence' : 'Silence'}
      </Button>
      <ProblemBox words={problem} />
    </span>
  )
}

type MarkOrder = { readonly reason: string; readonly minutes: string }
type FormProps = { readonly alert: Alert; readonly what: Mark; readonly close: () => void }

const fieldsOf = (what: Mark): readonly FieldOf<MarkOrder>[] => [
  {
    at: 'reason',
    label: 'Reason',
    wide: true,
    note:
      what === 'silence'
        ? 'No notifications until then, even if it clears and fires again.'
        : 'No further notifications while it lasts.',
    // The field was asked for by the button that it replaces.
    input: { autoFocus: true },
  },
  ...(what === 'silence' ? [{ at: 'minutes', label: 'For', choices: LENGTHS, wide: true } as const] : []),
]

function MarkForm({ alert, what, close }: FormProps) {
  const mark = useMark()
  const verb = what === 'silence' ? 'Silence' : 'Acknowledge'
  return (
    <SchemaForm
      className="enters w-full rounded-control bg-sunken p-3"
      aria-label={`${verb} ${alert.title}`}
      limits={LIMITS}
      value={{ reason: '', minutes: '480' }}
      fields={fieldsOf(what)}
      submit={verb}
      cancel={close}
      onKeyDown={({ key }) => key === 'Escape' && close()}
      send={async ({ reason, minutes }: MarkOrder) => {
        await mark((cluster) =>
          what === 'acknowledge'
            ? tell('alertsAcknowledge', { ...cluster, id: alert.id, reason })
            : tell('alertsSilence', { ...cluster, id: alert.id, reason, minutes: Number(minutes) }),
        )
        close()
        return undefined
      }}
    />
  )
}

/** Sends a mark for the cluster that is looked at, and asks for the alerts again. */
function useMark() {
  const { cluster } = useUrlState()
  const queries = useQueryClient()
  return async (send: (cluster: { readonly cluster?: string }) => Promise<unknown>): Promise<undefined> => {
    await send(cluster === undefined ? {} : { cluster })
    await queries.invalidateQueries({ queryKey: ['alertsList'] })
    return undefined
  }
}
