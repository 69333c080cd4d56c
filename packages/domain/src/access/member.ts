import type { Instant } from '../units.ts'
import type { Role } from './role.ts'

/**
 * What an admin or the groups of the sign-in provider decided about one address, in both modes of sign-in. Without one, the
 * authorized address is admin and others are viewers.
 */
export type Member = {
  /** Whole address, trimmed and case-folded. */
  readonly email: string
  readonly role: Role
  /** The only namespaces that they see; undefined for all. */
  readonly namespaces: readonly string[] | undefined
  /** Until when the groups of the person's last sign-in count; undefined where an admin decided, which has no end. */
  readonly until: Instant | undefined
  readonly updatedAt: Instant
}

/** A key for programs: command line, scrapers, agents. The secret itself is shown once and not kept. */
export type ApiToken = {
  readonly id: string
  readonly name: string
  /** First characters of the secret, to recognize it by. */
  readonly prefix: string
  /** Keyed hash of the secret, hex; unique. */
  readonly hash: string
  readonly role: Role
  readonly namespaces: readonly string[] | undefined
  readonly clusters: readonly string[] | undefined
  /** Address of who made it. A token may never do more than its maker may now. */
  readonly createdBy: string
  /** Their account; undefined for a token from before that was kept. */
  readonly account: string | undefined
  readonly createdAt: Instant
  readonly expiresAt: Instant | undefined
  readonly lastUsedAt: Instant | undefined
  readonly revokedAt: Instant | undefined
}
