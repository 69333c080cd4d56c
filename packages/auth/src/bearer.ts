import type { Account, Factor, Session } from '@septet/domain'
import type { FastifyRequest } from 'fastify'

import { readAccessToken, type Claims } from './access-token.ts'
import type { AuthContext } from './auth-context.ts'
import { AuthProblem } from './auth-problem.ts'
import { isBanned, standingOf } from './standing.ts'

/** Who asks an auth endpoint, read from the store now. */
export type Bearer = {
  readonly account: Account
  readonly session: Session
  readonly factors: readonly Factor[]
  readonly claims: Claims
  /**
   * What both the token and the row say: a token from before the second factor stays what it was, and one from before the
   * factor was removed does not.
   */
  readonly aal: 'aal1' | 'aal2'
}

/** The signed-in person of a request. Refuses in the protocol's order: no token, bad token, user gone, session gone, banned. */
export async function needBearer(context: AuthContext, request: FastifyRequest): Promise<Bearer> {
  const claims = await readAccessToken(context, bearerToken(request))
  const account = await context.access.accounts.get(claims.sub)
  if (account === undefined) {
    throw new AuthProblem(403, 'user_not_found', 'User from sub claim in JWT does not exist')
  }
  const session = claims.session_id === undefined ? undefined : await context.access.sessions.get(claims.session_id)
  if (session === undefined || session.accountId !== account.id) {
    throw new AuthProblem(403, 'session_not_found', 'Session from session_id claim in JWT does not exist')
  }
  needNotBanned(context, account)
  const factors = await context.access.factors.ofAccount(account.id)
  return { account, session, claims, factors, aal: session.aal === 'aal2' ? claims.aal : 'aal1' }
}

/** Refuses a banned account: 403 `user_banned`. */
export function needNotBanned(context: Pick<AuthContext, 'now'>, account: Account): void {
  if (isBanned(account, context.now())) throw new AuthProblem(403, 'user_banned', 'User is banned')
}

/**
 * The admin of a request: someone whose address is admin's here, and who has shown their second factor if they have one.
 * There is no token of a service that may do everything. Refuses with 403 `not_admin` or `insufficient_aal`, and writes
 * down who wanted to change something.
 */
export async function needAdmin(context: AuthContext, request: FastifyRequest): Promise<Bearer> {
  const bearer = await needBearer(context, request)
  await context.limits.spend('admin', request.ip)
  const problem = await problemOfAdmin(context, bearer)
  if (problem === undefined) return bearer
  const object = `${request.method} ${request.routeOptions.url ?? ''}`
  if (request.method !== 'GET' && request.method !== 'HEAD')
    await recordRefusedAdmin(context, { admin: bearer, request, object, because: problem.code })
  throw problem
}

type RefusedAdmin = {
  readonly admin: Bearer
  readonly request: FastifyRequest
  readonly object: string
  readonly because: string
}

/** Writes down what an admin, or somebody who is none, wanted and may not. */
export const recordRefusedAdmin = (context: AuthContext, { admin, request, object, because }: RefusedAdmin) =>
  context.audit.record({
    actor: admin.account.email,
    action: 'admin.ask',
    object,
    outcome: 'refused',
    ip: request.ip,
    details: { because },
  })

async function problemOfAdmin(
  context: AuthContext,
  { account, factors, aal }: Bearer,
): Promise<AuthProblem | undefined> {
  const standing = await standingOf(account.email, context)
  // Accounts are the whole installation's: whoever sees some namespaces alone does not decide about them.
  if (standing?.role !== 'admin' || standing.namespaces !== undefined)
    return new AuthProblem(403, 'not_admin', 'User not allowed')
  if (aal === 'aal2' || !factors.some(({ status }) => status === 'verified')) return undefined
  return new AuthProblem(403, 'insufficient_aal', 'Admins with a second factor must have shown it: AAL2 required')
}

function bearerToken(request: FastifyRequest): string {
  const token = /^bearer\s+(\S+)\s*$/iu.exec(request.headers.authorization ?? '')?.[1]
  if (token !== undefined) return token
  throw new AuthProblem(401, 'no_authorization', 'This endpoint requires a valid Bearer token')
}
