import type { ApiTokenStore, KeyStore, MemberStore } from '@septet/domain'
import { and, asc, desc, eq, isNull, lt, max, or } from '../drizzle.ts'

import { apiTokens, members, signingKeys } from '../access-schema.ts'
import { byText, oneAtATime, type AccessTables } from './access-tables.ts'
import { memberRow, toMember, tokenRow, toToken } from './member-rows.ts'
import { dateOf, soughtText } from './row-values.ts'
import { keyRow, toKey } from './session-rows.ts'

/** What admins decided, one row per address. */
export function postgresMembers({ db, all, first, run, finds }: AccessTables): MemberStore {
  return {
    list: () => {
      const byEmail = asc(byText(members.email))
      return all(toMember, () => db.select().from(members).orderBy(byEmail))
    },
    get: (email) =>
      first(toMember, () => {
        const isIt = eq(members.email, soughtText(email))
        return db.select().from(members).where(isIt)
      }),
    put: (member) =>
      run(() => {
        const row = memberRow(member)
        return db.insert(members).values(row).onConflictDoUpdate({ target: members.email, set: row })
      }),
    remove: (email) => finds(() => db.delete(members).where(eq(members.email, soughtText(email)))),
  }
}

/** Keys for programs, one row each; revoked ones stay. */
export function postgresTokens({ db, all, first, run }: AccessTables): ApiTokenStore {
  return {
    create: (token) => run(() => db.insert(apiTokens).values(tokenRow(token))),
    list: () => {
      const newest = [desc(apiTokens.createdAt), asc(byText(apiTokens.id))]
      return all(toToken, () =>
        db
          .select()
          .from(apiTokens)
          .orderBy(...newest),
      )
    },
    byHash: (hash) =>
      first(toToken, () => {
        const isIt = eq(apiTokens.hash, soughtText(hash))
        return db.select().from(apiTokens).where(isIt)
      }),
    touch: (id, at) =>
      run(() => {
        const lastUsedAt = dateOf(at)
        // Of two servers the later use counts, whichever tells of it first.
        const isLater = or(isNull(apiTokens.lastUsedAt), lt(apiTokens.lastUsedAt, lastUsedAt))
        const isIt = and(eq(apiTokens.id, soughtText(id)), isLater)
        return db.update(apiTokens).set({ lastUsedAt }).where(isIt)
      }),
    revoke: (id, at) =>
      first(toToken, () => {
        const isIt = and(eq(apiTokens.id, soughtText(id)), isNull(apiTokens.revokedAt))
        const columns = { revokedAt: dateOf(at) }
        return db.update(apiTokens).set(columns).where(isIt).returning()
      }),
  }
}

/** Any number that no other lock of Septet has; nearby is the one of `migrate.ts`. */
const KEYS_LOCK = 126_879_515_567_477

/** Keys that sign access tokens. */
export function postgresKeys({ db, all, count, transaction }: AccessTables): KeyStore {
  const list: KeyStore['list'] = () => {
    const newest = [desc(signingKeys.createdAt), asc(byText(signingKeys.kid))]
    return all(toKey, () =>
      db
        .select()
        .from(signingKeys)
        .orderBy(...newest),
    )
  }
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
    rotate: async (key) => {
      await transaction(async (query) => {
        const { kid, publicJwk, sealedPrivateJwk, createdAt } = keyRow(key)
        await oneAtATime(query, KEYS_LOCK)
        await query('update signing_keys set sealed_private_jwk = null')
        await query(
          'insert into signing_keys (kid, public_jwk, sealed_private_jwk, created_at) values ($1, $2, $3, $4)',
          [kid, JSON.stringify(publicJwk), sealedPrivateJwk, createdAt.toISOString()],
        )
      })
    },
    prune: (followedBefore) => {
      const followers = db
        .select({ latest: max(signingKeys.createdAt) })
        .from(signingKeys)
        .where(lt(signingKeys.createdAt, dateOf(followedBefore)))
      return count(() => db.delete(signingKeys).where(lt(signingKeys.createdAt, followers)))
    },
  }
}
