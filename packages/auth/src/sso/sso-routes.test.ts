import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { HOUR_MS, type Caller } from '@septet/domain'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { openGate } from '../gate.ts'
import { openTestAuth, OWNER, PASSWORD, type TestAuth } from '../open-test-auth.fixture.ts'
import { CLIENT_ID, openScriptedIssuer, type Script, type ScriptedIssuer } from './scripted-issuer.fixture.ts'
import type { SingleSignOn } from '../sso-config.ts'

const ANN = 'ann@team.example'
const GROUPS = [
  { group: 'platform', role: 'admin', namespaces: undefined },
  { group: 'ml', role: 'operator', namespaces: ['team-a', 'team-b'] },
  { group: 'guests', role: 'viewer', namespaces: undefined },
] as const

let issuer: ScriptedIssuer
let house: TestAuth
let folder: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'septet-sso-'))
  writeFileSync(join(folder, 'secret'), 'the secret of Septet\n')
  issuer = await openScriptedIssuer()
})
afterEach(async () => {
  await house.close()
  await issuer.close()
  rmSync(folder, { recursive: true })
})

const open = async (changes: Partial<SingleSignOn> = {}): Promise<void> => {
  const by = {
    kind: 'oidc',
    issuer: issuer.url,
    clientId: CLIENT_ID,
    clientSecretFile: join(folder, 'secret'),
    scopes: 'openid email',
    groupsClaim: 'groups',
  } as const
  const sso = {
    name: 'Acme',
    by,
    groups: undefined,
    link: false,
    signOut: true,
    sessionHours: 12,
    tokenDays: 30,
    ...changes,
  }
  house = await openTestAuth({ sso })
}

/** What a browser does: it keeps cookies, and goes where it is sent. */
function openBrowser() {
  const cookies = new Map<string, string>()
  const ask = async (method: 'GET' | 'POST', url: string, headers: Record<string, string> = {}) => {
    const answer = await house.server.inject({
      method,
      url,
      headers: {
        host: 'septet.test',
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...headers,
      },
    })
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/u.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return { status: answer.statusCode, to: answer.headers.location ?? '', body: answer.body, headers: answer.headers }
  }
  return { cookies, ask }
}
type TestBrowser = ReturnType<typeof openBrowser>

/** Begins at Septet; gives what the provider is asked. */
async function begin(browser: TestBrowser, path = '/auth/sso/start'): Promise<URLSearchParams> {
  const { to } = await browser.ask('GET', path)
  const { searchParams } = new URL(to, 'http://septet.test')
  issuer.nonce = searchParams.get('nonce') ?? ''
  return searchParams
}

/** Signs in at the provider, which says what the script has; gives where the browser ends. */
async function comeBack(script: Script = {}, browser = openBrowser()): Promise<string> {
  issuer.script = script
  const asked = await begin(browser)
  const refused = asked.get('sso')
  if (refused !== null) return `/auth?sso=${refused}`
  return (await browser.ask('GET', `/auth/sso/callback?code=c&state=${asked.get('state')}`)).to
}

/** Signs in, all the way; gives the bearer of the session. */
async function signIn(script: Script = {}) {
  const browser = openBrowser()
  expect(await comeBack(script, browser)).toBe('/auth?sso=done')
  const { status, body } = await browser.ask('POST', '/auth/sso/session')
  expect(status).toBe(200)
  return JSON.parse(body) as {
    access_token: string
    refresh_token: string
    expires_in: number
    user: { email: string }
  }
}

const whoIs = (token: string): Promise<Caller> =>
  openGate({
    auth: house.auth,
    access: house.auth.context.access,
    config: house.auth.context.config,
    hashToken: (secret) => secret,
    publicClusters: () => [],
    serviceAccounts: undefined,
    now: () => house.clock.at,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it looks at no more of a request
  }).caller({ headers: { authorization: `Bearer ${token}` }, ip: '192.0.2.1' } as never)

