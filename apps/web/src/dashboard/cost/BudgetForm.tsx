import { LIMITS } from 'virtual:limits/budgetsPut'

import { tell, type Order } from '../../api.ts'
import type { FieldOf } from '../form/SchemaFields.tsx'
import { SchemaForm } from '../form/SchemaForm.tsx'

type Budget = Omit<Order<'budgetsPut'>, 'usdPerMonth'> & { readonly usdPerMonth?: number }

const fieldsOf = ({ scope, zone }: Budget): readonly FieldOf<Budget>[] => [
  {
    at: 'id',
    label: 'Name',
    note: 'Lowercase letters, digits and dashes. Saving an existing name replaces it.',
  },
  {
    at: 'scope',
    label: 'Scope',
    choices: [
      { value: 'cluster', words: 'The whole cluster' },
      { value: 'namespace', words: 'One namespace' },
      { value: 'tenant', words: 'One tenant' },
    ],
  },
  ...(scope === 'cluster'
    ? []
    : [{ at: 'name', label: scope === 'tenant' ? 'Tenant' : 'Namespace', input: { required: true } } as const]),
  { at: 'usdPerMonth', label: 'USD per month' },
  { at: 'thresholds', label: 'Notify at, percent', note: `Months start in ${zone}.`, input: { required: true } },
]

type Props = { readonly cluster: string; readonly zone: string; readonly changed: () => void }

/** Sets what a month of a cluster, namespace or tenant may cost. */
export const BudgetForm = ({ cluster, zone, changed }: Props) => (
  <SchemaForm
    key={`${cluster} ${zone}`}
    limits={LIMITS}
    value={{ id: '', cluster, scope: 'cluster', thresholds: [80, 100], zone }}
    fields={fieldsOf}
    submit="Save budget"
    repeats
    send={async ({ usdPerMonth = 0, name, ...budget }: Budget) => {
      await tell('budgetsPut', { ...budget, usdPerMonth, ...(budget.scope !== 'cluster' && { name }) })
      changed()
      return { done: `Budget ${budget.id} saved.` }
    }}
  />
)
