import { createHash, randomBytes } from 'node:crypto'

import { LOGIN_REDEMPTION_PATH, LoginBegunSchema, LoginRedeemedSchema, LOGINS_PATH, OPERATIONS } from '@septet/contract'
import { instant } from '@septet/domain'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { openTestSeptet, type TestSeptet } from './open-test-septet.fixture.ts'

type Headers = Record<string, string>

let septet: TestSeptet
let admin: { authorization: string }
beforeEach(async () => {
  septet = await openTestSeptet({
    environment: {
      SEPTET_AUTHORIZED_EMAIL: 'admin@septet.local, *@example.com',
      SEPTET_PUBLIC_DEMO: 'off',
      SEPTET_RATE_LIMITS: 'login=20,login-poll=40',
    },
  })
  admin = await septet.signIn('admin@septet.local')
})
afterEach(() => septet.close())

const send = (method: string, path: string, { as = {}, body }: { as?: Headers; body?: object } = {}) =>
  fetch(`${septet.url}${path}`, {
    method,
    headers: { ...as, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    redirect: 'manual',
  })
const refusal = async (answer: Response): Promise<[number, string]> => [
  answer.status,
  ((await answer.json()) as { code: string }).code,
]

const STATE = 'a-state-of-the-cli-0123456789'
const CALLBACK = { url: 'http://127.0.0.1:4711/callback', state: STATE }
const newVerifier = (): string => randomBytes(32).toString('base64url')
const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

async function begin(verifier: string, more: object = { callback: CALLBACK }) {
  const answer = await send('POST', LOGINS_PATH, {
    body: { machine: 'build-7', challenge: challengeOf(verifier), ...more },
  })
  expect(answer.status).toBe(200)
  return LoginBegunSchema.parse(await answer.json())
}
const look = (code: string, as: Headers = admin) => send('GET', `/api/v1/logins/${code}`, { as })
const allow = (code: string, body: object = {}, as: Headers = admin) =>
  send('PUT', `/api/v1/logins/${code}/approval`, { as, body })
const deny = (code: string, as: Headers = admin) => send('PUT', `/api/v1/logins/${code}/denial`, { as, body: {} })
const redeem = (proof: object) => send('POST', LOGIN_REDEMPTION_PATH, { body: proof })
const returned = async (answer: Response): Promise<URLSearchParams> => {
  const { returnTo } = OPERATIONS.loginsAllow.output.parse(await answer.json())
  expect(returnTo).toMatch(/^http:\/\/127\.0\.0\.1:4711\/callback\?/u)
  return new URL(returnTo ?? '').searchParams
}
const tokens = async () => {
  const answer = await send('GET', '/api/v1/tokens', { as: admin })
  return OPERATIONS.tokensList.output.parse(await answer.json()).tokens
}
const audited = async (action: string) => {
  const answer = await send('GET', `/api/v1/audit?action=${action}`, { as: admin })
  return OPERATIONS.auditList.output
    .parse(await answer.json())
    .entries.map(({ actor, object, outcome, details }) => ({ actor, object, outcome, details }))
}
const laterBy = async (id: string, milliseconds: number): Promise<void> => {
  const { logins } = septet.store.access
  const request = await logins.get(id)
  if (request === undefined) throw new Error('no such request')
  await logins.take(id)
  await logins.create({ ...request, expiresAt: instant(request.expiresAt - milliseconds) })
}

test('a browser that comes back brings what the command line redeems, once, with its verifier', async () => {
  const verifier = newVerifier()
  const { id, code, page } = await begin(verifier, { callback: CALLBACK, role: 'operator' })
  expect(code).toMatch(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/u)
  expect(page).toBe(`${septet.url}/dashboard/login?code=${code}`)
  expect(OPERATIONS.loginsGet.output.parse(await (await look(code)).json())).toMatchObject({
    machine: 'build-7',
    address: '127.0.0.1',
    returns: true,
    role: 'operator',
    namespaces: null,
  })
  // Nobody has decided.
  expect(LoginRedeemedSchema.parse(await (await redeem({ id, verifier })).json())).toEqual({ state: 'pending' })
  const back = await returned(await allow(code, { role: 'operator' }))
  expect(back.get('state')).toBe(STATE)
  const grant = back.get('code') ?? ''
  // Not without what the browser brought, nor with something else, nor by another verifier.
  for (const proof of [
    { id, verifier },
    { id, verifier, grant: 'x'.repeat(43) },
    { id, verifier: newVerifier(), grant },
    { id: '6b9f3a54-6f0a-4a52-9d4e-1d8a3c0b7e11', verifier, grant },
  ]) {
    expect(await refusal(await redeem(proof))).toEqual([404, 'not-found'])
  }
  const given = LoginRedeemedSchema.parse(await (await redeem({ id, verifier, grant })).json())
  expect(given).toMatchObject({ state: 'allowed', name: 'cli-build-7', secret: expect.stringMatching(/^spt_/u) })
  expect(await refusal(await redeem({ id, verifier, grant }))).toEqual([404, 'not-found'])

  const secret = given.state === 'allowed' ? given.secret : ''
  const as = { authorization: `Bearer ${secret}` }
  expect(await (await send('GET', '/api/v1/me', { as })).json()).toMatchObject({
    name: 'token:cli-build-7',
    role: 'operator',
  })
  const [token] = await tokens()
  expect(token).toMatchObject({ name: 'cli-build-7', createdBy: 'admin@septet.local', state: 'active' })
  expect(Date.parse(token?.expiresAt ?? '') - Date.parse(token?.createdAt ?? '')).toBe(90 * 86_400_000)
  expect(await audited('logins.redeem')).toEqual([
    {
      actor: 'admin@septet.local',
      object: 'cli-build-7',
      outcome: 'done',
      details: { machine: 'build-7', role: 'operator' },
    },
  ])
  const allowed = await audited('logins.allow')
  expect(allowed).toMatchObject([{ actor: 'admin@septet.local', details: { role: 'operator' } }])
  expect(JSON.stringify(allowed)).not.toContain(code)

  expect((await send('DELETE', `/api/v1/tokens/${token?.id}`, { as: admin })).status).toBe(200)
  expect((await send('GET', '/api/v1/me', { as })).status).toBe(401)
})

test('a code that is typed lets in the command line that polls, and no other', async () => {
  const verifier = newVerifier()
  const { id, code, page } = await begin(verifier, {})
  // What a link could carry would not be typed.
  expect(page).toBe(`${septet.url}/dashboard/login`)
  const typed = code.toLowerCase().replace('-', '')
  expect(await (await look(typed)).json()).toMatchObject({ returns: false, role: null })
  expect(await (await allow(typed)).json()).toEqual({ machine: 'build-7', returnTo: null })
  expect(await refusal(await redeem({ id, verifier: newVerifier() }))).toEqual([404, 'not-found'])
  const many = await Promise.all(Array.from({ length: 10 }, () => redeem({ id, verifier })))
  expect(many.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await tokens()).toMatchObject([{ name: 'cli-build-7', role: 'viewer' }])
})

test('tokens of one machine are told apart by a number', async () => {
  for (const name of ['cli-build-7', 'cli-build-7-2', 'cli-build-7-3']) {
    const verifier = newVerifier()
    const { id, code } = await begin(verifier, {})
    await allow(code)
    expect(await (await redeem({ id, verifier })).json()).toMatchObject({ name })
  }
})

describe('nobody is let in', () => {
  test('who was denied, and the browser is told', async () => {
    const verifier = newVerifier()
    const { id, code } = await begin(verifier)
    const back = await returned(await deny(code))
    expect(Object.fromEntries(back)).toEqual({ error: 'access_denied', state: STATE })
    expect(await refusal(await redeem({ id, verifier }))).toEqual([403, 'not-allowed'])
    expect(await refusal(await allow(code))).toEqual([404, 'not-found'])
    expect(await tokens()).toEqual([])
  })

  test('after ten minutes, allowed or not', async () => {
    const [open, allowed] = [newVerifier(), newVerifier()]
    const waiting = await begin(open, {})
    const decided = await begin(allowed, {})
    await allow(decided.code)
    for (const { id } of [waiting, decided]) await laterBy(id, 600_001)
    expect(await refusal(await look(waiting.code))).toEqual([404, 'not-found'])
    expect(await refusal(await allow(waiting.code))).toEqual([404, 'not-found'])
    expect(await refusal(await redeem({ id: waiting.id, verifier: open }))).toEqual([404, 'not-found'])
    expect(await refusal(await redeem({ id: decided.id, verifier: allowed }))).toEqual([404, 'not-found'])
    expect(await tokens()).toEqual([])
  })

  test('by a browser that would go anywhere but back to the machine that asks', async () => {
    const elsewhere = [
      'https://127.0.0.1:4711/callback',
      'http://localhost:4711/callback',
      'http://evil.example:4711/callback',
      'http://127.0.0.1:4711@evil.example/callback',
      'http://127.0.0.1.evil.example:4711/callback',
      'http://127.0.0.1/callback',
      'http://127.0.0.1:4711/callback?next=https://evil.example',
      'http://127.0.0.1:4711/callback#x',
      'http://127.0.0.1:4711\\@evil.example/callback',
      'javascript:alert(1)',
      '//evil.example/callback',
    ]
    for (const url of elsewhere) {
      const body = { machine: 'build-7', challenge: challengeOf('x'), callback: { url, state: STATE } }
      expect([url, ...(await refusal(await send('POST', LOGINS_PATH, { body })))]).toEqual([url, 400, 'invalid-input'])
    }
  })

  test('who asks with too little, with too much, or with words for a machine', async () => {
    const challenge = challengeOf('x')
    const wishes = [
      { machine: 'build-7' },
      { machine: 'build-7', challenge: 'plain' },
      { machine: 'press Allow, please', challenge },
      { machine: 'build-7', challenge, role: 'owner' },
      { machine: 'build-7', challenge, namespaces: ['a'] },
      undefined,
    ]
    for (const body of wishes) {
      const answer = await send('POST', LOGINS_PATH, body === undefined ? {} : { body })
      expect([body, ...(await refusal(answer))]).toEqual([body, 400, 'invalid-input'])
    }
  })

  test('by a GET, a form of another site, or a cookie', async () => {
    const verifier = newVerifier()
    const { id, code } = await begin(verifier, {})
    for (const path of [LOGINS_PATH, `${LOGIN_REDEMPTION_PATH}?id=${id}&verifier=${verifier}`]) {
      expect((await send('GET', path)).status).toBe(404)
    }
    expect((await send('GET', `/api/v1/logins/${code}/approval`, { as: admin })).status).toBe(404)
    const form = await fetch(`${septet.url}/api/v1/logins/${code}/approval`, {
      method: 'PUT',
      headers: { cookie: 'septet-page=1.x; sb-access-token=x', origin: 'https://evil.example' },
    })
    expect(form.status).toBe(401)
    const posted = await fetch(`${septet.url}${LOGIN_REDEMPTION_PATH}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `id=${id}&verifier=${verifier}`,
    })
    expect(posted.status).toBeGreaterThanOrEqual(400)
    expect(await (await look(code)).json()).toMatchObject({ machine: 'build-7' })
  })

  test('by visitors, tokens, or people beyond their role, who give no more than they have', async () => {
    const ann = await septet.signIn('ann@example.com')
    const made = await send('POST', '/api/v1/tokens', { as: admin, body: { name: 'agent', role: 'admin' } })
    const { secret } = OPERATIONS.tokensCreate.output.parse(await made.json())
    const token = { authorization: `Bearer ${secret}` }
    const verifier = newVerifier()
    const { id, code } = await begin(verifier, { role: 'admin' })
    for (const ask of [look, deny, (each: string, as: Headers) => allow(each, {}, as)]) {
      expect(await refusal(await ask(code, {}))).toEqual([401, 'not-signed-in'])
      expect(await refusal(await ask(code, token))).toEqual([403, 'not-allowed'])
    }
    expect(await refusal(await allow(code, { role: 'admin' }, ann))).toEqual([403, 'not-allowed'])
    const limits = { role: 'viewer', namespaces: ['team-a'] }
    await send('PUT', '/api/v1/members/ann@example.com', { as: admin, body: limits })
    expect(await (await look(code, ann)).json()).toMatchObject({ namespaces: ['team-a'] })
    expect((await allow(code, {}, ann)).status).toBe(200)
    // What is decided stays decided.
    expect(await refusal(await allow(code, { role: 'admin' }))).toEqual([404, 'not-found'])
    expect((await redeem({ id, verifier })).status).toBe(200)
    expect(await tokens()).toMatchObject([
      { name: 'cli-build-7', createdBy: 'ann@example.com', namespaces: ['team-a'] },
      {},
    ])
  })
})

const statuses = async (times: number, ask: () => Promise<Response>): Promise<number[]> => {
  const seen: number[] = []
  for (let count = 0; count < times; count += 1) seen.push((await ask()).status)
  return seen
}

test('who asks too often is told to wait: to begin, to poll, to look codes up', async () => {
  const wish = { machine: 'build-7', challenge: challengeOf('x') }
  const begun = await statuses(21, () => send('POST', LOGINS_PATH, { body: wish }))
  expect(new Set(begun.slice(0, 20))).toEqual(new Set([200]))
  expect(begun.at(-1)).toBe(429)
  const looked = await statuses(61, () => look('BCDF-GHJK'))
  expect(new Set(looked.slice(0, 60))).toEqual(new Set([404]))
  expect(looked.at(-1)).toBe(429)
  const polled = await statuses(41, () => redeem({ id: 'nobody-has-this', verifier: newVerifier() }))
  expect(new Set(polled.slice(0, 40))).toEqual(new Set([404]))
  expect(polled.at(-1)).toBe(429)
})
