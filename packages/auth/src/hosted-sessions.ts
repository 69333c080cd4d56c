import type { Instant } from '@septet/domain'
import { z } from 'zod'

import type { HostedMode } from './auth-config.ts'
import { AuthProblem } from './auth-problem.ts'
import { unreachable } from './hosted-keys.ts'

/** What a hosted project says of a session that a token does not: that it still exists, and whether there is a second factor. */
export type HostedSessions = {
  /** Refuses with 403 `session_not_found` when the project no longer takes the token. */
  check(token: string, sessionId: string): Promise<{ readonly hasFactor: boolean }>
}

/** How long an answer holds, milliseconds: a sign-out at the project counts here within a minute. */
const FRESH_MS = 60_000
/** How long it holds while the project does not answer. */
const STALE_MS = 600_000
const PATIENCE_MS = 5000
const MOST_KEPT = 10_000

/** Asks `GET /user` for a token whose signature was found right, at most once a minute for each session. */
export function openHostedSessions(from: {
  readonly mode: HostedMode
  readonly fetch: typeof fetch
  readonly now: () => Instant
}): HostedSessions {
  const kept = new Map<string, { readonly at: Instant; readonly hasFactor: boolean }>()
  const asking = new Map<string, Promise<{ readonly hasFactor: boolean }>>()
  const ask = async (token: string, sessionId: string): Promise<{ readonly hasFactor: boolean }> => {
    const answer = await askProject(from, token).catch(() => undefined)
    if (answer === undefined) {
      const before = kept.get(sessionId)
      if (before !== undefined && from.now() - before.at < STALE_MS) return before
      throw unreachable()
    }
    kept.delete(sessionId)
    if (answer === 'refused') {
      throw new AuthProblem(403, 'session_not_found', 'The session of this token has ended, or its account is gone')
    }
    if (kept.size >= MOST_KEPT) kept.clear()
    kept.set(sessionId, { at: from.now(), ...answer })
    return answer
  }
  return {
    async check(token, sessionId) {
      const before = kept.get(sessionId)
      if (before !== undefined && from.now() - before.at < FRESH_MS) return before
      const running = asking.get(sessionId) ?? ask(token, sessionId).finally(() => asking.delete(sessionId))
      asking.set(sessionId, running)
      return running
    },
  }
}

const User = z.object({ factors: z.array(z.object({ status: z.string() })).nullish() })

/** Statuses by which the project says no to the token itself. */
const REFUSED: readonly number[] = [401, 403, 404]

async function askProject(
  { mode, fetch: send }: { readonly mode: HostedMode; readonly fetch: typeof fetch },
  token: string,
): Promise<{ readonly hasFactor: boolean } | 'refused'> {
  const answer = await send(`${mode.url}/auth/v1/user`, {
    headers: { apikey: mode.anonKey, authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(PATIENCE_MS),
    redirect: 'error',
  })
  if (REFUSED.includes(answer.status)) return 'refused'
  if (!answer.ok) throw new Error(`It answered ${answer.status}.`)
  const { factors } = User.parse(await answer.json())
  return { hasFactor: (factors ?? []).some(({ status }) => status === 'verified') }
}
