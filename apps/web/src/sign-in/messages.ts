import { isAuthRetryableFetchError } from '@supabase/supabase-js'

import { SignInInfoError } from '../session/sign-in-info.ts'
import type { ToastMessage } from '../ui/Toasts.tsx'

/** What the sign-in page says, word for word as the specification's error catalog has it. */
export const MESSAGES = {
  accessRestricted: {
    title: 'Access Restricted',
    description: 'Sign up is restricted to authorized users only',
    tone: 'destructive',
  },
  accountExists: {
    title: 'Account exists',
    description: 'This email is already registered. Try signing in instead.',
    tone: 'plain',
  },
  signedUp: { title: 'Success', description: 'Account created successfully! You can now sign in.', tone: 'good' },
  unexpected: { title: 'Error', description: 'An unexpected error occurred.', tone: 'plain' },
} as const satisfies Record<string, ToastMessage>

/** An answer of the auth service that is an error, as the client hands it over. */
export type AuthFailure = {
  readonly message: string
  readonly code?: string | undefined
  readonly status?: number | undefined
}

/** Which message a refused sign-up or sign-in gets. */
export function failureMessage(failure: AuthFailure, mode: SignInMode): ToastMessage {
  if (mode === 'sign-up' && failure.message.includes('User already registered')) return MESSAGES.accountExists
  // With the same code the server says that the admin's address needs the setup secret, and where that stands.
  const isRestricted = failure.code === 'email_address_not_authorized' && !failure.message.includes('setup secret')
  if (mode === 'sign-up' && isRestricted) return MESSAGES.accessRestricted
  return { title: 'Error', description: serverWords(failure), tone: 'plain' }
}

/** Which message something gets that nobody foresaw; a sign-in page that does not answer says so itself. */
export const exceptionMessage = (error: unknown): ToastMessage =>
  error instanceof SignInInfoError ? { title: 'Error', description: error.message, tone: 'plain' } : MESSAGES.unexpected

export type SignInMode = 'sign-in' | 'sign-up'

/** The server's message. Without an answer there is none, and the browser's own ("Failed to fetch") helps nobody. */
function serverWords(failure: AuthFailure): string {
  if (!isAuthRetryableFetchError(failure)) return failure.message
  if (!navigator.onLine) return 'This computer is offline. Connect it, then try again; what you typed is still here.'
  return failure.status === undefined || failure.status === 0 ? UNREACHABLE : UNWELL
}

const UNREACHABLE =
  'The sign-in service is not responding. Check your connection, then try again; what you typed is still here.'
const UNWELL =
  'The sign-in service could not answer just now. Try again in a moment; if it stays, its log on the server says why.'
