import { compareText, type AccountStore } from '@septet/domain'

import { storableText } from '../usage/storable.ts'
import { alreadyThere } from './access-failures.ts'
import { accountChangeRow, accountRow, toAccount, type AccountRow } from './account-rows.ts'
import { removeFactors } from './memory-factors.ts'
import type { MemoryTables } from './memory-tables.ts'
import { soughtText } from './row-values.ts'

/** The twin of `postgresAccounts`, in memory. */
export function memoryAccounts(tables: MemoryTables): AccountStore {
  const { accounts } = tables
  const holderOf = (email: string) => accounts.where((row) => row.email === email)[0]
  return {
    create: async (account) => {
      const row = accountRow(account)
      if (holderOf(row.email) !== undefined) return false
      if (accounts.get(row.id) !== undefined) throw alreadyThere()
      accounts.put(row)
      return true
    },
    get: async (id) => maybeAccount(accounts.get(soughtText(id))),
    byEmail: async (email) => maybeAccount(holderOf(soughtText(email))),
    list: async ({ page, perPage, filter = '' }) => {
      const found = accounts.where((row) => row.email.includes(storableText(filter))).toSorted(oldestFirst)
      const shown = found.slice((page - 1) * perPage, page * perPage)
      return { accounts: shown.map(toAccount), total: found.length }
    },
    update: async (id, change) => {
      const columns = accountChangeRow(change)
      if (accounts.get(soughtText(id)) === undefined) return undefined
      const holder = columns.email === undefined ? undefined : holderOf(columns.email)
      return holder !== undefined && holder.id !== id ? 'taken' : maybeAccount(accounts.change(id, columns))
    },
    remove: async (id) => {
      for (const table of [tables.sessions, tables.codes, tables.flows]) {
        table.removeWhere((row: { readonly accountId: string }) => row.accountId === id)
      }
      removeFactors(tables, (factor) => factor.accountId === id)
      return accounts.take(soughtText(id)) !== undefined
    },
  }
}

const maybeAccount = (row: AccountRow | undefined) => (row === undefined ? undefined : toAccount(row))

const oldestFirst = (a: AccountRow, b: AccountRow): number =>
  a.createdAt.getTime() - b.createdAt.getTime() || compareText(a.id, b.id)
