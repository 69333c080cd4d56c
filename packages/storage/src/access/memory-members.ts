import { compareText, type ApiTokenStore, type KeyStore, type MemberStore } from '@septet/domain'

import { alreadyThere } from './access-failures.ts'
import { memberRow, toMember, toToken, tokenRow, type MemberRow, type TokenRow } from './member-rows.ts'
import { MemoryTable } from './memory-table.ts'
import { dateOf, soughtText } from './row-values.ts'
import { keyRow, toKey, type KeyRow } from './session-rows.ts'

/** The twin of `postgresMembers`, in memory. */
export function memoryMembers(): MemberStore {
  const members = new MemoryTable<MemberRow>((row) => row.email)
  return {
    list: async () =>
      members
        .where(() => true)
        .toSorted((a, b) => compareText(a.email, b.email))
        .map(toMember),
    get: async (email) => {
      const found = members.get(soughtText(email))
      return found === undefined ? undefined : toMember(found)
    },
    put: async (member) => members.put(memberRow(member)),
    remove: async (email) => members.take(soughtText(email)) !== undefined,
  }
}

/** The twin of `postgresTokens`, in memory. */
export function memoryTokens(): ApiTokenStore {
  const tokens = new MemoryTable<TokenRow>((row) => row.id)
  const byHash = (hash: string) => tokens.where((row) => row.hash === hash)[0]
  return {
    create: async (token) => {
      const row = tokenRow(token)
      if (byHash(row.hash) !== undefined) throw alreadyThere()
      tokens.insert(row)
    },
    list: async () =>
      tokens
        .where(() => true)
        .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || compareText(a.id, b.id))
        .map(toToken),
    byHash: async (hash) => maybeToken(byHash(hash)),
    touch: async (id, at) => {
      const lastUsedAt = dateOf(at)
      tokens.change(soughtText(id), { lastUsedAt }, (row) => row.lastUsedAt === null || row.lastUsedAt < lastUsedAt)
    },
    revoke: async (id, at) =>
      maybeToken(tokens.change(soughtText(id), { revokedAt: dateOf(at) }, (row) => row.revokedAt === null)),
  }
}

const maybeToken = (row: TokenRow | undefined) => (row === undefined ? undefined : toToken(row))

/** The twin of `postgresKeys`, in memory. */
export function memoryKeys(): KeyStore {
  const keys = new MemoryTable<KeyRow>((row) => row.kid)
  const list: KeyStore['list'] = async () =>
    keys
      .where(() => true)
      .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || compareText(a.kid, b.kid))
      .map(toKey)
  return {
    list,
    addIfNone: async (key) => {
      const row = keyRow(key)
      if (keys.where((each) => each.sealedPrivateJwk !== null).length === 0) keys.insert(row)
      return list()
    },
  }
}
