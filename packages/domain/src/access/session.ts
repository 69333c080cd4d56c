import type { Instant } from '../units.ts'

/** One sign-in on one device. Signing out removes it, and with it every token that names it. */
export type Session = {
  /** UUID; the `session_id` of access tokens. */
  readonly id: string
  readonly accountId: string
  /** Authenticator assurance level: 2 once a second factor was shown. */
  readonly aal: 'aal1' | 'aal2'
  readonly factorId: string | undefined
  /** Authentication methods, newest first. */
  readonly methods: readonly AuthMethod[]
  /** Grows with each refresh; a refresh token carries the value it was made at. */
  readonly refreshCounter: number
  readonly createdAt: Instant
  readonly refreshedAt: Instant
  readonly userAgent: string
  readonly ip: string
  readonly notAfter: Instant | undefined
  /** What the sign-in provider calls this sign-in (`sid`), so that it can end it; undefined where nobody else knows of it. */
  readonly providerSession: string | undefined
}
/** `at` in seconds, as the token's `amr` claim has it. */
export type AuthMethod = { readonly method: string; readonly at: number }
export type SessionChange = Partial<Omit<Session, 'id' | 'accountId' | 'createdAt'>>

/** A second factor: a time-based one-time password (RFC 6238). */
export type Factor = {
  readonly id: string
  readonly accountId: string
  readonly friendlyName: string
  readonly status: 'unverified' | 'verified'
  /** Encrypted. */
  readonly secret: Uint8Array
  /** Newest time step that was accepted: a code works once. */
  readonly lastStep: number | undefined
  readonly lastChallengedAt: Instant | undefined
  readonly createdAt: Instant
  readonly updatedAt: Instant
}
export type FactorChange = Partial<Pick<Factor, 'status' | 'lastChallengedAt' | 'updatedAt' | 'friendlyName'>>
export type FactorChallenge = {
  readonly id: string
  readonly factorId: string
  readonly ip: string
  readonly expiresAt: Instant
}

/** A key that signs access tokens, or only verifies them still. */
export type SigningKey = {
  readonly kid: string
  readonly publicJwk: Readonly<Record<string, unknown>>
  /** Encrypted private JWK; undefined for a key that only verifies. */
  readonly sealedPrivateJwk: Uint8Array | undefined
  readonly createdAt: Instant
}
