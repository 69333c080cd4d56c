import type { Instant } from '@septet/domain'
import { createLocalJWKSet, errors, type CryptoKey, type FlattenedJWSInput, type JWSHeaderParameters } from 'jose'
import { z } from 'zod'

import { AuthProblem } from './auth-problem.ts'

/** Finds the public key of a hosted project by the `kid` of a token's header. */
export type HostedKeys = (header: JWSHeaderParameters, token: FlattenedJWSInput) => Promise<CryptoKey>

/** Keys are read again after this long, milliseconds; the project itself tells clients the same. */
const FRESH_MS = 600_000
/**
 * Keys that cannot be read again are good for this long: an outage of the project does not sign everyone out at once.
 */
const STALE_MS = 3_600_000
/** Least time between two readings for a key that is not known, milliseconds. */
const LOOK_AGAIN_MS = 30_000
/** And after a reading that failed. */
const TRY_AGAIN_MS = 5000
const PATIENCE_MS = 5000

/** The keys at an address, kept; whatever comes in, the project is not asked more often than the times above say. */
export function openHostedKeys(from: {
  readonly url: string
  readonly fetch: typeof fetch
  readonly now: () => Instant
}): HostedKeys {
  let kept: { readonly at: Instant; readonly find: ReturnType<typeof createLocalJWKSet> } | undefined
  let triedAt: Instant | undefined
  let failed = false
  let reading: Promise<void> | undefined
  const age = (at: Instant | undefined): number => (at === undefined ? Infinity : from.now() - at)
  const read = async (): Promise<void> => {
    triedAt = from.now()
    try {
      kept = { at: triedAt, find: await readKeys(from) }
      failed = false
    } catch {
      failed = true
    } finally {
      reading = undefined
    }
  }
  const readOnce = (least: number): Promise<void> => {
    if (reading === undefined && age(triedAt) < (failed ? TRY_AGAIN_MS : least)) return Promise.resolve()
    reading ??= read()
    return reading
  }
  return async (header, token) => {
    if (header.kid === undefined) throw new errors.JWKSNoMatchingKey()
    if (age(kept?.at) >= FRESH_MS) await readOnce(0)
    const found = await findIn(kept, header, token)
    if (found !== undefined && age(kept?.at) < STALE_MS) return found
    await readOnce(LOOK_AGAIN_MS)
    if (age(kept?.at) >= STALE_MS) throw unreachable()
    const now = await findIn(kept, header, token)
    if (now === undefined) throw new errors.JWKSNoMatchingKey()
    return now
  }
}

async function findIn(
  kept: { readonly find: ReturnType<typeof createLocalJWKSet> } | undefined,
  header: JWSHeaderParameters,
  token: FlattenedJWSInput,
): Promise<CryptoKey | undefined> {
  try {
    return await kept?.find(header, token)
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return undefined
    throw error
  }
}

const Answer = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) })

async function readKeys(from: { readonly url: string; readonly fetch: typeof fetch }) {
  const answer = await from.fetch(from.url, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'error' })
  if (!answer.ok) throw new Error(`It answered ${answer.status}.`)
  return createLocalJWKSet(Answer.parse(await answer.json()))
}

/** The person did nothing wrong, and their token may well be good. */
export const unreachable = (): AuthProblem =>
  new AuthProblem(503, 'unexpected_failure', {
    message:
      'The hosted project that holds the accounts is not responding, so no one can sign in. Check SEPTET_SUPABASE_URL and the network; Septet tries again by itself.',
    retryAfter: 5,
  })
