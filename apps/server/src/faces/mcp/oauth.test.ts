import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
  type OAuthTokens,
} from '@modelcontextprotocol/client'
import { openIssuerGate } from '@septet/auth'
import { instant } from '@septet/domain'
import { UnsecuredJWT, SignJWT, type JWTPayload } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { writeAgentSettings } from '../../agent-settings.ts'
import { openTestSeptet, type TestSeptet } from '../open-test-septet.fixture.ts'
import { openIssuer, REDIRECT, type TestIssuer } from './open-issuer.fixture.ts'

const ANN = 'ann@septet.local'

let issuer: TestIssuer
let other: TestIssuer
let septet: TestSeptet
let resource: string

beforeAll(async () => {
  issuer = await openIssuer(ANN)
  other = await openIssuer(ANN)
  septet = await openTestSeptet({ environment: { SEPTET_AUTHORIZED_EMAIL: ANN, SEPTET_MCP_ISSUER: issuer.url } })
  resource = `${septet.url}/mcp`
})
beforeEach(() => writeAgentSettings(septet.store.settings, { toolsets: ['read', 'plan', 'act'], at: 0, by: ANN }))
afterAll(async () => {
  await septet.close()
  await Promise.all([issuer.close(), other.close()])
})

async function toolsWith(token: string): Promise<readonly string[]> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(resource), { requestInit }))
  const { tools } = await client.listTools()
  await client.close()
  return tools.map(({ name }) => name)
}

type Answer = { readonly status: number; readonly challenge: string; readonly body: string }

