import { createHash, randomBytes } from 'node:crypto'

import { instant, type CodeChallenge } from '@septet/domain'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'

import { needAdmitted } from './admission.ts'
import type { AuthContext } from './auth-context.ts'
import { AuthProblem } from './auth-problem.ts'
import { UNRESERVED } from './challenge.ts'
import { startSession, type WireSession } from './sessions.ts'
import { sameText } from './same-text.ts'

/** Begins a sign-in that the browser which asked for it must finish (PKCE, RFC 7636). Gives the code that it is handed. */
export async function startFlow(
  context: Pick<AuthContext, 'access' | 'secrets' | 'now'>,
  flow: { readonly accountId: string; readonly challenge: CodeChallenge; readonly method: string },
): Promise<string> {
  const code = randomBytes(CODE_BYTES).toString('base64url')
  const expiresAt = instant(context.now() + FLOW_LIFE)
  await context.access.flows.put({ hash: hashOf(context, code), ...flow, expiresAt })
  return code
}

/**
 * Finishes it: `token?grant_type=pkce`. A code is gone once it was shown, also with a wrong verifier, so nobody can try
 * a second one. Refuses with 404 `flow_state_not_found`, 422 `flow_state_expired` or 400 `bad_code_verifier`.
 */
export async function exchangeFlow(context: AuthContext, request: FastifyRequest, body: unknown): Promise<WireSession> {
  const { data } = ExchangeBody.safeParse(body ?? {})
  if (data === undefined) {
    throw new AuthProblem(
      400,
      'validation_failed',
      'invalid request: both auth code and code verifier should be non-empty',
    )
  }
  const flow = await context.access.flows.take(hashOf(context, data.auth_code))
  if (flow === undefined) {
    throw new AuthProblem(404, 'flow_state_not_found', 'invalid flow state, no valid flow state found')
  }
  if (flow.expiresAt <= context.now()) {
    throw new AuthProblem(422, 'flow_state_expired', 'invalid flow state, flow state has expired')
  }
  if (!isProof(flow.challenge, data.code_verifier)) {
    throw new AuthProblem(400, 'bad_code_verifier', 'code challenge does not match previously saved code verifier')
  }
  const account = await context.access.accounts.get(flow.accountId)
  if (account === undefined) throw new AuthProblem(403, 'user_not_found', 'The account is gone')
  needAdmitted(context, account.email)
  return startSession(context, { account, method: flow.method, request })
}

/** Five minutes, milliseconds. */
const FLOW_LIFE = 300_000
const CODE_BYTES = 32

const ExchangeBody = z.object({ auth_code: z.string().min(1), code_verifier: z.string().min(1) })

const hashOf = ({ secrets }: Pick<AuthContext, 'secrets'>, code: string): string => secrets.keyedHash('auth-flow', code)

/** RFC 7636, section 4.6. */
function isProof({ value, method }: CodeChallenge, verifier: string): boolean {
  if (!UNRESERVED.test(verifier)) return false
  const shown = method === 's256' ? createHash('sha256').update(verifier).digest('base64url') : verifier
  return sameText(shown, value)
}
