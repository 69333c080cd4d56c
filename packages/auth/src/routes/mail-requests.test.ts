import { describe, expect, test, vi } from 'vitest'

import { ADMIN, openMailBench, type MailBench } from '../mail-flow.fixture.ts'
import { PASSWORD } from '../open-test-auth.fixture.ts'

const NEW = 'new@example.com'
const STRANGER = 'stranger@elsewhere.example'

const signUp = (bench: MailBench, email = ADMIN) =>
  bench.ask('POST', '/signup', { body: { email, password: PASSWORD } })
const accountOf = (bench: MailBench, email: string) => bench.auth.context.access.accounts.byEmail(email)

describe('signing in by letter', () => {
  test('the digits sign in, and make an account for an admitted address', async () => {
    const bench = await openMailBench()
    const client = bench.client()
    expect((await client.auth.signInWithOtp({ email: NEW, options: { data: { name: 'N' } } })).error).toBeNull()
    const { code } = await bench.letter(NEW, 'magiclink')
    expect((await accountOf(bench, NEW))?.emailConfirmedAt).toBeUndefined()
    const { data, error } = await client.auth.verifyOtp({ email: ' NEW@example.com', token: code, type: 'email' })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({ email: NEW, user_metadata: { name: 'N', email_verified: true } })
    expect(data.user?.email_confirmed_at).toBeDefined()
    expect((await client.auth.getUser()).data.user?.id).toBe(data.user?.id)
  })
  test('so does what the link carries', async () => {
    const bench = await openMailBench()
    const client = bench.client()
    await client.auth.signInWithOtp({ email: NEW })
    const { link } = await bench.letter(NEW, 'magiclink')
    const token_hash = link?.searchParams.get('token_hash') ?? ''
    expect((await client.auth.verifyOtp({ token_hash, type: 'magiclink' })).data.session).not.toBeNull()
    const again = await client.auth.verifyOtp({ token_hash, type: 'magiclink' })
    expect(again.error).toMatchObject({
      status: 403,
      code: 'otp_expired',
      message: 'Email link is invalid or has expired',
    })
  })
  test('a client that offers to prove itself (PKCE) is sent the same link, which works in any browser', async () => {
    const bench = await openMailBench()
    const body = { email: NEW, code_challenge: 'x'.repeat(43), code_challenge_method: 's256' }
    expect((await bench.ask('POST', '/otp', { body })).status).toBe(200)
    expect((await bench.press((await bench.letter(NEW, 'magiclink')).link)).status).toBe(200)
    const exchange = { body: { auth_code: 'any', code_verifier: 'x'.repeat(43) } }
    expect(await bench.ask('POST', '/token?grant_type=pkce', exchange)).toMatchObject({
      status: 404,
      body: { code: 'flow_state_not_found' },
    })
  })
  test('the old name does the same', async () => {
    const bench = await openMailBench()
    expect(await bench.ask('POST', '/magiclink', { body: { email: NEW } })).toMatchObject({ status: 200, body: {} })
    expect((await bench.letter(NEW, 'magiclink')).code).toMatch(/^\d{6}$/u)
  })
  test.each([STRANGER, 'new+label@elsewhere.example', 'admin@examp1e.com', 'аdmin@elsewhere.example'])(
    'an address that is not admitted is told so, and no row and no letter are made: %s',
    async (email) => {
      const bench = await openMailBench()
      const answer = await bench.ask('POST', '/otp', { body: { email } })
      expect(answer).toMatchObject({ status: 422, body: { code: 'email_address_not_authorized' } })
      expect(await bench.letters()).toEqual([])
      expect(await accountOf(bench, email)).toBeUndefined()
    },
  )
  test('without create_user an unknown address gets the same answer and nothing else', async () => {
    const bench = await openMailBench()
    for (const email of [NEW, STRANGER]) {
      const answer = await bench.ask('POST', '/otp', { body: { email, create_user: false } })
      expect(answer).toMatchObject({ status: 200, body: {} })
    }
    expect(await bench.letters()).toEqual([])
    expect(await accountOf(bench, NEW)).toBeUndefined()
  })
  test("where a setup secret is set, a letter does not make the admin's account", async () => {
    const bench = await openMailBench({ setupSecret: 'sixteen characters' })
    expect(await bench.ask('POST', '/otp', { body: { email: ADMIN } })).toMatchObject({ status: 200, body: {} })
    expect(await bench.letters()).toEqual([])
    expect(await accountOf(bench, ADMIN)).toBeUndefined()
  })
})

