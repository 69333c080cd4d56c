import type { ApiTokenStore, KeyStore, MemberStore } from '@septet/domain'
import { and, asc, desc, eq, isNull, lt, or } from '../drizzle.ts'

import { apiTokens, members, signingKeys } from '../access-schema.ts'
import { byText, oneAtATime, type AccessTables } from './access-tables.ts'
import { memberRow, toMember, tokenRow, toToken } from './member-rows.ts'
import { dateOf, soughtText } from './row-values.ts'
import { keyRow, toKey } from './session-rows.ts'

/** What admins decided, one row per address. */
export function postgresMembers({ db, guard, finds }: AccessTables): MemberStore {
  return {
    list: () =>
      guard(async () => {
        const found = await db
          .select()
          .from(members)
          .orderBy(asc(byText(members.email)))
        return found.map(toMember)
      }),
    get: (email) =>
      guard(async () => {
        const found = await db
          .select()
          .from(members)
          .where(eq(members.email, soughtText(email)))
        return found.map(toMember)[0]
      }),
    put: (member) =>
      guard(async () => {
        const row = memberRow(member)
        await db.insert(members).values(row).onConflictDoUpdate({ target: members.email, set: row })
      }),
    remove: (email) => finds(() => db.delete(members).where(eq(members.email, soughtText(email)))),
  }
}

/** Keys for programs, one row each; revoked ones stay. */
export function postgresTokens({ db, guard }: AccessTables): ApiTokenStore {
  return {
    create: (token) =>
      guard(async () => {
        await db.insert(apiTokens).values(tokenRow(token))
      }),
    list: () =>
      guard(async () => {
        const found = await db
          .select()
          .from(apiTokens)
          .orderBy(desc(apiTokens.createdAt), asc(byText(apiTokens.id)))
        return found.map(toToken)
      }),
    byHash: (hash) =>
      guard(async () => {
        const found = await db
          .select()
          .from(apiTokens)
          .where(eq(apiTokens.hash, soughtText(hash)))
        return found.map(toToken)[0]
      }),
    touch: (id, at) =>
      guard(async () => {
        const lastUsedAt = dateOf(at)
        // Of two servers the later use counts, whichever tells of it first.
        const isLater = or(isNull(apiTokens.lastUsedAt), lt(apiTokens.lastUsedAt, lastUsedAt))
        await db
          .update(apiTokens)
          .set({ lastUsedAt })
          .where(and(eq(apiTokens.id, soughtText(id)), isLater))
      }),
    revoke: (id, at) =>
      guard(async () => {
        const revoked = await db
          .update(apiTokens)
          .set({ revokedAt: dateOf(at) })
          .where(and(eq(apiTokens.id, soughtText(id)), isNull(apiTokens.revokedAt)))
          .returning()
        return revoked.map(toToken)[0]
      }),
  }
}

/** Any number that no other lock of Septet has; nearby is the one of `migrate.ts`. */
const KEYS_LOCK = 126_879_515_567_477

/** Keys that sign access tokens. */
export function postgresKeys({ db, guard, transaction }: AccessTables): KeyStore {
  const list: KeyStore['list'] = () =>
    guard(async () => {
      const found = await db
        .select()
        .from(signingKeys)
        .orderBy(desc(signingKeys.createdAt), asc(byText(signingKeys.kid)))
      return found.map(toKey)
    })
  return {
    list,
    addIfNone: async (key) => {
      await transaction(async (query) => {
        const { kid, publicJwk, sealedPrivateJwk, createdAt } = keyRow(key)
        await oneAtATime(query, KEYS_LOCK)
        await query(
          `insert into signing_keys (kid, public_jwk, sealed_private_jwk, created_at)
           select $1, $2, $3, $4 where not exists (select from signing_keys where sealed_private_jwk is not null)`,
          [kid, JSON.stringify(publicJwk), sealedPrivateJwk, createdAt.toISOString()],
        )
      })
      return list()
    },
  }
}
