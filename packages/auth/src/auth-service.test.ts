import fastify from 'fastify'
import { generateKeyPair, SignJWT, decodeJwt, decodeProtectedHeader, exportSPKI, importJWK, base64url } from 'jose'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { verifyChain } from './audit.ts'
import { withFactor } from './second-factor.fixture.ts'
import { clientOf, openTestAuth, OWNER, PASSWORD, type TestAuth } from './open-test-auth.fixture.ts'

let house: TestAuth
beforeEach(async () => {
  house = await openTestAuth()
})
afterEach(() => house.close())

const signUp = async (email = OWNER, password = PASSWORD) => house.ask('POST', '/signup', { body: { email, password } })
const signIn = async (email = OWNER, password = PASSWORD, ip = '192.0.2.1') =>
  house.ask('POST', '/token?grant_type=password', { body: { email, password }, ip })
const refresh = async (refreshToken: string) =>
  house.ask('POST', '/token?grant_type=refresh_token', { body: { refresh_token: refreshToken } })

const forge = async (change: Record<string, unknown>, header: Record<string, unknown> = {}) => {
  const [row] = await house.store.access.keys.list()
  if (row?.sealedPrivateJwk === undefined) throw new Error('there is no key')
  const jwk = JSON.parse(
    Buffer.from(house.auth.context.secrets.unseal(`signing-key/${row.kid}`, row.sealedPrivateJwk)).toString(),
  )
  const made = (await signUp()).body['access_token'] ?? (await signIn()).body['access_token']
  const claims = { ...decodeJwt(made), ...change }
  return new SignJWT(claims)
    .setProtectedHeader({ ...decodeProtectedHeader(made), alg: 'ES256', ...header })
    .sign(await importJWK(jwk, 'ES256'))
}
const whoIs = async (token: string) => house.ask('GET', '/user', { token })

const devices = async () => [(await signUp()).body, (await signIn()).body, (await signIn()).body]
const isIn = async (token: string) =>
  house.auth.verify(token).then(
    () => true,
    () => false,
  )

const statuses = async (email: string, ip: string) => {
  const answers = []
  for (let guess = 0; guess < 8; guess++) {
    const { status, body } = await signIn(email, `wrong guess ${guess}`, ip)
    answers.push({ status, code: body['code'] })
  }
  return answers
}

describe('supabase-js over the wire', () => {
  test('signs up, in, asks who it is, checks claims, refreshes and signs out', async () => {
    const url = await house.listen()
    const client = clientOf(url)
    const made = await client.auth.signUp({
      email: ' Owner@Example.com ',
      password: PASSWORD,
      options: { data: { name: 'O' } },
    })
    expect(made.error).toBeNull()
    expect(made.data.user).toMatchObject({
      email: OWNER,
      role: 'authenticated',
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: { name: 'O', email: OWNER, email_verified: true },
      identities: [{ provider: 'email', email: OWNER }],
    })

    const signed = await client.auth.signInWithPassword({ email: OWNER, password: PASSWORD })
    expect(signed.error).toBeNull()
    expect(signed.data.session).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
    expect((await client.auth.getUser()).data.user?.id).toBe(made.data.user?.id)

    // getClaims verifies the signature itself, with the key from the well-known address.
    const claims = await client.auth.getClaims()
    expect(claims.error).toBeNull()
    expect(claims.data?.header.alg).toBe('ES256')
    expect(claims.data?.claims).toMatchObject({
      aud: 'authenticated',
      iss: `${url}/auth/v1`,
      email: OWNER,
      aal: 'aal1',
    })

    const fresh = await client.auth.refreshSession()
    expect(fresh.error).toBeNull()
    expect(fresh.data.session?.refresh_token).not.toBe(signed.data.session?.refresh_token)

    const token = fresh.data.session?.access_token ?? ''
    expect((await house.auth.verify(token)).email).toBe(OWNER)
    expect((await client.auth.signOut()).error).toBeNull()
    await expect(house.auth.verify(token)).rejects.toMatchObject({ status: 403, code: 'session_not_found' })
    expect((await clientOf(url).auth.getUser(token)).error?.message).toBe('Auth session missing!')
  })

  test('reads our errors by their codes', async () => {
    const client = clientOf(await house.listen())
    const stranger = await client.auth.signUp({ email: 'stranger@example.com', password: PASSWORD })
    expect(stranger.error).toMatchObject({
      status: 422,
      code: 'email_address_not_authorized',
      message: 'Sign up is restricted to authorized users only',
    })
    const weak = await client.auth.signUp({ email: OWNER, password: 'short' })
    expect(weak.error).toMatchObject({ name: 'AuthWeakPasswordError', reasons: ['length'] })
    await client.auth.signUp({ email: OWNER, password: PASSWORD })
    const twice = await client.auth.signUp({ email: OWNER, password: PASSWORD })
    expect(twice.error).toMatchObject({ code: 'user_already_exists', message: 'User already registered' })
    const wrong = await client.auth.signInWithPassword({ email: OWNER, password: `${PASSWORD}!` })
    expect(wrong.error).toMatchObject({ code: 'invalid_credentials', message: 'Invalid login credentials' })
    const anonymous = await client.auth.signInAnonymously()
    expect(anonymous.error).toMatchObject({ code: 'anonymous_provider_disabled' })
    const phone = await client.auth.signInWithPassword({ phone: '+49301234567', password: PASSWORD })
    expect(phone.error).toMatchObject({ code: 'phone_provider_disabled' })
    const sso = await client.auth.signInWithSSO({ domain: 'example.com' })
    expect(sso.error).toMatchObject({ code: 'saml_provider_disabled', message: 'SAML 2.0 is disabled' })
    const idToken = await client.auth.signInWithIdToken({ provider: 'google', token: 'x' })
    expect(idToken.error).toMatchObject({ code: 'provider_disabled' })
    await client.auth.signInWithPassword({ email: OWNER, password: PASSWORD })
    const linking = await client.auth.linkIdentity({ provider: 'github', options: { skipBrowserRedirect: true } })
    expect(linking.error).toMatchObject({ code: 'manual_linking_disabled', message: 'Manual linking is disabled' })
  })
})

