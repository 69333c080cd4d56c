import { decodeJwt } from 'jose'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { clientOf, openTestAuth, OWNER, PASSWORD, type TestAuth } from '../open-test-auth.fixture.ts'
import { openPerson, withFactor } from '../second-factor.fixture.ts'

let house: TestAuth
beforeEach(async () => {
  house = await openTestAuth()
})
afterEach(() => house.close())

const isIn = (token: string) =>
  house.auth.verify(token).then(
    ({ aal }) => aal,
    () => 'out',
  )
const minutes = (count: number) => house.pass(count * 60_000)

/** Meets a challenge as it should be, but for what is changed. */
const meet = async (change: { challenge?: string; code?: string; ip?: string; after?: number }) => {
  const person = await withFactor(house)
  const token = (await person.signIn())['access_token']
  const challenge = change.challenge ?? (await person.challenge(token, person.factor))
  house.pass(change.after ?? 0)
  const code = change.code ?? person.codeOf(person.secret)
  const { status, body } = await person.verify(token, person.factor, {
    challenge,
    code,
    ...(change.ip === undefined ? {} : { ip: change.ip }),
  })
  return [status, body['code']]
}

/** Wrong codes, each from an address of its own where `spread`, until one is not judged. */
const guess = async (spread: boolean, most: number) => {
  const person = await withFactor(house)
  const token = (await person.signIn())['access_token']
  const codes = []
  for (let number = 0; number < most; number++) {
    const ip = spread ? `198.51.100.${number}` : '192.0.2.9'
    const challenge = await person.challenge(token, person.factor, ip)
    const { status } = await person.verify(token, person.factor, { challenge, code: 'abcdef', ip })
    codes.push(status)
  }
  return { codes, person, token }
}

/** What came of it; fails the test with what went wrong. */
const need = <Data>({ data, error }: { data: Data | null; error: Error | null }): Data => {
  if (error !== null || data === null) throw error ?? new Error('no data')
  return data
}
const levels = async (client: ReturnType<typeof clientOf>) =>
  need(await client.auth.mfa.getAuthenticatorAssuranceLevel())

/** Someone who is signed in, with a factor that waits for its first code. */
const enrolling = async () => {
  const client = clientOf(await house.listen())
  await client.auth.signUp({ email: OWNER, password: PASSWORD })
  const asked = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'phone', issuer: 'Septet' })
  const { id, totp } = need(asked)
  return { client, id, totp, code: () => openPerson(house).codeOf(totp.secret) }
}

describe('with supabase-js', () => {
  test('a factor is enrolled, and its code raises the session, also over a refresh', async () => {
    const { client, id, totp, code } = await enrolling()
    expect(totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg /u)
    expect(totp.uri).toContain(`secret=${totp.secret}`)

    const asked = need(await client.auth.mfa.challenge({ factorId: id }))
    expect(asked).toMatchObject({ type: 'totp', expires_at: Math.floor(house.clock.at / 1000) + 300 })
    const wrong = await client.auth.mfa.verify({ factorId: id, challengeId: asked.id, code: '000000' })
    expect(wrong.error).toMatchObject({ status: 422, code: 'mfa_verification_failed' })
    need(await client.auth.mfa.verify({ factorId: id, challengeId: asked.id, code: code() }))
    expect(await levels(client)).toMatchObject({
      currentLevel: 'aal2',
      nextLevel: 'aal2',
      currentAuthenticationMethods: [{ method: 'totp' }, { method: 'password' }],
    })

    const fresh = need(await client.auth.refreshSession())
    expect(decodeJwt(fresh.session?.access_token ?? '')).toMatchObject({ aal: 'aal2' })
    expect(need(await client.auth.mfa.listFactors()).totp).toMatchObject([{ id, status: 'verified' }])
  })

  test('a new sign-in must show it, and only one that has may remove it', async () => {
    const { client, id, code } = await enrolling()
    need(await client.auth.mfa.challengeAndVerify({ factorId: id, code: code() }))
    const other = clientOf(house.clock.siteUrl)
    await other.auth.signInWithPassword({ email: OWNER, password: PASSWORD })
    expect(await levels(other)).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' })
    expect((await other.auth.mfa.unenroll({ factorId: id })).error).toMatchObject({ code: 'insufficient_aal' })

    expect(need(await client.auth.mfa.unenroll({ factorId: id }))).toEqual({ id })
    const after = need(await client.auth.refreshSession())
    expect(decodeJwt(after.session?.access_token ?? '')).toMatchObject({ aal: 'aal1', amr: [{ method: 'password' }] })
    expect(need(await client.auth.mfa.listFactors()).all).toEqual([])
  })
})

