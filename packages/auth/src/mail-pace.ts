import { HOUR_MS, type CodeKind, type Instant, type Mail } from '@septet/domain'

import { AuthProblem } from './auth-problem.ts'

/** How often letters may be asked for and sent. */
export type MailPace = {
  /** Throws 429 `over_email_send_rate_limit`: one letter of a kind per address and minute, whether or not anyone has that address. */
  claim(kind: CodeKind, address: string): void
  /** Counts a letter that is about to go out; false when the hour's are used up. */
  count(kind: Mail['kind'], address: string): boolean
}

/** Letters an hour of the whole service. */
export type MailBudget = {
  /** Of the kinds that anyone can cause. */
  readonly hourly: number
  /** Kept for invitations. */
  readonly reserved?: number
  /** Whose letters count for neither: what one reader gets is bounded for each reader. */
  readonly owner?: string
}

/**
 * The pace of one server. Claims are kept for addresses without an account too: if only real ones were refused a second
 * time, the refusal would tell who has an account.
 */
export function openMailPace(now: () => Instant, { hourly, reserved = hourly, owner }: MailBudget): MailPace {
  /** When each was claimed, oldest first. */
  const claims = new Map<string, Instant>()
  const sent: Record<Pool, Instant[]> = { open: [], reserved: [] }
  const most: Record<Pool, number> = { open: hourly, reserved }
  const poolFor = (kind: Mail['kind'], address: string): Pool | undefined =>
    address === owner ? undefined : POOL_OF[kind]
  const isSpent = (pool: Pool): boolean => {
    sent[pool] = sent[pool].filter((at) => now() - at < HOUR_MS)
    return sent[pool].length >= most[pool]
  }
  return {
    claim(kind, address) {
      forget(claims, now())
      const key = `${kind} ${address}`
      const claimed = claims.get(key)
      const wait = claimed === undefined ? 0 : claimed + MAIL_GAP - now()
      if (wait > 0) throw tooSoon(wait)
      const pool = poolFor(kind, address)
      if (pool !== undefined && isSpent(pool)) throw usedUp((sent[pool][0] ?? now()) + HOUR_MS - now())
      claims.delete(key)
      claims.set(key, now())
    },
    count(kind, address) {
      const pool = poolFor(kind, address)
      if (pool === undefined) return true
      if (isSpent(pool)) return false
      sent[pool].push(now())
      return true
    },
  }
}

type Pool = 'open' | 'reserved'

/**
 * What a letter counts for. Those that only go to somebody who has an account count for their reader alone: however many
 * a stranger asks for, the next one's recovery goes out.
 */
const POOL_OF = {
  signup: 'open',
  magiclink: 'open',
  invite: 'reserved',
  recovery: undefined,
  email_change_current: undefined,
  email_change_new: undefined,
  reauthentication: undefined,
  alert: 'open',
  report: 'open',
} as const satisfies Record<Mail['kind'], Pool | undefined>

/** Least time between two letters of a kind to one account, milliseconds. */
export const MAIL_GAP = 60_000
/** More than anyone needs, and a bound on what strangers can make a server remember. */
const MOST_CLAIMS = 20_000

function forget(claims: Map<string, Instant>, now: Instant): void {
  for (const [key, at] of claims) {
    if (now - at < MAIL_GAP && claims.size < MOST_CLAIMS) return
    claims.delete(key)
  }
}

/** `wait` in milliseconds. */
function tooSoon(wait: number): AuthProblem {
  const retryAfter = Math.max(1, Math.ceil(wait / 1000))
  return new AuthProblem(429, 'over_email_send_rate_limit', {
    message: `For security purposes, you can only request this after ${retryAfter} seconds.`,
    retryAfter,
  })
}

const usedUp = (wait: number): AuthProblem =>
  new AuthProblem(429, 'over_email_send_rate_limit', {
    message: 'Too many emails were sent in the last hour. Try again later, or sign in with your password.',
    retryAfter: Math.max(1, Math.ceil(wait / 1000)),
  })
