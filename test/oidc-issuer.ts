import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { Provider, type Configuration } from 'oidc-provider'

/** Someone whom the provider knows, by the name that they type there. Changes count at the next sign-in. */
export type KnownPerson = { email: string; groups: readonly string[] }

/** A real OpenID Connect provider on loopback, with a sign-in page, for one Septet. */
export type OidcIssuer = {
  readonly url: string
  readonly clientId: string
  readonly secret: string
  readonly people: Record<string, KnownPerson>
  /** Registers the Septet that is to use it. */
  readonly register: (septet: string) => void
  /** Goes away, in the middle of whatever it was asked. */
  readonly close: () => Promise<void>
}

const CLIENT_ID = 'septet'
const SECRET = 'what the provider and Septet know, and nobody else'

export async function openOidcIssuer(people: Record<string, KnownPerson>): Promise<OidcIssuer> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on TCP
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    clientId: CLIENT_ID,
    secret: SECRET,
    people,
    register(septet) {
      const handle = new Provider(url, configurationOf(people, septet)).callback()
      server.on('request', (request, response) => void handle(request, response))
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

const configurationOf = (people: Readonly<Record<string, KnownPerson>>, septet: string): Configuration => ({
  clients: [
    {
      client_id: CLIENT_ID,
      client_secret: SECRET,
      redirect_uris: [`${septet}/auth/sso/callback`],
      post_logout_redirect_uris: [`${septet}/auth`],
      backchannel_logout_uri: `${septet}/auth/sso/logout`,
      backchannel_logout_session_required: true,
    },
  ],
  cookies: { keys: ['of a test'] },
  // It speaks to no address of this machine by itself, which is where the Septet is.
  fetch(url, init) {
    const plain = { ...init }
    Reflect.deleteProperty(plain, 'dispatcher')
    return fetch(url, plain)
  },
  pkce: { required: () => true },
  scopes: ['openid', 'email', 'groups'],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
  features: { backchannelLogout: { enabled: true }, devInteractions: { enabled: true } },
  findAccount: (_ctx, id) => {
    const person = people[id]
    return person && { accountId: id, claims: () => ({ sub: id, email_verified: true, ...person }) }
  },
  // Nobody is asked whether Septet may know their address.
  async loadExistingGrant(ctx) {
    const { client, session, provider } = ctx.oidc
    const grant = new provider.Grant({ clientId: client?.clientId, accountId: session?.accountId })
    grant.addOIDCScope('openid email groups')
    await grant.save()
    return grant
  },
})
