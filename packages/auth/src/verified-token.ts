import type { Instant } from '@septet/domain'

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
