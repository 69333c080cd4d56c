import { useState } from 'react'

import { tell, type Answer } from '../../../api.ts'
import { Button } from '../../../ui/Button.tsx'
import type { Sent } from '../../client/use-sending.ts'
import { SendForm } from '../../form/SendForm.tsx'
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
  const [draft, setDraft] = useState(() => metricsDraftOf(connection))
  const send = async (): Promise<Sent> => {
    await tell('connectionsMetrics', { id: connection.id, ...metricsOf(draft) })
    changed()
    close()
    return { done: `Saved. ${connection.name} is reconnecting.` }
  }
  return (
    <SendForm className="" send={send} submit="Save" cancel={close}>
      <MetricsFields draft={draft} change={setDraft} kept={connection.prometheusSecrets} />
    </SendForm>
  )
}
