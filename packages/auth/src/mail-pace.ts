import type { CodeKind, Instant } from '@septet/domain'

import { AuthProblem } from './auth-problem.ts'

/** How often letters may be asked for and sent. */
export type MailPace = {
  /** Throws 429 `over_email_send_rate_limit`: one letter of a kind per address and minute, whether or not anyone has that address. */
  claim(kind: CodeKind, address: string): void
  /** Counts a letter that is about to go out; false when the hour's are used up. */
  count(): boolean
}

/**
 * The pace of one server. Claims are kept for addresses without an account too: if only real ones were refused a second
 * time, the refusal would tell who has an account.
 */
export function openMailPace(now: () => Instant, hourly: number): MailPace {
  /** When each was claimed, oldest first. */
  const claims = new Map<string, Instant>()
  let sent: Instant[] = []
  const spent = (): boolean => {
    sent = sent.filter((at) => now() - at < HOUR)
    return sent.length >= hourly
  }
  return {
    claim(kind, address) {
      forget(claims, now())
      const key = `${kind} ${address}`
      const claimed = claims.get(key)
      const wait = claimed === undefined ? 0 : claimed + MAIL_GAP - now()
      if (wait > 0) throw tooSoon(wait)
      if (spent()) throw usedUp((sent[0] ?? now()) + HOUR - now())
      claims.delete(key)
      claims.set(key, now())
    },
    count() {
      if (spent()) return false
      sent.push(now())
      return true
    },
  }
}

/** Least time between two letters of a kind to one account, milliseconds. */
export const MAIL_GAP = 60_000
const HOUR = 3_600_000
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
    message: 'Too many letters were sent within the last hour. Try again later, or sign in with your password.',
    retryAfter: Math.max(1, Math.ceil(wait / 1000)),
  })