const refresh = (token: string) =>
  house.ask('POST', '/token?grant_type=refresh_token', { body: { refresh_token: token } })
const inGroups = (...groups: string[]): Script => ({ claims: { groups } })

const withPassword = async (email: string): Promise<void> => {
  const { status } = await house.ask('POST', '/signup', { body: { email, password: PASSWORD } })
  expect(status).toBe(200)
}
const byPassword = async (email: string): Promise<number> =>
  (await house.ask('POST', '/token?grant_type=password', { body: { email, password: PASSWORD } })).status
const tell = (token: string) =>
  house.server.inject({
    method: 'POST',
    url: '/auth/sso/logout',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ logout_token: token }).toString(),
  })
const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} }
const logout = (claims: Record<string, unknown> = {}) => {
  const iat = Math.floor(house.clock.at / 1000)
  const usual = { iss: issuer.url, aud: CLIENT_ID, sub: 'ann', iat, exp: iat + 120, jti: 'j', events: EVENTS }
  return issuer.signed({ ...usual, ...claims }, { typ: 'logout+jwt' })
}
const ended = async (token: string): Promise<boolean> =>
  whoIs(token).then(
    () => false,
    () => true,
  )

describe('signing in by a provider', () => {
  test('leads there with PKCE, a state and a nonce, and back with a session that no address ever held', async () => {
    await open()
    const browser = openBrowser()
    const asked = await begin(browser, '/auth/sso/start?next=%2Fdashboard%2Fcost')
    expect(Object.fromEntries(asked)).toMatchObject({
      client_id: CLIENT_ID,
      redirect_uri: 'http://septet.test/auth/sso/callback',
      response_type: 'code',
      scope: 'openid email',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/u),
      nonce: expect.stringMatching(/^[\w-]{43}$/u),
    })
    const { to, headers } = await browser.ask('GET', `/auth/sso/callback?code=c&state=${asked.get('state')}`)
    expect(to).toBe('/auth?sso=done&next=%2Fdashboard%2Fcost')
    expect(headers['cache-control']).toBe('no-store')
    for (const line of [headers['set-cookie']].flat()) expect(line).toMatch(/; Path=\/auth\/sso; .*HttpOnly; SameSite/u)
    expect(issuer.asked[0]?.get('code_verifier')).toMatch(/^[\w-]{43}$/u)
    const { body } = await browser.ask('POST', '/auth/sso/session')
    const { access_token: token } = JSON.parse(body) as { access_token: string }
    expect(await whoIs(token)).toMatchObject({ name: ANN, role: 'viewer', namespaces: undefined })
  })

  test('over TLS no other host of the domain can give the browser such a cookie', async () => {
    await open()
    house.clock.siteUrl = 'https://septet.test'
    const browser = openBrowser()
    await begin(browser)
    expect([...browser.cookies.keys()]).toEqual([expect.stringMatching(/^__Host-septet-sso-/u)])
    expect(await comeBack({}, browser)).toBe('/auth?sso=done')
    expect([...browser.cookies.keys()]).toContain('__Host-septet-sso-session')
    expect((await browser.ask('POST', '/auth/sso/session')).status).toBe(200)
    expect([...browser.cookies.keys()]).not.toContain('__Host-septet-sso-session')
  })

  test('the session is handed over once, to the browser that began', async () => {
    await open()
    const browser = openBrowser()
    await comeBack({}, browser)
    const copy = new Map(browser.cookies)
    expect((await openBrowser().ask('POST', '/auth/sso/session')).status).toBe(401)
    expect((await browser.ask('POST', '/auth/sso/session')).status).toBe(200)
    for (const [name, value] of copy) browser.cookies.set(name, value)
    expect((await browser.ask('POST', '/auth/sso/session')).status).toBe(401)
    const late = openBrowser()
    await comeBack({}, late)
    house.pass(61_000)
    expect((await late.ask('POST', '/auth/sso/session')).status).toBe(401)
  })

  test('an answer that this browser did not ask for, or too late, signs nobody in', async () => {
    await open()
    const victim = openBrowser()
    const state = (await begin(openBrowser())).get('state')
    expect((await victim.ask('GET', `/auth/sso/callback?code=c&state=${state}`)).to).toBe('/auth?sso=late')
    expect((await victim.ask('GET', '/auth/sso/callback')).to).toBe('/auth?sso=late')
    const slow = openBrowser()
    const begun = (await begin(slow)).get('state')
    house.pass(601_000)
    expect((await slow.ask('GET', `/auth/sso/callback?code=c&state=${begun}`)).to).toBe('/auth?sso=late')
    expect(issuer.asked).toEqual([])
  })

  test('two sign-ins at once do not get in each other’s way', async () => {
    await open()
    const browser = openBrowser()
    const one = await begin(browser)
    const two = await begin(browser)
    for (const asked of [one, two]) {
      issuer.nonce = asked.get('nonce') ?? ''
      const { to } = await browser.ask('GET', `/auth/sso/callback?code=c&state=${asked.get('state')}`)
      expect(to).toBe('/auth?sso=done')
    }
  })

  test('the session ends after the hours that are set, however often it is refreshed', async () => {
    await open({ sessionHours: 2 })
    const first = await signIn()
    house.pass(1.5 * HOUR_MS)
    const second = (await refresh(first.refresh_token)).body
    expect(second['expires_in']).toBe(1800)
    house.pass(0.6 * HOUR_MS)
    expect(await refresh(String(second['refresh_token']))).toMatchObject({
      status: 400,
      body: { code: 'session_expired' },
    })
    await expect(whoIs(String(second['access_token']))).rejects.toMatchObject({ code: 'not-signed-in' })
  })

  test('a browser at another name of this Septet is sent to the one that the provider knows', async () => {
    await open()
    const { to } = await openBrowser().ask('GET', '/auth/sso/start?next=%2Fdashboard', { host: 'localhost:7070' })
    expect(to).toBe('http://septet.test/auth/sso/start?next=%2Fdashboard&moved=here')
  })

  test('a new secret needs no restart, and one that cannot be read is said to be wrong', async () => {
    await open()
    rmSync(join(folder, 'secret'))
    expect((await openBrowser().ask('GET', '/auth/sso/start')).to).toBe('/auth?sso=refused-client')
    writeFileSync(join(folder, 'secret'), 'a new one')
    expect(await comeBack()).toBe('/auth?sso=done')
  })
})

