import { useRef } from 'react'

import { tell } from '../../api.ts'
import { Form } from '../../ui/Form.tsx'
import { Field } from '../../ui/Field.tsx'
import { formText } from '../../ui/form-text.ts'
import { SelectField } from '../../ui/SelectField.tsx'
import { SubmitButton } from '../../ui/SubmitButton.tsx'
import { useAnswer } from '../use-answer.ts'
import { Problem } from './Problem.tsx'
import { ROLE_NAMES, ROLE_WORDS, typedNames } from './role-words.ts'
import type { MadeToken } from './TokenSecret.tsx'
import { useSending } from './use-sending.ts'

const LIVES = [
  { value: '30', words: '30 days' },
  { value: '90', words: '90 days' },
  { value: '365', words: 'a year' },
  { value: 'never', words: 'no end' },
] as const

/** Makes a token. It can never do more than its maker, so only those roles are offered. */
export function TokenForm({ made }: { readonly made: (token: MadeToken) => void }) {
  const me = useAnswer('sessionMe', {}).data
  const { busy, problem, run } = useSending()
  const form = useRef<HTMLFormElement>(null)
  const roles = ROLE_NAMES.slice(0, ROLE_NAMES.findIndex((role) => role === (me?.role ?? 'viewer')) + 1)
  const create = (data: FormData): Promise<void> =>
    run(async () => {
      const { token, secret } = await tell('tokensCreate', orderOf(data))
      form.current?.reset()
      made({ name: token.name, secret })
      return undefined
    })
  return (
    <Form
      ref={form}
      className="grid max-w-3xl gap-4 sm:grid-cols-2"
      send={(data) => {
        void create(data)
      }}
    >
      <Field
        label="Name"
        name="name"
        required
        maxLength={63}
        pattern="[a-z0-9][a-z0-9._\-]*"
        title="Small letters, digits, dot, dash and underscore"
        autoComplete="off"
        autoCapitalize="none"
        note="Stands in the audit log as token:NAME."
      />
      <SelectField
        key={roles.length}
        label="Role"
        name="role"
        defaultValue="viewer"
        choices={roles.map((value) => ({ value, words: `${value}: ${ROLE_WORDS[value]}` }))}
      />
      <Limits />
      <div className="grid justify-items-start gap-3 sm:col-span-2">
        <Problem words={problem} />
        <SubmitButton busy={busy}>Make the token</SubmitButton>
      </div>
    </Form>
  )
}

/** How long it lives, and how little it sees. */
const Limits = () => (
  <>
    <SelectField label="Ends after" name="life" defaultValue="90" choices={LIVES} />
    <Field
      label="Only these namespaces"
      name="namespaces"
      autoComplete="off"
      autoCapitalize="none"
      note="Separated by commas. Empty: those that you see."
    />
    <Field
      label="Only these clusters"
      name="clusters"
      autoComplete="off"
      autoCapitalize="none"
      note="Ids, separated by commas. Empty: all of them."
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
