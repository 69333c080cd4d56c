import { createHash } from 'node:crypto'

import {
  accountParty,
  issuerParty,
  mayActAs,
  type AccessStore,
  type Account,
  type Caller,
  type Instant,
} from '@septet/domain'
import { Refusal, notAllowed } from '@septet/contract'
import { createRemoteJWKSet, decodeJwt, errors, jwtVerify, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'

import { foldEmail } from './admission.ts'
import type { AuthConfig, TokenIssuer } from './auth-config.ts'
import { isBanned, lesser, standingOf, type Standing } from './standing.ts'

/** Lets in programs with access tokens of an OAuth authorization server that is not Septet's. */
export type IssuerGate = {
  readonly issuer: string
  /** Whether a token says that it comes from there, which nobody has checked yet. */
  claims(token: string): boolean
  /**
   * Who calls with a token that was issued for `audience`, and the scopes that they were given. Throws a `Refusal`:
   * `not-signed-in`, `not-allowed`, or `sign-in-unavailable` while the issuer's keys cannot be read.
   */
  caller(token: string, at: { readonly audience: string; readonly ip: string }): Promise<Delegated>
}

type Delegated = { readonly caller: Caller; readonly scopes: readonly string[] }

export type IssuerNeeds = {
  readonly issuer: TokenIssuer
  readonly access: Pick<AccessStore, 'accounts' | 'members'>
  readonly config: Pick<AuthConfig, 'authorized'>
  readonly now: () => Instant
}

/** Signatures by key pairs alone: `none` and shared secrets are refused before a key is looked for. */
export const KEY_PAIR_ALGORITHMS = [
  'ES256',
  'ES384',
  'ES512',
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'EdDSA',
]
/** How far the clocks of two machines may differ, seconds. */
const CLOCK_TOLERANCE = 10
const PATIENCE_MS = 5000

const Claims = z.looseObject({
  sub: z.string().min(1),
  email: z.email(),
  email_verified: z.literal(true).optional(),
  scope: z.string().default(''),
  client_id: z.string().optional(),
  azp: z.string().optional(),
  groups: z.array(z.string()).default([]),
})

export function openIssuerGate(needs: IssuerNeeds): IssuerGate {
  const { url } = needs.issuer
  const keys = keysOf(url)
  return {
    issuer: url,
    claims: (token) => issuerIn(token) === url,
    async caller(token, { audience, ip }) {
      const claims = await claimsOf(token, { needs, keys, audience })
      const email = foldEmail(claims.email)
      const account = await needs.access.accounts.byEmail(email)
      const { role, namespaces } = await standingAt(needs, { email, account, groups: claims.groups })
      const client = claims.client_id ?? claims.azp ?? 'client'
      const caller: Caller = {
        kind: 'token',
        // All people come by the same few clients.
        id: `oauth:${digestOf([url, claims.sub, client])}`,
        party: account === undefined ? issuerParty(digestOf([url, claims.sub])) : accountParty(account.id),
        name: `oauth:${client}`,
        role,
        namespaces,
        clusters: undefined,
        account: undefined,
        madeBy: email,
        ip,
      }
      return { caller, scopes: claims.scope.split(' ') }
    },
  }
}

/** A subject may be an address, which is kept nowhere but with the person. */
const digestOf = (parts: readonly string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex')

function issuerIn(token: string): string | undefined {
  try {
    return decodeJwt(token).iss
  } catch {
    return undefined
  }
}

type Checking = { readonly needs: IssuerNeeds; readonly keys: JWTVerifyGetKey; readonly audience: string }

async function claimsOf(token: string, { needs, keys, audience }: Checking): Promise<z.output<typeof Claims>> {
  const { url } = needs.issuer
  const checks = {
    issuer: url,
    audience,
    algorithms: KEY_PAIR_ALGORITHMS,
    requiredClaims: ['exp', 'sub'],
    clockTolerance: CLOCK_TOLERANCE,
    currentDate: new Date(needs.now()),
  }
  const { payload } = await jwtVerify(token, keys, checks).catch((error: unknown) => {
    if (error instanceof errors.JWTExpired) throw refusedToken('The access token has expired.', url)
    if (error instanceof errors.JWTClaimValidationFailed) throw refusedToken(wrongClaim(error, audience), url)
    if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)) {
      throw refusedToken('The access token is not signed by a key of its issuer.', url)
    }
    throw unreachable(url)
  })
  if (isAhead(payload.iat, { now: needs.now(), toleranceS: CLOCK_TOLERANCE }))
    throw refusedToken(claimWords('iat'), url)
  const claims = Claims.safeParse(payload)
  if (claims.success) return claims.data
  if (typeof payload.sub !== 'string') throw refusedToken(claimWords('sub'), url)
  throw refusedToken('The access token names no confirmed e-mail address (claim "email").', url)
}

