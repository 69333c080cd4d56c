import { tell } from '../../api.ts'
import { Field } from '../../ui/Field.tsx'
import { formText } from '../../ui/form-text.ts'
import { SelectField } from '../../ui/SelectField.tsx'
import { ROLE_NAMES, ROLE_WORDS, typedNames } from '../words/role-words.ts'
import { SendForm } from '../form/SendForm.tsx'
import type { Sent } from '../client/use-sending.ts'

/** Gives an address a role, and the namespaces that it sees. */
export function MemberForm({ changed }: { readonly changed: () => void }) {
  const put = async (data: FormData, form: HTMLFormElement): Promise<Sent> => {
    const email = formText(data, 'email').trim()
    const role = ROLE_NAMES.find((name) => name === formText(data, 'role')) ?? 'viewer'
    const namespaces = typedNames(formText(data, 'namespaces'))
    await tell('membersPut', { email, role, ...(namespaces === undefined ? {} : { namespaces }) })
    changed()
    form.reset()
    return { done: `${email} is ${role} now.` }
  }
  return (
    <SendForm send={put} submit="Save role">
      <Field label="Email" name="email" type="email" required verbatim />
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
          verbatim
          note="Separated by commas. Leave empty for all."
        />
      </div>
    </SendForm>
  )
}
