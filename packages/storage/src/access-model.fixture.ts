import type { AccessStore, Account, Factor, FactorChallenge, MailCode, Session } from '@septet/domain'

import { alreadyThere, ownerGone } from './access/access-failures.ts'

/** As much of a store as the runs of requests that no test thought of ask for. */
export type Modeled = {
  readonly accounts: Pick<AccessStore['accounts'], 'create' | 'get' | 'byEmail' | 'update' | 'remove'>
  readonly sessions: Pick<AccessStore['sessions'], 'create' | 'ofAccount' | 'advance' | 'update' | 'removeOf'>
  readonly codes: Pick<AccessStore['codes'], 'put' | 'byHash' | 'sentTo' | 'countTry' | 'take'>
  readonly factors: Pick<
    AccessStore['factors'],
    'create' | 'ofAccount' | 'update' | 'remove' | 'useStep' | 'putChallenge' | 'takeChallenge'
  >
}

/** What a store must answer when requests come one after another: plain lists, of plain things, looked through. */
export function accessModel(): Modeled {
  const accounts = new Map<string, Account>()
  const sessions = new Map<string, Session>()
  const codes = new Map<string, MailCode>()
  const factors = new Map<string, Factor>()
  const challenges = new Map<string, FactorChallenge>()

  const removeFactor = (id: string): boolean => {
    removeWhere(challenges, ({ factorId }) => factorId === id)
    return factors.delete(id)
  }
  const isNameTaken = ({ id, accountId, friendlyName }: Factor): boolean =>
    friendlyName !== '' &&
    those(factors, (each) => each.accountId === accountId && each.friendlyName === friendlyName && each.id !== id)
      .length > 0

  return {
    accounts: {
      create: async (account) => {
        if (those(accounts, ({ email }) => email === account.email).length > 0) return false
        add(accounts, account.id, account)
        return true
      },
      get: async (id) => accounts.get(id),
      byEmail: async (sought) => those(accounts, ({ email }) => email === sought)[0],
      update: async (id, change) => {
        if (!accounts.has(id)) return undefined
        const isTaken = those(accounts, (each) => each.email === change.email && each.id !== id).length > 0
        return isTaken ? 'taken' : changed(accounts, id, change)
      },
      remove: async (id) => {
        const isTheirs = ({ accountId }: { readonly accountId: string }): boolean => accountId === id
        removeWhere(sessions, isTheirs)
        removeWhere(codes, isTheirs)
        for (const factor of those(factors, isTheirs)) removeFactor(factor.id)
        return accounts.delete(id)
      },
    },
    sessions: {
      create: async (session) => addTo(accounts, session.accountId, [sessions, session.id, session]),
      ofAccount: async (id) =>
        those(sessions, ({ accountId }) => accountId === id).toSorted(
          (a, b) => b.refreshedAt - a.refreshedAt || byId(a, b),
        ),
      advance: async (id, counter, change) =>
        sessions.get(id)?.refreshCounter === counter ? changed(sessions, id, change) : undefined,
      update: async (id, change) => changed(sessions, id, change),
      removeOf: async (id, except) =>
        removeWhere(sessions, (session) => session.accountId === id && session.id !== except),
    },
    codes: {
      put: async (code) => {
        const isReplaced = ({ hash, accountId, kind }: MailCode): boolean =>
          hash === code.hash || (accountId === code.accountId && kind === code.kind)
        const sameId = codes.get(code.id)
        if (sameId !== undefined && !isReplaced(sameId)) throw alreadyThere()
        if (!accounts.has(code.accountId)) throw ownerGone()
        removeWhere(codes, isReplaced)
        codes.set(code.id, code)
      },
      byHash: async (sought) => those(codes, ({ hash }) => hash === sought)[0],
      sentTo: async (address, kind) =>
        those(codes, (code) => code.sentTo === address && code.kind === kind).toSorted(
          (a, b) => b.createdAt - a.createdAt || byId(a, b),
        ),
      countTry: async (id) => changed(codes, id, { tries: (codes.get(id)?.tries ?? 0) + 1 })?.tries ?? 0,
      take: async (id) => codes.delete(id),
    },
    factors: {
      create: async (factor) => {
        if (isNameTaken({ ...factor, id: '' })) return false
        addTo(accounts, factor.accountId, [factors, factor.id, factor])
        return true
      },
      ofAccount: async (id) =>
        those(factors, ({ accountId }) => accountId === id).toSorted((a, b) => a.createdAt - b.createdAt || byId(a, b)),
      update: async (id, change) => {
        const found = factors.get(id)
        if (found !== undefined && isNameTaken({ ...found, ...change })) throw alreadyThere()
        return changed(factors, id, change)
      },
      remove: async (id) => removeFactor(id),
      useStep: async (id, step) => {
        const last = factors.get(id)?.lastStep ?? -Infinity
        return last < step && changed(factors, id, { lastStep: step }) !== undefined
      },
      putChallenge: async (challenge) => addTo(factors, challenge.factorId, [challenges, challenge.id, challenge]),
      takeChallenge: async (id, ip) => challenges.get(id)?.ip === ip && challenges.delete(id),
    },
  }
}

const those = <Thing>(table: ReadonlyMap<string, Thing>, fits: (thing: Thing) => boolean): Thing[] =>
  [...table.values()].filter(fits)

function add<Thing>(table: Map<string, Thing>, id: string, thing: Thing): void {
  if (table.has(id)) throw alreadyThere()
  table.set(id, thing)
}

/** What is there already is told before an owner that is gone. */
function addTo<Thing>(
  owners: ReadonlyMap<string, unknown>,
  owner: string,
  [table, id, thing]: Parameters<typeof add<Thing>>,
): void {
  if (!table.has(id) && !owners.has(owner)) throw ownerGone()
  add(table, id, thing)
}

function changed<Thing>(table: Map<string, Thing>, id: string, change: NoInfer<Partial<Thing>>): Thing | undefined {
  const found = table.get(id)
  if (found === undefined) return undefined
  const made = { ...found, ...change }
  table.set(id, made)
  return made
}

function removeWhere<Thing>(table: Map<string, Thing>, fits: (thing: Thing) => boolean): number {
  const gone = [...table].filter(([, thing]) => fits(thing))
  for (const [id] of gone) table.delete(id)
  return gone.length
}

const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1)
