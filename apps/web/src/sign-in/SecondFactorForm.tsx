import type { Factor } from '@supabase/supabase-js'
import { useEffect, useState } from 'react'

import type { AccountClient } from '../session/auth-client.ts'
import { CodeField } from '../ui/CodeField.tsx'
import { codeText } from '../ui/form-text.ts'
import { failureMessage } from './messages.ts'
import { StepForm, useAttempts, type Send } from './StepForm.tsx'
import { TextButton } from './TextButton.tsx'

type Props = { readonly passed: () => void; readonly back: () => void }

/** Asks for the code of an authenticator app, after the password. */
export function SecondFactorForm({ passed, back }: Props) {
  const [factors, setFactors] = useState<readonly Factor[]>([])
  const [chosen, setChosen] = useState<string>()
  const attempt = useAttempts()
  useEffect(() => {
    void attempt.run(async (client) => {
      const found = await verifiedFactors(client)
      setFactors(found)
      setChosen(found[0]?.id)
    })
    // oxlint-disable-next-line react/exhaustive-deps -- asked once, when the step begins
  }, [])

  const verify: Send = async (client, data) => {
    const { error } = await client.mfa.challengeAndVerify({ factorId: chosen ?? '', code: codeText(data, 'code') })
    return error === null ? passed() : failureMessage(error, 'sign-in')
  }
  const leave = async (client: AccountClient): Promise<void> => {
    await client.signOut({ scope: 'local' })
    back()
  }

  return (
    <StepForm
      attempt={attempt}
      title="Second factor"
      does="Your account asks for the code that your authenticator app shows now."
      button="Verify"
      send={verify}
      below={
        <TextButton className="justify-self-start" onClick={() => void attempt.run(leave)}>
          Sign in with another account
        </TextButton>
      }
    >
      {factors.length > 1 && <FactorChoice factors={factors} chosen={chosen} choose={setChosen} />}
      <CodeField label="Six-digit code" name="code" />
    </StepForm>
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
