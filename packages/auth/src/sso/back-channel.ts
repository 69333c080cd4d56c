import { errors, jwtVerify } from 'jose'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'

import type { AuthContext } from '../auth-context.ts'
import { KEY_PAIR_ALGORITHMS } from '../issuer-gate.ts'
import { TOLERANCE_S, type OidcClient } from './oidc-client.ts'
import type { OidcProvider } from '../sso-config.ts'

/** A logout token that is not one; the message says to its sender what is wrong. */
export class LogoutTokenError extends Error {
  override readonly name = 'LogoutTokenError'
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** How old a token may be, seconds: a provider tells at once, and tries again for a while. */
const OLDEST_S = 600

/** OpenID Connect Back-Channel Logout 1.0, section 2.4. */
const Claims = z.looseObject({
  iss: z.string(),
  iat: z.number(),
  sub: z.string().min(1).optional(),
  sid: z.string().min(1).optional(),
  events: z.looseObject({ [EVENT]: z.looseObject({}) }),
  nonce: z.undefined().optional(),
})
type Claims = z.output<typeof Claims>

type Heard = { readonly provider: OidcProvider; readonly client: OidcClient; readonly request: FastifyRequest }

/**
 * Ends what the provider says is over: the sessions of one sign-in there, or all of a person's. Those that began after the
 * token was written go on, so that a copy of it does nothing later. How many ended; throws `LogoutTokenError`.
 */
export async function endByProvider(context: AuthContext, token: string, heard: Heard): Promise<number> {
  const { iss, iat, sub, sid } = await claimsOf(context, token, heard)
  const { access } = context
  const identity = sub === undefined ? undefined : await access.identities.find(iss, sub)
  const sessions =
    sid !== undefined
      ? await access.sessions.ofProvider(sid)
      : identity === undefined
        ? []
        : await access.sessions.ofAccount(identity.accountId)
  const over = sessions.filter(
    ({ accountId, createdAt }) =>
      createdAt <= (iat + TOLERANCE_S) * 1000 && (sub === undefined || accountId === identity?.accountId),
  )
  const ended = await Promise.all(over.map(({ id }) => access.sessions.remove(id)))
  const count = ended.filter(Boolean).length
  await context.audit.record({
    actor: heard.provider.issuer,
    action: 'session.end-by-provider',
    object: sub ?? sid ?? '',
    ip: heard.request.ip,
    details: { ended: count },
  })
  return count
}

async function claimsOf(context: AuthContext, token: string, { provider, client }: Heard): Promise<Claims> {
  const { issuer, find } = await client.keys()
  const { payload } = await jwtVerify(token, find, {
    issuer,
    audience: provider.clientId,
    algorithms: KEY_PAIR_ALGORITHMS,
    maxTokenAge: OLDEST_S,
    clockTolerance: TOLERANCE_S,
    currentDate: new Date(context.now()),
  }).catch((error: unknown) => {
    const isWrong = error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)
    throw isWrong ? new LogoutTokenError(`The logout token cannot be taken: ${error.message}.`) : error
  })
  const { data } = Claims.safeParse(payload)
  if (data === undefined || (data.sub === undefined && data.sid === undefined)) {
    throw new LogoutTokenError(
      'The token is no logout token: it lacks the event, or a subject and a session, or holds a nonce.',
    )
  }
  return data
}
