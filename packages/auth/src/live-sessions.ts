import type { AccessStore, Account, Factor, Instant, Session } from '@septet/domain'

/** A session with whose it is, as of a moment ago. */
type LiveSession = {
  readonly session: Session
  readonly account: Account
  readonly factors: readonly Factor[]
}

/** Sessions by id for the check on every API request, kept for a few seconds. */
export type LiveSessions = {
  /** Undefined when the session or its account is gone. */
  find(sessionId: string): Promise<LiveSession | undefined>
}

/** How long an answer is used again, milliseconds. Another server's sign-out is seen within this time, our own at once. */
const KEPT_MS = 5000
/** Above this many everything is forgotten: ten thousand people at once are not what this is for. */
const MOST_KEPT = 10_000

/**
 * Gives the cache and the store to write through: whoever changes an account, a session or a factor through that store
 * takes what it concerns out of the cache, so that nobody can forget to. What is still being read goes with it.
 */
export function openLiveSessions(
  store: AccessStore,
  now: () => Instant,
): { readonly access: AccessStore; readonly live: LiveSessions } {
  const kept = new Map<string, Kept>()
  const emptied: Emptied = async (whose, change) => {
    try {
      return await change
    } finally {
      for (const [id, { accountId }] of kept) {
        const isSafe = accountId !== undefined && whose !== ANYONE && accountId !== whose && id !== whose
        if (!isSafe) kept.delete(id)
      }
    }
  }
  return {
    access: watched(store, emptied),
    live: {
      find(sessionId) {
        const before = kept.get(sessionId)
        if (before !== undefined && now() - before.at < KEPT_MS) return before.found
        if (kept.size >= MOST_KEPT) kept.clear()
        const entry: Kept = { at: now(), found: read(store, sessionId), accountId: undefined }
        kept.set(sessionId, entry)
        entry.found.then(
          (found) => (entry.accountId = found?.account.id),
          () => kept.delete(sessionId),
        )
        return entry.found
      },
    },
  }
}

async function read(store: AccessStore, sessionId: string): Promise<LiveSession | undefined> {
  const session = await store.sessions.get(sessionId)
  if (session === undefined) return undefined
  const [account, factors] = await Promise.all([
    store.accounts.get(session.accountId),
    store.factors.ofAccount(session.accountId),
  ])
  return account === undefined ? undefined : { session, account, factors }
}

type Kept = {
  readonly at: Instant
  readonly found: Promise<LiveSession | undefined>
  /** Undefined while it is being read: then it could be anyone's. */
  accountId: string | undefined
}

/** Runs a change and takes out what it concerns: the id of an account or a session, or anyone. */
type Emptied = <Result>(whose: string | typeof ANYONE, change: Promise<Result>) => Promise<Result>
const ANYONE = Symbol('anyone')

function watched(store: AccessStore, emptied: Emptied): AccessStore {
  const { accounts, sessions, factors } = store
  return {
    ...store,
    accounts: {
      ...accounts,
      update: (id, change) => emptied(id, accounts.update(id, change)),
      remove: (id) => emptied(id, accounts.remove(id)),
    },
    sessions: {
      ...sessions,
      advance: (id, counter, change) => emptied(id, sessions.advance(id, counter, change)),
      update: (id, change) => emptied(id, sessions.update(id, change)),
      remove: (id) => emptied(id, sessions.remove(id)),
      removeOf: (accountId, except) => emptied(accountId, sessions.removeOf(accountId, except)),
      prune: (at, staleBefore) => emptied(ANYONE, sessions.prune(at, staleBefore)),
    },
    factors: {
      create: (factor) => emptied(factor.accountId, factors.create(factor)),
      get: (id) => factors.get(id),
      ofAccount: (accountId) => factors.ofAccount(accountId),
      update: (id, change) => emptied(ANYONE, factors.update(id, change)),
      remove: (id) => emptied(ANYONE, factors.remove(id)),
      useStep: (id, step) => factors.useStep(id, step),
      putChallenge: (challenge) => factors.putChallenge(challenge),
      getChallenge: (id) => factors.getChallenge(id),
      takeChallenge: (id, ip) => factors.takeChallenge(id, ip),
      prune: (at, unverifiedBefore) => emptied(ANYONE, factors.prune(at, unverifiedBefore)),
    },
  }
}