describe('a provider that is away, or does not tell the truth', () => {
  const OLD = -3600
  test.each<[string, string, Script]>([
    ['names another issuer', 'wrong-issuer', { claims: { iss: 'https://elsewhere.example' } }],
    ['calls itself otherwise', 'wrong-issuer', { calledItself: 'https://elsewhere.example' }],
    ['speaks to another program', 'wrong-audience', { claims: { aud: 'another' } }],
    ['speaks for another program', 'wrong-audience', { claims: { azp: 'another' } }],
    ['is of an hour ahead', 'wrong-time', { claims: { iat: Math.floor(Date.now() / 1000) + 3600 } }],
    ['names somebody by a list', 'unclear', { claims: { sub: [] } }],
    ['gives an address that it says no to', 'unverified', { claims: { email_verified: 'no' } }],
    ['says 0 of its address', 'unverified', { claims: { email_verified: 0 } }],
    ['speaks to others too', 'wrong-audience', { claims: { aud: [CLIENT_ID, 'another'], azp: 'another' } }],
    ['answers another sign-in', 'wrong-nonce', { claims: { nonce: 'of another' } }],
    ['leaves the nonce out', 'unclear', { claims: { nonce: undefined } }],
    ['signs with a key of somebody else', 'wrong-signature', { foreignKey: true }],
    ['does not sign', 'wrong-signature', { unsigned: true }],
    ['is an hour late', 'wrong-time', { endsIn: OLD }],
    ['is an hour ahead', 'wrong-time', { claims: { nbf: Math.floor(Date.now() / 1000) + 3600 } }],
    ['names nobody', 'unclear', { claims: { sub: undefined } }],
    ['names somebody at endless length', 'unclear', { claims: { sub: 'x'.repeat(256) } }],
    ['gives no address', 'no-email', { claims: { email: undefined } }],
    ['gives what is no address', 'no-email', { claims: { email: 'ann' } }],
    ['gives an address that may be anyone’s', 'unverified', { claims: { email_verified: false } }],
    ['does not know Septet', 'refused-client', { tokenAnswer: [401, { error: 'invalid_client' }] }],
    ['does not know the code', 'late', { tokenAnswer: [400, { error: 'invalid_grant' }] }],
    ['gives no ID token', 'unclear', { tokenAnswer: [200, { access_token: 'a', token_type: 'Bearer' }] }],
    ['has an error of its own', 'away', { tokenAnswer: [503, {}] }],
    ['says another person’s facts', 'unclear', { claims: { email: undefined }, userInfo: { sub: 'bob', email: ANN } }],
  ])('that %s is told as %s, and nobody comes in', async (_what, code, script) => {
    await open()
    const browser = openBrowser()
    expect(await comeBack(script, browser)).toBe(`/auth?sso=${code}`)
    expect((await browser.ask('POST', '/auth/sso/session')).status).toBe(401)
    expect(await house.store.access.accounts.byEmail(ANN)).toBeUndefined()
    expect(house.logged).toContainEqual(expect.objectContaining({ message: 'a single sign-on was refused' }))
    // The next sign-in, at a provider that is well again, is not held up by it.
    expect(await comeBack()).toBe('/auth?sso=done')
  })

  test('half a minute between the clocks is not a lie', async () => {
    await open()
    expect(await comeBack({ endsIn: -20 })).toBe('/auth?sso=done')
  })

  test('one that answers nothing at all is away, and passwords still work', async () => {
    await open()
    await issuer.close()
    const { to, status } = await openBrowser().ask('GET', '/auth/sso/start?next=%2Fdashboard')
    expect([status, to]).toEqual([302, '/auth?sso=away&next=%2Fdashboard'])
    await house.ask('POST', '/signup', { body: { email: OWNER, password: PASSWORD } })
    const signedIn = await house.ask('POST', '/token?grant_type=password', {
      body: { email: OWNER, password: PASSWORD },
    })
    expect(signedIn.status).toBe(200)
  })

  test('one that takes the question and says nothing is away too, after some seconds', async () => {
    await open()
    expect(await comeBack({ silent: true })).toBe('/auth?sso=away')
    expect(await comeBack()).toBe('/auth?sso=done')
  })

  test.each([
    ['access_denied', 'denied'],
    ['temporarily_unavailable', 'away'],
    ['invalid_scope', 'unclear'],
  ])('its own refusal %s is told as %s', async (error, code) => {
    await open()
    const browser = openBrowser()
    const state = (await begin(browser)).get('state')
    expect((await browser.ask('GET', `/auth/sso/callback?error=${error}&state=${state}`)).to).toBe(`/auth?sso=${code}`)
  })

  test('one network address cannot begin without end', async () => {
    await open()
    const browser = openBrowser()
    for (let count = 0; count < 150; count++) await browser.ask('GET', '/auth/sso/callback')
    expect((await browser.ask('GET', '/auth/sso/start')).to).toBe('/auth?sso=too-often')
  })
})

