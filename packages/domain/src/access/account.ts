import type { Instant } from '../units.ts'

/** A person with a password of their own here; in hosted mode accounts live elsewhere. */
export type Account = {
  /** UUID. */
  readonly id: string
  /** Whole address, trimmed and case-folded; unique. */
  readonly email: string
  /** argon2id in PHC form; undefined for one who was invited or signs in by mail only. */
  readonly passwordHash: string | undefined
  /** Written by the server only. */
  readonly appMetadata: JsonRecord
  /** Writable by its owner: never decides what they may do. */
  readonly userMetadata: JsonRecord
  readonly emailConfirmedAt: Instant | undefined
  readonly invitedAt: Instant | undefined
  readonly lastSignInAt: Instant | undefined
  readonly bannedUntil: Instant | undefined
  /** An address that waits to be confirmed. */
  readonly newEmail: string | undefined
  /** When a mail of each kind was last sent: no two within a minute. */
  readonly mailSentAt: Readonly<Partial<Record<CodeKind, Instant>>>
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** A person as a sign-in provider knows them, and the account that is theirs here. */
export type ExternalIdentity = {
  readonly issuer: string
  /** The provider's own name for the person, which it gives to nobody else (`sub`). */
  readonly subject: string
  readonly accountId: string
  readonly createdAt: Instant
}
export type JsonRecord = Readonly<Record<string, unknown>>
export type AccountChange = Partial<Omit<Account, 'id' | 'createdAt'>>

/** What a code or link that was sent by mail is for. */
export type CodeKind =
  | 'signup'
  | 'invite'
  | 'magiclink'
  | 'recovery'
  | 'email_change_current'
  | 'email_change_new'
  | 'reauthentication'

/** A code that waits to be used, once. */
export type MailCode = {
  readonly id: string
  readonly accountId: string
  readonly kind: CodeKind
  /** Keyed hash over address and code, hex; unique. Also what a link carries, so it may stand in a URL. */
  readonly hash: string
  readonly sentTo: string
  readonly tries: number
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

/** A letter that was written, kept for the outbox where no mail server is set. */
export type Mail = {
  readonly id: string
  readonly at: Instant
  readonly to: string
  readonly kind: CodeKind | 'alert' | 'report'
  readonly subject: string
  readonly text: string
  /** `sent`, or why it was not. */
  readonly outcome: string
}
