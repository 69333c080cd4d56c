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
const open = (bench: MailBench, link: URL) => bench.ask('GET', `${link.pathname.replace('/auth/v1', '')}${link.search}`)
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
    expect((await open(bench, link)).location?.hash).toContain('access_token=')
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
    expect((await open(bench, link)).location?.hash).toContain('error_code=otp_expired')
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
    expect(JSON.stringify(kept)).not.toContain(link.searchParams.get('token'))
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
  test('ends at the page that was asked for, with a session in the fragment', async () => {
    const { bench, link } = await withLetter(
      '?redirect_to=http%3A%2F%2Flocalhost%3A5173%2Fauth%3Fnext%3D%252Fdashboard',
    )
    const answer = await open(bench, link)
    expect(answer.status).toBe(303)
    expect(answer.location?.href.split('#')[0]).toBe('http://localhost:5173/auth?next=%2Fdashboard')
    const fragment = new URLSearchParams(answer.location?.hash.slice(1))
    expect([...fragment.keys()].toSorted()).toEqual(
      ['access_token', 'expires_at', 'expires_in', 'refresh_token', 'sb', 'token_type', 'type'].toSorted(),
    )
    expect(fragment.get('type')).toBe('recovery')
    const client = bench.client()
    const { error } = await client.auth.setSession({
      access_token: fragment.get('access_token') ?? '',
      refresh_token: fragment.get('refresh_token') ?? '',
    })
    expect(error).toBeNull()
  })
  test('keeps the session out of caches and referrers', async () => {
    const { bench, link } = await withLetter()
    const { headers } = await bench.server.inject(`${link.pathname}${link.search}`)
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  })
  test('opened twice ends with an error the second time', async () => {
    const { bench, link } = await withLetter()
    await open(bench, link)
    const { status, location } = await open(bench, link)
    expect(status).toBe(303)
    expect(location?.href.split('#')[0]).toBe(`${bench.url}/`)
    expect(Object.fromEntries(new URLSearchParams(location?.hash.slice(1)))).toEqual({
      error: 'access_denied',
      error_code: 'otp_expired',
      error_description: 'Email link is invalid or has expired',
      sb: '',
    })
  })
  test('is refused as another kind than it is, and still works as its own', async () => {
    const { bench, link } = await withLetter()
    const other = new URL(link)
    for (const type of ['signup', 'email_change']) {
      other.searchParams.set('type', type)
      expect((await open(bench, other)).location?.hash).toContain('error_code=otp_expired')
    }
    expect((await open(bench, link)).location?.hash).toContain('access_token=')
  })
  test('is not used up by a preview that only asks for its headers', async () => {
    const { bench, link } = await withLetter()
    const head = await bench.server.inject({ method: 'HEAD', url: `${link.pathname}${link.search}` })
    expect(head.statusCode).toBe(404)
    expect((await open(bench, link)).location?.hash).toContain('access_token=')
  })
  test.each([
    'https://evil.example/',
    '//evil.example',
    'http://2130706433/',
    'javascript:alert(1)',
    'http://a@127.0.0.1/',
  ])('never leads to %s, asked for in the letter or put into the link later', async (wanted) => {
    const asked = await withLetter(`?redirect_to=${encodeURIComponent(wanted)}`)
    expect((await open(asked.bench, asked.link)).location?.origin).toBe(asked.bench.url)
    const changed = await withLetter()
    changed.link.searchParams.set('redirect_to', wanted)
    expect((await open(changed.bench, changed.link)).location?.origin).toBe(changed.bench.url)
    expect((await open(changed.bench, changed.link)).location?.origin).toBe(changed.bench.url)
  })
  test.each([
    ['?type=recovery', 'validation_failed', 'invalid_request'],
    ['?token=abc', 'validation_failed', 'invalid_request'],
    ['?token=abc&type=nothing', 'validation_failed', 'invalid_request'],
    [`?token=${'a'.repeat(64)}&type=recovery`, 'otp_expired', 'access_denied'],
    ['?token=a&token=b&type=recovery', 'validation_failed', 'invalid_request'],
  ])('that is broken ends with an error: %s', async (query, code, error) => {
    const bench = await openMailBench()
    const { status, location } = await bench.ask('GET', `/verify${query}`)
    expect(status).toBe(303)
    expect(Object.fromEntries(new URLSearchParams(location?.hash.slice(1)))).toMatchObject({ error, error_code: code })
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