describe('nobody learns who has an account', () => {
  test.each([
    ['/recover', {}],
    ['/otp', { create_user: false }],
    ['/resend', { type: 'signup' }],
    ['/resend', { type: 'email_change' }],
  ])(
    '%s %o answers known, unknown and unwelcome addresses alike, the first time and the second',
    async (path, rest) => {
      const bench = await openMailBench()
      await signUp(bench)
      const answers = async () =>
        Promise.all([ADMIN, NEW, STRANGER].map((email) => bench.ask('POST', path, { body: { email, ...rest } })))
      const [known, ...others] = await answers()
      expect(known).toMatchObject({ status: 200, body: {} })
      expect(others).toEqual([known, known])
      const [knownAgain, ...othersAgain] = await answers()
      expect(knownAgain).toMatchObject({ status: 429, body: { code: 'over_email_send_rate_limit' } })
      expect(othersAgain.map(({ status }) => status)).toEqual([429, 429])
    },
  )
  test.each(['/recover', '/otp', '/magiclink', '/resend'])('%s answers before it looks anyone up', async (path) => {
    const bench = await openMailBench()
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const lookUp = vi.spyOn(bench.auth.context.access.accounts, 'byEmail').mockReturnValue(promise)
    const payload = { email: ADMIN, type: 'signup', create_user: false }
    expect(await bench.ask('POST', path, { body: payload })).toMatchObject({ status: 200, body: {} })
    await vi.waitFor(() => expect(lookUp).toHaveBeenCalledOnce(), 60_000)
    resolve(undefined)
  })
  test('a banned account gets no letter, and the same answer', async () => {
    const bench = await openMailBench()
    await signUp(bench)
    const account = await accountOf(bench, ADMIN)
    await bench.auth.context.access.accounts.update(account?.id ?? '', {
      bannedUntil: (Date.now() + 1e9) as NonNullable<typeof account>['createdAt'],
    })
    expect(await bench.ask('POST', '/recover', { body: { email: ADMIN } })).toMatchObject({ status: 200, body: {} })
    expect(await bench.letters()).toEqual([])
  })
})

describe('the pace', () => {
  test('one letter of a kind a minute, and the newest code is the one that counts', async () => {
    const bench = await openMailBench()
    await signUp(bench)
    const ask = () => bench.ask('POST', '/recover', { body: { email: ADMIN } })
    await ask()
    const first = await bench.letter(ADMIN, 'recovery')
    expect(await ask()).toMatchObject({ status: 429, body: { code: 'over_email_send_rate_limit' } })
    bench.advance(61_000)
    expect((await ask()).status).toBe(200)
    const second = await bench.letter(ADMIN, 'recovery')
    expect(await bench.letters()).toHaveLength(2)
    const verify = (token: string) => bench.ask('POST', '/verify', { body: { type: 'recovery', email: ADMIN, token } })
    // One time in a million both are the same.
    const replaced = first.code === second.code ? 'none' : first.code
    expect((await verify(replaced)).status).toBe(403)
    expect((await verify(second.code)).status).toBe(200)
  })
  test('a letter that another server sent within the minute is not sent twice', async () => {
    const bench = await openMailBench()
    await signUp(bench)
    const account = await accountOf(bench, ADMIN)
    const at = bench.auth.context.now()
    await bench.auth.context.access.accounts.update(account?.id ?? '', { mailSentAt: { recovery: at } })
    expect((await bench.ask('POST', '/recover', { body: { email: ADMIN } })).status).toBe(200)
    expect(await bench.letters()).toEqual([])
  })
  test('thirty letters an hour are all there are', async () => {
    const bench = await openMailBench()
    const statuses: number[] = []
    for (let index = 0; index < 32; index++) {
      const ask = { body: { email: `a${index}@example.com` }, ip: `10.0.0.${index}` }
      statuses.push((await bench.ask('POST', '/otp', ask)).status)
      await bench.letters()
    }
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), 429, 429])
    expect(await bench.letters()).toHaveLength(30)
    expect(await accountOf(bench, 'a31@example.com')).toBeUndefined()
    bench.advance(3_600_000)
    expect((await bench.ask('POST', '/otp', { body: { email: NEW } })).status).toBe(200)
  })
  test('one who asks for many leaves letters for the others', async () => {
    const bench = await openMailBench()
    const ask = (index: number, ip: string) =>
      bench.ask('POST', '/otp', { body: { email: `a${index}@example.com` }, ip })
    const statuses: number[] = []
    for (let index = 0; index < 20; index++) {
      statuses.push((await ask(index, '192.0.2.66')).status)
      await bench.letters()
    }
    expect(statuses).toEqual([...Array.from({ length: 15 }, () => 200), ...Array.from({ length: 5 }, () => 429)])
    expect((await ask(30, '192.0.2.1')).status).toBe(200)
  })
  test('ten letters an hour to one address, whoever asks', async () => {
    const bench = await openMailBench()
    await signUp(bench)
    const statuses: number[] = []
    for (let index = 0; index < 12; index++) {
      const ask = { body: { email: ADMIN }, ip: `10.0.0.${index}` }
      statuses.push((await bench.ask('POST', '/recover', ask)).status)
      bench.advance(61_000)
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429])
  })
})

