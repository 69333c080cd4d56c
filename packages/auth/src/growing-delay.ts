import type { Instant } from '@septet/domain'

/** A guess that may be made now. Until it is said to have succeeded it counts as wrong, also while it is being checked. */
export type Attempt = { readonly kind: 'go'; succeeded(): void }
export type Wait = { readonly kind: 'wait'; readonly ms: number }

/** Wrong guesses that cost nothing, from one address at one account: people mistype. */
const FREE = 5
/** The same once the account is under attack from many addresses. */
const FREE_UNDER_ATTACK = 1
/** Wrong guesses at one account within the window, from anywhere, that make an attack. */
const ATTACK = 25
/** Longest wait, milliseconds: about a hundred guesses a day from one address. */
const LONGEST_MS = 15 * 60_000
/** After this long without a guess, milliseconds, an address starts afresh. */
const WINDOW_MS = 60 * 60_000
/** Pairs and accounts that are remembered; the oldest go first. */
const MOST_KEPT = 50_000

/**
 * Makes guessing slow without locking anyone out. What is counted is the *pair* of account and address: after a few wrong
 * guesses that address waits 1 s, 2 s, 4 s … for that account, and nobody else does. So a stranger who hammers the
 * owner's account is held up at the stranger's address, and the owner signs in from their own as ever.
 *
 * Many addresses together are met without a lock on the account too: while it is under attack, each address has one
 * free guess instead of five. The owner's first try from a place that has not failed is therefore always judged,
 * whatever others do, and a right password clears the pair.
 *
 * Anyone who shares an address with the attacker (a proxy that is not named in SEPTET_TRUSTED_PROXIES makes everyone
 * share one) waits with them, at most 15 minutes between two tries.
 *
 * A guess is counted when it begins, in the same step that allows it: a hundred sent at once are five.
 */
export class GrowingDelay {
  readonly #now: () => Instant
  readonly #pairs = new Map<string, { count: number; at: number; until: number }>()
  readonly #accounts = new Map<string, { count: number; at: number }>()

  constructor(now: () => Instant) {
    this.#now = now
  }

  /** Whether a guess at the account may be made from this address now; if so it is counted. */
  begin(account: string, address: string): Attempt | Wait {
    const now = this.#now()
    const key = `${account} ${address}`
    const pair = fresh(this.#pairs.get(key), now)
    if (pair !== undefined && pair.until > now) return { kind: 'wait', ms: pair.until - now }
    const total = fresh(this.#accounts.get(account), now)?.count ?? 0
    const count = (pair?.count ?? 0) + 1
    const beyond = count - (total >= ATTACK ? FREE_UNDER_ATTACK : FREE)
    const wait = beyond < 0 ? 0 : Math.min(LONGEST_MS, 1000 * 2 ** beyond)
    keep(this.#pairs, key, { count, at: now, until: now + wait })
    keep(this.#accounts, account, { count: total + 1, at: now })
    return {
      kind: 'go',
      succeeded: () => {
        this.#pairs.delete(key)
        const counted = this.#accounts.get(account)
        if (counted !== undefined) counted.count = Math.max(0, counted.count - count)
      },
    }
  }
}

const fresh = <Counted extends { at: number }>(counted: Counted | undefined, now: number): Counted | undefined =>
  counted === undefined || now - counted.at >= WINDOW_MS ? undefined : counted

function keep<Counted>(map: Map<string, Counted>, key: string, value: Counted): void {
  // Put again at the end: a map keeps the order of insertion, so its first is the one that was quiet for longest.
  map.delete(key)
  map.set(key, value)
  if (map.size <= MOST_KEPT) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}