describe('what groups give', () => {
  test('the role, for the namespaces of the groups that give it; groups that give nothing change nothing', async () => {
    await open({ groups: GROUPS })
    const { access_token: token } = await signIn(inGroups('ml', 'guests', 'people'))
    expect(await whoIs(token)).toMatchObject({ role: 'operator', namespaces: ['team-a', 'team-b'] })
  })

  test('is worked out again at each sign-in, also for sessions that go on', async () => {
    await open({ groups: GROUPS })
    const { access_token: token } = await signIn(inGroups('platform'))
    expect(await whoIs(token)).toMatchObject({ role: 'admin', namespaces: undefined })
    await signIn(inGroups('ml'))
    expect(await whoIs(token)).toMatchObject({ role: 'operator', namespaces: ['team-a', 'team-b'] })
  })

  test('whoever is in none any more is out at once, sessions and all', async () => {
    await open({ groups: GROUPS })
    const { access_token: token, refresh_token: other } = await signIn(inGroups('ml'))
    expect(await comeBack(inGroups('people'))).toBe('/auth?sso=not-in-group')
    await expect(whoIs(token)).rejects.toMatchObject({ code: 'not-signed-in' })
    expect((await refresh(other)).status).toBe(400)
    // A member of the list of admitted domains: to forget the groups would make them a viewer of everything.
    expect((await house.store.access.members.get(ANN))?.until).toBe(house.clock.at)
    expect(await house.audited()).toContainEqual(
      expect.objectContaining({ action: 'account.sign-in', outcome: 'refused', actor: ANN }),
    )
  })

  test('lets in whom no list names, and ends for their API tokens when they stay away', async () => {
    await open({ groups: GROUPS, tokenDays: 2 })
    await signIn({ claims: { email: 'eve@elsewhere.example', groups: ['guests'] } })
    const at = house.clock.at
    await house.store.access.tokens.create({
      id: 't',
      name: 'scraper',
      prefix: 'spt_',
      hash: 'spt_scraper',
      role: 'viewer',
      namespaces: undefined,
      clusters: undefined,
      createdBy: 'eve@elsewhere.example',
      account: undefined,
      createdAt: at,
      expiresAt: undefined,
      lastUsedAt: undefined,
      revokedAt: undefined,
    })
    expect(await whoIs('spt_scraper')).toMatchObject({ role: 'viewer' })
    house.pass(49 * HOUR_MS)
    await expect(whoIs('spt_scraper')).rejects.toMatchObject({ code: 'not-signed-in' })
    await signIn({ claims: { email: 'eve@elsewhere.example', groups: ['guests'] } })
    expect(await whoIs('spt_scraper')).toMatchObject({ role: 'viewer' })
  })

  test('a provider that says nothing about groups ends nobody’s session by that', async () => {
    await open({ groups: GROUPS })
    const { access_token: token } = await signIn(inGroups('ml'))
    expect(await comeBack()).toBe('/auth?sso=no-groups')
    expect(await whoIs(token)).toMatchObject({ role: 'operator' })
  })

  test('a token with ten thousand groups is read like any other', async () => {
    await open({ groups: GROUPS })
    const many = Array.from({ length: 10_000 }, (_, index) => `group-${index}`)
    const { access_token: token } = await signIn(inGroups(...many, 'ml'))
    expect(await whoIs(token)).toMatchObject({ role: 'operator' })
    expect(token.length).toBeLessThan(2000)
  })

  test('a provider that leaves groups out because they are too many is told so, and one that says nothing too', async () => {
    await open({ groups: GROUPS })
    expect(await comeBack({ claims: { _claim_names: { groups: 'src1' } } })).toBe('/auth?sso=too-many-groups')
    expect(await comeBack({ claims: { groups: undefined } })).toBe('/auth?sso=no-groups')
    expect(await comeBack({ claims: { groups: [] } })).toBe('/auth?sso=not-in-group')
  })

  test('may stand at the userinfo endpoint alone, with the address', async () => {
    await open({ groups: GROUPS })
    const userInfo = { sub: 'ann', email: ANN, email_verified: true, groups: ['guests'] }
    const { access_token: token } = await signIn({ claims: { email: undefined, email_verified: undefined }, userInfo })
    expect(await whoIs(token)).toMatchObject({ name: ANN, role: 'viewer' })
  })

  test('is over with the start at which groups are no longer looked at, for those whom no list lets in too', async () => {
    await open({ groups: GROUPS })
    const { access_token: ann } = await signIn(inGroups('platform'))
    const { access_token: eve } = await signIn({
      claims: { sub: 'eve', email: 'eve@elsewhere.example', groups: ['platform'] },
    })
    const [before, { sso }] = [house, house.auth.context.config]
    house = await openTestAuth({ sso: sso && { ...sso, groups: undefined } }, { store: before.store })
    expect(await whoIs(ann)).toMatchObject({ role: 'viewer', namespaces: undefined })
    await expect(whoIs(eve)).rejects.toMatchObject({ code: 'not-allowed' })
    await house.close()
    house = before
  })
})

