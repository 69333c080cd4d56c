import { useState } from 'react'

import { openAccountClient } from '../session/auth-client.ts'
import { Form } from '../ui/Form.tsx'
import { CodeField } from '../ui/CodeField.tsx'
import { Field } from '../ui/Field.tsx'
import { SubmitButton } from '../ui/SubmitButton.tsx'
import { codeText, formText } from '../ui/form-text.ts'
import { failureMessage } from './messages.ts'
import { Said } from './Said.tsx'
import { StepHeading } from './StepHeading.tsx'
import { TextButton } from './TextButton.tsx'
import { useAttempt } from './use-attempt.ts'

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
  const { busy, said, say, run } = useAttempt()
  const ask = async (address: string): Promise<void> => {
    const { client } = await openAccountClient()
    const { error } = await client.resetPasswordForEmail(address, { redirectTo: `${location.origin}/auth` })
    if (error === null) sent(address)
    else say(failureMessage(error, 'sign-in'))
  }
  return (
    <Form
      className="grid gap-4"
      send={(data) => {
        const address = formText(data, 'email').trim()
        void run(() => ask(address))
      }}
    >
      <StepHeading title="Forgot password?">An email with a link and a code lets you set a new one.</StepHeading>
      <Field
        label="Email"
        name="email"
        type="email"
        required
        autoComplete="username"
        autoCapitalize="none"
        defaultValue={email}
      />
      <Said message={said} />
      <SubmitButton busy={busy}>Send email</SubmitButton>
    </Form>
  )
}

type CodeProps = {
  readonly email: string
  readonly embedded: boolean
  readonly proven: () => Promise<void>
  readonly again: () => void
}

function CodeForm({ email, embedded, proven, again }: CodeProps) {
  const { busy, said, say, run } = useAttempt()
  const prove = async (token: string): Promise<void> => {
    const { client } = await openAccountClient()
    const { error } = await client.verifyOtp({ email, token, type: 'recovery' })
    if (error === null) await proven()
    else say(failureMessage(error, 'sign-in'))
  }
  return (
    <Form
      className="grid gap-4"
      send={(data) => {
        const code = codeText(data, 'code')
        void run(() => prove(code))
      }}
    >
      <StepHeading title="Look into your mail">
        If <span className="font-medium text-ink">{email}</span> has an account here, an email is on its way. Follow its
        link, or type the code from it.
      </StepHeading>
      <CodeField
        label="Six-digit code"
        name="code"
        {...(embedded ? { note: 'No email? An admin can read it under Settings → Outbox.' } : {})}
      />
      <Said message={said} />
      <SubmitButton busy={busy}>Continue</SubmitButton>
      <TextButton className="justify-self-start" onClick={again}>
        Send it again, or to another address
      </TextButton>
    </Form>
  )
}
