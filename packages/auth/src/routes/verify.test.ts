import { describe, expect, test } from 'vitest'

import { ADMIN, openMailBench, type MailBench } from '../mail-flow.fixture.ts'
import { PASSWORD } from '../open-test-auth.fixture.ts'

const OTHER = 'other@example.com'
const INVALID = { status: 403, body: { code: 'otp_expired', message: 'Token has expired or is invalid' } }

/** A bench with one account, and a letter of recovery on its way to it. */
async function withLetter(query = '') {
  const bench = await openMailBench()
  await bench.ask('POST', '/signup', { body: { email: ADMIN, password: PASSWORD } })
  await bench.ask('POST', `/recover${query}`, { body: { email: ADMIN } })
  const { code, link } = await bench.letter(ADMIN, 'recovery')
  const wrong = code === '000000' ? '000001' : '000000'
  return { bench, code, link: link ?? new URL('about:blank'), wrong }
}
const verify = (bench: MailBench, token: string, email = ADMIN) =>
  bench.ask('POST', '/verify', { body: { type: 'recovery', email, token } })
/** What a letter's link was before it led to a page, and what `generate_link` still gives: an address of the service. */
const open = (bench: MailBench, query: string) => bench.ask('GET', `/verify${query}`)
const sessionsOf = async (bench: MailBench, email = ADMIN) => {
  const { access } = bench.auth.context
  return access.sessions.ofAccount((await access.accounts.byEmail(email))?.id ?? '')
}

