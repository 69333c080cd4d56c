import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose'
import { Provider, type Configuration } from 'oidc-provider'

export const REDIRECT = 'http://127.0.0.1:7777/callback'

/** A real OAuth authorization server on loopback, where one person signs in without being asked. */
export type TestIssuer = {
  readonly url: string
  /** An access token as it issues them to programs: of a resource, for scopes. Throws where it refuses. */
  readonly tokenFor: (resource: string, scope: string) => Promise<string>
  /** A token signed by its key, with claims that it would not write itself. */
  readonly signed: (claims: JWTPayload) => Promise<string>
  /** The same without an end. */
  readonly signedForever: (claims: JWTPayload) => Promise<string>
  readonly close: () => Promise<void>
}

const SECRET = 'the secret of a program'
const SCOPE = 'read plan act'

export async function openIssuer(email: string, groups: readonly string[] = []): Promise<TestIssuer> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on TCP
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const jwk = { ...(await exportJWK(privateKey)), kid: 'k', alg: 'RS256', use: 'sig' }
  const provider = new Provider(url, { ...configurationOf({ email, groups }), jwks: { keys: [jwk] } })
  const handle = provider.callback()
  server.on('request', (request, response) => {
    // The person has signed in, and agreed, before they are asked.
    const isAsked = request.url?.startsWith('/interaction/') === true
    if (isAsked) void provider.interactionFinished(request, response, { login: { accountId: 'ann' } })
    else void handle(request, response)
  })
  return {
    url,
    tokenFor: (resource, scope) => tokenFor(url, { resource, scope }),
    signed: (claims) => signed(privateKey, { iss: url, exp: Math.floor(Date.now() / 1000) + 600, ...claims }),
    signedForever: (claims) => signed(privateKey, { iss: url, ...claims }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

type Person = { readonly email: string; readonly groups: readonly string[] }

function configurationOf({ email, groups }: Person): Configuration {
  const common = { client_secret: SECRET, redirect_uris: [REDIRECT], response_types: ['code'] }
  return {
    clients: [
      {
        client_id: 'program',
        client_secret: SECRET,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
      // @ts-expect-error -- the types know response types by name alone
      { ...common, client_id: 'client', grant_types: ['authorization_code'] },
    ],
    cookies: { keys: ['of a test'] },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_ctx, resource) => ({ scope: SCOPE, audience: resource, accessTokenFormat: 'jwt' }),
        useGrantedResource: () => true,
      },
    },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    extraTokenClaims: () => ({ email, groups }),
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id, email }) }),
    async loadExistingGrant(ctx) {
      const { client, session, params } = ctx.oidc
      const grant = new ctx.oidc.provider.Grant({ clientId: client?.clientId, accountId: session?.accountId })
      grant.addOIDCScope('openid')
      grant.addResourceScope(String(params?.['resource']), SCOPE)
      await grant.save()
      return grant
    },
  }
}

async function tokenFor(url: string, { resource, scope }: { readonly resource: string; readonly scope: string }) {
  const answer = await fetch(`${url}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`program:${encodeURIComponent(SECRET)}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource, scope }),
  })
  const body: unknown = await answer.json()
  if (typeof body === 'object' && body !== null && 'access_token' in body) return String(body.access_token)
  throw new Error(`It issued no token: ${JSON.stringify(body)}`)
}

const signed = (key: CryptoKey, claims: JWTPayload): Promise<string> =>
  new SignJWT({ sub: 'ann', ...claims }).setProtectedHeader({ alg: 'RS256', kid: 'k', typ: 'at+jwt' }).sign(key)
