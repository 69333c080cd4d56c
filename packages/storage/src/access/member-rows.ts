import { instant, type ApiToken, type AuditEntry, type AuditFact, type Member } from '@septet/domain'

import type { apiTokens, auditEntries, members } from '../access-schema.ts'
import { storableJson } from '../records/record-rows.ts'
import { storableText } from '../usage/storable.ts'
import { dateOf, exactText, maybeDate, maybeInstant } from './row-values.ts'

/** Between members, tokens and the audit as the domain knows them and what a table row holds. */

export type MemberRow = typeof members.$inferSelect

export const memberRow = (member: Member): MemberRow => ({
  email: exactText(member.email),
  role: member.role,
  namespaces: maybeList(member.namespaces),
  until: maybeDate(member.until),
  updatedAt: dateOf(member.updatedAt),
})

export const toMember = (row: MemberRow): Member => ({
  ...row,
  namespaces: row.namespaces ?? undefined,
  until: maybeInstant(row.until),
  updatedAt: instant(row.updatedAt.getTime()),
})

export type TokenRow = typeof apiTokens.$inferSelect

export const tokenRow = (token: ApiToken): TokenRow => ({
  id: exactText(token.id),
  name: storableText(token.name),
  prefix: storableText(token.prefix),
  hash: exactText(token.hash),
  role: token.role,
  namespaces: maybeList(token.namespaces),
  clusters: maybeList(token.clusters),
  createdBy: exactText(token.createdBy),
  account: token.account === undefined ? null : exactText(token.account),
  createdAt: dateOf(token.createdAt),
  expiresAt: maybeDate(token.expiresAt),
  lastUsedAt: maybeDate(token.lastUsedAt),
  revokedAt: maybeDate(token.revokedAt),
})

export const toToken = (row: TokenRow): ApiToken => ({
  ...row,
  namespaces: row.namespaces ?? undefined,
  clusters: row.clusters ?? undefined,
  account: row.account ?? undefined,
  createdAt: instant(row.createdAt.getTime()),
  expiresAt: maybeInstant(row.expiresAt),
  lastUsedAt: maybeInstant(row.lastUsedAt),
  revokedAt: maybeInstant(row.revokedAt),
})

const maybeList = (names: readonly string[] | undefined): readonly string[] | null =>
  names === undefined ? null : storableJson(names)

/** The fact as it will be read again: what is sealed must be what is kept. */
const storableFact = (fact: AuditFact): AuditFact => ({
  at: instant(dateOf(fact.at).getTime()),
  actor: storableText(fact.actor),
  action: storableText(fact.action),
  object: storableText(fact.object),
  outcome: fact.outcome,
  ip: storableText(fact.ip),
  details: storableJson(fact.details),
})

/** Gives the hash over an entry. */
export type Seal = (entry: Omit<AuditEntry, 'hash'>) => string

/** The entry that follows `last`. */
export function nextEntry(
  fact: AuditFact,
  last: { readonly seq: number; readonly hash: string } | undefined,
  seal: Seal,
): AuditEntry {
  // In the order of the columns, so that an entry reads the same when it comes back.
  const entry = { seq: (last?.seq ?? 0) + 1, ...storableFact(fact), previousHash: last?.hash ?? '' }
  return { ...entry, hash: exactText(seal(entry)) }
}

type EntryRow = typeof auditEntries.$inferSelect

export const entryRow = (entry: AuditEntry): EntryRow => ({ ...entry, at: dateOf(entry.at) })

export const toEntry = (row: EntryRow): AuditEntry => ({
  ...row,
  at: instant(row.at.getTime()),
})
