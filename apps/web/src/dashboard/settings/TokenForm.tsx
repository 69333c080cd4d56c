import type { Role } from '@septet/domain'
import { LIMITS } from 'virtual:limits/tokensCreate'

import { tell, type Order } from '../../api.ts'
import { useAnswer } from '../client/use-answer.ts'
import type { FieldOf } from '../form/SchemaFields.tsx'
import { SchemaForm } from '../form/SchemaForm.tsx'
import { mayAs, roleChoices } from '../words/role-words.ts'
import type { MadeToken } from './ShownOnce.tsx'

type Token = Omit<Order<'tokensCreate'>, 'expiresInDays'> & { readonly expiresInDays: string }

const fieldsFor = (own: Role): readonly FieldOf<Token>[] => [
  {
    at: 'name',
    label: 'Name',
    note: 'Shown in the audit log as token:NAME.',
  },
  { at: 'role', label: 'Role', choices: roleChoices(own) },
  {
    at: 'expiresInDays',
    label: 'Expires after',
    choices: [
      { value: '30', words: '30 days' },
      { value: '90', words: '90 days' },
      { value: '365', words: 'a year' },
      { value: 'never', words: 'no end' },
    ],
  },
  {
    at: 'namespaces',
    label: 'Only these namespaces',
    note: 'Separated by commas. Leave empty for all you can see.',
  },
  { at: 'clusters', label: 'Only these clusters', note: 'Cluster IDs, separated by commas. Leave empty for all.' },
]

type Props = {
  readonly made: (token: MadeToken) => void
  /** What is chosen at first, where its maker has it to give. */
  readonly role?: Role
  readonly name?: string
}

/** Makes a token. It can never do more than its maker, so only those roles are offered. */
export function TokenForm({ made, role = 'viewer', name = '' }: Props) {
  const own = useAnswer('sessionMe', {}).data?.role ?? 'viewer'
  return (
    <SchemaForm
      key={`${name} ${own} ${role}`}
      limits={LIMITS}
      value={{ name, role: mayAs(own, role) ? role : 'viewer', expiresInDays: '90' }}
      fields={fieldsFor(own)}
      submit="Create token"
      repeats
      send={async ({ expiresInDays, ...order }: Token) => {
        const days = expiresInDays === 'never' ? null : Number(expiresInDays)
        const { token, secret } = await tell('tokensCreate', { ...order, expiresInDays: days })
        made({ name: token.name, secret })
        return undefined
      }}
    />
  )
}
