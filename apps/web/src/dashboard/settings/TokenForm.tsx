import type { Role } from '@septet/domain'

import { tell } from '../../api.ts'
import { Field } from '../../ui/Field.tsx'
import { formText } from '../../ui/form-text.ts'
import { SelectField } from '../../ui/SelectField.tsx'
import { useAnswer } from '../client/use-answer.ts'
import { ROLE_NAMES, ROLE_WORDS, typedNames } from '../words/role-words.ts'
import type { MadeToken } from './TokenSecret.tsx'
import { SendForm } from '../form/SendForm.tsx'
import type { Sent } from '../client/use-sending.ts'

const LIVES = [
  { value: '30', words: '30 days' },
  { value: '90', words: '90 days' },
  { value: '365', words: 'a year' },
  { value: 'never', words: 'no end' },
] as const

type Props = {
  readonly made: (token: MadeToken) => void
  /** What is chosen at first, where its maker has it to give. */
  readonly role?: Role
  readonly name?: string
}

/** Makes a token. It can never do more than its maker, so only those roles are offered. */
export function TokenForm({ made, role = 'viewer', name }: Props) {
  const me = useAnswer('sessionMe', {}).data
  const roles = ROLE_NAMES.slice(0, ROLE_NAMES.findIndex((each) => each === (me?.role ?? 'viewer')) + 1)
  const create = async (data: FormData, form: HTMLFormElement): Promise<Sent> => {
    const { token, secret } = await tell('tokensCreate', orderOf(data))
    form.reset()
    made({ name: token.name, secret })
    return undefined
  }
  return (
    <SendForm send={create} submit="Create token">
      <Field
        label="Name"
        name="name"
        required
        maxLength={63}
        pattern="[a-z0-9][a-z0-9._\-]*"
        title="Lowercase letters, digits, dots, dashes and underscores"
        verbatim
        {...(name === undefined ? {} : { key: name, defaultValue: name })}
        note="Shown in the audit log as token:NAME."
      />
      <SelectField
        key={`${roles.length} ${role}`}
        label="Role"
        name="role"
        defaultValue={roles.includes(role) ? role : 'viewer'}
        choices={roles.map((value) => ({ value, words: `${value}: ${ROLE_WORDS[value]}` }))}
      />
      <Limits />
    </SendForm>
  )
}

/** How long it lives, and how little it sees. */
const Limits = () => (
  <>
    <SelectField label="Expires after" name="life" defaultValue="90" choices={LIVES} />
    <Field
      label="Only these namespaces"
      name="namespaces"
      verbatim
      note="Separated by commas. Leave empty for all you can see."
    />
    <Field
      label="Only these clusters"
      name="clusters"
      verbatim
      note="Cluster IDs, separated by commas. Leave empty for all."
    />
  </>
)

function orderOf(data: FormData) {
  const namespaces = typedNames(formText(data, 'namespaces'))
  const clusters = typedNames(formText(data, 'clusters'))
  const life = formText(data, 'life')
  return {
    name: formText(data, 'name').trim(),
    role: ROLE_NAMES.find((name) => name === formText(data, 'role')) ?? 'viewer',
    expiresInDays: life === 'never' ? null : Number(life),
    ...(namespaces === undefined ? {} : { namespaces }),
    ...(clusters === undefined ? {} : { clusters }),
  } as const
}
