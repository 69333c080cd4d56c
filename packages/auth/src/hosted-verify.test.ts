import { instant } from '@septet/domain'
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'

import { openHostedVerify } from './hosted-verify.ts'
import { clientOf, openTestAuth, OWNER, PASSWORD } from './open-test-auth.fixture.ts'

const URL_OF_PROJECT = 'https://project.example'
const JWT_SECRET = 'the shared secret of a legacy project'
const ACCOUNT = '6f1c2b1e-0000-4000-8000-000000000001'
const SESSION = '6f1c2b1e-0000-4000-8000-000000000002'

let pairs: Record<'es' | 'rs' | 'later', { privateKey: CryptoKey; publicKey: CryptoKey }>
beforeAll(async () => {
  const [es, rs, later] = await Promise.all([
    generateKeyPair('ES256', { extractable: true }),
    generateKeyPair('RS256', { extractable: true }),
    generateKeyPair('ES256', { extractable: true }),
  ])
  pairs = { es, rs, later }
})

/** A hosted project as seen over the network: its keys, its sessions, and whether it answers. */
function openProject(jwtSecret?: string) {
  const project = {
    at: Date.now(),
    up: true,
    kids: ['es', 'rs'] as ('es' | 'rs' | 'later')[],
    user: { status: 200, body: { factors: [] } as object },
    asked: { keys: 0, user: 0 },
  }
  const answer = async (address: string, options?: RequestInit): Promise<Response> => {
    const isUser = address.endsWith('/auth/v1/user')
    project.asked[isUser ? 'user' : 'keys']++
    if (!project.up) throw new TypeError('fetch failed')
    if (isUser) {
      // Without the project's public key its gateway answers nobody.
      const status = new Headers(options?.headers).get('apikey') === 'anon' ? project.user.status : 401
      return Response.json(project.user.body, { status })
    }
    const keys = project.kids.map(async (kid) => ({
      ...(await exportJWK(pairs[kid].publicKey)),
      kid,
      alg: kid === 'rs' ? 'RS256' : 'ES256',
    }))
    return Response.json({ keys: await Promise.all(keys) })
  }
  const verify = openHostedVerify({
    mode: { kind: 'hosted', url: URL_OF_PROJECT, anonKey: 'anon', jwtSecret },
    now: () => instant(project.at),
    fetch: answer as typeof fetch,
  })
  const claims = (change: JWTPayload = {}): JWTPayload => ({
    iss: `${URL_OF_PROJECT}/auth/v1`,
    aud: 'authenticated',
    sub: ACCOUNT,
    exp: Math.floor(project.at / 1000) + 3600,
    email: 'Ann@B.example',
    role: 'authenticated',
    aal: 'aal1',
    session_id: SESSION,
    ...change,
  })
  const token = async (change: JWTPayload = {}, kid: 'es' | 'rs' | 'later' = 'es') =>
    new SignJWT(claims(change))
      .setProtectedHeader({ alg: kid === 'rs' ? 'RS256' : 'ES256', kid })
      .sign(pairs[kid].privateKey)
  return { project, verify, claims, token }
}