describe('whose account it is', () => {
  test('goes by the provider’s name for the person, not by the address, which may change there', async () => {
    await open()
    const { user } = await signIn()
    expect((await signIn({ claims: { email: 'other@team.example' } })).user).toMatchObject({ email: user.email })
    expect(await comeBack({ claims: { sub: 'another' } })).toBe('/auth?sso=taken')
  })

  test('one that was made, but not yet theirs when the server stopped, is theirs at the next sign-in', async () => {
    await open()
    const { user } = await signIn()
    const { accounts } = house.store.access
    const account = await accounts.byEmail(user.email)
    await accounts.remove(account?.id ?? '')
    if (account !== undefined) await accounts.create(account)
    expect(await comeBack()).toBe('/auth?sso=done')
    expect(await comeBack({ claims: { sub: 'another' } })).toBe('/auth?sso=taken')
  })

  test('an account with a password is not joined unless that is allowed and the address is confirmed', async () => {
    await open()
    await withPassword(ANN)
    expect(await comeBack()).toBe('/auth?sso=taken')
    expect(await byPassword(ANN)).toBe(200)
  })

  test('once joined, the password opens it no longer, nor does a letter, so that leaving there is leaving here', async () => {
    await open({ link: true })
    await withPassword(ANN)
    expect(await comeBack({ claims: { email_verified: undefined } })).toBe('/auth?sso=unverified')
    const { access_token: token } = await signIn()
    expect(await byPassword(ANN)).toBe(400)
    const change = await house.ask('PUT', '/user', { token, body: { password: 'another long password' } })
    expect(change).toMatchObject({ status: 422, body: { code: 'user_sso_managed' } })
    await house.ask('POST', '/recover', { body: { email: ANN } })
    const newest = async () => (await house.store.access.mails.list(1))[0]
    await expect.poll(newest).toMatchObject({ kind: 'recovery' })
    const mail = await newest()
    const hash = /token_hash=([\w-]+)/u.exec(mail?.text ?? '')?.[1]
    const opened = await house.ask('POST', '/verify', { body: { type: 'recovery', token_hash: hash } })
    expect(opened).toMatchObject({ status: 422, body: { code: 'user_sso_managed' } })
    expect(await house.audited()).toContainEqual(expect.objectContaining({ action: 'account.link', actor: ANN }))
  })

  test('the owner’s is made with a password and keeps it, whatever the provider says', async () => {
    await open({ link: true, groups: GROUPS })
    const owner = { claims: { sub: 'owner', email: OWNER } }
    expect(await comeBack(owner)).toBe('/auth?sso=owner-first')
    await withPassword(OWNER)
    const { access_token: token } = await signIn(owner)
    expect(await whoIs(token)).toMatchObject({ role: 'admin', namespaces: undefined })
    expect(await byPassword(OWNER)).toBe(200)
  })

  test('a list still decides where groups are not looked at, and a banned person is told so', async () => {
    await open()
    expect(await comeBack({ claims: { email: 'eve@elsewhere.example' } })).toBe('/auth?sso=not-admitted')
    const { user } = await signIn()
    const account = await house.store.access.accounts.byEmail(user.email)
    await house.auth.context.access.accounts.update(account?.id ?? '', {
      bannedUntil: (house.clock.at + HOUR_MS) as never,
    })
    expect(await comeBack()).toBe('/auth?sso=banned')
  })
})

