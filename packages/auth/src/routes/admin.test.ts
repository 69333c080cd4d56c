import { hash } from '@node-rs/argon2'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { clientOf, openTestAuth, OWNER, PASSWORD, type TestAuth } from '../open-test-auth.fixture.ts'
import { openPerson, withFactor } from '../second-factor.fixture.ts'

const VIEWER = 'viewer@team.example'
const STRANGER = 'stranger@elsewhere.example'
const NOBODY = '00000000-0000-4000-8000-000000000000'

let house: TestAuth
beforeEach(async () => {
  house = await openTestAuth()
})
afterEach(() => house.close())

const signUp = async (email = OWNER) => (await openPerson(house, email).signUp())['access_token'] as string
const makeAdmin = (email: string) =>
  house.store.access.members.put({
    email,
    role: 'admin',
    namespaces: undefined,
    until: undefined,
    updatedAt: house.clock.at,
  })
/** Makes an account as the owner. */
const create = async (token: string, body: object) => house.ask('POST', '/admin/users', { token, body })
const signsIn = async (email: string, password = PASSWORD) =>
  (await house.ask('POST', '/token?grant_type=password', { body: { email, password } })).body['code'] ?? 'in'
/** A client for programs: its admin calls are made with the key, which is an admin's access token here. */
const adminClient = async () => {
  const url = await house.listen()
  return { url, admin: clientOf(url, await signUp()).auth.admin }
}

const ROUTES = [
  ['GET', '/admin/users'],
  ['POST', '/admin/users'],
  ['GET', `/admin/users/${NOBODY}`],
  ['PUT', `/admin/users/${NOBODY}`],
  ['DELETE', `/admin/users/${NOBODY}`],
  ['GET', `/admin/users/${NOBODY}/factors`],
  ['DELETE', `/admin/users/${NOBODY}/factors/${NOBODY}`],
  ['POST', '/invite'],
  ['POST', '/admin/generate_link'],
  ['GET', '/admin/audit'],
] as const

describe('who may', () => {
  test.each(ROUTES)('%s %s: nobody without a token, no viewer, no operator', async (method, path) => {
    await house.store.access.members.put({
      email: 'operator@team.example',
      role: 'operator',
      namespaces: undefined,
      until: undefined,
      updatedAt: house.clock.at,
    })
    const anyone = await house.ask(method, path)
    const viewer = await house.ask(method, path, { token: await signUp(VIEWER) })
    const operator = await house.ask(method, path, { token: await signUp('operator@team.example') })
    expect([anyone, viewer, operator].map(({ status, body }) => [status, body['code']])).toEqual([
      [401, 'no_authorization'],
      [403, 'not_admin'],
      [403, 'not_admin'],
    ])
    const refused = (await house.audited()).filter(({ action }) => action === 'admin.ask')
    expect(refused.map(({ actor }) => actor)).toEqual(method === 'GET' ? [] : ['operator@team.example', VIEWER])
  })

  test('an admin with a second factor, once it was shown', async () => {
    const person = await withFactor(house)
    const before = (await person.signIn())['access_token']
    expect(await house.ask('GET', '/admin/users', { token: before })).toMatchObject({
      status: 403,
      body: { code: 'insufficient_aal' },
    })
    expect((await house.ask('GET', '/admin/users', { token: person.token })).status).toBe(200)
  })

  test('not by what the token says, but by what is decided now', async () => {
    const token = await signUp(VIEWER)
    await makeAdmin(VIEWER)
    expect((await house.ask('GET', '/admin/users', { token })).status).toBe(200)
    await house.store.access.members.remove(VIEWER)
    expect((await house.ask('GET', '/admin/users', { token })).status).toBe(403)
  })

  test('app metadata makes nobody an admin', async () => {
    const owner = await signUp()
    await create(owner, { email: VIEWER, password: PASSWORD, email_confirm: true, app_metadata: { role: 'admin' } })
    const { body } = await house.ask('POST', '/token?grant_type=password', {
      body: { email: VIEWER, password: PASSWORD },
    })
    expect((await house.ask('GET', '/admin/users', { token: body['access_token'] })).status).toBe(403)
  })
})