describe('what a verified code does', () => {
  test('ends the sessions without one, and drops what others began to enroll', async () => {
    const person = openPerson(house)
    const first = (await person.signUp())['access_token']
    const other = (await person.signIn())['access_token']
    const factor = await person.enroll(first)
    await person.enroll(other, 'of a stranger')
    const challenge = await person.challenge(first, factor['id'])
    const { body } = await person.verify(first, factor['id'], { challenge, code: person.codeOf(factor['totp'].secret) })
    expect([await isIn(body['access_token']), await isIn(first), await isIn(other)]).toEqual(['aal2', 'aal1', 'out'])
    expect(body['user'].factors).toMatchObject([{ id: factor['id'], friendly_name: 'phone', status: 'verified' }])
    expect(JSON.stringify(body)).not.toContain(factor['totp'].secret)
  })

  test('no refresh token from before yields the raised session, not even at once', async () => {
    const { first, raised, refresh } = await withFactor(house)
    const current = (await refresh(raised['refresh_token'])).body
    expect(decodeJwt(current['access_token'])).toMatchObject({ aal: 'aal2' })
    expect(await refresh(first['refresh_token'])).toMatchObject({
      status: 400,
      body: { code: 'refresh_token_already_used' },
    })
  })

  test('an access token from before stays what it was', async () => {
    const { first, secret, factor } = await withFactor(house)
    const token = first['access_token']
    const put = { token, body: { password: 'kettle moss harbor violin' } }
    expect(await house.ask('PUT', '/user', put)).toMatchObject({ status: 401, body: { code: 'insufficient_aal' } })
    const more = { token, body: { factor_type: 'totp', friendly_name: 'another' } }
    expect(await house.ask('POST', '/factors', more)).toMatchObject({ status: 403, body: { code: 'insufficient_aal' } })
    expect(await house.ask('DELETE', `/factors/${factor}`, { token })).toMatchObject({
      status: 422,
      body: { code: 'insufficient_aal' },
    })
    expect(secret).not.toBe('')
  })

  test('the audit log has each step, without secret and code', async () => {
    const { secret, token, factor } = await withFactor(house)
    await house.ask('DELETE', `/factors/${factor}`, { token })
    const entries = await house.audited()
    const actions = entries.map(({ action, outcome }) => `${action} ${outcome}`).toReversed()
    expect(actions.filter((action) => action.startsWith('factor'))).toEqual([
      'factor.enroll done',
      'factor.challenge done',
      'factor.verify done',
      'factor.remove done',
    ])
    expect(JSON.stringify(entries)).not.toContain(secret)
  })

  test('the store has no readable secret', async () => {
    const { secret, factor } = await withFactor(house)
    const kept = await house.store.access.factors.get(factor)
    expect(Buffer.from(kept?.secret ?? []).toString('latin1')).not.toContain(secret)
  })
})

describe('a code counts once', () => {
  test('shown again it is wrong, also at a new challenge', async () => {
    const person = await withFactor(house)
    const again = (await person.signIn())['access_token']
    const code = person.codeOf(person.secret)
    const show = async (token: string) =>
      person.verify(token, person.factor, { challenge: await person.challenge(token, person.factor), code })
    expect((await show(again)).status).toBe(200)
    const third = (await person.signIn())['access_token']
    expect(await show(third)).toMatchObject({ status: 422, body: { code: 'mfa_verification_failed' } })
    // The one before is not newer either; the next one is.
    const older = { challenge: await person.challenge(third, person.factor), code: person.codeOf(person.secret, -1) }
    expect((await person.verify(third, person.factor, older)).status).toBe(422)
    const next = { challenge: older.challenge, code: person.codeOf(person.secret, 1) }
    expect((await person.verify(third, person.factor, next)).status).toBe(200)
  })

  test('of many at once, with one challenge or several, one succeeds', async () => {
    const person = await withFactor(house)
    const token = (await person.signIn())['access_token']
    const shared = await person.challenge(token, person.factor)
    const own = await person.challenge(token, person.factor)
    const code = person.codeOf(person.secret)
    const answers = await Promise.all(
      [shared, shared, own, shared, own].map((challenge) => person.verify(token, person.factor, { challenge, code })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422, 422, 422, 422])
  })

  test('of two different right codes at once for one challenge, one succeeds', async () => {
    const person = await withFactor(house)
    const token = (await person.signIn())['access_token']
    const challenge = await person.challenge(token, person.factor)
    const codes = [person.codeOf(person.secret), person.codeOf(person.secret, 1)]
    const answers = await Promise.all(codes.map((code) => person.verify(token, person.factor, { challenge, code })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422])
  })

  test('a challenge is not met by who found it open and comes after it was met', async () => {
    const person = await withFactor(house)
    const token = (await person.signIn())['access_token']
    const challenge = await person.challenge(token, person.factor)
    const meetIt = (steps: number) =>
      person.verify(token, person.factor, { challenge, code: person.codeOf(person.secret, steps) })
    const { factors } = house.store.access
    const getChallenge = factors.getChallenge.bind(factors)
    const [found, met] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow: typeof getChallenge = async (id) => {
      const open = await getChallenge(id)
      found.resolve()
      await met.promise
      return open
    }
    Object.assign(factors, { getChallenge: slow })
    const late = meetIt(1)
    await found.promise
    Object.assign(factors, { getChallenge })
    expect((await meetIt(0)).status).toBe(200)
    met.resolve()
    expect(await late).toMatchObject({ status: 422, body: { code: 'mfa_ip_address_mismatch' } })
  })
})

