import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'

import { hash, verify } from '@node-rs/argon2'

import { AuthProblem } from './auth-problem.ts'

/** Hashes and checks passwords, a few at a time. */
export type Passwords = {
  /** argon2id in PHC form. */
  hash(password: string): Promise<string>
  /** Does the same work, and says no, when there is no hash to check against: timing tells nothing. */
  matches(hash: string | undefined, password: string): Promise<boolean>
}

/** argon2id as the OWASP Password Storage Cheat Sheet asks for: 19 MiB, two passes, one lane. It is the library's default variant. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/**
 * Hashing runs on the threads of libuv, never on the event loop. There are four, and files, names and the signing of
 * tokens need them too, so it takes at most two; and it leaves one core to everything else.
 */
const AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1))
/** Hashes that may wait for those. At 25 ms each the last one waits one or two seconds; one more is refused. */
const MOST_WAITING = 64

/** Passwords, hashed at most `atOnce` at a time; as many as `mostWaiting` wait in turn, the rest is refused with 429. */
export function openPasswords(atOnce: number = AT_ONCE, mostWaiting: number = MOST_WAITING): Passwords {
  const inTurn = openQueue(atOnce, mostWaiting)
  let nobody: Promise<string> | undefined
  return {
    hash: (password) => inTurn(() => hash(normal(password), COST)),
    async matches(known, password) {
      nobody ??= hash(randomBytes(32), COST)
      const against = known ?? (await nobody)
      const same = await inTurn(() => verify(against, normal(password)))
      return same && known !== undefined
    },
  }
}

/** The same characters can be typed in two ways; NIST SP 800-63B, section 3.1.1.2, asks for one of these forms. */
const normal = (password: string): string => password.normalize('NFKC')

type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

function openQueue(atOnce: number, mostWaiting: number): InTurn {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (waiting.length >= mostWaiting) {
      throw new AuthProblem(429, 'over_request_rate_limit', {
        message: 'Too many people sign in at this moment. Try again in a few seconds.',
        retryAfter: 5,
      })
    }
    if (running >= atOnce) await new Promise<void>((resolve) => void waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      // The place is handed on, so that nobody who comes later takes it.
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