describe('with supabase-js and an admin’s session', () => {
  test('accounts are made, found, changed, banned and removed', async () => {
    const { admin, url } = await adminClient()
    const made = await admin.createUser({
      email: ' Viewer@Team.example ',
      password: PASSWORD,
      email_confirm: true,
      user_metadata: { name: 'V' },
      app_metadata: { team: 'a' },
    })
    expect(made.error).toBeNull()
    const id = made.data.user?.id ?? ''
    expect(made.data.user).toMatchObject({
      email: VIEWER,
      user_metadata: { name: 'V', email_verified: true },
      app_metadata: { team: 'a', provider: 'email' },
    })
    expect((await admin.getUserById(id)).data.user?.email).toBe(VIEWER)

    const viewer = clientOf(url)
    expect((await viewer.auth.signInWithPassword({ email: VIEWER, password: PASSWORD })).error).toBeNull()
    const changed = await admin.updateUserById(id, {
      password: 'kettle moss harbor violin',
      user_metadata: { name: null },
    })
    expect(changed.error).toBeNull()
    expect(changed.data.user?.user_metadata).not.toHaveProperty('name')
    // A password that an admin sets ends every session.
    expect((await viewer.auth.getUser()).error?.name).toBe('AuthSessionMissingError')

    const banned = await admin.updateUserById(id, { ban_duration: '24h' })
    expect(Date.parse(banned.data.user?.banned_until ?? '')).toBe(house.clock.at + 86_400_000)
    expect(await signsIn(VIEWER, 'kettle moss harbor violin')).toBe('user_banned')
    await admin.updateUserById(id, { ban_duration: 'none' })
    expect(await signsIn(VIEWER, 'kettle moss harbor violin')).toBe('in')

    expect((await admin.deleteUser(id)).error).toBeNull()
    expect((await admin.getUserById(id)).error).toMatchObject({ status: 404, code: 'user_not_found' })
    expect(await signsIn(VIEWER, 'kettle moss harbor violin')).toBe('invalid_credentials')
  })

  test('pages are told in headers', async () => {
    const { admin } = await adminClient()
    for (let number = 0; number < 4; number++) await admin.createUser({ email: `u${number}@team.example` })
    const first = await admin.listUsers({ page: 1, perPage: 2 })
    expect(first.data).toMatchObject({ total: 5, nextPage: 2, lastPage: 3, aud: 'authenticated' })
    const last = await admin.listUsers({ page: 3, perPage: 2 })
    expect(last.data).toMatchObject({ total: 5, nextPage: null, lastPage: 3 })
    expect(last.data.users.map(({ email }) => email)).toHaveLength(1)
    expect((await admin.listUsers()).data.users).toHaveLength(5)
  })

  test('a lost authenticator is removed', async () => {
    const { admin } = await adminClient()
    const person = await withFactor(house, VIEWER)
    const userId: string = person.raised['user'].id
    const listed = await admin.mfa.listFactors({ userId })
    expect(listed.data?.factors).toMatchObject([{ id: person.factor, factor_type: 'totp', status: 'verified' }])
    const removed = await admin.mfa.deleteFactor({ userId, id: person.factor })
    expect(removed.error).toBeNull()
    expect((await admin.mfa.deleteFactor({ userId, id: person.factor })).error).toMatchObject({
      status: 404,
      code: 'mfa_factor_not_found',
    })
    expect(await house.auth.verify(person.token)).toMatchObject({ aal: 'aal1', hasFactor: false })
  })

  test('someone is invited by letter, and comes in with its code', async () => {
    const { admin, url } = await adminClient()
    const invited = await admin.inviteUserByEmail(VIEWER, { data: { name: 'V' } })
    expect(invited.error).toBeNull()
    expect(invited.data.user).toMatchObject({ email: VIEWER, invited_at: expect.any(String) })
    await house.auth.context.mailer.close()
    const [letter] = await house.store.access.mails.list(1)
    expect(letter).toMatchObject({ to: VIEWER, kind: 'invite' })
    expect(letter?.text).toContain(`${OWNER} invites you`)
    const token = /^ {4}(\d{6})$/mu.exec(letter?.text ?? '')?.[1] ?? ''
    const entered = await clientOf(url).auth.verifyOtp({ type: 'invite', email: VIEWER, token })
    expect(entered.error).toBeNull()
    expect((await admin.inviteUserByEmail(VIEWER)).error).toMatchObject({ status: 422, code: 'email_exists' })
  })

  test('the way out of a client ends a session by its token', async () => {
    const { admin } = await adminClient()
    const token = await signUp(VIEWER)
    expect((await admin.signOut(token)).error).toBeNull()
    await expect(house.auth.verify(token)).rejects.toMatchObject({ code: 'session_not_found' })
  })
})