async function call(token: string | undefined, name = 'fleet_summary', at = septet): Promise<Answer> {
  const answer = await fetch(`${at.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } }),
  })
  return {
    status: answer.status,
    challenge: answer.headers.get('www-authenticate') ?? '',
    body: await answer.text(),
  }
}

test('a token of the issuer for this server is offered what it is for, and no more than the person may do', async () => {
  const narrow = await toolsWith(await issuer.tokenFor(resource, 'read'))
  expect(narrow).toContain('fleet_summary')
  expect(narrow).not.toContain('draft_plan')
  const wide = await toolsWith(await issuer.tokenFor(resource, 'read plan act'))
  expect(wide).toEqual(expect.arrayContaining(['fleet_summary', 'draft_plan', 'apply_recommendation']))
})

test('what an admin turned off stays off, whatever a token is for', async () => {
  await writeAgentSettings(septet.store.settings, { toolsets: ['read'], at: 0, by: ANN })
  expect(await toolsWith(await issuer.tokenFor(resource, 'read plan act'))).not.toContain('draft_plan')
})

test('a client learns from the refusal where to sign in, and from the metadata with whom', async () => {
  const { status, challenge } = await call(undefined)
  expect(status).toBe(401)
  expect(challenge).toContain('scope="read"')
  const [, address = ''] = /resource_metadata="([^"]+)"/u.exec(challenge) ?? []
  expect(await (await fetch(address)).json()).toMatchObject({ resource, authorization_servers: [issuer.url] })
})

test('a tool beyond the scope is refused with the scope that would do', async () => {
  const { status, challenge } = await call(await issuer.tokenFor(resource, 'read'), 'draft_plan')
  expect(status).toBe(403)
  expect(challenge).toContain('error="insufficient_scope", scope="read plan"')
  const none = await call(await issuer.signed({ aud: resource, email: ANN }))
  expect(none.status).toBe(403)
  expect(none.challenge).toContain('scope="read"')
})

const GOOD = { email: ANN, scope: 'read' }
const LISTED: JWTPayload = JSON.parse('{"sub":[]}')
const unsigned = (claims: JWTPayload): string =>
  new UnsecuredJWT({ iss: issuer.url, sub: 'ann', exp: Date.now(), ...claims }).encode()

describe('a token is refused with words that help', () => {
  test.each<[string, () => Promise<string> | string, string]>([
    ['for another server', () => issuer.tokenFor('https://elsewhere.example/mcp', 'read'), 'was not issued for'],
    ['of another issuer', () => other.tokenFor(resource, 'read'), 'not valid'],
    [
      'of another issuer that takes the name of ours',
      () => other.signed({ ...GOOD, iss: issuer.url, aud: resource }),
      'not signed by a key of its issuer',
    ],
    ['that has expired', () => issuer.signed({ ...GOOD, aud: resource, exp: 1_700_000_000 }), 'expired'],
    ['that never expires', () => issuer.signedForever({ ...GOOD, aud: resource }), '"exp"'],
    ['that is not valid yet', () => issuer.signed({ ...GOOD, aud: resource, nbf: 4_000_000_000 }), '"nbf"'],
    ['without a signature', () => unsigned({ ...GOOD, aud: resource }), 'not signed by a key of its issuer'],
    [
      'signed with a secret that anyone can read',
      () =>
        new SignJWT({ ...GOOD, iss: issuer.url, sub: 'ann', aud: resource, exp: 4_000_000_000 })
          .setProtectedHeader({ alg: 'HS256', kid: 'k' })
          .sign(new TextEncoder().encode(issuer.url)),
      'not signed by a key of its issuer',
    ],
    ['of a list of people', () => issuer.signed({ ...GOOD, ...LISTED, aud: resource }), '"sub"'],
    [
      'that is given out tomorrow',
      () => issuer.signed({ ...GOOD, aud: resource, iat: Math.floor(Date.now() / 1000) + 86_400 }),
      '"iat"',
    ],
    ['of nobody', () => issuer.signed({ aud: resource, scope: 'read' }), 'no confirmed e-mail address'],
    [
      'of an address that nobody confirmed',
      () => issuer.signed({ ...GOOD, aud: resource, email_verified: false }),
      'no confirmed e-mail address',
    ],
  ])('%s', async (_what, token, words) => {
    const { status, challenge, body } = await call(await token())
    expect(status).toBe(401)
    expect(challenge).toContain('error="invalid_token"')
    expect(challenge).toContain('resource_metadata=')
    expect(JSON.parse(body)).toMatchObject({
      detail: expect.stringContaining(words),
      todo: expect.stringMatching(/./u),
    })
  })

  test('of somebody whom Septet does not know', async () => {
    const { status, body } = await call(await issuer.signed({ ...GOOD, aud: resource, email: 'eve@elsewhere.example' }))
    expect(status).toBe(403)
    expect(body).toContain('SEPTET_AUTHORIZED_EMAIL')
  })

  test('and one in the address is not looked at', async () => {
    const token = await issuer.tokenFor(resource, 'read')
    expect((await fetch(`${resource}?access_token=${token}`, { method: 'POST', body: '{}' })).status).toBe(401)
  })
})

test('tokens of Septet itself go on working, and an issuer that does not answer lets nobody else in', async () => {
  const admin = await septet.signIn(ANN)
  expect((await call(admin.authorization.replace('Bearer ', ''))).status).toBe(200)
  const gone = await openIssuer(ANN)
  const alone = await openTestSeptet({ environment: { SEPTET_AUTHORIZED_EMAIL: ANN, SEPTET_MCP_ISSUER: gone.url } })
  const token = await gone.tokenFor(`${alone.url}/mcp`, 'read')
  await gone.close()
  expect((await call(token, 'fleet_summary', alone)).status).toBe(503)
  await alone.close()
})

test('groups give at most the role that they are set to, and without one of them nobody is let in', async () => {
  const member = await openIssuer(ANN, ['ml', 'other'])
  const environment = {
    SEPTET_AUTHORIZED_EMAIL: ANN,
    SEPTET_MCP_ISSUER: member.url,
    SEPTET_MCP_GROUPS: 'ml=viewer,platform=operator',
  }
  const at = await openTestSeptet({ environment })
  await writeAgentSettings(at.store.settings, { toolsets: ['read', 'plan', 'act'], at: 0, by: ANN })
  const aud = `${at.url}/mcp`
  const viewer = await member.tokenFor(aud, 'read plan act')
  expect((await call(viewer, 'apply_recommendation', at)).body).toContain('"error"')
  expect((await call(viewer, 'fleet_summary', at)).status).toBe(200)
  // Every object has something of that name.
  const groups = ['other', 'constructor', '__proto__', 'toString']
  const stranger = await call(await member.signed({ ...GOOD, aud, groups }), 'fleet_summary', at)
  expect(stranger.status).toBe(403)
  expect(stranger.body).toContain('SEPTET_MCP_GROUPS')
  await at.close()
  await member.close()
})

test('people who come by one client are told apart, and act for their account where they have one', async () => {
  const gate = openIssuerGate({
    issuer: { url: issuer.url, groups: undefined },
    access: septet.store.access,
    config: { authorized: { admin: ANN, others: ['*@septet.local'], anyone: false } },
    now: () => instant(Date.now()),
  })
  const known = async (claims: JWTPayload) => {
    const token = await issuer.signed({ aud: resource, scope: 'read', client_id: 'desktop', ...claims })
    return (await gate.caller(token, { audience: resource, ip: '192.0.2.1' })).caller
  }
  await septet.signIn(ANN)
  const account = await septet.store.access.accounts.byEmail(ANN)
  const [ann, bob] = [await known({ email: ANN, sub: 'ann' }), await known({ email: 'bob@septet.local', sub: 'bob' })]
  expect([ann.name, bob.name]).toEqual(['oauth:desktop', 'oauth:desktop'])
  expect(ann.id).not.toBe(bob.id)
  expect(ann.party).toBe(`account:${account?.id}`)
  expect(bob.party).toMatch(/^oauth:[0-9a-f]{64}$/u)
  const elsewhere = await known({ email: ANN, sub: 'ann', client_id: 'other' })
  expect(elsewhere.id).not.toBe(ann.id)
  expect(elsewhere.party).toBe(ann.party)
})

test('the official client signs its person in at the issuer, and is answered', async () => {
  let tokens: OAuthTokens | undefined
  let verifier = ''
  let asked: URL | undefined
  const authProvider: OAuthClientProvider = {
    redirectUrl: REDIRECT,
    clientMetadata: { redirect_uris: [REDIRECT], scope: 'read' },
    clientInformation: () => ({ client_id: 'client', client_secret: 'the secret of a program' }),
    tokens: () => tokens,
    saveTokens: (given) => void (tokens = given),
    redirectToAuthorization: (url) => void (asked = url),
    saveCodeVerifier: (given) => void (verifier = given),
    codeVerifier: () => verifier,
  }
  const open = () => new StreamableHTTPClientTransport(new URL(resource), { authProvider })
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  const first = open()
  await expect(client.connect(first)).rejects.toThrow(UnauthorizedError)
  expect(asked?.searchParams.get('resource')).toBe(resource)
  expect(asked?.searchParams.get('code_challenge_method')).toBe('S256')
  const back = await signedIn(String(asked))
  await first.finishAuth(back.searchParams)
  await client.connect(open())
  expect((await client.callTool({ name: 'fleet_summary', arguments: {} })).isError).not.toBe(true)
  await client.close()
})

/** Goes where a browser would be sent, with its cookies, until it is sent back to the client. */
async function signedIn(at: string): Promise<URL> {
  const cookies = new Map<string, string>()
  for (let address = at; !address.startsWith(REDIRECT);) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(address, { redirect: 'manual', headers: { cookie } })
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/u.exec(set) ?? []
      cookies.set(name, value)
    }
    const next = answer.headers.get('location')
    if (next === null) throw new Error(`The sign-in ended at ${address}: ${await answer.text()}`)
    address = new URL(next, address).href
    if (address.startsWith(REDIRECT)) return new URL(address)
  }
  return new URL(at)
}
