import { useRef, useState } from 'react'

import { useAuth } from '../../session/auth-context.ts'
import type { DoorClient } from '../../session/auth-client.ts'
import { CodeField } from '../../ui/CodeField.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { SubmitButton } from '../../ui/SubmitButton.tsx'
import { codeText, formText } from '../../ui/form-text.ts'
import { useSending } from './use-sending.ts'
import type { Sent } from './use-sending.ts'

/** A new password for one's own account. Where the service wants it, a code from a letter proves who asks. */
export function PasswordPanel() {
  const { client, user } = useAuth()
  const [byMail, setByMail] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const { busy, problem, run } = useSending()

  const change = async (data: FormData): Promise<Sent> => {
    if (client === undefined) return undefined
    const outcome = await changePassword(client, {
      password: formText(data, 'password'),
      nonce: byMail ? codeText(data, 'nonce') : undefined,
    })
    setByMail(outcome.kind === 'wants-code')
    if (outcome.kind === 'wants-code') return undefined
    if (outcome.kind === 'refused') return { problem: outcome.words }
    form.current?.reset()
    return { done: 'Your password is changed. Other devices are signed out.' }
  }

  return (
    <Panel title="Password">
      <form
        ref={form}
        className="grid max-w-sm gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          const data = new FormData(event.currentTarget)
          void run(() => change(data))
        }}
      >
        <input type="email" name="email" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
        <PasswordField
          label="New password"
          name="password"
          required
          autoComplete="new-password"
          problem={problem}
          note="Every other device is signed out when it changes."
        />
        {byMail && <CodeField label="Code from the letter that was just sent to you" name="nonce" />}
        <SubmitButton busy={busy} className="justify-self-start">
          Change password
        </SubmitButton>
      </form>
    </Panel>
  )
}

type Change = { readonly password: string; readonly nonce: string | undefined }
type Outcome =
  | { readonly kind: 'changed' }
  | { readonly kind: 'wants-code' }
  | { readonly kind: 'refused'; readonly words: string }

async function changePassword(client: DoorClient, { password, nonce }: Change): Promise<Outcome> {
  const { error } = await client.updateUser({ password, ...(nonce === undefined ? {} : { nonce }) })
  if (error === null) return { kind: 'changed' }
  if (error.code !== 'reauthentication_needed' || nonce !== undefined) return { kind: 'refused', words: error.message }
  const { error: unsent } = await client.reauthenticate()
  return unsent === null ? { kind: 'wants-code' } : { kind: 'refused', words: unsent.message }
}
