import { useState } from 'react'

import { tell, type Answer } from '../../../api.ts'
import { Button } from '../../../ui/Button.tsx'
import { Form } from '../../../ui/Form.tsx'
import { SubmitButton } from '../../../ui/SubmitButton.tsx'
import { useSending } from '../../client/use-sending.ts'
import { Problem } from '../../form/Problem.tsx'
import { metricsDraftOf, metricsOf } from './connection-draft.ts'
import { MetricsFields } from './MetricsFields.tsx'

type Connection = Answer<'connectionsList'>['connections'][number]
type Props = { readonly connection: Connection; readonly changed: () => void }

/** Where the metrics of a cluster are, to be changed without adding it again. */
export function MetricsPart({ connection, changed }: Props) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen) return <MetricsForm connection={connection} changed={changed} close={() => setOpen(false)} />
  return (
    <div>
      <Button onClick={() => setOpen(true)}>Change metrics source</Button>
    </div>
  )
}

function MetricsForm({ connection, changed, close }: Props & { readonly close: () => void }) {
  const { busy, problem, run } = useSending()
  const [draft, setDraft] = useState(() => metricsDraftOf(connection))
  const send = (): Promise<void> =>
    run(async () => {
      await tell('connectionsMetrics', { id: connection.id, ...metricsOf(draft) })
      changed()
      close()
      return { done: `Saved. ${connection.name} is reconnecting.` }
    })
  return (
    <Form className="grid gap-4" send={() => void send()}>
      <MetricsFields
        draft={draft}
        change={(part) => setDraft({ ...draft, ...part })}
        kept={connection.prometheusSecrets}
      />
      <Problem words={problem} />
      <div className="flex flex-wrap gap-3">
        <SubmitButton busy={busy}>Save</SubmitButton>
        <Button onClick={close}>Cancel</Button>
      </div>
    </Form>
  )
}
