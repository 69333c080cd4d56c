import type { Factor } from '@supabase/supabase-js'
import { useEffect, useState } from 'react'

import { openAccountClient, type AccountClient } from '../session/auth-client.ts'
import { Form } from '../ui/Form.tsx'
import { CodeField } from '../ui/CodeField.tsx'
import { SubmitButton } from '../ui/SubmitButton.tsx'
import { codeText } from '../ui/form-text.ts'
import { failureMessage } from './messages.ts'
import { Said } from './Said.tsx'
import { StepHeading } from './StepHeading.tsx'
import { TextButton } from './TextButton.tsx'
import { useAttempt } from './use-attempt.ts'

type Props = { readonly passed: () => void; readonly back: () => void }

/** Asks for the code of an authenticator app, after the password. */
export function SecondFactorForm({ passed, back }: Props) {
  const [factors, setFactors] = useState<readonly Factor[]>([])
  const [chosen, setChosen] = useState<string>()
  const { busy, said, say, run } = useAttempt()
  useEffect(() => {
    void run(async () => {
      const { client } = await openAccountClient()
      const found = await verifiedFactors(client)
      setFactors(found)
      setChosen(found[0]?.id)
    })
    // oxlint-disable-next-line react/exhaustive-deps -- asked once, when the step begins
  }, [])

  const verify = async (code: string): Promise<void> => {
    const { client } = await openAccountClient()
    const { error } = await client.mfa.challengeAndVerify({ factorId: chosen ?? '', code })
    if (error === null) passed()
    else say(failureMessage(error, 'sign-in'))
  }
  const leave = async (): Promise<void> => {
    const { client } = await openAccountClient()
    await client.signOut({ scope: 'local' })
    back()
  }

  return (
    <Form
      className="grid gap-4"
      send={(data) => {
        const code = codeText(data, 'code')
        void run(() => verify(code))
      }}
    >
      <StepHeading title="Second factor">
        Your account asks for the code that your authenticator app shows now.
      </StepHeading>
      {factors.length > 1 && <FactorChoice factors={factors} chosen={chosen} choose={setChosen} />}
      <CodeField label="Six-digit code" name="code" />
      <Said message={said} />
      <SubmitButton busy={busy} className="w-full">
        Verify
      </SubmitButton>
      <TextButton className="justify-self-start" onClick={() => void run(leave)}>
        Sign in with another account
      </TextButton>
    </Form>
  )
}

async function verifiedFactors(client: AccountClient): Promise<readonly Factor[]> {
  const { data } = await client.getSession()
  return (data.session?.user.factors ?? []).filter(
    ({ status, factor_type }) => status === 'verified' && factor_type === 'totp',
  )
}

type ChoiceProps = {
  readonly factors: readonly Factor[]
  readonly chosen: string | undefined
  readonly choose: (id: string) => void
}

const FactorChoice = ({ factors, chosen, choose }: ChoiceProps) => (
  <fieldset className="grid gap-1.5">
    <legend className="mb-1.5 text-13 font-medium">Authenticator</legend>
    {factors.map(({ id, friendly_name }) => (
      <label key={id} className="flex min-h-6 items-center gap-2 text-13">
        <input type="radio" name="factor" checked={chosen === id} onChange={() => choose(id)} />
        {friendly_name ?? 'Authenticator app'}
      </label>
    ))}
  </fieldset>
)
