import type { ApiTokenStore, KeyStore, MemberStore, SigningKey } from '@septet/domain'
import { and, asc, desc, eq, isNull, lt, max, or } from '../drizzle.ts'

import { apiTokens, members, signingKeys } from '../access-schema.ts'
import type { Query } from '../connection.ts'
import { known, rowOf, sought } from '../rows.ts'
import { byText, oneAtATime, type AccessTables } from './access-tables.ts'

/** What admins decided, one row per address. */
export function postgresMembers({ db, all, first, run, finds }: AccessTables): MemberStore {
  return {
    list: () => {
      const byEmail = asc(byText(members.email))
      return all(known, () => db.select().from(members).orderBy(byEmail))
    },
    get: (email) =>
      first(known, () => {
        const isIt = eq(members.email, sought(email))
        return db.select().from(members).where(isIt)
      }),
    put: (member) =>
      run(() => {
        const row = rowOf(members, member)
        return db.insert(members).values(row).onConflictDoUpdate({ target: members.email, set: row })
      }),
    remove: (email) => finds(() => db.delete(members).where(eq(members.email, sought(email)))),
  }
}

/** Keys for programs, one row each; revoked ones stay. */
export function postgresTokens({ db, all, first, run }: AccessTables): ApiTokenStore {
  return {
    create: (token) => run(() => db.insert(apiTokens).values(token)),
    list: () => {
      const newest = [desc(apiTokens.createdAt), asc(byText(apiTokens.id))]
      return all(known, () =>
        db
          .select()
          .from(apiTokens)
          .orderBy(...newest),
      )
    },
    byHash: (hash) =>
      first(known, () => {
        const isIt = eq(apiTokens.hash, sought(hash))
        return db.select().from(apiTokens).where(isIt)
      }),
    touch: (id, at) =>
      run(() => {
        // Of two servers the later use counts, whichever tells of it first.
        const isLater = or(isNull(apiTokens.lastUsedAt), lt(apiTokens.lastUsedAt, at))
        const isIt = and(eq(apiTokens.id, sought(id)), isLater)
        return db.update(apiTokens).set({ lastUsedAt: at }).where(isIt)
      }),
    revoke: (id, at) =>
      first(known, () => {
        const isIt = and(eq(apiTokens.id, sought(id)), isNull(apiTokens.revokedAt))
        const columns = { revokedAt: at }
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
    return all(known, () =>
      db
        .select()
        .from(signingKeys)
        .orderBy(...newest),
    )
  }
  const insert = (query: Query, key: SigningKey) => {
    const { sql, params } = db.insert(signingKeys).values(key).toSQL()
    return query(sql, params)
  }
  return {
    list,
    addIfNone: async (key) => {
      await transaction(async (query) => {
        await oneAtATime(query, KEYS_LOCK)
        const signing = await query('select kid from signing_keys where sealed_private_jwk is not null limit 1')
        if (signing.length === 0) await insert(query, key)
      })
      return list()
    },
    rotate: async (key) => {
      await transaction(async (query) => {
        await oneAtATime(query, KEYS_LOCK)
        await query('update signing_keys set sealed_private_jwk = null')
        await insert(query, key)
      })
    },
    prune: (followedBefore) => {
      const followers = db
        .select({ latest: max(signingKeys.createdAt) })
        .from(signingKeys)
        .where(lt(signingKeys.createdAt, followedBefore))
      return count(() => db.delete(signingKeys).where(lt(signingKeys.createdAt, followers)))
    },
  }
}