describe('logout from behind', () => {
  test('ends every session of the person at once, and of nobody else', async () => {
    await open()
    const one = await signIn()
    const two = await signIn()
    const bob = await signIn({ claims: { sub: 'bob', email: 'bob@team.example' } })
    const answer = await tell(await logout())
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store'])
    expect([await ended(one.access_token), await ended(two.access_token), await ended(bob.access_token)]).toEqual([
      true,
      true,
      false,
    ])
    expect((await refresh(one.refresh_token)).status).toBe(400)
  })

  test('ends one sign-in alone where the token names it', async () => {
    await open()
    const one = await signIn({ claims: { sid: 'one' } })
    const two = await signIn({ claims: { sid: 'two' } })
    expect((await tell(await logout({ sub: undefined, sid: 'one' }))).statusCode).toBe(200)
    expect([await ended(one.access_token), await ended(two.access_token)]).toEqual([true, false])
  })

  test('a copy of the token does nothing to who has signed in since', async () => {
    await open()
    const token = await logout()
    house.pass(60_000)
    const { access_token: later } = await signIn()
    expect((await tell(token)).statusCode).toBe(200)
    expect(await ended(later)).toBe(false)
  })

  test.each<[string, Record<string, unknown>]>([
    ['for another program', { aud: 'another' }],
    ['of another issuer', { iss: 'https://elsewhere.example' }],
    ['that is an ID token', { events: undefined, nonce: 'n' }],
    ['with a nonce', { nonce: 'n' }],
    ['about nobody', { sub: undefined }],
    ['that is over', { exp: 1 }],
    ['of yesterday', { iat: 1, exp: undefined }],
    ['of tomorrow', { iat: Math.floor(Date.now() / 1000) + 86_400, exp: undefined }],
    ['about a list of people', { sub: [] }],
  ])('a token %s ends nothing', async (_what, claims) => {
    await open()
    const { access_token: session } = await signIn()
    const answer = await tell(await logout(claims))
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ error: 'invalid_request' })
    expect(await ended(session)).toBe(false)
  })

  test('a body without a token, or with what is none, is refused', async () => {
    await open()
    expect((await tell('')).statusCode).toBe(400)
    expect((await tell('a.b.c')).statusCode).toBe(400)
  })

  test('one that cannot be checked now is not taken for wrong', async () => {
    await open()
    const token = await logout()
    await issuer.close()
    expect((await tell(token)).statusCode).toBe(503)
  })
})

