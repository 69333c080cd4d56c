import { randomUUID } from 'node:crypto'

import { instant, type Account, type Session, DAY_MS } from '@septet/domain'
import type { FastifyRequest } from 'fastify'

import { makeAccessToken } from './access-token.ts'
import { userView, type UserView } from './account-view.ts'
import type { AuthContext } from './auth-context.ts'
import { AuthProblem } from './auth-problem.ts'
import { refreshTokenOf } from './refresh-token.ts'
import { needNotManaged } from './managed-account.ts'
import { isBanned } from './standing.ts'

/** A session as the protocol hands it to the one who signed in. */
export type WireSession = {
  readonly access_token: string
  readonly token_type: 'bearer'
  readonly expires_in: number
  readonly expires_at: number
  readonly refresh_token: string
  readonly user: UserView
}

/** A session ends this long after sign-in, whatever happens, milliseconds. */
const LONGEST_MS = 90 * DAY_MS
/** And when it was not refreshed for this long. */
export const IDLE_MS = 30 * DAY_MS
/** Sessions that one account can have; with another, the one that was quiet for longest ends. */
const MOST_PER_ACCOUNT = 50

type SignIn = {
  readonly account: Account
  /** The protocol's word for how: `password`, `recovery`, `magiclink` … */
  readonly method: string
  readonly request: FastifyRequest
}

/**
 * Signs an account in by something of Septet's own, a password or a letter. Refuses a banned account, and one that a
 * sign-in provider answers for; whoever calls has made sure of everything else, that the address is admitted
 * (`needAdmitted`) among it.
 */
export async function startSession(context: AuthContext, signIn: SignIn): Promise<WireSession> {
  needNotManaged(context, signIn.account)
  return wireSession(context, await beginSession(context, signIn))
}

/** What is known of a session that begins by the word of a sign-in provider. */
type ByProvider = Pick<Session, 'providerSession'> & {
  readonly longestMs: number
  /** For the audit log. */
  readonly details: Readonly<Record<string, unknown>>
}

/** Makes the session row of a sign-in, marks and audits it. Refuses a banned account. */
export async function beginSession(
  context: AuthContext,
  { account, method, request, byProvider }: SignIn & { readonly byProvider?: ByProvider },
): Promise<{ readonly account: Account; readonly session: Session }> {
  needMayEnter(context, account)
  const at = context.now()
  const session: Session = {
    id: randomUUID(),
    accountId: account.id,
    aal: 'aal1',
    factorId: undefined,
    methods: [{ method, at: Math.floor(at / 1000) }],
    refreshCounter: 0,
    createdAt: at,
    refreshedAt: at,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 256),
    ip: request.ip,
    notAfter: instant(at + Math.min(LONGEST_MS, byProvider?.longestMs ?? LONGEST_MS)),
    providerSession: byProvider?.providerSession,
  }
  const marked = await context.access.accounts.update(account.id, { lastSignInAt: at, updatedAt: at })
  await context.access.sessions.create(session)
  await endOldest(context, account.id)
  const details = { method, session: session.id, ...byProvider?.details }
  await context.audit.record({ actor: account.email, action: 'account.sign-in', ip: request.ip, details })
  return { account: marked === undefined || marked === 'taken' ? account : marked, session }
}

type Refused = { readonly email: string; readonly method: string; readonly because: string }

/** Writes down that a sign-in was refused. */
export const recordRefused = ({ audit }: AuthContext, { ip }: FastifyRequest, { email, ...details }: Refused) =>
  audit.record({ actor: email, action: 'account.sign-in', outcome: 'refused', ip, details })

/** Refuses a banned account where it asks for tokens: 400 `user_banned`. */
export function needMayEnter(context: Pick<AuthContext, 'now'>, account: Account): void {
  if (isBanned(account, context.now())) throw new AuthProblem(400, 'user_banned', 'User is banned')
}

/** The answer for a session as it is now, with a fresh access token. */
export async function wireSession(
  context: AuthContext,
  { account, session }: { readonly account: Account; readonly session: Session },
): Promise<WireSession> {
  const [access, factors] = await Promise.all([
    makeAccessToken(context, { account, session }),
    context.access.factors.ofAccount(account.id),
  ])
  return {
    access_token: access.token,
    token_type: 'bearer',
    expires_in: access.expiresIn,
    expires_at: access.expiresAt,
    refresh_token: refreshTokenOf(context.secrets, session),
    user: userView(account, factors),
  }
}

async function endOldest(context: AuthContext, accountId: string): Promise<void> {
  const sessions = await context.access.sessions.ofAccount(accountId)
  for (const session of sessions.slice(MOST_PER_ACCOUNT)) {
    // oxlint-disable-next-line no-await-in-loop -- at most one or two
    await context.access.sessions.remove(session.id)
  }
}
