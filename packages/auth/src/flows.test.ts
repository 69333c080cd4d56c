import { createHash, randomBytes } from 'node:crypto'

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { AuthProblem } from './auth-problem.ts'
import { readChallenge } from './challenge.ts'
import { ADMIN, openMailBench } from './mail-flow.fixture.ts'
import { PASSWORD } from './open-test-auth.fixture.ts'

/** A bench with a flow that waits for its browser: the code that the link led to, and the verifier. */
async function withFlow(method: 'S256' | 'plain' = 'S256') {
  const bench = await openMailBench()
  await bench.ask('POST', '/signup', { body: { email: ADMIN, password: PASSWORD } })
  const verifier = randomBytes(32).toString('hex')
  const challenge = method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url')
  const payload = { email: ADMIN, code_challenge: challenge, code_challenge_method: method }
  await bench.ask('POST', '/recover', { body: payload })
  const { link } = await bench.letter(ADMIN, 'recovery')
  const answer = await bench.ask('GET', `/verify${link?.search}`)
  const exchange = (body: object) => bench.ask('POST', '/token?grant_type=pkce', { body: body })
  return { bench, verifier, link, answer, code: answer.location?.searchParams.get('code') ?? '', exchange }
}

describe('a sign-in that its browser must finish', () => {
  test('with the client of the protocol', async () => {
    const bench = await openMailBench()
    const client = bench.client('pkce')
    await client.auth.signInWithOtp({ email: ADMIN })
    const { link } = await bench.letter(ADMIN, 'magiclink')
    expect(link?.searchParams.get('token')).toMatch(/^pkce_[0-9a-f]{64}$/u)
    const { location } = await bench.ask('GET', `/verify${link?.search}`)
    expect(location?.hash).toBe('')
    const code = location?.searchParams.get('code') ?? ''
    const elsewhere = bench.client('pkce')
    expect((await elsewhere.auth.exchangeCodeForSession(code)).error).not.toBeNull()
    const { data, error } = await client.auth.exchangeCodeForSession(code)
    expect(error).toBeNull()
    expect(data.user?.email).toBe(ADMIN)
    expect((await client.auth.getClaims()).data?.claims.amr).toMatchObject([{ method: 'magiclink' }])
  })
  test('a recovery ends with the event that asks for a new password', async () => {
    const bench = await openMailBench()
    await bench.ask('POST', '/signup', { body: { email: ADMIN, password: PASSWORD } })
    const client = bench.client('pkce')
    const events: string[] = []
    client.auth.onAuthStateChange((event) => void events.push(event))
    await client.auth.resetPasswordForEmail(ADMIN)
    const { link } = await bench.letter(ADMIN, 'recovery')
    const { location } = await bench.ask('GET', `/verify${link?.search}`)
    await client.auth.exchangeCodeForSession(location?.searchParams.get('code') ?? '')
    expect(events).toContain('PASSWORD_RECOVERY')
    expect((await client.auth.updateUser({ password: 'kettle moss harbor violin' })).error).toBeNull()
  })
  test.each(['S256', 'plain'] as const)('once, by %s', async (method) => {
    const { code, verifier, exchange } = await withFlow(method)
    expect((await exchange({ auth_code: code, code_verifier: verifier })).body).toHaveProperty('access_token')
    const again = await exchange({ auth_code: code, code_verifier: verifier })
    expect(again).toMatchObject({ status: 404, body: { code: 'flow_state_not_found' } })
  })
  test('ten at once make one session', async () => {
    const { code, verifier, exchange } = await withFlow()
    const all = await Promise.all(
      Array.from({ length: 10 }, () => exchange({ auth_code: code, code_verifier: verifier })),
    )
    expect(all.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 404),
    ])
  })
  test('a wrong verifier spends the code', async () => {
    const { code, verifier, exchange } = await withFlow()
    const wrong = await exchange({ auth_code: code, code_verifier: randomBytes(32).toString('hex') })
    expect(wrong).toMatchObject({ status: 400, body: { code: 'bad_code_verifier' } })
    expect((await exchange({ auth_code: code, code_verifier: verifier })).status).toBe(404)
  })
  test('five minutes are all it has', async () => {
    const { bench, code, verifier, exchange } = await withFlow()
    bench.advance(300_000)
    const late = await exchange({ auth_code: code, code_verifier: verifier })
    expect(late).toMatchObject({ status: 422, body: { code: 'flow_state_expired' } })
  })
  test.each([{}, { auth_code: 'x' }, { code_verifier: 'x' }, { auth_code: '', code_verifier: '' }, { auth_code: 5 }])(
    'without its two halves it is refused: %o',
    async (body) => {
      const { exchange } = await withFlow()
      expect(await exchange(body)).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    },
  )
  test('an error stands in the query too', async () => {
    const { bench, link } = await withFlow()
    const { location } = await bench.ask('GET', `/verify${link?.search}`)
    expect(location?.searchParams.get('error_code')).toBe('otp_expired')
    expect(location?.hash).toContain('error_code=otp_expired')
  })
})

describe('a challenge', () => {
  const unreserved = fc.stringMatching(/^[A-Za-z0-9._~-]{43,128}$/u)

  test('is 43 to 128 unreserved characters and one of two methods', () => {
    fc.assert(
      fc.property(unreserved, fc.constantFrom('s256', 'S256', 'plain', 'PLAIN'), (value, method) => {
        expect(readChallenge({ code_challenge: value, code_challenge_method: method })).toEqual({
          value,
          method: method.toLowerCase(),
        })
      }),
    )
  })
  test('anything else is refused', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 140 }),
        fc.constantFrom('s256', 'md5', ''),
        (value, method) => {
          fc.pre((value !== '' || method !== '') && !(/^[A-Za-z0-9._~-]{43,128}$/u.test(value) && method === 's256'))
          expect(() => readChallenge({ code_challenge: value, code_challenge_method: method })).toThrow(AuthProblem)
        },
      ),
    )
  })
  test('there need not be one', () => {
    expect(readChallenge({})).toBeUndefined()
    expect(readChallenge({ code_challenge: null, code_challenge_method: null })).toBeUndefined()
  })
})
