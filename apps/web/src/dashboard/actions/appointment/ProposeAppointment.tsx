import { useNavigate } from 'react-router'

import { tell } from '../../../api.ts'
import { Button } from '../../../ui/Button.tsx'
import { useMay } from '../../acting/use-may.ts'
import { useActionsAnew, useOpenActions } from '../../acting/use-open-actions.ts'
import { useSending } from '../../client/use-sending.ts'
import { Problem } from '../../form/Problem.tsx'
import type { AppointmentAsk } from './appointment-ask.ts'

/** Puts the appointment up for approval, or says why it comes as files alone. */
export function ProposeAppointment({ ask }: { readonly ask: AppointmentAsk }) {
  const may = useMay()
  const list = useOpenActions(ask.cluster).data
  const { busy, problem, run } = useSending()
  const anew = useActionsAnew()
  const navigate = useNavigate()
  if (may.see !== true || list === undefined) return undefined
  const because = list.acting.state === 'ready' ? may.whyNot : list.acting.because
  if (because !== undefined) return <p className="text-12 text-ink-soft">{because}</p>
  const propose = (): Promise<void> =>
    run(async () => {
      const cluster = list.source.id
      const { id } = await tell('appointmentsPropose', { ...ask, cluster })
      await anew()
      await navigate(`/actions?cluster=${encodeURIComponent(cluster)}&action=${encodeURIComponent(id)}`)
      return undefined
    })
  return (
    <div className="grid gap-2.5">
      <Problem words={problem} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button look="strong" className="h-10 px-4" aria-disabled={busy} onClick={() => void propose()}>
          {busy ? 'Proposing…' : 'Propose it'}
        </Button>
        <p className="min-w-0 flex-1 basis-44 text-12 text-ink-soft">
          After approval, Septet cordons the nodes, evicts pods, checks that the GPUs are free, and uncordons the nodes
          on schedule. Nothing changes yet.
        </p>
      </div>
    </div>
  )
}
