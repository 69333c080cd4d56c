import type { Instant } from '@septet/domain'
import type { JWTPayload } from 'jose'

/** The keys that sign access tokens (ES256), kept in the store with their private half sealed. */
export type SigningKeys = {
  sign(claims: JWTPayload): Promise<string>
  /** The claims of a token that one of the keys signed. Throws what `jose` throws. */
  verify(token: string, expected: { issuer: string; audience: string; now: Instant }): Promise<JWTPayload>
  /** For `/.well-known/jwks.json`: public halves only, newest first. */
  publicKeys(): Promise<readonly Readonly<Record<string, unknown>>[]>
}