/** Opens a link of the protocol, and presses the button of the page that it leads to. */
async function pressed(link: string) {
  const opened = await house.ask('GET', `/verify${new URL(link).search}`)
  const { searchParams } = new URL(String(opened.headers.location))
  const body = { token_hash: searchParams.get('token_hash'), type: searchParams.get('type') }
  return house.ask('POST', '/verify', { body })
}

describe('links that an admin hands on', () => {
  test.each([
    ['signup', { password: PASSWORD }],
    ['invite', {}],
    ['magiclink', {}],
  ] as const)('%s makes the account, and the link opens it', async (type, more) => {
    const token = await signUp()
    const { status, body } = await house.ask('POST', '/admin/generate_link', {
      token,
      body: { type, email: VIEWER, ...more },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      email: VIEWER,
      verification_type: type,
      email_otp: expect.stringMatching(/^\d{6}$/u),
      redirect_to: `${house.clock.siteUrl}/`,
    })
    expect((await pressed(body['action_link'])).body).toMatchObject({ user: { email: VIEWER } })
    expect(await house.store.access.mails.list(5)).toEqual([])
  })

  test.each(['magiclink', 'recovery'] as const)('%s lets someone in by digits or hash', async (type) => {
    const token = await signUp()
    await signUp(VIEWER)
    const make = async () =>
      (await house.ask('POST', '/admin/generate_link', { token, body: { type, email: VIEWER } })).body
    const { email_otp: code } = await make()
    const typed = { type, email: VIEWER, token: code }
    expect((await house.ask('POST', '/verify', { body: typed })).status).toBe(200)
    const { hashed_token: hashed } = await make()
    expect((await house.ask('POST', '/verify', { body: { type, token_hash: hashed } })).status).toBe(200)
  })

  test('both halves of a change of address', async () => {
    const token = await signUp()
    await signUp(VIEWER)
    const half = async (type: string) => {
      const body = { type, email: VIEWER, new_email: 'moved@team.example' }
      const made = await house.ask('POST', '/admin/generate_link', { token, body })
      return (await pressed(made.body['action_link'])).body
    }
    expect(await half('email_change_current')).toHaveProperty('msg')
    expect(await half('email_change_new')).toHaveProperty('access_token')
    expect(await signsIn('moved@team.example')).toBe('in')
  })

  test.each([
    [{ type: 'recovery', email: VIEWER }, 404, 'user_not_found'],
    [{ type: 'email_change_new', email: VIEWER, new_email: 'moved@team.example' }, 404, 'user_not_found'],
    [{ type: 'signup', email: VIEWER }, 400, 'validation_failed'],
    [{ type: 'signup', email: VIEWER, password: 'short' }, 422, 'weak_password'],
    [{ type: 'signup', email: OWNER, password: PASSWORD }, 422, 'email_exists'],
    [{ type: 'invite', email: OWNER }, 422, 'email_exists'],
    [{ type: 'email_change_new', email: OWNER, new_email: STRANGER }, 422, 'email_address_not_authorized'],
    [{ type: 'invite', email: STRANGER }, 422, 'email_address_not_authorized'],
    [{ type: 'magiclink', email: STRANGER }, 422, 'email_address_not_authorized'],
    [{ type: 'sms', email: VIEWER }, 400, 'validation_failed'],
    [{ type: 'invite' }, 400, 'validation_failed'],
  ])('%j is refused', async (body, status, code) => {
    const token = await signUp()
    expect(await house.ask('POST', '/admin/generate_link', { token, body })).toMatchObject({ status, body: { code } })
    expect((await house.store.access.accounts.list({ page: 1, perPage: 9 })).total).toBe(1)
  })
})