describe('asking once more', () => {
  test('for the letter that confirms a sign-up', async () => {
    const bench = await openMailBench({ confirmEmail: true })
    const client = bench.client()
    const signedUp = await client.auth.signUp({ email: ADMIN, password: PASSWORD })
    expect(signedUp.data.session).toBeNull()
    expect((await client.auth.resend({ type: 'signup', email: ADMIN })).error).toMatchObject({ status: 429 })
    bench.advance(61_000)
    expect((await client.auth.resend({ type: 'signup', email: ADMIN })).error).toBeNull()
    const { code } = await bench.letter(ADMIN, 'signup')
    expect((await client.auth.signInWithPassword({ email: ADMIN, password: PASSWORD })).error?.code).toBe(
      'email_not_confirmed',
    )
    expect((await client.auth.verifyOtp({ email: ADMIN, token: code, type: 'signup' })).data.session).not.toBeNull()
    expect((await client.auth.signInWithPassword({ email: ADMIN, password: PASSWORD })).error).toBeNull()
    bench.advance(61_000)
    await client.auth.resend({ type: 'signup', email: ADMIN })
    expect(await bench.letters()).toHaveLength(2)
  })
})

describe('bad requests', () => {
  test.each([
    ['/recover', {}, 'validation_failed'],
    ['/recover', { email: 'nobody' }, 'validation_failed'],
    ['/recover', { email: 5 }, 'validation_failed'],
    ['/recover', { email: `${'a'.repeat(300)}@example.com` }, 'validation_failed'],
    ['/recover', { email: 'a@example.com\r\nbcc: b@example.com' }, 'validation_failed'],
    ['/recover', { email: 'a@example.com,b@example.com' }, 'validation_failed'],
    ['/otp', { phone: '+4912345' }, 'phone_provider_disabled'],
    ['/otp', { email: NEW, data: { note: 'x'.repeat(10_000) } }, 'validation_failed'],
    ['/otp', { email: NEW, create_user: 'yes' }, 'validation_failed'],
    ['/resend', { email: NEW }, 'validation_failed'],
    ['/resend', { email: NEW, type: 'recovery' }, 'validation_failed'],
    ['/resend', { phone: '+4912345', type: 'sms' }, 'phone_provider_disabled'],
  ])('%s %o', async (path, payload, code) => {
    const bench = await openMailBench()
    expect(await bench.ask('POST', path, { body: payload })).toMatchObject({ status: 400, body: { code } })
    expect(await bench.letters()).toEqual([])
  })
  test('reauthentication needs someone who is signed in', async () => {
    const bench = await openMailBench()
    expect(await bench.ask('GET', '/reauthenticate')).toMatchObject({ status: 401, body: { code: 'no_authorization' } })
  })
})
