import { compareText, type CodeStore, type FlowStore } from '@septet/domain'

import { alreadyThere, ownerGone } from './access-failures.ts'
import { codeRow, flowRow, toCode, toFlow, type CodeRow } from './account-rows.ts'
import type { MemoryTables } from './memory-tables.ts'
import { dateOf, soughtText } from './row-values.ts'

/** The twin of `postgresCodes`, in memory. */
export function memoryCodes({ accounts, codes }: MemoryTables): CodeStore {
  return {
    put: async (code) => {
      const row = codeRow(code)
      const replaced = (each: CodeRow) =>
        each.hash === row.hash || (each.accountId === row.accountId && each.kind === row.kind)
      if (codes.where((each) => each.id === row.id && !replaced(each)).length > 0) throw alreadyThere()
      if (accounts.get(row.accountId) === undefined) throw ownerGone()
      codes.removeWhere(replaced)
      codes.put(row)
    },
    byHash: async (hash) => maybeCode(codes.where((row) => row.hash === hash)[0]),
    ofAccount: async (accountId, kind) =>
      maybeCode(codes.where((row) => row.accountId === accountId && row.kind === kind)[0]),
    sentTo: async (address, kind) =>
      codes
        .where((row) => row.sentTo === address && row.kind === kind)
        .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || compareText(a.id, b.id))
        .map(toCode),
    countTry: async (id) => {
      const found = codes.get(soughtText(id))
      return found === undefined ? 0 : (codes.change(id, { tries: found.tries + 1 })?.tries ?? 0)
    },
    take: async (id) => codes.take(soughtText(id)) !== undefined,
    removeOf: async (accountId) => void codes.removeWhere((row) => row.accountId === accountId),
    prune: async (now) => codes.removeWhere(isOver(dateOf(now))),
  }
}

const maybeCode = (row: CodeRow | undefined) => (row === undefined ? undefined : toCode(row))

const isOver =
  (now: Date) =>
  (row: { readonly expiresAt: Date }): boolean =>
    row.expiresAt <= now

/** The twin of `postgresFlows`, in memory. */
export function memoryFlows({ accounts, flows }: MemoryTables): FlowStore {
  return {
    put: async (flow) => {
      const row = flowRow(flow)
      flows.insertFor(accounts.get(row.accountId), row)
    },
    take: async (hash) => {
      const taken = flows.take(soughtText(hash))
      return taken === undefined ? undefined : toFlow(taken)
    },
    removeOf: async (accountId) => void flows.removeWhere((row) => row.accountId === accountId),
    prune: async (now) => flows.removeWhere(isOver(dateOf(now))),
  }
}