describe('a challenge', () => {
  test.each([
    ['that is not known', { challenge: crypto.randomUUID() }, 422, 'mfa_factor_not_found'],
    ['that is no UUID', { challenge: 'x' }, 422, 'mfa_factor_not_found'],
    ['from another address', { ip: '198.51.100.7' }, 422, 'mfa_ip_address_mismatch'],
    ['after five minutes', { after: 300_000 }, 422, 'mfa_challenge_expired'],
    ['without a code', { code: '' }, 400, 'validation_failed'],
    ['with letters', { code: 'abcdef' }, 422, 'mfa_verification_failed'],
  ])('%s is refused', async (_what, change, ...refusal) => {
    expect(await meet(change)).toEqual(refusal)
  })

  test('is good until then, and digits may come in groups', async () => {
    expect(await meet({ after: 299_000 })).toEqual([200, undefined])
    const person = openPerson(house)
    expect(person.codeOf('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')).toHaveLength(6)
  })

  test('that was met is not met again', async () => {
    const person = await withFactor(house)
    const token = (await person.signIn())['access_token']
    const challenge = await person.challenge(token, person.factor)
    const code = person.codeOf(person.secret)
    const grouped = `${code.slice(0, 3)} ${code.slice(3)}`
    expect((await person.verify(token, person.factor, { challenge, code: grouped })).status).toBe(200)
    minutes(1)
    const again = await person.verify(token, person.factor, { challenge, code: person.codeOf(person.secret) })
    expect(again).toMatchObject({ status: 422, body: { code: 'mfa_ip_address_mismatch' } })
  })

  test('of someone else’s factor opens nothing', async () => {
    const person = await withFactor(house)
    const other = await withFactor(house, 'second@example.com')
    const token = (await person.signIn())['access_token']
    const challenge = await person.challenge(token, person.factor)
    const stolen = await other.verify(other.token, other.factor, { challenge, code: other.codeOf(other.secret) })
    expect(stolen).toMatchObject({ status: 422, body: { code: 'mfa_factor_not_found' } })
    const mine = await house.ask('POST', `/factors/${person.factor}/challenge`, { token: other.token })
    expect(mine).toMatchObject({ status: 404, body: { code: 'mfa_factor_not_found' } })
  })
})

describe('enrolling', () => {
  test.each([
    ['phone', 422, 'mfa_phone_enroll_not_enabled'],
    ['webauthn', 422, 'mfa_webauthn_enroll_not_enabled'],
    ['passkey', 400, 'validation_failed'],
    [undefined, 400, 'validation_failed'],
    [7, 400, 'validation_failed'],
  ])('a factor of type %s is refused', async (type, status, code) => {
    const token = (await openPerson(house).signUp())['access_token']
    const answer = await house.ask('POST', '/factors', { token, body: { factor_type: type } })
    expect(answer).toMatchObject({ status, body: { code } })
  })

  test('a name is one factor’s; an enrolment that was not finished frees it after five minutes', async () => {
    const person = openPerson(house)
    const token = (await person.signUp())['access_token']
    const factor = await person.enroll(token)
    expect(await person.enroll(token)).toMatchObject({ code: 'mfa_factor_name_conflict' })
    minutes(5)
    const late = await house.ask('POST', `/factors/${factor['id']}/challenge`, { token })
    expect(late).toMatchObject({ status: 404, body: { code: 'mfa_factor_not_found' } })
    expect(await person.enroll(token)).toMatchObject({ type: 'totp', friendly_name: 'phone' })
  })

  test('ten are enough', async () => {
    const person = openPerson(house)
    const token = (await person.signUp())['access_token']
    for (let number = 0; number < 10; number++) await person.enroll(token, `phone ${number}`)
    expect(await person.enroll(token, 'one more')).toMatchObject({ code: 'too_many_enrolled_mfa_factors' })
  })

  test('one that is unverified is removed without more', async () => {
    const person = openPerson(house)
    const token = (await person.signUp())['access_token']
    const { id } = await person.enroll(token)
    expect(await house.ask('DELETE', `/factors/${id}`, { token })).toMatchObject({ status: 200, body: { id } })
    expect(await house.ask('DELETE', '/factors/7', { token })).toMatchObject({
      status: 404,
      body: { code: 'validation_failed' },
    })
  })

  test('nobody without a session', async () => {
    expect(await house.ask('POST', '/factors', { body: { factor_type: 'totp' } })).toMatchObject({
      status: 401,
      body: { code: 'no_authorization' },
    })
  })
})

describe('guessing', () => {
  test('from one address is held up after a few wrong codes', async () => {
    const { codes } = await guess(false, 7)
    expect(codes).toEqual([422, 422, 422, 422, 422, 429, 429])
  })

  test('from many addresses ends at fifteen a minute for the account', async () => {
    const { codes } = await guess(true, 17)
    // The one that finished the enrolment was a minute ago.
    expect(codes).toEqual([...Array.from({ length: 15 }, () => 422), 429, 429])
  })

  test('does not hold up another account', async () => {
    await guess(true, 17)
    const other = await withFactor(house, 'second@example.com')
    expect(await isIn(other.token)).toBe('aal2')
  })
})
