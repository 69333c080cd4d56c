import { useRef } from 'react'

import { tell } from '../../api.ts'
import { Form } from '../../ui/Form.tsx'
import { Field } from '../../ui/Field.tsx'
import { formText } from '../../ui/form-text.ts'
import { SelectField } from '../../ui/SelectField.tsx'
import { SubmitButton } from '../../ui/SubmitButton.tsx'
import { Problem } from './Problem.tsx'
import { ROLE_NAMES, ROLE_WORDS, typedNames } from './role-words.ts'
import { useSending } from './use-sending.ts'

/** Gives an address a role, and the namespaces that it sees. */
export function MemberForm({ changed }: { readonly changed: () => void }) {
  const { busy, problem, run } = useSending()
  const form = useRef<HTMLFormElement>(null)
  const put = (data: FormData): Promise<void> =>
    run(async () => {
      const email = formText(data, 'email').trim()
      const role = ROLE_NAMES.find((name) => name === formText(data, 'role')) ?? 'viewer'
      const namespaces = typedNames(formText(data, 'namespaces'))
      await tell('membersPut', { email, role, ...(namespaces === undefined ? {} : { namespaces }) })
      changed()
      form.current?.reset()
      return { done: `${email} is ${role} now.` }
    })
  return (
    <Form
      ref={form}
      className="grid max-w-3xl gap-4 sm:grid-cols-2"
      send={(data) => {
        void put(data)
      }}
    >
      <Field label="Email" name="email" type="email" required autoComplete="off" autoCapitalize="none" />
      <SelectField
        label="Role"
        name="role"
        defaultValue="viewer"
        choices={ROLE_NAMES.map((value) => ({ value, words: `${value}: ${ROLE_WORDS[value]}` }))}
      />
      <div className="sm:col-span-2">
        <Field
          label="Only these namespaces"
          name="namespaces"
          autoComplete="off"
          autoCapitalize="none"
          note="Separated by commas. Empty: all of them."
        />
      </div>
      <div className="grid justify-items-start gap-3 sm:col-span-2">
        <Problem words={problem} />
        <SubmitButton busy={busy}>Give the role</SubmitButton>
      </div>
    </Form>
  )
}