describe('what can be known before anyone signs in', () => {
  test('health, settings and keys', async () => {
    expect((await house.ask('GET', '/health')).body).toMatchObject({ name: 'GoTrue' })
    expect((await house.ask('GET', '/settings')).body).toMatchObject({
      external: { email: true, phone: false, anonymous_users: false },
      mailer_autoconfirm: true,
      saml_enabled: false,
    })
    const keys = await house.ask('GET', '/.well-known/jwks.json')
    expect(keys.headers['cache-control']).toBe('public, max-age=600')
    expect(keys.body['keys']).toHaveLength(1)
    expect(keys.body['keys'][0]).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', key_ops: ['verify'] })
    expect(keys.body['keys'][0]).not.toHaveProperty('d')
  })

  test('two servers over one store sign with one key, and know each other’s tokens', async () => {
    await signUp()
    const other = await openTestAuth({}, { store: house.store })
    const token = (await signIn()).body['access_token']
    expect((await other.auth.verify(token)).email).toBe(OWNER)
    expect(await house.store.access.keys.list()).toHaveLength(1)
    await other.close()
  })

  test('a store that was sealed with another secret stops the start and says what to do', async () => {
    await expect(
      openTestAuth({ masterSecret: 'another master secret, just as long' }, { store: house.store }),
    ).rejects.toThrow(/sealed with another secret.*SEPTET_SECRET/u)
  })

  test('a new master secret, told with the one before, opens what that sealed, and then does so alone', async () => {
    await signUp()
    const [old, next, last] = [
      'a master secret of the tests, long enough',
      'the next master secret, just as long',
      'and the one after it, which is long too',
    ]
    const opened = async (masterSecret: string, masterSecretBefore?: string) => {
      const other = await openTestAuth({ masterSecret, masterSecretBefore }, { store: house.store })
      const hash = other.auth.context.secrets.keyedHash('api-token', 'x')
      await other.close()
      return hash
    }
    const hash = house.auth.context.secrets.keyedHash('api-token', 'x')
    await expect(opened(next, 'not the one before, but long enough')).rejects.toThrow('sealed with another secret')
    expect(await opened(old)).toBe(hash)
    expect(await opened(next, old)).toBe(hash)
    expect(await opened(next)).toBe(hash)
    expect(await opened(next, old)).toBe(hash)
    await expect(opened(old)).rejects.toThrow('sealed with another secret')
    expect(await opened(last, next)).toBe(hash)
    await expect(opened(next)).rejects.toThrow('sealed with another secret')
  })

  test('a page elsewhere may ask, without credentials', async () => {
    const preflight = await house.server.inject({
      method: 'OPTIONS',
      url: '/auth/v1/token',
      headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' },
    })
    expect(preflight.statusCode).toBe(204)
    expect(preflight.headers['access-control-allow-origin']).toBe('*')
    expect(preflight.headers['access-control-allow-headers']).toContain('x-supabase-api-version')
    expect(preflight.headers).not.toHaveProperty('access-control-allow-credentials')
  })
})

