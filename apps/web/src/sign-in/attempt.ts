import type { AccountClient } from '../session/auth-client.ts'
import { maySignUp } from '../session/sign-in-info.ts'
import type { ToastMessage } from '../ui/Toasts.tsx'
import { failureMessage, MESSAGES } from './messages.ts'

/** What was typed. */
export type TypedCredentials = {
  readonly email: string
  readonly password: string
  /** Asked of the first account of an installation that is reached from outside. */
  readonly setupSecret: string | undefined
}

/** What came of a sign-up or sign-in. `field`: where to go on typing. */
export type SignInAttempt =
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
