import type { FactorStore } from '@septet/domain'
import { and, asc, eq, isNull, lt, lte, or, sql } from '../drizzle.ts'

import { factorChallenges, factors } from '../access-schema.ts'
import { storableText } from '../usage/storable.ts'
import { byText, type AccessTables } from './access-tables.ts'
import { dateOf, soughtText } from './row-values.ts'
import { challengeRow, factorChangeRow, factorRow, toChallenge, toFactor } from './session-rows.ts'

/** The names that are unique, word for word as the index has it. */
const NAMED = sql`${factors.friendlyName} <> ''`

type Factors = Omit<FactorStore, keyof Challenges>
type Challenges = Pick<FactorStore, 'putChallenge' | 'getChallenge' | 'takeChallenge' | 'prune'>

/** Second factors and the challenges to show them. */
export const postgresFactors = (tables: AccessTables): FactorStore => ({
  ...factorTable(tables),
  ...challengeTable(tables),
})

function factorTable({ db, guard, finds }: AccessTables): Factors {
  return {
    create: (factor) =>
      guard(async () => {
        const made = await db
          .insert(factors)
          .values(factorRow(factor))
          .onConflictDoNothing({ target: [factors.accountId, factors.friendlyName], where: NAMED })
          .returning({ id: factors.id })
        return made.length > 0
      }),
    get: (id) =>
      guard(async () => {
        const found = await db
          .select()
          .from(factors)
          .where(eq(factors.id, soughtText(id)))
        return found.map(toFactor)[0]
      }),
    ofAccount: (accountId) =>
      guard(async () => {
        const found = await db
          .select()
          .from(factors)
          .where(eq(factors.accountId, soughtText(accountId)))
          .orderBy(asc(factors.createdAt), asc(byText(factors.id)))
        return found.map(toFactor)
      }),
    update: (id, change) =>
      guard(async () => {
        const key = soughtText(id)
        const changed = await db
          .update(factors)
          .set({ id: key, ...factorChangeRow(change) })
          .where(eq(factors.id, key))
          .returning()
        return changed.map(toFactor)[0]
      }),
    remove: (id) => finds(() => db.delete(factors).where(eq(factors.id, soughtText(id)))),
    useStep: (id, step) =>
      finds(() => {
        const isNewer = or(isNull(factors.lastStep), lt(factors.lastStep, step))
        const isIt = and(eq(factors.id, soughtText(id)), isNewer)
        return db.update(factors).set({ lastStep: step }).where(isIt)
      }),
  }
}

function challengeTable({ db, guard, finds, count }: AccessTables): Challenges {
  return {
    putChallenge: (challenge) =>
      guard(async () => {
        await db.insert(factorChallenges).values(challengeRow(challenge))
      }),
    getChallenge: (id) =>
      guard(async () => {
        const found = await db
          .select()
          .from(factorChallenges)
          .where(eq(factorChallenges.id, soughtText(id)))
        return found.map(toChallenge)[0]
      }),
    takeChallenge: (id, ip) => {
      const isIt = and(eq(factorChallenges.id, soughtText(id)), eq(factorChallenges.ip, storableText(ip)))
      return finds(() => db.delete(factorChallenges).where(isIt))
    },
    prune: async (now, unverifiedBefore) => {
      const isOver = () => lte(factorChallenges.expiresAt, dateOf(now))
      const over = await count(() => db.delete(factorChallenges).where(isOver()))
      const isOld = () => and(eq(factors.status, 'unverified'), lt(factors.createdAt, dateOf(unverifiedBefore)))
      return over + (await count(() => db.delete(factors).where(isOld())))
    },
  }
}