describe('errors', () => {
  test('in the form that the client asks for', async () => {
    const current = await house.ask('GET', '/user')
    expect(current).toMatchObject({ status: 401, body: { code: 'no_authorization' } })
    expect(current.body['message']).toContain('Bearer token')
    expect(current.headers['x-supabase-api-version']).toBe('2024-01-01')
    const old = await house.ask('GET', '/user', { headers: { 'x-supabase-api-version': '' } })
    expect(old.body).toEqual({ code: 401, error_code: 'no_authorization', msg: expect.any(String) })
    expect(old.headers).not.toHaveProperty('x-supabase-api-version')
  })

  test.each([
    ['GET', '/authorize?provider=github', 400, 'validation_failed'],
    ['GET', '/nothing/here', 404, 'validation_failed'],
    ['POST', '/sso', 404, 'saml_provider_disabled'],
    ['POST', '/passkeys/authentication/options', 404, 'passkey_disabled'],
    ['POST', '/token?grant_type=web3', 422, 'web3_provider_disabled'],
    ['POST', '/token?grant_type=magic', 400, 'invalid_credentials'],
    ['POST', '/token?grant_type=password&grant_type=pkce', 400, 'validation_failed'],
    ['POST', '/signup', 422, 'anonymous_provider_disabled'],
    ['POST', '/logout?scope=world', 400, 'validation_failed'],
  ] as const)('%s %s is %i %s', async (method, path, ...[status, code]) => {
    expect(await house.ask(method, path)).toMatchObject({ status, body: { code } })
  })

  test.each([
    ['malformed JSON', '{"email": ', 400, 'bad_json'],
    ['an array', '[]', 400, 'bad_json'],
    ['a prototype', '{"__proto__": {"email": "x"}}', 400, 'bad_json'],
    ['a body above 1 MiB', JSON.stringify({ email: 'a'.repeat(1_100_000) }), 413, 'request_entity_too_large'],
    ['a field of 1 MB', JSON.stringify({ email: `${'a'.repeat(1_000_000)}@team.example` }), 400, 'validation_failed'],
    ['a NUL byte', JSON.stringify({ email: `a\u0000@team.example`, password: PASSWORD }), 400, 'validation_failed'],
    [
      'half a surrogate',
      '{"email": "a@team.example", "password": "\\ud800aaaaaaaaaaaaaaaaaa"}',
      400,
      'validation_failed',
    ],
    ['a wrong type', JSON.stringify({ email: ['a@team.example'], password: 7 }), 400, 'validation_failed'],
    ['a long password', JSON.stringify({ email: OWNER, password: 'x'.repeat(900_000) }), 400, 'validation_failed'],
    [
      'large metadata',
      JSON.stringify({ email: OWNER, password: PASSWORD, data: { a: 'x'.repeat(9000) } }),
      400,
      'validation_failed',
    ],
  ])('%s makes no account', async (_what, body, ...[status, code]) => {
    expect(await house.ask('POST', '/signup', { body })).toMatchObject({ status, body: { code } })
    expect((await house.store.access.accounts.list({ page: 1, perPage: 10 })).total).toBe(0)
  })

  test('a long password at sign-in is simply wrong', async () => {
    await signUp()
    expect(await signIn(OWNER, 'x'.repeat(900_000))).toMatchObject({
      status: 400,
      body: { code: 'invalid_credentials' },
    })
  })
})

