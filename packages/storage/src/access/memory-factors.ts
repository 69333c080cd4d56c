import { compareText, type FactorStore } from '@septet/domain'

import { alreadyThere } from './access-failures.ts'
import type { MemoryTables } from './memory-tables.ts'
import { dateOf, soughtText } from './row-values.ts'
import { challengeRow, factorChangeRow, factorRow, toChallenge, toFactor, type FactorRow } from './session-rows.ts'

/** The twin of `postgresFactors`, in memory. */
export function memoryFactors(tables: MemoryTables): FactorStore {
  const { accounts, factors, challenges } = tables
  const isNameTaken = ({ id, accountId, friendlyName }: Pick<FactorRow, 'id' | 'accountId' | 'friendlyName'>) =>
    friendlyName !== '' &&
    factors.where((row) => row.accountId === accountId && row.friendlyName === friendlyName && row.id !== id).length > 0
  return {
    create: async (factor) => {
      const row = factorRow(factor)
      if (isNameTaken(row)) return false
      factors.insertFor(accounts.get(row.accountId), row)
      return true
    },
    get: async (id) => maybeFactor(factors.get(soughtText(id))),
    ofAccount: async (accountId) =>
      factors
        .where((row) => row.accountId === accountId)
        .toSorted(oldestFirst)
        .map(toFactor),
    update: async (id, change) => {
      const [found, columns] = [factors.get(soughtText(id)), factorChangeRow(change)]
      if (found !== undefined && isNameTaken({ ...found, ...columns })) throw alreadyThere()
      return maybeFactor(factors.change(soughtText(id), columns))
    },
    remove: async (id) => removeFactors(tables, (row) => row.id === id) > 0,
    useStep: async (id, step) =>
      factors.change(soughtText(id), { lastStep: step }, ({ lastStep }) => lastStep === null || lastStep < step) !==
      undefined,
    putChallenge: async (challenge) => {
      const row = challengeRow(challenge)
      challenges.insertFor(factors.get(row.factorId), row)
    },
    getChallenge: async (id) => {
      const found = challenges.get(soughtText(id))
      return found === undefined ? undefined : toChallenge(found)
    },
    takeChallenge: async (id) => challenges.take(soughtText(id)) !== undefined,
    prune: async (now, unverifiedBefore) => {
      const [end, before] = [dateOf(now), dateOf(unverifiedBefore)]
      const over = challenges.removeWhere((row) => row.expiresAt <= end)
      const isOld = (row: FactorRow) => row.status === 'unverified' && row.createdAt < before
      return over + removeFactors(tables, isOld)
    },
  }
}

/** Removes factors and their challenges; how many factors went. */
export function removeFactors({ factors, challenges }: MemoryTables, fits: (row: FactorRow) => boolean): number {
  const gone = new Set(factors.where(fits).map((row) => row.id))
  challenges.removeWhere((row) => gone.has(row.factorId))
  return factors.removeWhere((row) => gone.has(row.id))
}

const maybeFactor = (row: FactorRow | undefined) => (row === undefined ? undefined : toFactor(row))

const oldestFirst = (a: FactorRow, b: FactorRow): number =>
  a.createdAt.getTime() - b.createdAt.getTime() || compareText(a.id, b.id)