const wrongClaim = ({ claim }: errors.JWTClaimValidationFailed, audience: string): string =>
  claim === 'aud' ? `The access token was not issued for ${audience}.` : claimWords(claim)

const claimWords = (claim: string): string =>
  `The access token cannot be taken: its claim "${claim}" is missing or wrong.`

/** Whether a token says that it will be made. */
export const isAhead = (
  iat: number | undefined,
  { now, toleranceS }: { readonly now: number; readonly toleranceS: number },
): boolean => iat !== undefined && iat > now / 1000 + toleranceS

const refusedToken = (detail: string, issuer: string): Refusal =>
  new Refusal('not-signed-in', detail, `Get a new token for this server at ${issuer}, or use an API token of Septet.`)

const unreachable = (issuer: string): Refusal =>
  new Refusal('sign-in-unavailable', `The keys of ${issuer} cannot be read, so its tokens cannot be checked.`, {
    words: 'Try again in a moment; API tokens of Septet still work. The administrator should check SEPTET_MCP_ISSUER.',
    retryAfter: 5,
  })

/** What the person may do, and no more than the groups that they are in. */
async function standingAt(
  needs: IssuerNeeds,
  { email, account, groups }: { email: string; account: Account | undefined; groups: readonly string[] },
): Promise<Standing> {
  const roles = needs.issuer.groups
  const standing = await standingOf(email, needs)
  if (standing === undefined || isBanned(account, needs.now())) {
    throw notAllowed(
      `${email} may not use this Septet.`,
      'Ask the administrator to add your address to SEPTET_AUTHORIZED_EMAIL.',
    )
  }
  if (roles === undefined) return standing
  const given = groups.flatMap((group) => roles.get(group) ?? [])
  const [most] = given.toSorted((a, b) => (mayActAs(a, b) ? -1 : 1))
  if (most === undefined) {
    throw notAllowed(
      `${email} is in no group that may use this Septet.`,
      'Ask the administrator to add one of your groups to SEPTET_MCP_GROUPS.',
    )
  }
  return { ...standing, role: lesser(most, standing.role) }
}

const Metadata = z.looseObject({ issuer: z.string(), jwks_uri: z.url() })

/** The keys that the issuer's metadata names, looked up when the first token comes and kept after that. */
function keysOf(issuer: string): JWTVerifyGetKey {
  let reading: Promise<JWTVerifyGetKey> | undefined
  return async (header, token) => {
    reading ??= readKeys(issuer).catch((error: unknown) => {
      reading = undefined
      throw error
    })
    return (await reading)(header, token)
  }
}

async function readKeys(issuer: string): Promise<JWTVerifyGetKey> {
  const answer = await fetch(`${issuer.replace(/\/$/u, '')}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(PATIENCE_MS),
    redirect: 'error',
  })
  if (!answer.ok) throw new Error(`It answered ${answer.status}.`)
  const metadata = Metadata.parse(await answer.json())
  // Otherwise a server could hand out the keys of another one's tokens.
  if (metadata.issuer !== issuer) throw new Error(`It calls itself ${metadata.issuer}.`)
  return createRemoteJWKSet(new URL(metadata.jwks_uri), { timeoutDuration: PATIENCE_MS })
}
