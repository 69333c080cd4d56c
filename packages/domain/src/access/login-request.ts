import type { Instant } from '../units.ts'
import type { Role } from './role.ts'

/** A command line that asks for a token, until a signed-in person allows or denies it. Good for minutes, and once. */
export type LoginRequest = {
  /** UUID; the command line names its request by it. */
  readonly id: string
  /** Keyed hash, hex, of the short code that both the terminal and the page show; unique. */
  readonly codeHash: string
  /** Host name as the command line gave it: a claim, shown to the person beside the address that asked. */
  readonly machine: string
  readonly ip: string
  /** PKCE S256 challenge (RFC 7636): only who holds the verifier can redeem. */
  readonly challenge: string
  /** Where the browser returns to, on the machine that asked; undefined where the person types the code (RFC 8628). */
  readonly callback: { readonly url: string; readonly state: string } | undefined
  /** The role it asks for; undefined leaves the choice to the person. */
  readonly role: Role | undefined
  readonly decision: LoginDecision | undefined
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

export type LoginDecision =
  | { readonly kind: 'denied' }
  | {
      readonly kind: 'allowed'
      /** Address of the person. */
      readonly by: string
      /** Their account; undefined in a decision from before that was kept. */
      readonly account: string | undefined
      readonly role: Role
      readonly namespaces: readonly string[] | undefined
      /** Keyed hash of what the browser carries back to the command line; undefined where no browser returns. */
      readonly grantHash: string | undefined
    }
