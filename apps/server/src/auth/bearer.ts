import type { Account, Factor, Session } from '@septet/domain'
import type { FastifyRequest } from 'fastify'

import { readAccessToken, type Claims } from './access-token.ts'
import type { AuthContext } from './auth-context.ts'
import { AuthProblem } from './auth-problem.ts'

/** Who asks an auth endpoint, read from the store now. */
export type Bearer = {
  readonly account: Account
  readonly session: Session
  readonly factors: readonly Factor[]
  readonly claims: Claims
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
  return { account, session, claims, factors: await context.access.factors.ofAccount(account.id) }
}

/** Refuses a banned account: 403 `user_banned`. */
export function needNotBanned(context: Pick<AuthContext, 'now'>, account: Account): void {
  if (account.bannedUntil === undefined || account.bannedUntil <= context.now()) return
  throw new AuthProblem(403, 'user_banned', 'User is banned')
}

/** Lets through only a token whose role is that of a service: signed by us, with no session. */
export async function needServiceRole(context: AuthContext, request: FastifyRequest): Promise<Claims> {
  const claims = await readAccessToken(context, bearerToken(request))
  if (claims.role === 'service_role' || claims.role === 'supabase_admin') return claims
  throw new AuthProblem(403, 'not_admin', 'User not allowed')
}

function bearerToken(request: FastifyRequest): string {
  const token = /^bearer\s+(\S+)\s*$/iu.exec(request.headers.authorization ?? '')?.[1]
  if (token !== undefined) return token
  throw new AuthProblem(401, 'no_authorization', 'This endpoint requires a valid Bearer token')
}
