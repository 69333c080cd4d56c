import type { SignInInfo } from '@septet/contract'
import { useRef, useState } from 'react'

import { Field } from '../ui/Field.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import { signIn, signUp, type TypedCredentials } from './attempt.ts'
import type { SignInMode } from './messages.ts'
import { formText } from '../ui/form-text.ts'
import { StepForm, useAttempts, type Send } from './StepForm.tsx'
import { TextButton } from './TextButton.tsx'

type Props = {
  readonly signInInfo: SignInInfo | undefined
  readonly signedIn: () => Promise<void>
  readonly forgot: (email: string) => void
}

/** Address and password, to sign in or to sign up with. */
export function CredentialsForm({ signInInfo, signedIn, forgot }: Props) {
  const [mode, setMode] = useState<SignInMode>(modeOf(location.search))
  const [confirmBy, setConfirmBy] = useState<string>()
  const form = useRef<HTMLFormElement>(null)
  const focusOn = (field: 'email' | 'password'): void => {
    // After the button is enabled again: a browser takes the focus off what is disabled.
    setTimeout(() => form.current?.querySelector<HTMLInputElement>(`[name=${field}]`)?.focus(), 0)
  }

  const submit: Send = async (client, data) => {
    const credentials = credentialsOf(data)
    const attempt = await (mode === 'sign-up' ? signUp : signIn)(client, credentials)
    if (attempt.kind === 'signed-in') return signedIn()
    if (attempt.kind === 'signed-up') {
      setMode('sign-in')
      setConfirmBy(attempt.confirmBy === undefined ? undefined : credentials.email)
      clear(form.current, 'password')
    }
    focusOn(attempt.kind === 'refused' ? attempt.field : 'password')
    return attempt.message
  }

  return (
    <StepForm
      ref={form}
      attempt={useAttempts()}
      button={mode === 'sign-up' ? 'Sign Up' : 'Sign In'}
      send={submit}
      below={
        <OtherWays
          mode={mode}
          toggle={() => setMode(mode === 'sign-up' ? 'sign-in' : 'sign-up')}
          forgot={() => forgot(typed(form.current))}
        />
      }
    >
      <CredentialFields mode={mode} signInInfo={signInInfo} />
      {confirmBy !== undefined && <ConfirmNote email={confirmBy} />}
    </StepForm>
  )
}

const CredentialFields = ({
  mode,
  signInInfo,
}: {
  readonly mode: SignInMode
  readonly signInInfo: SignInInfo | undefined
}) => (
  <>
    <Field label="Email" name="email" type="email" required autoComplete="username" autoCapitalize="none" />
    <PasswordField
      label="Password"
      name="password"
      required
      autoComplete={mode === 'sign-up' ? 'new-password' : 'current-password'}
      {...(mode === 'sign-up' && signInInfo?.mode === 'embedded' ? { note: PASSWORD_NOTE } : {})}
    />
    {mode === 'sign-up' && signInInfo?.needsSetupSecret === true && (
      <PasswordField
        label="Setup secret"
        name="setup-secret"
        autoComplete="new-password"
        note="For the admin's account alone, once: the value of SEPTET_SETUP_SECRET. Everyone else leaves it empty."
      />
    )}
  </>
)

type OtherWaysProps = { readonly mode: SignInMode; readonly toggle: () => void; readonly forgot: () => void }

const OtherWays = ({ mode, toggle, forgot }: OtherWaysProps) => (
  <div className="flex flex-wrap justify-between gap-x-4 gap-y-2">
    <TextButton onClick={toggle}>
      {mode === 'sign-up' ? 'Already have an account? Sign in' : 'No account yet? Sign up'}
    </TextButton>
    {mode === 'sign-in' && <TextButton onClick={forgot}>Forgot password?</TextButton>}
  </div>
)

const ConfirmNote = ({ email }: { readonly email: string }) => (
  <p className="text-13 text-ink-soft">
    An email is on its way to <span className="font-medium text-ink">{email}</span>. Open its link and confirm the
    address there before you sign in.
  </p>
)

const PASSWORD_NOTE = 'At least 12 characters. A few words in a row are easy to keep and hard to guess.'

const modeOf = (search: string): SignInMode =>
  new URLSearchParams(search).get('mode') === 'sign-up' ? 'sign-up' : 'sign-in'

const credentialsOf = (data: FormData): TypedCredentials => ({
  email: formText(data, 'email'),
  password: formText(data, 'password'),
  setupSecret: formText(data, 'setup-secret') || undefined,
})

const typed = (form: HTMLFormElement | null): string => (form === null ? '' : formText(new FormData(form), 'email'))

function clear(form: HTMLFormElement | null, name: string): void {
  const input = form?.querySelector<HTMLInputElement>(`[name=${name}]`)
  if (input != null) input.value = ''
}