describe('forged tokens', () => {
  test('the forger itself makes good ones', async () => {
    expect((await whoIs(await forge({}))).status).toBe(200)
  })
  test.each([
    ['expired', { exp: 1_000_000_000 }, 403, 'bad_jwt'],
    ['without expiry', { exp: undefined }, 403, 'bad_jwt'],
    ['of another issuer', { iss: 'https://other.example/auth/v1' }, 403, 'bad_jwt'],
    ['for another audience', { aud: 'anon' }, 403, 'bad_jwt'],
    ['without sub', { sub: undefined }, 403, 'bad_jwt'],
    ['with an empty sub', { sub: '' }, 403, 'bad_jwt'],
    ['with a sub that is no UUID', { sub: 'owner' }, 400, 'bad_jwt'],
    ['of nobody', { sub: '00000000-0000-4000-8000-000000000000' }, 403, 'user_not_found'],
    ['without a session', { session_id: undefined }, 403, 'session_not_found'],
    ['of a session that is gone', { session_id: '00000000-0000-4000-8000-000000000000' }, 403, 'session_not_found'],
  ])('%s', async (_what, change, ...[status, code]) => {
    const token = await forge(change)
    const refused = await whoIs(token)
    expect(refused).toMatchObject({ status, body: { code } })
    expect(refused.body['message']).toMatch(code === 'bad_jwt' ? /^invalid JWT: / : / from (sub|session_id) claim /u)
    await expect(house.auth.verify(token)).rejects.toMatchObject({ name: 'AuthProblem' })
  })
  test('a session of another account does not count', async () => {
    const other = await signUp('second@example.com')
    const { session_id: foreign } = decodeJwt(other.body['access_token'])
    const token = await forge({ session_id: foreign })
    expect(await whoIs(token)).toMatchObject({ status: 403, body: { code: 'session_not_found' } })
    await expect(house.auth.verify(token)).rejects.toMatchObject({ code: 'session_not_found' })
  })
  test('unknown kid, and none', async () => {
    expect(await whoIs(await forge({}, { kid: 'nobody' }))).toMatchObject({ status: 403, body: { code: 'bad_jwt' } })
    expect(await whoIs(await forge({}, { kid: undefined }))).toMatchObject({ status: 403, body: { code: 'bad_jwt' } })
  })
  test('the right kid with another key', async () => {
    const made = (await signUp()).body['access_token']
    const { privateKey } = await generateKeyPair('ES256')
    const { kid = '' } = decodeProtectedHeader(made)
    const token = await new SignJWT(decodeJwt(made)).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey)
    expect(await whoIs(token)).toMatchObject({ status: 403, body: { code: 'bad_jwt' } })
  })
  test('algorithm none', async () => {
    const made = (await signUp()).body['access_token']
    const { kid } = decodeProtectedHeader(made)
    const head = base64url.encode(JSON.stringify({ alg: 'none', kid, typ: 'JWT' }))
    const token = `${head}.${made.split('.')[1]}.`
    expect(await whoIs(token)).toMatchObject({ status: 403, body: { code: 'bad_jwt' } })
    expect(await whoIs(`${head}.${made.split('.')[1]}.${made.split('.')[2]}`)).toMatchObject({ status: 403 })
  })
  test('HS256 signed with the public key, in every form that it has', async () => {
    const made = (await signUp()).body['access_token']
    const { kid = '' } = decodeProtectedHeader(made)
    const { keys } = (await house.ask('GET', '/.well-known/jwks.json')).body
    const publicKey = await importJWK(keys[0], 'ES256')
    if (publicKey instanceof Uint8Array) throw new Error('not an EC key')
    const pem = await exportSPKI(publicKey)
    const secrets = [pem, `${pem}\n`, JSON.stringify(keys[0]), keys[0].x, base64url.decode(keys[0].x), kid]
    for (const secret of secrets) {
      const bytes = typeof secret === 'string' ? Buffer.from(secret) : secret
      const token = await new SignJWT(decodeJwt(made)).setProtectedHeader({ alg: 'HS256', kid }).sign(bytes)
      expect(await whoIs(token)).toMatchObject({ status: 403, body: { code: 'bad_jwt' } })
      await expect(house.auth.verify(token)).rejects.toMatchObject({ code: 'bad_jwt' })
    }
  })
  test.each(['', 'x', 'a.b', 'a.b.c', 'sb_publishable_septet', '..', 'e30.e30.e30'])('the text %j', async (text) => {
    expect((await house.ask('GET', '/user', { headers: { authorization: `Bearer ${text}` } })).status).toBeOneOf([
      401, 403,
    ])
    await expect(house.auth.verify(text)).rejects.toMatchObject({ code: 'bad_jwt' })
  })
  test('a banned account is refused at once', async () => {
    const made = (await signUp()).body
    expect((await house.auth.verify(made['access_token'])).email).toBe(OWNER)
    const { id } = made['user']
    await house.auth.context.access.accounts.update(id, { bannedUntil: (house.clock.at + 60_000) as never })
    await expect(house.auth.verify(made['access_token'])).rejects.toMatchObject({ code: 'user_banned' })
    expect(await whoIs(made['access_token'])).toMatchObject({ status: 403, body: { code: 'user_banned' } })
    expect(await signIn()).toMatchObject({ status: 400, body: { code: 'user_banned' } })
    expect(await refresh(made['refresh_token'])).toMatchObject({ status: 400, body: { code: 'user_banned' } })
  })
})

