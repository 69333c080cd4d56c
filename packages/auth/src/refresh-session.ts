import type { Session } from '@septet/domain'
import type { FastifyRequest } from 'fastify'

import { notAdmitted } from './admission.ts'
import type { AuthContext } from './auth-context.ts'
import { AuthProblem } from './auth-problem.ts'
import { readRefreshToken, type RefreshClaim } from './refresh-token.ts'
import { IDLE_MS, needMayEnter, wireSession, type WireSession } from './sessions.ts'
import { standingOf } from './standing.ts'

/** How long after a refresh an older token is still taken for a client that lost the answer, milliseconds. */
const REUSE_MS = 10_000
/** How long to try when others refresh the same session at the same moment, milliseconds. */
const PATIENCE_MS = 5000

/**
 * Trades a refresh token for a fresh session. The newest token rotates. The one before it is answered with the current
 * one, as the client may never have had the last answer, and so is any older one within ten seconds of a refresh. Any
 * other reuse means that two hold the same session: it ends for both (RFC 9700, section 4.14.2).
 */
export async function refreshSession(
  context: AuthContext,
  request: FastifyRequest,
  token: string,
): Promise<WireSession> {
  const claim = readRefreshToken(context.secrets, token)
  if (claim === undefined) throw new AuthProblem(400, 'validation_failed', 'Invalid Refresh Token: Malformed')
  const until = context.now() + PATIENCE_MS
  do {
    const session = await needSession(context, claim)
    const account = await needAccount(context, session)
    const current = await rotated(context, { claim, session, request, actor: account.email })
    if (current !== undefined) return wireSession(context, { account, session: current })
  } while (context.now() < until)
  throw new AuthProblem(409, 'conflict', 'Too many refreshes of this session at the same moment. Try again.')
}

async function needSession(context: AuthContext, { sessionId }: RefreshClaim): Promise<Session> {
  const session = await context.access.sessions.get(sessionId)
  if (session === undefined) {
    throw new AuthProblem(400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found')
  }
  const isOver = session.notAfter !== undefined && session.notAfter <= context.now()
  if (isOver || context.now() - session.refreshedAt > IDLE_MS) {
    await context.access.sessions.remove(session.id)
    throw new AuthProblem(400, 'session_expired', 'Invalid Refresh Token: Session Expired')
  }
  return session
}

async function needAccount(context: AuthContext, session: Session) {
  const account = await context.access.accounts.get(session.accountId)
  if (account === undefined) throw new AuthProblem(400, 'session_not_found', 'The account of this session is gone')
  needMayEnter(context, account)
  if ((await standingOf(account.email, context)) === undefined) throw notAdmitted()
  return account
}

type Turn = {
  readonly claim: RefreshClaim
  readonly session: Session
  readonly request: FastifyRequest
  readonly actor: string
}

/** The session after its turn; undefined when another request changed it first and the rules must be asked again. */
async function rotated(context: AuthContext, turn: Turn): Promise<Session | undefined> {
  const { claim, session } = turn
  const behind = session.refreshCounter - claim.counter
  if (behind < 0) throw new AuthProblem(400, 'validation_failed', 'Invalid Refresh Token: Malformed')
  if (behind === 0) {
    return context.access.sessions.advance(session.id, session.refreshCounter, {
      refreshCounter: session.refreshCounter + 1,
      refreshedAt: context.now(),
      ip: turn.request.ip,
    })
  }
  // A token from before the second factor was shown must never become a session that has shown it.
  const isLesser = claim.aal === 'aal1' && session.aal === 'aal2'
  if (!isLesser && (behind === 1 || context.now() - session.refreshedAt < REUSE_MS)) return session
  await context.access.sessions.remove(session.id)
  await context.audit.record({
    actor: turn.actor,
    action: 'session.reuse',
    outcome: 'refused',
    ip: turn.request.ip,
    details: { session: session.id, behind },
  })
  throw new AuthProblem(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used')
}
