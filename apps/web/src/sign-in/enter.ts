import type { AccountClient } from '../session/auth-client.ts'
import { HOME } from '../session/next-path.ts'
import { givePagePass, passOpens, type PassVerdict } from '../session/page-pass.ts'
import type { ToastMessage } from '../ui/Toasts.tsx'
import { keepsSessions } from './keeps-sessions.ts'

/** How far someone with a session gets. */
export type SignInEntry =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'second-factor' }
  | { readonly kind: 'in' }
  | { readonly kind: 'refused'; readonly message: ToastMessage }

/**
 * Tries to go in with the session there is: the second factor first, then the server's leave to open pages. `to` is
 * where it leads; the front page needs no leave, so it is reached even if the server cannot be asked.
 */
export async function enterDashboard(client: AccountClient, to: string): Promise<SignInEntry> {
  const session = (await client.getSession()).data.session
  if (session === null) return { kind: 'nobody' }
  if (await needsSecondFactor(client)) return { kind: 'second-factor' }
  const pass = await givePagePass(session.access_token)
  if (pass.kind === 'ended' || pass.kind === 'refused') await client.signOut({ scope: 'local' })
  if (pass.kind === 'given' && to !== HOME && !(await staysIn(to))) return { kind: 'refused', message: NOT_KEPT }
  return entry(pass, to)
}

/**
 * Whether the browser keeps what opens that page. One that does not would be sent back here by the server, find its
 * session good, and be led on again, for ever.
 */
const staysIn = async (to: string): Promise<boolean> => keepsSessions() && (await passOpens(to))

/** Whether the person has a second factor that this session has not shown yet. */
export async function needsSecondFactor(client: Pick<AccountClient, 'mfa'>): Promise<boolean> {
  const { data } = await client.mfa.getAuthenticatorAssuranceLevel()
  return data !== null && data.nextLevel === 'aal2' && data.currentLevel !== 'aal2'
}

function entry(pass: PassVerdict, to: string): SignInEntry {
  if (pass.kind === 'given') return { kind: 'in' }
  if (pass.kind === 'second-factor') return { kind: 'second-factor' }
  if (pass.kind === 'refused')
    return { kind: 'refused', message: { title: 'No access', description: pass.words, tone: 'destructive' } }
  if (pass.kind === 'ended') return { kind: 'refused', message: ENDED }
  return to === HOME ? { kind: 'in' } : { kind: 'refused', message: UNKNOWN }
}

const ENDED = {
  title: 'Session ended',
  description: 'Your session was ended elsewhere or is over. Sign in again.',
  tone: 'plain',
} as const
const NOT_KEPT = {
  title: 'Sign-in not kept',
  description:
    'You are signed in, but this browser does not keep what opens the dashboard. Allow cookies and site data for this address, then load this page again.',
  tone: 'destructive',
} as const
const UNKNOWN = {
  title: 'Error',
  description: 'You are signed in, but the server could not open the dashboard just now. Try again in a moment.',
  tone: 'plain',
} as const
