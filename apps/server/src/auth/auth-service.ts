import type { Door } from '@septet/contract'
import type { Instant, Log, Store } from '@septet/domain'
import type { FastifyInstance } from 'fastify'

import type { AuthConfig } from './auth-config.ts'
import type { AuthContext } from './auth-context.ts'

/** Who signs in, and how that is proven. Works over accounts of its own (embedded) or those of a hosted project. */
export type Auth = {
  /** Puts `/auth/v1` on the server; nothing in hosted mode. */
  register(server: FastifyInstance): void
  /** Checks an access token, in both modes. Throws `AuthProblem`: 401 or 403 for a bad token, 503 when the hosted project does not answer. */
  verify(accessToken: string): Promise<VerifiedToken>
  /** What a page needs to know before anyone is signed in. */
  door(): Promise<Door>
  /** Whether an address may have an account here. Count such questions: `context.limits.spend('may-sign-up', ip)`. */
  maySignUp(email: string): Promise<boolean>
  readonly context: AuthContext
  close(): Promise<void>
}

/** What is sure of a caller whose token was found right. */
export type VerifiedToken = {
  readonly accountId: string
  /** Whole address, folded. */
  readonly email: string
  readonly sessionId: string | undefined
  readonly aal: 'aal1' | 'aal2'
  /** Whether the account has a second factor, so that `aal1` is not enough. */
  readonly hasFactor: boolean
  readonly expiresAt: Instant
}

export type AuthNeeds = {
  readonly config: AuthConfig
  readonly store: Pick<Store, 'access' | 'settings'>
  readonly dataDir: string
  readonly now: () => Instant
  readonly log: Log
  /** How people reach Septet, without a trailing slash; asked anew each time, as the port may be known late. */
  readonly siteUrl: () => string
}

/** Opens the auth service; in embedded mode a signing key is made on first start. */
export function openAuth(_needs: AuthNeeds): Promise<Auth> {
  throw new Error('The auth service is not there yet.')
}
