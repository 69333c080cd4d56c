import { LIMITS } from 'virtual:limits/membersPut'

import { tell, type Order } from '../../api.ts'
import type { FieldOf } from '../form/SchemaFields.tsx'
import { SchemaForm } from '../form/SchemaForm.tsx'
import { roleChoices } from '../words/role-words.ts'

const FIELDS: readonly FieldOf<Order<'membersPut'>>[] = [
  { at: 'email', label: 'Email', input: { type: 'email', required: true } },
  { at: 'role', label: 'Role', choices: roleChoices('admin') },
  {
    at: 'namespaces',
    label: 'Only these namespaces',
    note: 'Separated by commas. Leave empty for all.',
    wide: true,
  },
]

/** Gives an address a role, and the namespaces that it sees. */
export const MemberForm = ({ changed }: { readonly changed: () => void }) => (
  <SchemaForm
    limits={LIMITS}
    value={{ email: '', role: 'viewer' }}
    fields={FIELDS}
    submit="Save role"
    repeats
    send={async (order: Order<'membersPut'>) => {
      await tell('membersPut', order)
      changed()
      return { done: `${order.email} is ${order.role} now.` }
    }}
  />
)
