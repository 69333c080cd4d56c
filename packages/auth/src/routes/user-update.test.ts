import { MINUTE_MS } from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { ADMIN, openMailBench, type MailBench } from '../mail-flow.fixture.ts'
import { PASSWORD } from '../open-test-auth.fixture.ts'

const NEW = 'moved@example.com'
const NEW_PASSWORD = 'kettle moss harbor violin'

/** A bench, a client that is signed in, and a way to ask as that person. */
async function signedIn() {
  const bench = await openMailBench()
  const client = bench.client()
  const { data } = await client.auth.signUp({ email: ADMIN, password: PASSWORD })
  const put = (payload: object, query = '') =>
    bench.ask('PUT', `/user${query}`, { body: payload, token: data.session?.access_token })
  return { bench, client, put, id: data.user?.id ?? '' }
}
const signsIn = async (bench: MailBench, password: string, email = ADMIN) =>
  (await bench.client().auth.signInWithPassword({ email, password })).error === null
const pressLink = async (bench: MailBench, to: string, kind: 'email_change_current' | 'email_change_new') =>
  bench.press((await bench.letter(to, kind)).link)
const EXPIRED = { status: 403, body: { code: 'otp_expired' } }

describe('a new password', () => {
  test('ends every session but this one', async () => {
    const { bench, client } = await signedIn()
    const other = bench.client()
    await other.auth.signInWithPassword({ email: ADMIN, password: PASSWORD })
    expect((await client.auth.updateUser({ password: NEW_PASSWORD })).error).toBeNull()
    expect((await client.auth.getUser()).error).toBeNull()
    expect((await other.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
    expect((await client.auth.refreshSession()).error).toBeNull()
    expect([await signsIn(bench, PASSWORD), await signsIn(bench, NEW_PASSWORD)]).toEqual([false, true])
  })
  test('voids every code, link and waiting address', async () => {
    const { bench, client, put } = await signedIn()
    await bench.ask('POST', '/recover', { body: { email: ADMIN } })
    await put({ email: NEW })
    const recovery = await bench.letter(ADMIN, 'recovery')
    await bench.letter(NEW, 'email_change_new')
    expect((await client.auth.updateUser({ password: NEW_PASSWORD })).data.user?.new_email).toBeUndefined()
    const payload = { type: 'recovery', email: ADMIN, token: recovery.code }
    expect((await bench.ask('POST', '/verify', { body: payload })).status).toBe(403)
    expect(await bench.press(recovery.link)).toMatchObject(EXPIRED)
    expect(await pressLink(bench, NEW, 'email_change_new')).toMatchObject(EXPIRED)
  })
  test.each([
    ['short', 422, 'weak_password'],
    ['', 422, 'weak_password'],
    ['passwordpassword', 422, 'weak_password'],
    ['admin@example.com', 422, 'weak_password'],
    ['x1'.repeat(600), 400, 'validation_failed'],
    [PASSWORD, 422, 'same_password'],
  ])('is refused when it is %s', async (password, status, code) => {
    const { bench, put } = await signedIn()
    expect(await put({ password })).toMatchObject({ status, body: { code } })
    expect(await signsIn(bench, PASSWORD)).toBe(true)
  })
  test('needs the current one when the sign-in is not recent', async () => {
    const { bench, put } = await signedIn()
    bench.advance(11 * MINUTE_MS)
    expect(await put({ password: NEW_PASSWORD })).toMatchObject({
      status: 400,
      body: { code: 'current_password_required' },
    })
    const wrong = await put({ password: NEW_PASSWORD, current_password: 'not the right one' })
    expect(wrong).toMatchObject({ status: 400, body: { code: 'current_password_invalid' } })
    expect(await signsIn(bench, PASSWORD)).toBe(true)
    expect((await put({ password: NEW_PASSWORD, current_password: PASSWORD })).status).toBe(200)
    expect((await bench.audited()).filter((line) => line.startsWith('account.change-password'))).toEqual([
      'account.change-password refused',
      'account.change-password refused',
      'account.change-password done',
    ])
  })
  test('a wrong current password is refused also when the sign-in is recent', async () => {
    const { put } = await signedIn()
    const answer = await put({ password: NEW_PASSWORD, current_password: 'not the right one' })
    expect(answer).toMatchObject({ status: 400, body: { code: 'current_password_invalid' } })
  })
  test('guessing the current one gets slower and slower', async () => {
    const { put } = await signedIn()
    const statuses: number[] = []
    for (let tries = 0; tries < 8; tries++) {
      statuses.push((await put({ password: NEW_PASSWORD, current_password: `guess ${tries} and more` })).status)
    }
    expect(statuses.slice(0, 5)).toEqual([400, 400, 400, 400, 400])
    expect(statuses.at(-1)).toBe(429)
  })
  test('or a code from a letter', async () => {
    const { bench, client, put } = await signedIn()
    expect((await client.auth.reauthenticate()).error).toBeNull()
    const { code } = await bench.letter(ADMIN, 'reauthentication')
    bench.advance(11 * MINUTE_MS)
    const nonce = code === '000000' ? '000001' : '000000'
    expect(await put({ password: NEW_PASSWORD, nonce })).toMatchObject({
      status: 422,
      body: { code: 'reauthentication_not_valid' },
    })
    expect((await put({ password: NEW_PASSWORD, nonce: code })).status).toBe(200)
    expect((await put({ password: PASSWORD, nonce: code })).body).toMatchObject({ code: 'reauthentication_not_valid' })
  })
  test('needs the second factor where there is one', async () => {
    const { bench, put, id } = await signedIn()
    const at = bench.auth.context.now()
    await bench.auth.context.access.factors.create({
      id: crypto.randomUUID(),
      accountId: id,
      friendlyName: 'phone',
      status: 'verified',
      secret: Uint8Array.of(1),
      lastStep: undefined,
      lastChallengedAt: undefined,
      createdAt: at,
      updatedAt: at,
    })
    for (const wish of [{ password: NEW_PASSWORD }, { email: NEW }]) {
      expect(await put(wish)).toMatchObject({ status: 401, body: { code: 'insufficient_aal' } })
    }
    expect((await put({ data: { name: 'N' } })).status).toBe(200)
  })
})

describe('a new address', () => {
  test('becomes the address once both have agreed, by digits', async () => {
    const { bench, client } = await signedIn()
    const asked = await client.auth.updateUser({ email: NEW })
    expect(asked.data.user).toMatchObject({ email: ADMIN, new_email: NEW })
    expect(asked.data.user?.email_change_sent_at).toBeDefined()
    const old = await bench.letter(ADMIN, 'email_change_current')
    const next = await bench.letter(NEW, 'email_change_new')
    expect(old.text).toContain(NEW)
    const first = await client.auth.verifyOtp({ email: NEW, token: next.code, type: 'email_change' })
    expect(first).toMatchObject({ error: null, data: { session: null } })
    expect((await client.auth.getUser()).data.user).toMatchObject({ email: ADMIN, new_email: NEW })
    const second = await client.auth.verifyOtp({ email: ADMIN, token: old.code, type: 'email_change' })
    expect(second.data.session?.user).toMatchObject({ email: NEW, user_metadata: { email: NEW, email_verified: true } })
    expect(second.data.user?.new_email).toBeUndefined()
    expect([await signsIn(bench, PASSWORD), await signsIn(bench, PASSWORD, NEW)]).toEqual([false, true])
    expect(await bench.audited()).toContain('account.change-email done')
  })
  test('by links, the old address first', async () => {
    const { bench, client } = await signedIn()
    await client.auth.updateUser({ email: NEW })
    const first = await pressLink(bench, ADMIN, 'email_change_current')
    expect(first).toMatchObject({ status: 200, body: { code: '200', msg: expect.stringContaining('link accepted') } })
    const second = await pressLink(bench, NEW, 'email_change_new')
    expect(second.body).toHaveProperty('access_token')
    expect((await client.auth.getUser()).data.user?.email).toBe(NEW)
  })
  test('one half never does, not even twice', async () => {
    const { bench, client, put } = await signedIn()
    await client.auth.updateUser({ email: NEW })
    await pressLink(bench, NEW, 'email_change_new')
    bench.advance(61_000)
    expect((await put({ email: NEW })).status).toBe(200)
    await pressLink(bench, NEW, 'email_change_new')
    expect((await client.auth.getUser()).data.user?.email).toBe(ADMIN)
  })
  test('an agreement to one address does not count for another', async () => {
    const { bench, client, put } = await signedIn()
    await client.auth.updateUser({ email: NEW })
    await pressLink(bench, ADMIN, 'email_change_current')
    bench.advance(61_000)
    await put({ email: 'third@example.com' })
    await pressLink(bench, 'third@example.com', 'email_change_new')
    expect(await pressLink(bench, NEW, 'email_change_new')).toMatchObject(EXPIRED)
    expect((await client.auth.getUser()).data.user?.email).toBe(ADMIN)
  })
  test('both at the same moment change it once', async () => {
    const { bench, client } = await signedIn()
    await client.auth.updateUser({ email: NEW })
    await Promise.all([bench.letter(ADMIN, 'email_change_current'), bench.letter(NEW, 'email_change_new')])
    await Promise.all([pressLink(bench, ADMIN, 'email_change_current'), pressLink(bench, NEW, 'email_change_new')])
    expect((await client.auth.getUser()).data.user?.email).toBe(NEW)
    expect((await bench.audited()).filter((line) => line === 'account.change-email done')).toHaveLength(1)
  })
  test('an agreement lasts no longer than its code', async () => {
    const { bench, client } = await signedIn()
    await client.auth.updateUser({ email: NEW })
    await pressLink(bench, ADMIN, 'email_change_current')
    bench.advance(59 * MINUTE_MS)
    await bench.ask('POST', '/resend', { body: { type: 'email_change', email: ADMIN } })
    await bench.letters()
    bench.advance(2 * MINUTE_MS)
    expect((await pressLink(bench, NEW, 'email_change_new')).body).toHaveProperty('msg')
    expect((await bench.auth.context.access.accounts.byEmail(ADMIN))?.newEmail).toBe(NEW)
  })
  test('the letters can be asked for once more, but not the half that has agreed', async () => {
    const { bench, client } = await signedIn()
    await client.auth.updateUser({ email: NEW })
    await pressLink(bench, ADMIN, 'email_change_current')
    expect(await bench.letters()).toHaveLength(2)
    bench.advance(61_000)
    await client.auth.resend({ type: 'email_change', email: ADMIN })
    expect((await bench.letters()).map(({ kind }) => kind).toSorted()).toEqual([
      'email_change_current',
      'email_change_new',
      'email_change_new',
    ])
    expect((await pressLink(bench, NEW, 'email_change_new')).body).toHaveProperty('access_token')
  })
  test.each([
    ['stranger@elsewhere.example', 422, 'email_address_not_authorized'],
    ['taken@example.com', 422, 'email_exists'],
    ['nobody', 400, 'validation_failed'],
  ])('%s is refused, and nothing of the request is done', async (email, status, code) => {
    const { bench, put } = await signedIn()
    await bench.ask('POST', '/signup', { body: { email: 'taken@example.com', password: PASSWORD } })
    expect(await put({ email, password: NEW_PASSWORD, data: { name: 'N' } })).toMatchObject({ status, body: { code } })
    expect(await bench.letters()).toEqual([])
    expect((await put({})).body).not.toHaveProperty('new_email')
    expect((await put({})).body['user_metadata']).not.toHaveProperty('name')
    expect(await signsIn(bench, PASSWORD)).toBe(true)
  })
  test('taken by someone else in the meantime, it stays theirs', async () => {
    const { bench, client } = await signedIn()
    await client.auth.updateUser({ email: NEW })
    await bench.ask('POST', '/signup', { body: { email: NEW, password: PASSWORD } })
    await pressLink(bench, ADMIN, 'email_change_current')
    expect((await pressLink(bench, NEW, 'email_change_new')).body).toMatchObject({ code: 'email_exists' })
    expect((await client.auth.getUser()).data.user?.email).toBe(ADMIN)
  })
  test('the own one, however it is written, is not a change', async () => {
    const { bench, put } = await signedIn()
    expect((await put({ email: ' ADMIN@Example.com ' })).body).toMatchObject({ email: ADMIN })
    expect(await bench.letters()).toEqual([])
  })
  test('asking twice within a minute is refused', async () => {
    const { put } = await signedIn()
    expect((await put({ email: NEW })).status).toBe(200)
    expect(await put({ email: 'third@example.com' })).toMatchObject({
      status: 429,
      body: { code: 'over_email_send_rate_limit' },
    })
  })
})

describe('what people write about themselves', () => {
  test('is merged; null deletes a key; unknown fields are ignored', async () => {
    const { put } = await signedIn()
    await put({ data: { name: 'N', theme: 'dark' } })
    const answer = await put({
      data: { theme: null, note: 'x' },
      role: 'admin',
      app_metadata: { role: 'admin' },
      id: 'y',
    })
    expect(answer.body['user_metadata']).toMatchObject({ name: 'N', note: 'x' })
    expect(answer.body['user_metadata']).not.toHaveProperty('theme')
    expect(answer.body).toMatchObject({
      role: 'authenticated',
      app_metadata: { provider: 'email', providers: ['email'] },
    })
  })
  test.each([
    [{ data: { note: 'x'.repeat(5000) } }, 'validation_failed'],
    [{ data: 'text' }, 'validation_failed'],
    [{ password: 5 }, 'validation_failed'],
    [{ phone: '+4912345' }, 'phone_provider_disabled'],
  ])('%o is refused', async (payload, code) => {
    const { put } = await signedIn()
    expect(await put(payload)).toMatchObject({ status: 400, body: { code } })
  })
  test('needs someone who is signed in', async () => {
    const bench = await openMailBench()
    expect(await bench.ask('PUT', '/user', { body: {} })).toMatchObject({
      status: 401,
      body: { code: 'no_authorization' },
    })
  })
})
