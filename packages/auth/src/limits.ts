import { randomUUID } from 'node:crypto'

import { plural } from '@septet/domain/words'
import { instant, SECONDS_PER_HOUR, type CodeKind, type Instant, type NoteStore } from '@septet/domain'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

import { REQUEST_LIMITS, type RateLimits, type RequestKind } from './auth-config.ts'
import { AuthProblem } from './auth-problem.ts'
import { GrowingDelay, type Attempt } from './growing-delay.ts'

/**
 * What keeps strangers from trying for long. What reaches one person is counted in the store, by all servers on it together;
 * the rest is in memory: a restart forgets it, and several servers count apart.
 */
export type SignInLimits = {
  /** Counts one request of an address (`request.ip`); refuses with 429 when there were too many of the kind. */
  spend(kind: RequestKind, ip: string): Promise<void>
  /** Counts something that reaches one person whoever asks for it, such as codes that are tried. */
  spendOn(kind: TargetKind, target: string): Promise<void>
  /**
   * Counts a letter that one network address asks for, and one that goes to a reader, whoever asks. Recoveries and
   * invitations are each counted apart from all others, so that those cannot use them up.
   */
  spendLetter(kind: CodeKind, of: { readonly ip: string } | { readonly to: string }): Promise<void>
  /** Begins a guess at an account's password or code; refuses with 429 while this address must wait. Say how it ended. */
  attempt(account: string, ip: string): Attempt
}

/**
 * What reaches one person, whoever asks. Codes that are typed in,
 * right or wrong: six digits need a bound over many codes too, or asking for ever new ones would find one in the end;
 * links and passwords still work when it is reached. Tries at a second factor, by whoever knows the password: a hundred
 * at six digits, of which three are right at a time, find one in one case of 3,000 (NIST SP 800-63B, section 5.2.2, has
 * the same hundred). Codes of command lines that wait, which a signed-in person looks up: of 20^8, sixty find none.
 */
const BY_TARGET = {
  code: { points: 20, duration: 86_400 },
  factor: { points: 15, duration: 60 },
  'factor-day': { points: 100, duration: 86_400 },
  'login-code': { points: 60, duration: 300 },
} as const
type TargetKind = keyof typeof BY_TARGET

type LimitParts = { readonly now: () => Instant; readonly notes: NoteStore; readonly limits: RateLimits }

/** The limits, on from the start. */
export function openLimits({ now, notes, limits: { requests, letters } }: LimitParts): SignInLimits {
  const byAddress = limitersOf(withSet(requests))
  const lettersOf = limitersOf({
    address: { points: letters.perAddress, duration: SECONDS_PER_HOUR },
    reader: { points: letters.perRecipient, duration: SECONDS_PER_HOUR },
  })
  const delay = new GrowingDelay(now)
  return {
    spend: (kind, ip) => consume(byAddress[kind], addressKey(ip)),
    spendOn: (kind, target) => spendTogether({ now, notes }, kind, target),
    spendLetter: (kind, of) =>
      'ip' in of
        ? consume(lettersOf.address, `${groupOf(kind)} ${addressKey(of.ip)}`)
        : consume(lettersOf.reader, `${groupOf(kind)} ${of.to}`),
    attempt(account, ip) {
      const attempt = delay.begin(account, addressKey(ip))
      if (attempt.kind === 'wait') throw tooMany(attempt.ms)
      return attempt
    },
  }
}

async function spendTogether(
  { now, notes }: Pick<LimitParts, 'now' | 'notes'>,
  kind: TargetKind,
  target: string,
): Promise<void> {
  const { points, duration } = BY_TARGET[kind]
  const at = now()
  const until = instant(at + duration * 1000)
  const note = { kind: `tries/${kind}`, id: randomUUID(), owner: target, at, until, bytes: new Uint8Array() }
  const again = await notes.addUpTo(points, note)
  if (again !== undefined) throw tooMany(again - at)
}

const groupOf = (kind: CodeKind): string => (kind === 'recovery' || kind === 'invite' ? kind : 'other')

type Points = { readonly points: number; readonly duration: number }

function withSet(set: RateLimits['requests']): Readonly<Record<RequestKind, Points>>
function withSet(set: Readonly<Record<string, number>>): object {
  const limits = Object.entries(REQUEST_LIMITS)
  return Object.fromEntries(limits.map(([kind, usual]) => [kind, { ...usual, points: set[kind] ?? usual.points }]))
}

function limitersOf<Kind extends string>(
  kinds: Readonly<Record<Kind, Points>>,
): Readonly<Record<Kind, RateLimiterMemory>>
function limitersOf(kinds: Readonly<Record<string, Points>>): object {
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
