import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'

import { hash, verify } from '@node-rs/argon2'

import { AuthProblem } from './auth-problem.ts'
import { openFairQueue } from './fair-queue.ts'
import { addressKey } from './limits.ts'

/** Hashes and checks passwords, a few at a time. */
export type Passwords = {
  /** argon2id in PHC form. `ip`: who makes the server do the work; left out where that was an admin. */
  hash(password: string, ip?: string): Promise<string>
  /** Does the same work, and says no, when there is no hash to check against: timing tells nothing. */
  matches(hash: string | undefined, password: string, ip: string): Promise<boolean>
}

/** argon2id as the OWASP Password Storage Cheat Sheet asks for: 19 MiB, two passes, one lane. It is the library's default variant. */
const COST: HashCost = { memoryCost: 19_456, timeCost: 2 }
/**
 * Hashing runs on the threads of libuv, never on the event loop. There are four, and files, names and the signing of
 * tokens need them too, so it takes at most two; and it leaves one core to everything else.
 */
const AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1))
/** Hashes that may wait for those. At 25 ms each the last one waits one or two seconds; one more is refused. */
const MOST_WAITING = 64

/** Memory in KiB and passes over it. */
export type HashCost = { readonly memoryCost: number; readonly timeCost: number }

/**
 * Passwords, hashed at most `atOnce` at a time; as many as `mostWaiting` wait, the rest is refused with 429. Addresses take
 * turns, so that one stranger who asks for many does not keep the others waiting, or out.
 */
export function openPasswords({
  atOnce = AT_ONCE,
  mostWaiting = MOST_WAITING,
  cost = COST,
}: { readonly atOnce?: number; readonly mostWaiting?: number; readonly cost?: HashCost | undefined } = {}): Passwords {
  const price = { ...cost, parallelism: 1 }
  const inTurn = openFairQueue({ atOnce, mostWaiting, refusal: tooMany })
  let nobody: Promise<string> | undefined
  return {
    hash: (password, ip = '') => inTurn(addressKey(ip), () => hash(normal(password), price)),
    async matches(known, password, ip) {
      nobody ??= hash(randomBytes(32), price)
      const against = known ?? (await nobody)
      const same = await inTurn(addressKey(ip), () => verify(against, normal(password)))
      return same && known !== undefined
    },
  }
}

/** The same characters can be typed in two ways; NIST SP 800-63B, section 3.1.1.2, asks for one of these forms. */
const normal = (password: string): string => password.normalize('NFKC')

const tooMany = (): AuthProblem =>
  new AuthProblem(429, 'over_request_rate_limit', {
    message: 'Too many people sign in at this moment. Try again in a few seconds.',
    retryAfter: 5,
  })
