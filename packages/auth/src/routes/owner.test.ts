import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { openTestAuth, OWNER, PASSWORD, type TestAuth } from '../open-test-auth.fixture.ts'
import { openPerson, withFactor } from '../second-factor.fixture.ts'

const ADMIN = 'admin@team.example'
const NEW_PASSWORD = 'kettle moss harbor violin'
const REFUSED = { status: 403, body: { code: 'not_admin' } }

let house: TestAuth
beforeEach(async () => {
  house = await openTestAuth()
})
afterEach(() => house.close())

const makeAdmin = (email: string, namespaces?: readonly string[]) =>
  house.store.access.members.put({ email, role: 'admin', namespaces, until: undefined, updatedAt: house.clock.at })
/** The owner's account, and the token of an admin whom the owner made one. */
async function withAdmin() {
  const owner = await withFactor(house, OWNER)
  const admin = await openPerson(house, ADMIN).signUp()
  await makeAdmin(ADMIN)
  const account = await house.store.access.accounts.byEmail(OWNER)
  return { owner, token: String(admin['access_token']), id: account?.id ?? '' }
}

describe('nobody but the owner', () => {
  test.each([
    ['another password', { password: NEW_PASSWORD }],
    [
      'the hash of one',
      { password_hash: '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$GpZ3sK/oH9p7VIiV56G/64Zo/8GaUw434IimaPqxwCo' },
    ],
    ['a confirmed address', { email_confirm: true }],
    ['data of another kind', { user_metadata: { name: 'X' } }],
  ])('gives the owner %s', async (_what, body) => {
    const { token, id, owner } = await withAdmin()
    expect(await house.ask('PUT', `/admin/users/${id}`, { token, body })).toMatchObject(REFUSED)
    expect((await house.ask('GET', '/user', { token: owner.token })).status).toBe(200)
    const [refused] = (await house.audited()).filter(({ action }) => action === 'admin.ask')
    expect(refused).toMatchObject({ actor: ADMIN, object: OWNER, outcome: 'refused' })
  })

  test.each(['magiclink', 'recovery', 'invite', 'signup', 'email_change_current', 'email_change_new'])(
    "makes a link of type %s that opens the owner's account",
    async (type) => {
      const { token } = await withAdmin()
      const body = { type, email: OWNER, password: NEW_PASSWORD, new_email: 'moved@team.example' }
      expect(await house.ask('POST', '/admin/generate_link', { token, body })).toMatchObject(REFUSED)
    },
  )

  test("removes the owner's second factor", async () => {
    const { token, id } = await withAdmin()
    const [factor] = await house.store.access.factors.ofAccount(id)
    const path = `/admin/users/${id}/factors/${factor?.id}`
    expect(await house.ask('DELETE', path, { token })).toMatchObject(REFUSED)
    expect(await house.store.access.factors.ofAccount(id)).toHaveLength(1)
  })

  test('the owner does so with their own account, and admins do with those of others', async () => {
    const { owner, token, id } = await withAdmin()
    const own = await house.ask('PUT', `/admin/users/${id}`, { token: owner.token, body: { password: NEW_PASSWORD } })
    expect(own.status).toBe(200)
    await openPerson(house, 'ann@team.example').signUp()
    const ann = await house.store.access.accounts.byEmail('ann@team.example')
    const other = await house.ask('PUT', `/admin/users/${ann?.id}`, { token, body: { password: NEW_PASSWORD } })
    expect(other.status).toBe(200)
  })
})

test('an admin of some namespaces alone does not decide about accounts', async () => {
  const { token } = await withAdmin()
  await makeAdmin(ADMIN, ['team-a'])
  expect(await house.ask('GET', '/admin/users', { token })).toMatchObject(REFUSED)
  const body = { email: 'ann@team.example', password: PASSWORD }
  expect(await house.ask('POST', '/admin/users', { token, body })).toMatchObject(REFUSED)
})

test('a viewer and an operator sign out nobody but themselves', async () => {
  const { owner } = await withAdmin()
  const viewer = await openPerson(house, 'ann@team.example').signUp()
  const token = String(viewer['access_token'])
  for (const scope of ['others', 'global']) {
    expect((await house.ask('POST', `/logout?scope=${scope}`, { token })).status).toBe(204)
  }
  expect((await house.ask('GET', '/user', { token: owner.token })).status).toBe(200)
})