describe('an account that an admin makes', () => {
  test.each([
    [{ email: STRANGER, password: PASSWORD }, 422, 'email_address_not_authorized'],
    [{ email: OWNER, password: PASSWORD }, 422, 'email_exists'],
    [{ email: 'nobody', password: PASSWORD }, 400, 'validation_failed'],
    [{ password: PASSWORD }, 400, 'validation_failed'],
    [{ email: VIEWER, password: 'short' }, 422, 'weak_password'],
    [{ email: VIEWER, password: PASSWORD, password_hash: '$argon2id$' }, 400, 'validation_failed'],
    [{ email: VIEWER, password_hash: '$2b$10$abcdefghijklmnopqrstuv' }, 400, 'validation_failed'],
    [
      { email: VIEWER, password_hash: `$argon2id$v=19$m=4194304,t=3,p=1$${'a'.repeat(22)}$${'b'.repeat(43)}` },
      400,
      'validation_failed',
    ],
    [{ email: VIEWER, phone: '+49301234567' }, 400, 'phone_provider_disabled'],
    [{ email: VIEWER, role: 'service_role' }, 400, 'validation_failed'],
    [{ email: VIEWER, ban_duration: 'forever' }, 400, 'validation_failed'],
    [{ email: VIEWER, id: 'seven' }, 400, 'validation_failed'],
  ])('%j is refused', async (body, status, code) => {
    const token = await signUp()
    expect(await create(token, body)).toMatchObject({ status, body: { code } })
    expect((await house.store.access.accounts.list({ page: 1, perPage: 9 })).total).toBe(1)
  })

  test('has no more about it than fits into a token', async () => {
    const token = await signUp()
    const large = { text: 'a'.repeat(5000) }
    for (const body of [{ user_metadata: large }, { app_metadata: large }]) {
      expect(await create(token, { email: VIEWER, ...body })).toMatchObject({ body: { code: 'validation_failed' } })
    }
    expect((await house.store.access.accounts.list({ page: 1, perPage: 9 })).total).toBe(1)
  })

  test('brings its password hash along', async () => {
    const token = await signUp()
    const passwordHash = await hash(PASSWORD, { memoryCost: 4096, timeCost: 2, parallelism: 1 })
    const body = { email: VIEWER, password_hash: passwordHash, email_confirm: true, id: NOBODY }
    expect(await create(token, body)).toMatchObject({ status: 200, body: { id: NOBODY } })
    expect(await signsIn(VIEWER)).toBe('in')
    expect(await create(token, { ...body, email: 'second@example.com' })).toMatchObject({
      status: 422,
      body: { code: 'user_already_exists' },
    })
  })

  test('must confirm its address unless the admin says it is right', async () => {
    const token = await signUp()
    const { body } = await create(token, { email: VIEWER, password: PASSWORD })
    expect(await signsIn(VIEWER)).toBe('email_not_confirmed')
    await house.ask('PUT', `/admin/users/${body['id']}`, { token, body: { email_confirm: true } })
    expect(await signsIn(VIEWER)).toBe('in')
  })
})

