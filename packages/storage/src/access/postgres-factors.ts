import type { FactorStore } from '@septet/domain'
import type { SQL } from 'drizzle-orm'
import { and, asc, eq, isNull, lt, lte, or, sql } from '../drizzle.ts'

import { factorChallenges, factors } from '../access-schema.ts'
import { known, named, sought } from '../rows.ts'
import { byText, type AccessTables } from './access-tables.ts'

/** The names that are unique, word for word as the index has it. */
const NAMED = sql`${factors.friendlyName} <> ''`

type Factors = Omit<FactorStore, keyof Challenges>
type Challenges = Pick<FactorStore, 'putChallenge' | 'getChallenge' | 'takeChallenge' | 'prune'>

/** Second factors and the challenges to show them. */
export const postgresFactors = (tables: AccessTables): FactorStore => ({
  ...factorTable(tables),
  ...challengeTable(tables),
})

function factorTable({ db, guard, all, first, finds }: AccessTables): Factors {
  const found = (isIt: SQL) => db.select().from(factors).where(isIt)
  return {
    create: (factor) =>
      guard(async () => {
        const made = await db
          .insert(factors)
          .values(factor)
          .onConflictDoNothing({ target: [factors.accountId, factors.friendlyName], where: NAMED })
          .returning({ id: factors.id })
        return made.length > 0
      }),
    get: (id) => first(known, () => found(eq(factors.id, sought(id)))),
    ofAccount: (accountId) =>
      all(known, () => {
        const oldest = [asc(factors.createdAt), asc(byText(factors.id))]
        return found(eq(factors.accountId, sought(accountId))).orderBy(...oldest)
      }),
    update: (id, change) =>
      first(known, () => {
        const key = sought(id)
        const columns = { ...named(change, ['accountId', 'secret', 'lastStep', 'createdAt']), id: key }
        return db.update(factors).set(columns).where(eq(factors.id, key)).returning()
      }),
    remove: (id) => finds(() => db.delete(factors).where(eq(factors.id, sought(id)))),
    useStep: (id, step) =>
      finds(() => {
        const isNewer = or(isNull(factors.lastStep), lt(factors.lastStep, step))
        const isIt = and(eq(factors.id, sought(id)), isNewer)
        return db.update(factors).set({ lastStep: step }).where(isIt)
      }),
  }
}

function challengeTable({ db, first, run, finds, count }: AccessTables): Challenges {
  return {
    putChallenge: (challenge) => run(() => db.insert(factorChallenges).values(challenge)),
    getChallenge: (id) =>
      first(known, () => {
        const isIt = eq(factorChallenges.id, sought(id))
        return db.select().from(factorChallenges).where(isIt)
      }),
    takeChallenge: (id, ip) => {
      const isIt = and(eq(factorChallenges.id, sought(id)), eq(factorChallenges.ip, ip))
      return finds(() => db.delete(factorChallenges).where(isIt))
    },
    prune: async (now, unverifiedBefore) => {
      const isOver = () => lte(factorChallenges.expiresAt, now)
      const over = await count(() => db.delete(factorChallenges).where(isOver()))
      const isOld = () => and(eq(factors.status, 'unverified'), lt(factors.createdAt, unverifiedBefore))
      return over + (await count(() => db.delete(factors).where(isOld())))
    },
  }
}