describe('refreshing', () => {
  test('rotates, and takes the token before once more', async () => {
    const first = (await signUp()).body['refresh_token']
    const second = (await refresh(first)).body['refresh_token']
    expect(second).not.toBe(first)
    house.pass(60_000)
    expect((await refresh(first)).body['refresh_token']).toBe(second)
    const third = (await refresh(second)).body['refresh_token']
    expect(third).not.toBe(second)
  })
  test('an older token within ten seconds gets the current one', async () => {
    const first = (await signUp()).body['refresh_token']
    const second = (await refresh(first)).body['refresh_token']
    const third = (await refresh(second)).body['refresh_token']
    house.pass(9_999)
    expect((await refresh(first)).body['refresh_token']).toBe(third)
  })
  test('later it ends the session, for both who hold it', async () => {
    const made = (await signUp()).body
    const second = (await refresh(made['refresh_token'])).body
    const third = (await refresh(second['refresh_token'])).body
    house.pass(10_000)
    expect(await refresh(made['refresh_token'])).toMatchObject({
      status: 400,
      body: { code: 'refresh_token_already_used' },
    })
    expect(await refresh(third['refresh_token'])).toMatchObject({
      status: 400,
      body: { code: 'refresh_token_not_found' },
    })
    await expect(house.auth.verify(third['access_token'])).rejects.toMatchObject({ code: 'session_not_found' })
    expect(await house.audited()).toContainEqual(
      expect.objectContaining({ action: 'session.reuse', outcome: 'refused', actor: OWNER }),
    )
  })
  test('twenty at once make one step, and all get the same token', async () => {
    const { refresh_token: token } = (await signUp()).body
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(token)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => body['refresh_token'])).size).toBe(1)
    const [session] = await house.store.access.sessions.ofAccount(answers[0]?.body['user'].id)
    expect(session?.refreshCounter).toBe(1)
  })
  test('a session that others keep changing is given up after five seconds, with 409', async () => {
    const busy: typeof house.store.access.sessions = {
      ...house.store.access.sessions,
      advance: async () => {
        late.pass(1000)
        return undefined
      },
    }
    const access = { ...house.store.access, sessions: busy }
    const late = await openTestAuth({}, { store: { ...house.store, access } })
    const { refresh_token: token } = (await signUp()).body
    const answer = await late.ask('POST', '/token?grant_type=refresh_token', { body: { refresh_token: token } })
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } })
    await late.close()
  })
  test('malformed and forged tokens', async () => {
    const { refresh_token: token } = (await signUp()).body
    const bytes = Buffer.from(token, 'base64url')
    const flipped = Array.from(bytes, (_, at) => {
      const copy = Buffer.from(bytes)
      copy.writeUInt8(copy.readUInt8(at) ^ 1, at)
      return copy.toString('base64url')
    })
    for (const forged of ['x', `${token}A`, `${token}=`, token.slice(1), 'abcdefghijkl', ...flipped]) {
      expect(await refresh(forged)).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
      house.pass(5_000)
    }
    expect(await refresh('')).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    expect((await refresh(token)).status).toBe(200)
  })
  test('sessions end after 30 days of silence, and after 90 in any case', async () => {
    const quiet = (await signUp()).body['refresh_token']
    house.pass(30 * 86_400_000 + 1)
    expect(await refresh(quiet)).toMatchObject({ status: 400, body: { code: 'session_expired' } })
    let token = (await signIn()).body['refresh_token']
    for (const _ of [1, 2, 3, 4]) {
      house.pass(20 * 86_400_000)
      token = (await refresh(token)).body['refresh_token']
    }
    house.pass(10 * 86_400_000)
    expect(await refresh(token)).toMatchObject({ status: 400, body: { code: 'session_expired' } })
  })
})

