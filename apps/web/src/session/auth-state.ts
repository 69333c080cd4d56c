import type { AuthChangeEvent, Session, User } from '@supabase/supabase-js'

/** Who is signed in, as far as the page knows. */
export type AuthState = {
  readonly user: User | undefined
  readonly session: Session | undefined
  /** True until it is known whether someone is signed in. */
  readonly loading: boolean
  /** How a session that the page had came to its end; undefined while there is one, or when there never was. */
  readonly ended: 'asked' | 'lost' | undefined
}

export const UNKNOWN: AuthState = { user: undefined, session: undefined, loading: true, ended: undefined }

/** The state after an event of the client. `asked`: whether this page asked to be signed out. */
export function authStateAfter(
  state: AuthState,
  { event, session, asked }: { event: AuthChangeEvent; session: Session | null; asked: boolean },
): AuthState {
  if (session !== null) return { user: session.user, session, loading: false, ended: undefined }
  if (event === 'SIGNED_OUT' && state.session !== undefined)
    return { user: undefined, session: undefined, loading: false, ended: asked ? 'asked' : 'lost' }
  return { user: undefined, session: undefined, loading: false, ended: state.ended }
}

/** What an event means for the server's leave to open pages. */
export function passChange(event: AuthChangeEvent, session: Session | null): 'give' | 'take' | 'keep' {
  if (event === 'SIGNED_OUT') return 'take'
  return session !== null && GIVES.has(event) ? 'give' : 'keep'
}

const GIVES: ReadonlySet<AuthChangeEvent> = new Set(['INITIAL_SESSION', 'SIGNED_IN', 'TOKEN_REFRESHED'])