describe('a code', () => {
  test('works once', async () => {
    const { bench, code } = await withLetter()
    expect((await verify(bench, code)).status).toBe(200)
    expect(await verify(bench, code)).toMatchObject(INVALID)
  })
  test('shown twenty times at once gives one session', async () => {
    const { bench, code } = await withLetter()
    const before = (await sessionsOf(bench)).length
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(bench, code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await sessionsOf(bench)).toHaveLength(before + 1)
  })
  test('is void after five wrong tries; the link of the same letter still works', async () => {
    const { bench, code, link, wrong } = await withLetter()
    for (let tries = 1; tries <= 5; tries++) expect(await verify(bench, wrong)).toMatchObject(INVALID)
    expect(await verify(bench, code)).toMatchObject(INVALID)
    expect((await bench.press(link)).status).toBe(200)
  })
  test('may be typed in two groups', async () => {
    const { bench, code } = await withLetter()
    expect((await verify(bench, ` ${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(200)
  })
  test('still works after four', async () => {
    const { bench, code, wrong } = await withLetter()
    for (let tries = 1; tries <= 4; tries++) expect(await verify(bench, wrong)).toMatchObject(INVALID)
    expect((await verify(bench, code)).status).toBe(200)
  })
  test('many wrong tries at once are no more than many in turn', async () => {
    const { bench, code, wrong } = await withLetter()
    await Promise.all(Array.from({ length: 10 }, () => verify(bench, wrong)))
    expect(await verify(bench, code)).toMatchObject(INVALID)
  })
  test('twenty tries a day are all there are, over however many codes', async () => {
    const { bench, wrong } = await withLetter()
    for (let tries = 0; tries < 20; tries++) expect((await verify(bench, wrong)).status).toBe(403)
    expect(await verify(bench, wrong)).toMatchObject({ status: 429, body: { code: 'over_request_rate_limit' } })
  })
  test('belongs to the address that it was sent to', async () => {
    const { bench, code } = await withLetter()
    await bench.ask('POST', '/signup', { body: { email: OTHER, password: PASSWORD } })
    await bench.ask('POST', '/recover', { body: { email: OTHER } })
    const other = await bench.letter(OTHER, 'recovery')
    // One time in a million both are the same.
    const foreign = other.code === code ? 'none' : code
    expect(await verify(bench, foreign, OTHER)).toMatchObject(INVALID)
    expect(await verify(bench, code, 'nobody@example.com')).toMatchObject(INVALID)
    expect((await verify(bench, code)).status).toBe(200)
  })
  test('is over after an hour, and so is its link', async () => {
    const { bench, code, link } = await withLetter()
    bench.advance(3_600_000)
    expect(await verify(bench, code)).toMatchObject(INVALID)
    expect(await bench.press(link)).toMatchObject({ status: 403, body: { code: 'otp_expired' } })
  })
  test('is void once the account is banned or its address is no longer admitted', async () => {
    const { bench, code } = await withLetter()
    const { access, now } = bench.auth.context
    const account = await access.accounts.byEmail(ADMIN)
    await access.accounts.update(account?.id ?? '', { bannedUntil: (now() + 60_000) as ReturnType<typeof now> })
    expect(await verify(bench, code)).toMatchObject({ status: 403, body: { code: 'user_banned' } })
    expect(await sessionsOf(bench)).toHaveLength(1)
  })
  test('is kept only as a keyed hash, and so is what its link carries', async () => {
    const { bench, code, link } = await withLetter()
    const { access } = bench.auth.context
    const account = await access.accounts.byEmail(ADMIN)
    const kept = await access.codes.ofAccount(account?.id ?? '', 'recovery')
    expect(JSON.stringify(kept)).not.toContain(code)
    expect(JSON.stringify(kept)).not.toContain(link.searchParams.get('token_hash'))
    expect(await bench.ask('POST', '/verify', { body: { type: 'recovery', token_hash: kept?.hash } })).toMatchObject({
      status: 403,
      body: { code: 'otp_expired' },
    })
  })
  test('for a change of password does not sign in', async () => {
    const bench = await openMailBench()
    const client = bench.client()
    await client.auth.signUp({ email: ADMIN, password: PASSWORD })
    await client.auth.reauthenticate()
    const { code, link } = await bench.letter(ADMIN, 'reauthentication')
    expect(link).toBeUndefined()
    for (const type of ['signup', 'invite', 'magiclink', 'recovery', 'email', 'email_change']) {
      const payload = { type, email: ADMIN, token: code }
      expect(await bench.ask('POST', '/verify', { body: payload })).toMatchObject(INVALID)
    }
  })
})

describe('whoever waits in an account that is not confirmed', () => {
  test('is out when the owner of the address comes by letter', async () => {
    const bench = await openMailBench({ confirmEmail: true })
    await bench.ask('POST', '/signup', { body: { email: ADMIN, password: PASSWORD } })
    await bench.ask('POST', '/otp', { body: { email: ADMIN } })
    const { code } = await bench.letter(ADMIN, 'magiclink')
    const payload = { type: 'email', email: ADMIN, token: code }
    expect((await bench.ask('POST', '/verify', { body: payload })).status).toBe(200)
    const wait = await bench.ask('POST', '/token?grant_type=password', {
      body: { email: ADMIN, password: PASSWORD },
    })
    expect(wait).toMatchObject({ status: 400, body: { code: 'invalid_credentials' } })
  })
})

const signUp = (bench: MailBench, password: string) =>
  bench.ask('POST', '/signup', { body: { email: ADMIN, password } })
const signIn = async (bench: MailBench, password: string) =>
  (await bench.ask('POST', '/token?grant_type=password', { body: { email: ADMIN, password } })).body['code'] ?? 'in'
async function confirmed(bench: MailBench): Promise<string> {
  const letter = await bench.letter(ADMIN, 'signup')
  const payload = { type: 'signup', email: ADMIN, token: letter.code }
  const { body, status } = await bench.ask('POST', '/verify', { body: payload })
  expect(status).toBe(200)
  return String(body['access_token'])
}

describe('signing up once more before the address is confirmed', () => {
  const THEIRS = 'the words of a stranger here'
  test.each([
    ['first', [THEIRS, PASSWORD]],
    ['last', [PASSWORD, THEIRS]],
    ['last, twice', [PASSWORD, THEIRS, THEIRS]],
    ['in between', [PASSWORD, THEIRS, PASSWORD]],
  ])('a stranger who did so %s is not let in by it, and the owner chooses a password', async (_when, passwords) => {
    const bench = await openMailBench({ confirmEmail: true })
    for (const password of passwords) {
      expect((await signUp(bench, password)).status).toBe(200)
      bench.advance(61_000)
    }
    expect((await bench.letter(ADMIN, 'signup')).text).toContain('has no password that counts')
    const token = await confirmed(bench)
    expect([await signIn(bench, THEIRS), await signIn(bench, PASSWORD)]).toEqual(Array(2).fill('invalid_credentials'))
    expect((await bench.ask('PUT', '/user', { body: { password: PASSWORD }, token })).status).toBe(200)
    expect([await signIn(bench, THEIRS), await signIn(bench, PASSWORD)]).toEqual(['invalid_credentials', 'in'])
  })
  test('with the same password it only sends another letter', async () => {
    const bench = await openMailBench({ confirmEmail: true })
    await signUp(bench, PASSWORD)
    const first = await bench.letter(ADMIN, 'signup')
    bench.advance(61_000)
    await signUp(bench, PASSWORD)
    expect(await bench.letters()).toHaveLength(2)
    expect(first.text).not.toContain('has no password that counts')
    await confirmed(bench)
    expect(await signIn(bench, PASSWORD)).toBe('in')
  })
})

describe('a link', () => {
  const REDEEMED = { status: 200, body: { token_type: 'bearer', user: { email: ADMIN } } }
  const EXPIRED = {
    status: 403,
    body: { code: 'otp_expired', message: 'Email link is invalid or has expired' },
  }

  test('leads to the sign-in page with a one-time hash and no session, and works in any browser', async () => {
    const { bench, link } = await withLetter()
    expect(`${link.origin}${link.pathname}`).toBe(`${bench.url}/auth`)
    expect([...link.searchParams.keys()].toSorted()).toEqual(['token_hash', 'type'])
    expect(link.hash).toBe('')
    const elsewhere = bench.client()
    const { data, error } = await elsewhere.auth.verifyOtp({
      token_hash: link.searchParams.get('token_hash') ?? '',
      type: 'recovery',
    })
    expect(error).toBeNull()
    expect(data.user?.email).toBe(ADMIN)
    expect((await elsewhere.auth.getClaims()).data?.claims.amr).toMatchObject([{ method: 'otp' }])
  })
  test.each([
    ['/dashboard/fleet?cluster=a', '/auth?next=%2Fdashboard%2Ffleet%3Fcluster%3Da&'],
    ['/auth?next=%2Fdashboard', '/auth?next=%2Fdashboard&'],
    ['/', '/auth?'],
  ])('asked for by %s leads back there after it', async (wanted, page) => {
    const bench = await openMailBench()
    await bench.ask('POST', '/signup', { body: { email: ADMIN, password: PASSWORD } })
    await bench.ask('POST', `/recover?redirect_to=${encodeURIComponent(bench.url + wanted)}`, {
      body: { email: ADMIN },
    })
    const { link } = await bench.letter(ADMIN, 'recovery')
    expect(link?.href.startsWith(`${bench.url}${page}token_hash=`)).toBe(true)
    expect(await bench.press(link)).toMatchObject(REDEEMED)
  })
  test('that another port of this machine asked for hands the hash to the page there', async () => {
    const { link } = await withLetter('?redirect_to=http%3A%2F%2Flocalhost%3A5173%2Fwelcome%3Fa%3D1')
    expect(link.href).toMatch(/^http:\/\/localhost:5173\/welcome\?a=1&token_hash=[0-9a-f]{64}&type=recovery$/u)
  })
  test('works once', async () => {
    const { bench, link } = await withLetter()
    expect(await bench.press(link)).toMatchObject(REDEEMED)
    expect(await bench.press(link)).toMatchObject(EXPIRED)
  })
  test('is refused as another kind than it is, and still works as its own', async () => {
    const { bench, link } = await withLetter()
    const other = new URL(link)
    for (const type of ['signup', 'email_change']) {
      other.searchParams.set('type', type)
      expect(await bench.press(other)).toMatchObject(EXPIRED)
    }
    expect(await bench.press(link)).toMatchObject(REDEEMED)
  })
})

describe('nothing is redeemed by a GET, which mail scanners send', () => {
  test('the address of the protocol leads to the page, however often, and the link still works', async () => {
    const { bench, link } = await withLetter()
    const token = link.searchParams.get('token_hash') ?? ''
    for (const query of [`?token=${token}&type=recovery`, `?token_hash=${token}&type=recovery`]) {
      for (const method of ['GET', 'HEAD', 'GET'] as const) {
        const answer = await bench.server.inject({ method, url: `/auth/v1/verify${query}` })
        expect([answer.statusCode, answer.headers.location]).toEqual([303, link.href])
        expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      }
    }
    expect(await sessionsOf(bench)).toHaveLength(1)
    expect((await bench.press(link)).status).toBe(200)
  })
  test('one that is wrong leads there too, so that opening it tells nothing', async () => {
    const bench = await openMailBench()
    for (const query of ['', '?type=recovery', '?token=a&token=b&type=recovery', `?token=${'a'.repeat(64)}&type=x`]) {
      const { status, location } = await open(bench, query)
      expect([status, location?.origin, location?.pathname, location?.hash]).toEqual([303, bench.url, '/auth', ''])
    }
  })
  test.each([
    'https://evil.example/',
    '//evil.example',
    'http://2130706433/',
    'javascript:alert(1)',
    'http://a@127.0.0.1/',
  ])('and it never leads to %s, asked for in the letter or put into the link later', async (wanted) => {
    const { bench, link } = await withLetter(`?redirect_to=${encodeURIComponent(wanted)}`)
    expect(link.origin).toBe(bench.url)
    const query = `?token=x&type=recovery&redirect_to=${encodeURIComponent(wanted)}`
    expect((await open(bench, query)).location?.origin).toBe(bench.url)
  })
})

describe('bad requests', () => {
  test.each([
    [{}, 'validation_failed'],
    [{ type: 'recovery' }, 'validation_failed'],
    [{ type: 'nothing', token: '1', email: ADMIN }, 'validation_failed'],
    [{ type: 'recovery', token: '123456' }, 'validation_failed'],
    [{ type: 'recovery', token_hash: 'a', email: ADMIN }, 'validation_failed'],
    [{ type: 'recovery', token: 123_456, email: ADMIN }, 'validation_failed'],
    [{ type: 'sms', token: '123456', phone: '+49123' }, 'phone_provider_disabled'],
    [{ type: 'recovery', token: '1', email: 'nobody' }, 'validation_failed'],
  ])('%o', async (payload, code) => {
    const bench = await openMailBench()
    expect(await bench.ask('POST', '/verify', { body: payload })).toMatchObject({ status: 400, body: { code } })
  })
})