describe('tokens of a hosted project', () => {
  test.each(['es', 'rs'] as const)('count by their key: %s256', async (kid) => {
    const { verify, token } = openProject()
    expect(await verify(await token({}, kid))).toMatchObject({
      accountId: ACCOUNT,
      email: 'ann@b.example',
      sessionId: SESSION,
      aal: 'aal1',
      hasFactor: false,
    })
  })
  test.each([
    ['another issuer', { iss: 'https://other.example/auth/v1' }],
    ['another audience', { aud: 'anon' }],
    ['expiry', { exp: 1_000_000_000 }],
    ['no expiry', { exp: undefined }],
    ['no sub', { sub: undefined }],
    ['a sub that is no UUID', { sub: 'ann' }],
    ['no address', { email: undefined }],
    ['an empty address', { email: '' }],
    ['nobody in particular', { is_anonymous: true }],
  ])('do not count with %s', async (_what, change) => {
    const { project, verify, token } = openProject()
    await expect(verify(await token(change as JWTPayload))).rejects.toMatchObject({ code: 'bad_jwt' })
    expect(project.asked.user).toBe(0)
  })
  test('need a kid, and its own key', async () => {
    const { verify, claims } = openProject()
    const sign = async (header: { alg: string; kid?: string }, key: CryptoKey) =>
      new SignJWT(claims()).setProtectedHeader(header).sign(key)
    for (const forged of [
      await sign({ alg: 'ES256' }, pairs.es.privateKey),
      await sign({ alg: 'ES256', kid: 'rs' }, pairs.es.privateKey),
      await sign({ alg: 'ES256', kid: 'es' }, pairs.later.privateKey),
    ]) {
      await expect(verify(forged)).rejects.toMatchObject({ status: 403, code: 'bad_jwt' })
    }
  })
  test('with a shared secret count only where one is set, and never with a public key', async () => {
    const legacy = openProject(JWT_SECRET)
    const sign = async (secret: string, kid?: string) =>
      new SignJWT(legacy.claims())
        .setProtectedHeader({ alg: 'HS256', ...(kid === undefined ? {} : { kid }) })
        .sign(Buffer.from(secret))
    expect((await legacy.verify(await sign(JWT_SECRET))).email).toBe('ann@b.example')
    expect((await legacy.verify(await sign(JWT_SECRET, 'legacy'))).email).toBe('ann@b.example')
    await expect(legacy.verify(await sign('another shared secret'))).rejects.toMatchObject({ code: 'bad_jwt' })
    const jwk = JSON.stringify(await exportJWK(pairs.es.publicKey))
    await expect(legacy.verify(await sign(jwk, 'es'))).rejects.toMatchObject({ code: 'bad_jwt' })
    await expect(openProject().verify(await sign(JWT_SECRET))).rejects.toThrow('SEPTET_SUPABASE_JWT_SECRET')
  })
  test('the keys are read once in ten minutes, and again for an unknown one at most every 30 seconds', async () => {
    const { project, verify, token } = openProject()
    await verify(await token())
    project.at += 599_000
    await verify(await token())
    expect(project.asked.keys).toBe(1)
    project.at += 1000
    await verify(await token())
    expect(project.asked.keys).toBe(2)
    const unknown = await token({}, 'later')
    for (let count = 0; count < 20; count++) await expect(verify(unknown)).rejects.toMatchObject({ code: 'bad_jwt' })
    expect(project.asked.keys).toBe(2)
    project.at += 30_000
    project.kids = ['es', 'later']
    expect((await Promise.all([verify(unknown), verify(unknown), verify(unknown)])).length).toBe(3)
    expect(project.asked.keys).toBe(3)
  })
  test('while the project is away known sessions go on for ten minutes, others hear what failed', async () => {
    const { project, verify, token } = openProject()
    project.up = false
    const away = { status: 503, message: expect.stringContaining('is not responding') }
    for (let count = 0; count < 20; count++) await expect(verify(await token())).rejects.toMatchObject(away)
    expect(project.asked.keys).toBe(1)
    project.up = true
    project.at += 5000
    await verify(await token())
    project.up = false
    project.at += 599_000
    expect((await verify(await token())).email).toBe('ann@b.example')
    await expect(verify(await token({ session_id: ACCOUNT }))).rejects.toMatchObject(away)
    project.at += 2000
    await expect(verify(await token())).rejects.toMatchObject(away)
  })
  test('a sign-out at the project counts within a minute', async () => {
    const { project, verify, token } = openProject()
    await Promise.all([verify(await token()), verify(await token())])
    project.user = { status: 403, body: { code: 'session_not_found' } }
    project.at += 59_000
    await verify(await token())
    expect(project.asked.user).toBe(1)
    project.at += 1000
    await expect(verify(await token())).rejects.toMatchObject({ status: 403, code: 'session_not_found' })
  })
  test('a second factor is known, also to a token that has not shown it', async () => {
    const { project, verify, token } = openProject()
    project.user.body = { factors: [{ id: 'x', status: 'verified' }] }
    expect(await verify(await token())).toMatchObject({ aal: 'aal1', hasFactor: true })
    expect(await verify(await token({ aal: 'aal2' }))).toMatchObject({ aal: 'aal2', hasFactor: true })
  })
})

test('one Septet can be the hosted project of another; its tokens count there, and nobody else’s', async () => {
  const [project, other] = [await openTestAuth(), await openTestAuth()]
  const url = await project.listen()
  const mode = { kind: 'hosted', url, anonKey: 'sb_publishable_septet', jwtSecret: undefined } as const
  const guest = await openTestAuth({ mode })
  const client = clientOf(url)
  await client.auth.signUp({ email: OWNER, password: PASSWORD })
  const { data } = await client.auth.signInWithPassword({ email: OWNER, password: PASSWORD })
  const token = data.session?.access_token ?? ''
  expect(await guest.auth.verify(token)).toMatchObject({ email: OWNER, hasFactor: false })
  const foreign = await other.ask('POST', '/signup', { body: { email: OWNER, password: PASSWORD } })
  await expect(guest.auth.verify(foreign.body['access_token'])).rejects.toMatchObject({ status: 403, code: 'bad_jwt' })
  expect(await guest.auth.signInInfo()).toMatchObject({
    mode: 'hosted',
    url,
    key: 'sb_publishable_septet',
    needsSetupSecret: false,
  })
  expect((await guest.ask('GET', '/health')).status).toBe(404)
  await Promise.all([project.close(), other.close(), guest.close()])
})