describe('a proxy that has signed people in', () => {
  const by = {
    kind: 'proxy',
    proxies: ['127.0.0.0/8'],
    emailHeader: 'X-Auth-Request-Email',
    groupsHeader: 'X-Auth-Request-Groups',
  } as const

  test('says who comes in and what their groups give', async () => {
    await open({ by, groups: GROUPS })
    const browser = openBrowser()
    const headers = { 'x-auth-request-email': ANN, 'x-auth-request-groups': 'people, ml' }
    expect((await browser.ask('GET', '/auth/sso/start?next=%2Fdashboard', headers)).to).toBe(
      '/auth?sso=done&next=%2Fdashboard',
    )
    const { body } = await browser.ask('POST', '/auth/sso/session')
    const { access_token: token } = JSON.parse(body) as { access_token: string }
    expect(await whoIs(token)).toMatchObject({ name: ANN, role: 'operator', namespaces: ['team-a', 'team-b'] })
    expect((await browser.ask('POST', '/auth/sso/logout')).status).toBe(404)
    expect((await browser.ask('GET', '/auth/sso/sign-out')).to).toBe('/')
  })

  test('is not believed from another address, whatever the request says of where it comes from', async () => {
    await open({ by: { ...by, proxies: ['192.0.2.0/24', '::1', '2001:db8::/32'] } })
    const headers = { 'x-auth-request-email': ANN, 'x-forwarded-for': '192.0.2.7' }
    expect((await openBrowser().ask('GET', '/auth/sso/start', headers)).to).toBe('/auth?sso=not-by-proxy')
  })

  test('that adds its headers to those of the visitor instead of replacing them is not believed', async () => {
    await open({ by, groups: GROUPS })
    const url = await house.listen()
    const visit = (...groups: readonly string[]) =>
      new Promise<string | undefined>((resolve, reject) => {
        const host = ['host', new URL(url).host]
        const lines = [
          ...host,
          'x-auth-request-email',
          ANN,
          ...groups.flatMap((group) => ['x-auth-request-groups', group]),
        ]
        get(`${url}/auth/sso/start`, { headers: lines }, (answer) => resolve(answer.headers.location)).on(
          'error',
          reject,
        )
      })
    expect(await visit('platform', 'guests')).toBe('/auth?sso=unclear')
    expect(await visit('guests')).toBe('/auth?sso=done')
  })

  test('that says nothing lets nobody in, and its headers open nothing but the sign-in', async () => {
    await open({ by })
    expect((await openBrowser().ask('GET', '/auth/sso/start')).to).toBe('/auth?sso=no-email')
    const answer = await house.ask('GET', '/user', { headers: { 'x-auth-request-email': OWNER } })
    expect(answer.status).toBe(401)
  })
})