describe('signing out', () => {
  test.each([
    ['global', [false, false, false]],
    ['local', [false, true, true]],
    ['others', [true, false, false]],
  ])('%s is seen at once', async (scope, expected) => {
    const tokens = (await devices()).map((device) => String(device['access_token']))
    expect(await Promise.all(tokens.map(isIn))).toEqual([true, true, true])
    const answer = await house.ask('POST', `/logout?scope=${scope}`, { token: tokens[0] })
    expect(answer).toMatchObject({ status: 204, text: '' })
    expect(await Promise.all(tokens.map(isIn))).toEqual(expected)
  })
  test('others takes the second factor where there is one; global without it ends one’s own session alone', async () => {
    const { signIn: enter, token } = await withFactor(house)
    const lesser = async (scope: string) => {
      const half = String((await enter())['access_token'])
      return { half, ...(await house.ask('POST', `/logout?scope=${scope}`, { token: half })) }
    }
    expect(await lesser('others')).toMatchObject({ status: 403, body: { code: 'insufficient_aal' } })
    const { half, status } = await lesser('global')
    expect([status, await isIn(half), await isIn(token)]).toEqual([204, false, true])
    expect((await house.ask('POST', '/logout?scope=others', { token })).status).toBe(204)
  })
  test.each(['', '/', '/nothing', '/token/more', '//token', '/admin/nobody'])(
    'a path that is not there, %j, is answered as clients of the protocol expect',
    async (path) => {
      for (const method of ['GET', 'POST', 'DELETE'] as const) {
        const answer = await house.ask(method, path)
        expect([answer.status, answer.body['code']]).toEqual([404, 'validation_failed'])
      }
    },
  )
  test('the fifty-first session ends the oldest', async () => {
    const first = (await signUp()).body['access_token']
    for (let count = 0; count < 50; count++) {
      house.pass(1000)
      expect((await signIn(OWNER, PASSWORD, `198.51.100.${count}`)).status).toBe(200)
    }
    expect(await isIn(first)).toBe(false)
  })
})

describe('who may sign up', () => {
  test('the owner’s address in other spellings is the same account or no account', async () => {
    expect((await signUp(' OWNER@EXAMPLE.COM\t')).status).toBe(200)
    expect((await signUp(OWNER)).body).toMatchObject({ code: 'user_already_exists' })
    for (const spelling of [
      'owner+gpu@example.com',
      'оwner@example.com',
      'ｏwner@example.com',
      'owner@example.com.',
      'owner@exampⅼe.com',
    ]) {
      expect((await signUp(spelling)).status).toBeOneOf([400, 422])
    }
    expect((await house.store.access.accounts.list({ page: 1, perPage: 10 })).total).toBe(1)
  })
  test('an address that is no longer authorized is let out of everything', async () => {
    await signUp('second@example.com')
    const later = await openTestAuth(
      { authorized: { admin: OWNER, others: [], anyone: false } },
      { store: house.store },
    )
    const body = { email: 'second@example.com', password: PASSWORD }
    expect(await later.ask('POST', '/token?grant_type=password', { body })).toMatchObject({
      status: 422,
      body: { code: 'email_address_not_authorized' },
    })
    await later.close()
  })
  test('the first admin shows the setup secret, once; a stranger cannot take the account', async () => {
    const guarded = await openTestAuth({ setupSecret: 'from the notes of the install' })
    const attempt = async (data: object, email = OWNER) =>
      guarded.ask('POST', '/signup', { body: { email, password: PASSWORD, data } })
    expect((await guarded.auth.signInInfo()).needsSetupSecret).toBe(true)
    expect(await attempt({})).toMatchObject({ status: 422, body: { code: 'email_address_not_authorized' } })
    expect(await attempt({ setup_secret: ['from the notes of the install'] })).toMatchObject({ status: 422 })
    expect(await attempt({ setup_secret: 'from the notes of the instalL' })).toMatchObject({ status: 422 })
    expect((await attempt({}, 'second@example.com')).status).toBe(200)
    const made = await attempt({ setup_secret: 'from the notes of the install', name: 'O' })
    expect(made.status).toBe(200)
    expect(made.body['user'].user_metadata).not.toHaveProperty('setup_secret')
    expect(JSON.stringify(await guarded.audited())).not.toContain('notes of the install')
    expect((await guarded.auth.signInInfo()).needsSetupSecret).toBe(false)
    expect(await attempt({ setup_secret: 'from the notes of the install' })).toMatchObject({
      body: { code: 'user_already_exists' },
    })
    await guarded.close()
  })
  test('where addresses are confirmed, a second sign-up gets a made-up user and sends no letter', async () => {
    const confirming = await openTestAuth({ confirmEmail: true })
    const attempt = async (email: string) => confirming.ask('POST', '/signup', { body: { email, password: PASSWORD } })
    const fresh = await attempt(OWNER)
    expect(fresh).toMatchObject({ status: 200, body: { email: OWNER, confirmation_sent_at: expect.any(String) } })
    expect(fresh.body).not.toHaveProperty('access_token')
    const body = { email: OWNER, password: PASSWORD }
    expect(await confirming.ask('POST', '/token?grant_type=password', { body })).toMatchObject({
      body: { code: 'email_not_confirmed' },
    })
    const account = await confirming.store.access.accounts.byEmail(OWNER)
    await confirming.auth.context.access.accounts.update(account?.id ?? '', { emailConfirmedAt: confirming.clock.at })
    confirming.pass(61_000)
    const again = await attempt(OWNER)
    expect(again).toMatchObject({ status: 200, body: { email: OWNER, identities: [], role: '' } })
    expect(again.body['id']).not.toBe(account?.id)
    expect(await confirming.store.access.mails.list(10)).toHaveLength(1)
    await confirming.close()
  })
})

