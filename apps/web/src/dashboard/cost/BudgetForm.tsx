import { useState } from 'react'

import { tell } from '../../api.ts'
import { Field } from '../../ui/Field.tsx'
import { formText } from '../../ui/form-text.ts'
import { ChoiceField } from '../form/ChoiceField.tsx'
import { SendForm } from '../form/SendForm.tsx'
import type { Sent } from '../client/use-sending.ts'

const SCOPES = [
  { value: 'cluster', label: 'The whole cluster' },
  { value: 'namespace', label: 'One namespace' },
  { value: 'tenant', label: 'One tenant' },
] as const

type Props = { readonly cluster: string; readonly zone: string; readonly changed: () => void }

/** Sets what a month of a cluster, namespace or tenant may cost. */
export function BudgetForm({ cluster, zone, changed }: Props) {
  const [scope, setScope] = useState<(typeof SCOPES)[number]['value']>('cluster')
  const put = async (data: FormData, form: HTMLFormElement): Promise<Sent> => {
    const thresholds = formText(data, 'thresholds')
      .split(',')
      .map((text) => Number(text.replace('%', '').trim()))
    if (thresholds.some((percent) => !(percent > 0))) {
      return { problem: 'Enter thresholds as percentages, separated by commas, such as 80, 100.' }
    }
    const id = formText(data, 'id').trim()
    const name = formText(data, 'name').trim()
    const usdPerMonth = Number(formText(data, 'usd'))
    await tell('budgetsPut', { id, cluster, scope, usdPerMonth, thresholds, zone, ...(name === '' ? {} : { name }) })
    changed()
    form.reset()
    return { done: `Budget ${id} saved.` }
  }
  return (
    <SendForm send={put} submit="Save budget">
      <Field
        label="Name"
        name="id"
        required
        pattern="[a-z0-9][a-z0-9._\-]{0,62}"
        autoComplete="off"
        note="Lowercase letters, digits and dashes. Saving an existing name replaces it."
      />
      <ChoiceField
        label="Scope"
        value={scope}
        options={SCOPES}
        onChange={(next) => setScope(SCOPES.find(({ value }) => value === next)?.value ?? 'cluster')}
      />
      {scope !== 'cluster' && (
        <Field label={scope === 'tenant' ? 'Tenant' : 'Namespace'} name="name" required autoComplete="off" />
      )}
      <Field label="USD per month" name="usd" type="number" min="0.01" step="0.01" required inputMode="decimal" />
      <Field
        label="Notify at, percent"
        name="thresholds"
        defaultValue="80, 100"
        required
        note={`Months start in ${zone}.`}
      />
    </SendForm>
  )
}
