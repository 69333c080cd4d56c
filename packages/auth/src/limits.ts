import { plural } from '@septet/domain/words'
import type { Instant } from '@septet/domain'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

import { AuthProblem } from './auth-problem.ts'
import { GrowingDelay, type Attempt } from './growing-delay.ts'

/** What keeps strangers from trying for long. Everything is in memory: a restart forgets, several servers count apart. */
export type Limits = {
  /** Counts one request of an address (`request.ip`); refuses with 429 when there were too many of the kind. */
  spend(kind: LimitKind, ip: string): Promise<void>
  /** Counts something that reaches one person whoever asks for it, such as letters to an address. */
  spendOn(kind: TargetKind, target: string): Promise<void>
  /** Begins a guess at an account's password or code; refuses with 429 while this address must wait. Say how it ended. */
  attempt(account: string, ip: string): Attempt
}

/** Requests of one address: how many in how many seconds. The first eight are those of the public service. */
const BY_ADDRESS = {
  signup: { points: 30, duration: 300 },
  otp: { points: 30, duration: 300 },
  recover: { points: 30, duration: 300 },
  resend: { points: 30, duration: 300 },
  user: { points: 30, duration: 300 },
  verify: { points: 30, duration: 300 },
  token: { points: 150, duration: 300 },
  factor: { points: 15, duration: 60 },
  admin: { points: 150, duration: 300 },
  'may-sign-up': { points: 60, duration: 300 },
  // Half of those that the service sends in an hour: what one address asks for leaves the others some.
  letters: { points: 15, duration: 3600 },
} as const
type LimitKind = keyof typeof BY_ADDRESS

/**
 * What reaches one person, whoever asks. Letters: enough to get in, too little to be a nuisance. Codes that are typed in,
 * right or wrong: six digits need a bound over many codes too, or asking for ever new ones would find one in the end;
 * links and passwords still work when it is reached. Tries at a second factor, by whoever knows the password: a hundred
 * at six digits, of which three are right at a time, find one in one case of 3,000 (NIST SP 800-63B, section 5.2.2, has
 * the same hundred).
 */
const BY_TARGET = {
  letter: { points: 10, duration: 3600 },
  code: { points: 20, duration: 86_400 },
  factor: { points: 15, duration: 60 },
  'factor-day': { points: 100, duration: 86_400 },
} as const
type TargetKind = keyof typeof BY_TARGET

/** The limits, on from the start. */
export function openLimits(now: () => Instant): Limits {
  const byAddress = limitersOf(BY_ADDRESS)
  const byTarget = limitersOf(BY_TARGET)
  const delay = new GrowingDelay(now)
  return {
    spend: (kind, ip) => consume(byAddress[kind], addressKey(ip)),
    spendOn: (kind, target) => consume(byTarget[kind], target),
    attempt(account, ip) {
      const attempt = delay.begin(account, addressKey(ip))
      if (attempt.kind === 'wait') throw tooMany(attempt.ms)
      return attempt
    },
  }
}

function limitersOf<Kind extends string>(
  kinds: Readonly<Record<Kind, { points: number; duration: number }>>,
): Readonly<Record<Kind, RateLimiterMemory>>
function limitersOf(kinds: Readonly<Record<string, { points: number; duration: number }>>): object {
  return Object.fromEntries(
    Object.entries(kinds).map(([kind, options]) => [kind, new RateLimiterMemory({ keyPrefix: kind, ...options })]),
  )
}

async function consume(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (error) {
    if (error instanceof RateLimiterRes) throw tooMany(error.msBeforeNext)
    throw error
  }
}

const tooMany = (ms: number): AuthProblem =>
  new AuthProblem(429, 'over_request_rate_limit', {
    message: `Too many tries. Wait ${waitWords(ms)}, then try again.`,
    retryAfter: ms / 1000,
  })

function waitWords(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds < 120) return plural(seconds, 'second')
  return `${Math.ceil(seconds / 60)} minutes`
}

/**
 * By whom an address is counted. One customer of IPv6 has a whole /64 (RFC 6177), so its host half says nothing; an
 * IPv4 address in IPv6 dress is that IPv4 address.
 */
export function addressKey(ip: string): string {
  const plain = ip.replace(/%.*$/u, '').toLowerCase()
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/u.exec(plain)?.[1]
  if (mapped !== undefined) return mapped
  if (!plain.includes(':')) return plain
  const [head = '', tail] = plain.split('::')
  const groups = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const middle =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - groups.length - after.length) }, () => '0')
  const prefix = [...groups, ...middle, ...after].slice(0, 4).map((group) => group.replace(/^0+(?=.)/u, ''))
  return `${prefix.join(':')}::/64`
}