describe('guessing', () => {
  test('a stranger is held up at their address, and the owner signs in from another as ever', async () => {
    await signUp()
    for (let guess = 0; guess < 60; guess++) await signIn(OWNER, `wrong guess ${guess}`, `203.0.113.${guess % 6}`)
    const stranger = await signIn(OWNER, PASSWORD, '203.0.113.1')
    expect(stranger).toMatchObject({ status: 429, body: { code: 'over_request_rate_limit' } })
    expect(Number(stranger.headers['retry-after'])).toBeGreaterThan(0)
    expect((await signIn(OWNER, PASSWORD, '198.51.100.7')).status).toBe(200)
  })
  test('a hundred guesses at once from one address are five', async () => {
    await signUp()
    const answers = await Promise.all(Array.from({ length: 100 }, (_, guess) => signIn(OWNER, `wrong guess ${guess}`)))
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(95)
  })
  test('a forged forwarded address counts for nothing where no proxy is trusted', async () => {
    await signUp()
    const plain = fastify()
    house.auth.register(plain)
    const guess = async (count: number) =>
      plain.inject({
        method: 'POST',
        url: '/auth/v1/token?grant_type=password',
        headers: { 'x-forwarded-for': `203.0.113.${count}`, 'x-real-ip': `203.0.113.${count}` },
        payload: { email: OWNER, password: `wrong guess ${count}` },
      })
    const answers = []
    for (let count = 0; count < 7; count++) answers.push((await guess(count)).statusCode)
    expect(answers).toEqual([400, 400, 400, 400, 400, 429, 429])
    await plain.close()
  })
  test('unknown addresses are answered and held up in the same way', async () => {
    await signUp()
    expect(await statuses('nobody@team.example', '203.0.113.9')).toEqual(await statuses(OWNER, '203.0.113.8'))
  })
  test('requests of one address are counted', async () => {
    const answers = []
    for (let request = 0; request < 31; request++)
      answers.push((await house.ask('POST', '/signup', { body: {} })).status)
    expect(answers.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 422))
    expect(answers[30]).toBe(429)
    expect((await house.ask('POST', '/signup', { body: {}, ip: '198.51.100.1' })).status).toBe(422)
  })
})

test('what happened is in an audit chain that holds, and holds no secret', async () => {
  await signUp()
  await signIn(OWNER, 'a wrong guess here')
  const { access_token: token } = (await signIn()).body
  await house.ask('POST', '/logout', { token })
  const entries = await house.audited()
  expect(entries.toReversed().map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
    'account.sign-up done',
    'account.sign-in done',
    'account.sign-in refused',
    'account.sign-in done',
    'account.sign-out done',
  ])
  expect(await verifyChain(house.store.access.audit.all())).toMatchObject({ kind: 'whole', entries: 5 })
  const text = JSON.stringify(entries)
  for (const secret of [PASSWORD, 'a wrong guess here', token]) expect(text).not.toContain(secret)
})
