import { useState } from 'react'

import { CodeField } from '../ui/CodeField.tsx'
import { Field } from '../ui/Field.tsx'
import { codeText, formText } from '../ui/form-text.ts'
import { failureMessage } from './messages.ts'
import { StepForm, useAttempts, type Send } from './StepForm.tsx'
import { TextButton } from './TextButton.tsx'

type Props = {
  readonly email: string
  /** Whether letters are written by this Septet, and not by a hosted project. */
  readonly embedded: boolean
  readonly back: () => void
  readonly proven: () => Promise<void>
}

/** A forgotten password: ask for a letter, then follow its link or type its code. */
export function RecoverForm({ email, embedded, back, proven }: Props) {
  const [sentTo, setSentTo] = useState<string>()
  return (
    <div className="grid gap-4">
      {sentTo === undefined ? (
        <AskForm email={email} sent={setSentTo} />
      ) : (
        <CodeForm email={sentTo} embedded={embedded} proven={proven} again={() => setSentTo(undefined)} />
      )}
      <TextButton className="justify-self-start" onClick={back}>
        Back to sign in
      </TextButton>
    </div>
  )
}

function AskForm({ email, sent }: { readonly email: string; readonly sent: (email: string) => void }) {
  const ask: Send = async (client, data) => {
    const address = formText(data, 'email').trim()
    const { error } = await client.resetPasswordForEmail(address, { redirectTo: `${location.origin}/auth` })
    return error === null ? sent(address) : failureMessage(error, 'sign-in')
  }
  return (
    <StepForm
      attempt={useAttempts()}
      title="Forgot password?"
      does="An email with a link and a code lets you set a new one."
      button="Send email"
      send={ask}
    >
      <Field
        label="Email"
        name="email"
        type="email"
        required
        autoComplete="username"
        autoCapitalize="none"
        defaultValue={email}
      />
    </StepForm>
  )
}

type CodeProps = {
  readonly email: string
  readonly embedded: boolean
  readonly proven: () => Promise<void>
  readonly again: () => void
}

function CodeForm({ email, embedded, proven, again }: CodeProps) {
  const prove: Send = async (client, data) => {
    const { error } = await client.verifyOtp({ email, token: codeText(data, 'code'), type: 'recovery' })
    return error === null ? proven() : failureMessage(error, 'sign-in')
  }
  const does = (
    <>
      If <span className="font-medium text-ink">{email}</span> has an account here, an email is on its way. Follow its
      link, or type the code from it.
    </>
  )
  return (
    <StepForm
      attempt={useAttempts()}
      title="Look into your mail"
      does={does}
      button="Continue"
      send={prove}
      below={
        <TextButton className="justify-self-start" onClick={again}>
          Send it again, or to another address
        </TextButton>
      }
    >
      <CodeField
        label="Six-digit code"
        name="code"
        {...(embedded ? { note: 'No email? An admin can read it under Settings → Outbox.' } : {})}
      />
    </StepForm>
  )
}
