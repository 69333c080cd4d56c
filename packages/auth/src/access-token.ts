import type { Account, Session } from '@septet/domain'
import { errors } from 'jose'
import { z } from 'zod'

import type { AuthContext } from './auth-context.ts'
import { AuthProblem } from './auth-problem.ts'

/** How long an access token is good for, seconds. */
export const ACCESS_TOKEN_SECONDS = 3600
/** Of every token for a signed-in person, here and in hosted projects. */
export const AUDIENCE = 'authenticated'

/** What a verified access token says. */
export type Claims = z.infer<typeof ClaimsSchema>

/** Base URL of the auth service; the issuer of its tokens. */
export const issuerOf = (context: Pick<AuthContext, 'siteUrl'>): string => `${context.siteUrl()}/auth/v1`

/** Makes the access token of a session, good from now on for an hour, but not longer than the session. */
export async function makeAccessToken(
  context: AuthContext,
  { account, session }: { readonly account: Account; readonly session: Session },
): Promise<{ readonly token: string; readonly expiresAt: number; readonly expiresIn: number }> {
  const issuedAt = Math.floor(context.now() / 1000)
  const last = session.notAfter === undefined ? Infinity : Math.floor(session.notAfter / 1000)
  const expiresAt = Math.min(issuedAt + ACCESS_TOKEN_SECONDS, Math.max(issuedAt + 1, last))
  const token = await context.signingKeys.sign({
    iss: issuerOf(context),
    sub: account.id,
    aud: AUDIENCE,
    exp: expiresAt,
    iat: issuedAt,
    email: account.email,
    phone: '',
    app_metadata: account.appMetadata,
    user_metadata: account.userMetadata,
    role: 'authenticated',
    aal: session.aal,
    amr: session.methods.map(({ method, at }) => ({ method, timestamp: at })),
    session_id: session.id,
    is_anonymous: false,
  })
  return { token, expiresAt, expiresIn: expiresAt - issuedAt }
}

/** Checks a token of our own: signature by a key of ours, algorithm, issuer, audience, time. Refuses with 403 `bad_jwt`. */
export async function readAccessToken(context: AuthContext, token: string): Promise<Claims> {
  const payload = await context.signingKeys
    .verify(token, { issuer: issuerOf(context), audience: AUDIENCE, now: context.now() })
    .catch((error: unknown) => {
      throw tokenProblem(error)
    })
  return readClaims(payload)
}

const ClaimsSchema = z.object({
  sub: z.uuid(),
  exp: z.number(),
  iat: z.number().optional(),
  email: z.string().default(''),
  role: z.string().default(''),
  aal: z.enum(['aal1', 'aal2']).default('aal1'),
  amr: z.array(z.object({ method: z.string(), timestamp: z.number() })).default([]),
  session_id: z.uuid().optional(),
  is_anonymous: z.boolean().default(false),
})

/** Reads the claims of a payload whose signature was found right. */
export function readClaims(payload: Readonly<Record<string, unknown>>): Claims {
  if (payload['sub'] === undefined || payload['sub'] === '') throw badToken('missing sub claim')
  if (!z.uuid().safeParse(payload['sub']).success) {
    throw new AuthProblem(400, 'bad_jwt', 'invalid JWT: sub claim must be a UUID')
  }
  const read = ClaimsSchema.safeParse(payload)
  if (!read.success) throw badToken(`claim ${read.error.issues[0]?.path.join('.') ?? ''} has a wrong type`)
  return read.data
}

/** What is wrong with a token, in the protocol's words; errors of another kind are given back as they are. */
export function tokenProblem(error: unknown): unknown {
  if (error instanceof errors.JWTExpired) return badToken('token is expired')
  if (error instanceof errors.JOSEError) return badToken(`unable to parse or verify signature, ${error.message}`)
  return error
}

const badToken = (because: string): AuthProblem => new AuthProblem(403, 'bad_jwt', `invalid JWT: ${because}`)
