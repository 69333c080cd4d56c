import { useState } from 'react'

import { useAuth } from '../../session/auth-context.ts'
import type { AccountClient } from '../../session/auth-client.ts'
import { CodeField } from '../../ui/CodeField.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { codeText, formText } from '../../ui/form-text.ts'
import type { Sent } from '../client/use-sending.ts'
import { SendForm } from '../form/SendForm.tsx'

/** A new password for one's own account. Unless the sign-in is recent, the current one, or a code from a letter, proves who asks. */
export function PasswordPanel() {
  const { client, user } = useAuth()
  const [proof, setProof] = useState<Proof>()

  const change = async (data: FormData, form: HTMLFormElement): Promise<Sent> => {
    if (client === undefined) return undefined
    const shown =
      proof === undefined ? undefined : { [proof]: proof === 'nonce' ? codeText(data, proof) : formText(data, proof) }
    const outcome = await changePassword(client, { password: formText(data, 'password'), ...shown })
    if (outcome.kind === 'refused') return { problem: outcome.words }
    setProof(outcome.kind === 'wants' ? outcome.proof : undefined)
    if (outcome.kind === 'wants') return undefined
    form.reset()
    return { done: 'Password changed. Other devices were signed out.' }
  }

  return (
    <Panel title="Password">
      <SendForm className="max-w-sm" send={change} submit="Change password">
        <input type="email" name="email" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
        <PasswordField
          label="New password"
          name="password"
          required
          autoComplete="new-password"
          note="Changing it signs out your other devices."
        />
        {proof === 'current_password' && (
          <PasswordField
            label="Current password"
            name="current_password"
            required
            autoComplete="current-password"
            note="You signed in a while ago, so confirm it is you."
          />
        )}
        {proof === 'nonce' && <CodeField label="Code from the email we just sent you" name="nonce" />}
      </SendForm>
    </Panel>
  )
}

type Proof = 'current_password' | 'nonce'
type Change = { readonly password: string } & { readonly [Name in Proof]?: string }
type Outcome =
  | { readonly kind: 'changed' }
  | { readonly kind: 'wants'; readonly proof: Proof }
  | { readonly kind: 'refused'; readonly words: string }

async function changePassword(client: AccountClient, change: Change): Promise<Outcome> {
  const { error } = await client.updateUser(change)
  if (error === null) return { kind: 'changed' }
  if (error.code === 'current_password_required') return { kind: 'wants', proof: 'current_password' }
  if (error.code !== 'reauthentication_needed' || change.nonce !== undefined) {
    return { kind: 'refused', words: error.message }
  }
  const { error: unsent } = await client.reauthenticate()
  return unsent === null ? { kind: 'wants', proof: 'nonce' } : { kind: 'refused', words: unsent.message }
}