describe('changes', () => {
  test('another address must be admitted, free and confirmed', async () => {
    const token = await signUp()
    const id = (await create(token, { email: VIEWER, password: PASSWORD, email_confirm: true })).body['id']
    const put = (body: object) => house.ask('PUT', `/admin/users/${id}`, { token, body })
    expect(await put({ email: STRANGER })).toMatchObject({
      status: 422,
      body: { code: 'email_address_not_authorized' },
    })
    expect(await put({ email: OWNER })).toMatchObject({ status: 422, body: { code: 'email_exists' } })
    expect((await put({ email: 'moved@team.example' })).status).toBe(200)
    expect(await signsIn('moved@team.example')).toBe('email_not_confirmed')
    expect((await put({ email_confirm: true })).body).toMatchObject({
      email: 'moved@team.example',
      user_metadata: { email_verified: true },
    })
    expect([await signsIn('moved@team.example'), await signsIn(VIEWER)]).toEqual(['in', 'invalid_credentials'])
  })

  test.each([
    ['GET', '/admin/users/seven', 404, 'validation_failed'],
    ['GET', `/admin/users/${NOBODY}`, 404, 'user_not_found'],
    ['PUT', `/admin/users/${NOBODY}`, 404, 'user_not_found'],
    ['DELETE', `/admin/users/${NOBODY}`, 404, 'user_not_found'],
    ['GET', `/admin/users/${NOBODY}/factors`, 404, 'user_not_found'],
    ['GET', '/admin/users?page=two', 400, 'validation_failed'],
    ['GET', '/admin/users?per_page=-1', 400, 'validation_failed'],
    ['GET', '/admin/audit?query=drop', 400, 'validation_failed'],
  ] as const)('%s %s is %i %s', async (method, path, ...[status, code]) => {
    expect(await house.ask(method, path, { token: await signUp() })).toMatchObject({ status, body: { code } })
  })

  test('accounts are listed newest first, as the protocol has them', async () => {
    const { admin } = await adminClient()
    for (const email of ['one@team.example', 'two@team.example', 'three@team.example']) {
      house.pass(1000)
      await admin.createUser({ email })
    }
    const addresses = async (page: number) =>
      (await admin.listUsers({ page, perPage: 2 })).data.users.map(({ email }) => email)
    expect([await addresses(1), await addresses(2)]).toEqual([
      ['three@team.example', 'two@team.example'],
      ['one@team.example', OWNER],
    ])
  })

  test('what people write about themselves is theirs: an account that an admin makes holds what was given', async () => {
    const { admin } = await adminClient()
    const made = await admin.createUser({ email: VIEWER, user_metadata: { name: 'V' } })
    expect(made.data.user?.user_metadata).toEqual({ name: 'V' })
    const id = made.data.user?.id ?? ''
    expect((await admin.updateUserById(id, { ban_duration: '1h' })).data.user?.user_metadata).toEqual({ name: 'V' })
    const confirmed = await admin.updateUserById(id, { email_confirm: true })
    expect(confirmed.data.user?.user_metadata).toEqual({ name: 'V', email_verified: true })
    const invited = await admin.inviteUserByEmail('invited@team.example', { data: { team: 'a' } })
    expect(invited.data.user?.user_metadata).toEqual({ team: 'a' })
  })

  test('and who signs up carries sub, address and what was verified, moved addresses too', async () => {
    const { admin } = await adminClient()
    const { user } = await openPerson(house, VIEWER).signUp()
    const told = { sub: user.id, email: VIEWER, email_verified: true, phone_verified: false }
    expect(user.user_metadata).toEqual(told)
    const moved = await admin.updateUserById(user.id, { email: 'moved@team.example' })
    const after = { ...told, email: 'moved@team.example', email_verified: false }
    expect(moved.data.user?.user_metadata).toEqual(after)
  })

  test('accounts are found by a part of their address', async () => {
    const token = await signUp()
    await create(token, { email: VIEWER })
    const { body, headers } = await house.ask('GET', '/admin/users?filter=TEAM', { token })
    expect(body['users']).toMatchObject([{ email: VIEWER }])
    expect(headers['x-total-count']).toBe('1')
    expect(headers['link']).toMatch(/^<[^>?]+\?page=1&per_page=50>; rel="last"$/u)
  })
})

