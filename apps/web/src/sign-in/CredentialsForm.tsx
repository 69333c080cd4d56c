import type { SignInInfo } from '@septet/contract'
import { useRef, useState } from 'react'

import type { AccountClient } from '../session/auth-client.ts'
import { maySignUp } from '../session/sign-in-info.ts'
import { Field } from '../ui/Field.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import type { ToastMessage } from '../ui/Toasts.tsx'
import { formText } from '../ui/form-text.ts'
import { type Send, StepForm, useAttempts } from './StepForm.tsx'
import { TextButton } from './TextButton.tsx'
import { failureMessage, MESSAGES, type SignInMode } from './messages.ts'

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

/** What was typed. */
type TypedCredentials = {
  readonly email: string
  readonly password: string
  /** Asked of the first account of an installation that is reached from outside. */
  readonly setupSecret: string | undefined
}

/** What came of a sign-up or sign-in. `field`: where to go on typing. */
type SignInAttempt =
  | { readonly kind: 'refused'; readonly message: ToastMessage; readonly field: 'email' | 'password' }
  | { readonly kind: 'signed-up'; readonly message: ToastMessage; readonly confirmBy: 'mail' | undefined }
  | { readonly kind: 'signed-in' }

/**
 * Makes an account. An address that may not have one is stopped here, and again by the server. Anyone who signed up
 * signs in next: a session that came along is given back at once, or the message would not be true.
 */
export async function signUp(client: SignUpClient, credentials: TypedCredentials): Promise<SignInAttempt> {
  const email = credentials.email.trim()
  if ((await maySignUp(email)) === false) return { kind: 'refused', message: MESSAGES.accessRestricted, field: 'email' }
  const { data, error } = await client.signUp({
    email,
    password: credentials.password,
    options: {
      emailRedirectTo: `${location.origin}/`,
      ...(credentials.setupSecret === undefined ? {} : { data: { setup_secret: credentials.setupSecret } }),
    },
  })
  if (error !== null) {
    const field = error.code === 'weak_password' ? 'password' : 'email'
    return { kind: 'refused', message: failureMessage(error, 'sign-up'), field }
  }
  if (data.session !== null) await client.signOut({ scope: 'local' })
  return { kind: 'signed-up', message: MESSAGES.signedUp, confirmBy: data.session === null ? 'mail' : undefined }
}

export async function signIn(client: SignInClient, { email, password }: TypedCredentials): Promise<SignInAttempt> {
  const { error } = await client.signInWithPassword({ email: email.trim(), password })
  if (error === null) return { kind: 'signed-in' }
  return { kind: 'refused', message: failureMessage(error, 'sign-in'), field: 'password' }
}

type SignUpClient = Pick<AccountClient, 'signUp' | 'signOut'>
type SignInClient = Pick<AccountClient, 'signInWithPassword'>
