import { instant, type Instant } from '@septet/domain'
import { decodeProtectedHeader, errors, jwtVerify, type JWTPayload } from 'jose'
import { AUDIENCE, readClaims, tokenProblem } from './access-token.ts'
import { foldEmail } from './admission.ts'
import type { HostedMode } from './auth-config.ts'
import { AuthProblem } from './auth-problem.ts'
import { openHostedKeys, type HostedKeys } from './hosted-keys.ts'
import { openHostedSessions } from './hosted-sessions.ts'

/** How far the clocks of two machines may differ, seconds. */
const CLOCK_TOLERANCE = 10

export type HostedNeeds = {
  readonly mode: HostedMode
  readonly now: () => Instant
  readonly fetch: typeof fetch
}

/**
 * Verifies access tokens of a hosted project: by its public keys (ES256, RS256), or by the shared secret where one is set
 * (HS256). A token says itself which it wants, so the two never meet: an HS256 token is only ever tried with the secret.
 * Then the project is asked about the session, once a minute: tokens name neither sign-outs nor second factors.
 */
export function openHostedVerify(needs: HostedNeeds): (token: string) => Promise<VerifiedToken> {
  const keys = openHostedKeys({ url: `${needs.mode.url}/auth/v1/.well-known/jwks.json`, ...needs })
  const sessions = openHostedSessions(needs)
  return async (token) => {
    const claims = readClaims(
      await payloadOf(needs, keys, token).catch((error: unknown) => {
        throw tokenProblem(error)
      }),
    )
    const email = foldEmail(claims.email)
    if (email === '' || claims.is_anonymous) throw new AuthProblem(403, 'bad_jwt', 'invalid JWT: it names no address')
    // A token without a session is its own session: the project cannot end it before it expires.
    const { hasFactor } = await sessions.check(token, claims.session_id ?? token)
    return {
      accountId: claims.sub,
      email,
      sessionId: claims.session_id,
      aal: claims.aal,
      hasFactor,
      expiresAt: instant(claims.exp * 1000),
    }
  }
}

async function payloadOf({ mode, now }: HostedNeeds, keys: HostedKeys, token: string): Promise<JWTPayload> {
  const checks = {
    issuer: `${mode.url}/auth/v1`,
    audience: AUDIENCE,
    requiredClaims: ['exp', 'sub'],
    clockTolerance: CLOCK_TOLERANCE,
    currentDate: new Date(now()),
  }
  if (algorithmOf(token) !== 'HS256') {
    return (await jwtVerify(token, keys, { ...checks, algorithms: ['ES256', 'RS256'] })).payload
  }
  if (mode.jwtSecret === undefined) {
    throw new AuthProblem(
      403,
      'bad_jwt',
      'invalid JWT: it is signed with a shared secret (HS256). Set SEPTET_SUPABASE_JWT_SECRET, or move the project to signing keys.',
    )
  }
  return (await jwtVerify(token, Buffer.from(mode.jwtSecret), { ...checks, algorithms: ['HS256'] })).payload
}

function algorithmOf(token: string): unknown {
  try {
    return decodeProtectedHeader(token).alg
  } catch (error) {
    throw new errors.JWTInvalid('token is malformed', { cause: error })
  }
}

/** What is sure of a caller whose token was found right. */
export type VerifiedToken = {
  readonly accountId: string
  /** Whole address, folded. */
  readonly email: string
  readonly sessionId: string | undefined
  readonly aal: 'aal1' | 'aal2'
  /** Whether the account has a second factor, so that `aal1` is not enough. */
  readonly hasFactor: boolean
  readonly expiresAt: Instant
}
