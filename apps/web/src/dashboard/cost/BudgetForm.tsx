import { useRef, useState } from 'react'

import { tell } from '../../api.ts'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { formText } from '../../ui/form-text.ts'
import { SubmitButton } from '../../ui/SubmitButton.tsx'
import { ChoiceField } from '../ChoiceField.tsx'
import { Problem } from '../settings/Problem.tsx'
import { useSending } from '../settings/use-sending.ts'

const SCOPES = [
  { value: 'cluster', label: 'The whole cluster' },
  { value: 'namespace', label: 'One namespace' },
  { value: 'tenant', label: 'One tenant' },
] as const

type Props = { readonly cluster: string; readonly zone: string; readonly changed: () => void }

/** Sets what a month of a cluster, namespace or tenant may cost. */
export function BudgetForm({ cluster, zone, changed }: Props) {
  const { busy, problem, run } = useSending()
  const form = useRef<HTMLFormElement>(null)
  const [scope, setScope] = useState<(typeof SCOPES)[number]['value']>('cluster')
  const put = (data: FormData): Promise<void> =>
    run(async () => {
      const thresholds = formText(data, 'thresholds')
        .split(',')
        .map((text) => Number(text.replace('%', '').trim()))
      if (thresholds.some((percent) => !(percent > 0))) {
        return { problem: 'Thresholds are percentages with commas between, such as 80, 100.' }
      }
      const id = formText(data, 'id').trim()
      const name = formText(data, 'name').trim()
      const usdPerMonth = Number(formText(data, 'usd'))
      await tell('budgetsPut', { id, cluster, scope, usdPerMonth, thresholds, zone, ...(name === '' ? {} : { name }) })
      changed()
      form.current?.reset()
      return { done: `The budget ${id} is set.` }
    })
  return (
    <Form ref={form} send={(data) => void put(data)} className="grid max-w-3xl gap-4 sm:grid-cols-2">
      <Field
        label="Name"
        name="id"
        required
        pattern="[a-z0-9][a-z0-9._\-]{0,62}"
        autoComplete="off"
        note="Small letters, digits and dashes. Setting it again replaces it."
      />
      <ChoiceField
        label="What it is for"
        value={scope}
        options={SCOPES}
        onChange={(next) => setScope(SCOPES.find(({ value }) => value === next)?.value ?? 'cluster')}
      />
      {scope !== 'cluster' && (
        <Field label={scope === 'tenant' ? 'Tenant' : 'Namespace'} name="name" required autoComplete="off" />
      )}
      <Field label="USD per month" name="usd" type="number" min="0.01" step="0.01" required inputMode="decimal" />
      <Field
        label="Tell at, percent"
        name="thresholds"
        defaultValue="80, 100"
        required
        note={`Its month begins in ${zone}.`}
      />
      <div className="grid justify-items-start gap-3 sm:col-span-2">
        <Problem words={problem} />
        <SubmitButton busy={busy}>Set the budget</SubmitButton>
      </div>
    </Form>
  )
}
