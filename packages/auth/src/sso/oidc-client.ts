import { readFile } from 'node:fs/promises'

import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose'
import * as client from 'openid-client'

import { isAhead } from '../issuer-gate.ts'
import { oidcProblem } from './oidc-problem.ts'
import { groupsIn, type ProviderClaims } from './person.ts'
import type { OidcProvider } from '../sso-config.ts'
import { SsoProblem } from './sso-problem.ts'

/** What a sign-in that was begun must be finished with. */
type Flow = { readonly state: string; readonly nonce: string; readonly verifier: string }

/** Septet as a client of an OpenID Connect provider. All of it throws `SsoProblem`. */
export type OidcClient = {
  /** Where the browser goes to sign in: the code flow with PKCE (RFC 7636, S256), a state and a nonce. */
  begin(redirectUri: string): Promise<{ readonly url: URL; readonly flow: Flow }>
  /**
   * Trades what the browser brought for the claims about the person, once everything in them was found right, and the ID
   * token that said so where it can be shown at a sign-out. `groupsClaim` is undefined where groups are not looked at.
   */
  finish(arrived: URL, flow: Flow, groupsClaim: string | undefined): Promise<Finished>
  /** Where the browser goes to sign out; undefined where the provider offers no way. */
  signOut(of: { readonly idToken: string | undefined; readonly returnTo: string }): Promise<URL | undefined>
  /** For what the provider tells by itself. */
  keys(): Promise<{ readonly issuer: string; readonly find: JWTVerifyGetKey }>
}

type Finished = { readonly claims: ProviderClaims; readonly idToken: string | undefined }

const PATIENCE_S = 5
/** How far the clocks of the two may differ, seconds. */
export const TOLERANCE_S = 30

type Known = { readonly secret: string | undefined; readonly configuration: client.Configuration }

export function openOidcClient(provider: OidcProvider): OidcClient {
  let known: Known | undefined
  const discovered = async (): Promise<client.Configuration> => {
    const secret = await readSecret(provider)
    known = { secret, configuration: await discover(provider, secret) }
    return known.configuration
  }
  const configured = async (): Promise<client.Configuration> =>
    known === undefined || known.secret !== (await readSecret(provider)) ? discovered() : known.configuration
  let keys: { readonly uri: string; readonly find: JWTVerifyGetKey } | undefined
  return {
    // Asked each time: whoever is away must be told of here, before the browser is sent there.
    begin: (redirectUri) => inWords(async () => begin(await discovered(), redirectUri, provider.scopes)),
    finish: (arrived, flow, groupsClaim) =>
      inWords(async () => finish(await configured(), { arrived, flow, groupsClaim })),
    // Asked each time, as for a sign-in.
    signOut: (of) => inWords(async () => endAddress(await discovered(), of)),
    keys: () =>
      inWords(async () => {
        const { issuer, jwks_uri: uri = '' } = (await configured()).serverMetadata()
        if (keys?.uri !== uri) {
          keys = { uri, find: createRemoteJWKSet(new URL(uri), { timeoutDuration: PATIENCE_S * 1000 }) }
        }
        return { issuer, find: keys.find }
      }),
  }
}

async function inWords<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw oidcProblem(error)
  }
}

async function readSecret({ clientSecretFile }: OidcProvider): Promise<string | undefined> {
  if (clientSecretFile === undefined) return undefined
  try {
    return (await readFile(clientSecretFile, 'utf8')).trim()
  } catch (error) {
    throw new SsoProblem('refused-client', `${clientSecretFile} cannot be read.`, { cause: error })
  }
}

function discover({ issuer, clientId }: OidcProvider, secret: string | undefined): Promise<client.Configuration> {
  const insecure = issuer.startsWith('http:') ? [client.allowInsecureRequests] : []
  return client.discovery(
    new URL(issuer),
    clientId,
    { [client.clockTolerance]: TOLERANCE_S },
    secret === undefined || secret === '' ? client.None() : bySecret(secret),
    // Without it the signature of an ID token would not be looked at, as it comes over TLS (OpenID Connect Core, 3.1.3.7).
    { timeout: PATIENCE_S, execute: [client.enableNonRepudiationChecks, ...insecure] },
  )
}

/** In the header, as the protocol has it where nothing else is said; in the body where the provider takes that alone. */
function bySecret(secret: string): client.ClientAuth {
  const [inHeader, inBody] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const offered = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (offered.includes('client_secret_basic') ? inHeader : inBody)(server, ...rest)
  }
}

async function begin(configuration: client.Configuration, redirectUri: string, scope: string) {
  const flow: Flow = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
  }
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope,
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
  })
  return { url, flow }
}

type Finishing = { readonly arrived: URL; readonly flow: Flow; readonly groupsClaim: string | undefined }

async function finish(
  configuration: client.Configuration,
  { arrived, flow, groupsClaim }: Finishing,
): Promise<Finished> {
  const tokens = await client.authorizationCodeGrant(configuration, arrived, {
    pkceCodeVerifier: flow.verifier,
    expectedState: flow.state,
    expectedNonce: flow.nonce,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (claims === undefined) throw new SsoProblem('unclear', 'No ID token came.')
  needOwnToken(claims, configuration.clientMetadata().client_id)
  const hasGroups = groupsClaim === undefined || groupsIn(claims, groupsClaim) !== undefined
  const isWhole = claims['email'] !== undefined && hasGroups
  const { userinfo_endpoint: userInfo, end_session_endpoint: end } = configuration.serverMetadata()
  const idToken = end === undefined ? undefined : tokens.id_token
  if (isWhole || userInfo === undefined) return { claims, idToken }
  // Many keep ID tokens small, and say the rest here.
  const more = await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
  return { claims: { ...more, ...claims }, idToken }
}

/** What the protocol wants looked at beside signature, audience, nonce and times (OpenID Connect Core, 3.1.3.7). */
function needOwnToken({ azp, iat }: ProviderClaims, clientId: string): void {
  if (azp !== undefined && azp !== clientId)
    throw new SsoProblem('wrong-audience', 'The ID token is for another program.')
  const madeAt = typeof iat === 'number' ? iat : undefined
  if (isAhead(madeAt, { now: Date.now(), toleranceS: TOLERANCE_S }))
    throw new SsoProblem('wrong-time', 'The ID token is of the future.')
}

/** With the ID token for a hint most providers ask nothing; without it they do, of whoever sits there. */
function endAddress(
  configuration: client.Configuration,
  { idToken, returnTo }: Parameters<OidcClient['signOut']>[0],
): URL | undefined {
  if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined
  return client.buildEndSessionUrl(configuration, {
    post_logout_redirect_uri: returnTo,
    ...(idToken === undefined ? {} : { id_token_hint: idToken }),
  })
}