const signedIn = async (script: Script = {}) => {
  const browser = openBrowser()
  expect(await comeBack({ endSession: `${issuer.url}/end`, ...script }, browser)).toBe('/auth?sso=done')
  const { body } = await browser.ask('POST', '/auth/sso/session')
  return { browser, token: (JSON.parse(body) as { access_token: string }).access_token }
}

describe('signing out', () => {
  test('leads to the provider with the ID token, once, and the session here is over whatever happens there', async () => {
    await open()
    const { browser, token } = await signedIn()
    const there = new URL((await browser.ask('GET', '/auth/sso/sign-out')).to)
    expect(`${there.origin}${there.pathname}`).toBe(`${issuer.url}/end`)
    expect(there.searchParams.get('post_logout_redirect_uri')).toMatch(/^https?:\/\/[^/]+\/auth$/u)
    expect(there.searchParams.get('id_token_hint')?.split('.')).toHaveLength(3)
    await expect(whoIs(token)).rejects.toMatchObject({ code: 'not-signed-in' })
    expect((await browser.ask('GET', '/auth/sso/sign-out')).to).toBe('/')
  })

  test('names only the client where the ID token is too long for a cookie', async () => {
    await open()
    const { browser } = await signedIn({ claims: { much: 'x'.repeat(4000) } })
    const { searchParams } = new URL((await browser.ask('GET', '/auth/sso/sign-out')).to)
    expect([searchParams.get('client_id'), searchParams.has('id_token_hint')]).toEqual([CLIENT_ID, false])
  })

  test.each([
    ['the provider is away', { status: 500 }],
    ['the provider offers none any more', { endSession: undefined as unknown as string }],
    ['the provider names no address of its kind', { endSession: 'javascript:alert(1)' }],
  ])('stays here where %s', async (_, later) => {
    await open()
    const { browser, token } = await signedIn()
    issuer.script = later
    expect((await browser.ask('GET', '/auth/sso/sign-out')).to).toBe('/')
    await expect(whoIs(token)).rejects.toMatchObject({ code: 'not-signed-in' })
  })

  test('never leads there who came in otherwise, where it is off, or where the provider offers none', async () => {
    await open()
    expect((await openBrowser().ask('GET', '/auth/sso/sign-out')).to).toBe('/')
    const none = await signedIn({ endSession: undefined as unknown as string })
    expect((await none.browser.ask('GET', '/auth/sso/sign-out')).to).toBe('/')
    await house.close()
    await open({ signOut: false })
    const off = await signedIn()
    expect((await off.browser.ask('GET', '/auth/sso/sign-out')).to).toBe('/')
  })
})
