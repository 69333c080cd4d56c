import type { Account } from '@septet/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'

import { foldEmail, isEmail, needAdmitted } from '../admission.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthProblem } from '../auth-problem.ts'
import { isTooLong } from '../password-rules.ts'
import { readBody, readQuery } from '../read-body.ts'
import { refreshSession } from '../refresh-session.ts'
import { recordRefused, startSession, type WireSession } from '../sessions.ts'

const Query = z.object({ grant_type: z.string().optional() })

/** `POST /token`: something that proves who asks, for a session. */
export function registerToken(server: FastifyInstance, context: AuthContext): void {
  server.post('/token', (request) => grantToken(context, request))
}

async function grantToken(context: AuthContext, request: FastifyRequest): Promise<WireSession> {
  await context.limits.spend('token', request.ip)
  const { grant_type: grant = '' } = readQuery(Query, request)
  const answer = GRANTS.get(grant)
  if (answer === undefined) throw new AuthProblem(400, 'invalid_credentials', 'unsupported_grant_type')
  return answer(context, request)
}

type Grant = (context: AuthContext, request: FastifyRequest) => Promise<WireSession>

const GRANTS: ReadonlyMap<string, Grant> = new Map<string, Grant>([
  ['password', byPassword],
  ['refresh_token', byRefreshToken],
  // No link of ours ends with a code to exchange: `verify` redeems its token.
  ['pkce', () => refuse(404, 'flow_state_not_found', 'invalid flow state, no valid flow state found')],
  ['id_token', () => refuse(400, 'provider_disabled', 'Provider is not enabled')],
  ['web3', () => refuse(422, 'web3_provider_disabled', 'Web3 provider is disabled')],
])

async function refuse(...problem: ConstructorParameters<typeof AuthProblem>): Promise<never> {
  throw new AuthProblem(...problem)
}

const PasswordBody = z.object({
  email: z.string().nullish(),
  phone: z.string().nullish(),
  password: z.string().nullish(),
})

const method = 'password'

async function byPassword(context: AuthContext, request: FastifyRequest): Promise<WireSession> {
  const { email, password } = readCredentials(request)
  const account = await accountByPassword(context, request, { email, password })
  try {
    if (account.emailConfirmedAt === undefined) {
      throw new AuthProblem(400, 'email_not_confirmed', 'Email not confirmed')
    }
    needAdmitted(context, email)
    return await startSession(context, { account, method, request })
  } catch (error) {
    if (error instanceof AuthProblem) await recordRefused(context, request, { email, because: error.code, method })
    throw error
  }
}

type Credentials = { readonly email: string; readonly password: string }

function readCredentials(request: FastifyRequest): Credentials {
  const body = readBody(PasswordBody, request)
  if (!body.email && body.phone) throw new AuthProblem(400, 'phone_provider_disabled', 'Phone logins are disabled')
  if (!body.email) throw new AuthProblem(400, 'validation_failed', 'missing email or phone')
  const email = foldEmail(body.email)
  const password = body.password ?? ''
  // Neither can belong to an account, so nothing is looked up and nothing is hashed.
  if (!isEmail(email) || isTooLong(password)) throw wrongCredentials()
  return { email, password }
}

/** Unknown address, no password and wrong password take the same time and give the same answer. */
async function accountByPassword(
  context: AuthContext,
  request: FastifyRequest,
  { email, password }: Credentials,
): Promise<Account> {
  const attempt = context.limits.attempt(email, request.ip)
  const account = await context.access.accounts.byEmail(email)
  const isRight = await context.passwords.matches(account?.passwordHash, password, request.ip)
  if (account !== undefined && isRight) {
    attempt.succeeded()
    return account
  }
  await recordRefused(context, request, { email, because: 'wrong password', method })
  throw wrongCredentials()
}

const wrongCredentials = (): AuthProblem => new AuthProblem(400, 'invalid_credentials', 'Invalid login credentials')

const RefreshBody = z.object({ refresh_token: z.string().nullish() })

async function byRefreshToken(context: AuthContext, request: FastifyRequest): Promise<WireSession> {
  const { refresh_token: token } = readBody(RefreshBody, request)
  if (!token) throw new AuthProblem(400, 'validation_failed', 'refresh_token is required')
  return refreshSession(context, request, token)
}