describe('the last admin stays', () => {
  test.each([
    ['PUT', { ban_duration: '24h' }],
    ['PUT', { email: 'moved@team.example' }],
    ['DELETE', {}],
  ] as const)('%s %j is refused for the authorized address, and for oneself', async (method, body) => {
    const owner = openPerson(house)
    const ownerId: string = (await owner.signUp())['user'].id
    const other = await openPerson(house, VIEWER).signUp()
    await makeAdmin(VIEWER)
    const token: string = other['access_token']
    const theirs = await house.ask(method, `/admin/users/${ownerId}`, { token, body })
    expect(theirs).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(theirs.body['message']).toContain('SEPTET_AUTHORIZED_EMAIL')
    const own = await house.ask(method, `/admin/users/${other['user'].id}`, { token, body })
    expect(own).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(own.body['message']).toContain('another admin')
    expect([await signsIn(OWNER), await signsIn(VIEWER)]).toEqual(['in', 'in'])
    const refused = (await house.audited()).filter(({ outcome }) => outcome === 'refused')
    expect(refused.map(({ action, object }) => [action, object])).toEqual([
      ['admin.ask', VIEWER],
      ['admin.ask', OWNER],
    ])
  })

  test('soft deletion says what to do instead', async () => {
    const token = await signUp()
    const id = (await create(token, { email: VIEWER })).body['id']
    const soft = await house.ask('DELETE', `/admin/users/${id}`, { token, body: { should_soft_delete: true } })
    expect(soft).toMatchObject({ status: 422, body: { code: 'feature_disabled' } })
    expect(soft.body['message']).toContain('ban_duration')
  })

  test('no admin gets round the setup secret', async () => {
    const closed = await openTestAuth({ setupSecret: 'a setup secret of the tests' })
    const other = openPerson(closed, VIEWER)
    const token = (await other.signUp())['access_token']
    await closed.store.access.members.put({
      email: VIEWER,
      role: 'admin',
      namespaces: undefined,
      until: undefined,
      updatedAt: closed.clock.at,
    })
    const tries = [
      closed.ask('POST', '/admin/users', { token, body: { email: OWNER, password: PASSWORD, email_confirm: true } }),
      closed.ask('POST', '/invite', { token, body: { email: OWNER } }),
      closed.ask('POST', '/admin/generate_link', { token, body: { type: 'magiclink', email: OWNER } }),
    ]
    for (const answer of await Promise.all(tries)) {
      expect(answer).toMatchObject({ status: 422, body: { code: 'email_address_not_authorized' } })
    }
    expect(await closed.store.access.accounts.byEmail(OWNER)).toBeUndefined()
    await closed.close()
  })
})

test('each deed is written down, and can be asked for by author, action and type', async () => {
  const token = await signUp()
  const id = (await create(token, { email: VIEWER, password: PASSWORD, email_confirm: true })).body['id']
  await house.ask('PUT', `/admin/users/${id}`, {
    token,
    body: { ban_duration: '1h', password: 'kettle moss harbor violin' },
  })
  await house.ask('POST', '/admin/generate_link', { token, body: { type: 'recovery', email: VIEWER } })
  await house.ask('POST', '/invite', { token, body: { email: 'second@example.com' } })
  await house.ask('DELETE', `/admin/users/${id}`, { token })
  const audit = async (query: string): Promise<string[]> => {
    const { text } = await house.ask('GET', `/admin/audit?query=${encodeURIComponent(query)}`, { token })
    const entries = JSON.parse(text) as { payload: { action: string; actor_username: string } }[]
    return entries.map(({ payload }) => payload.action)
  }
  const deeds = ['account.remove', 'account.invite', 'account.make-link', 'account.change', 'account.create']
  const done = (await audit(`author:${OWNER}`)).filter((action) => action !== 'account.sign-in')
  expect(done.filter((action) => deeds.includes(action))).toEqual(deeds)
  expect(await audit('action:make-link')).toEqual(['account.make-link'])
  expect(new Set((await audit('type:account')).map((action) => action.split('.')[0]))).toEqual(new Set(['account']))
  expect(await audit('type:nothing')).toEqual([])
  expect(JSON.stringify(await house.audited())).not.toContain('kettle')
  const { text } = await house.ask('GET', '/admin/audit?page=2&per_page=2', { token })
  expect(JSON.parse(text)).toMatchObject([
    { id: expect.any(String), created_at: expect.any(String), ip_address: '192.0.2.1' },
    { payload: { traits: { outcome: 'done' } } },
  ])
})
