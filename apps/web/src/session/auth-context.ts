import type { SignInInfo } from '@septet/contract'
import { createContext, useContext } from 'react'

import type { AccountClient } from './auth-client.ts'
import { UNKNOWN, type AuthState } from './auth-state.ts'

/** Who is signed in, and what they can do about it. */
export type PageAuth = AuthState & {
  readonly signInInfo: SignInInfo | undefined
  readonly client: AccountClient | undefined
  /** Why nobody can come in just now. */
  readonly trouble: AuthTrouble | undefined
  /** Ends this session, the others, or all. Resolves with what went wrong. */
  readonly signOut: (scope: 'local' | 'others' | 'global') => Promise<string | undefined>
}

export type AuthTrouble =
  /** The sign-in page could not be read. */
  | { readonly kind: 'unreachable'; readonly words: string }
  /** Signed in, but not one of those who may use this Septet. */
  | { readonly kind: 'refused'; readonly words: string }

export const PageAuthContext = createContext<PageAuth>({
  ...UNKNOWN,
  signInInfo: undefined,
  client: undefined,
  trouble: undefined,
  signOut: () => Promise.resolve(undefined),
})

export const useAuth = (): PageAuth => useContext(PageAuthContext)
