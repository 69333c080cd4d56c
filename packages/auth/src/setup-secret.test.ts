import { describe, expect, test } from 'vitest'

import { ADMIN, openMailBench } from './mail-flow.fixture.ts'
import { PASSWORD } from './open-test-auth.fixture.ts'

const SECRET = 'sixteen characters'
const MEMBER = 'member@example.com'
const NEEDS = { status: 422, body: { code: 'email_address_not_authorized' } }

/** A fresh installation with a setup secret that a listed member found before its owner did. */
async function withMember() {
  const bench = await openMailBench({ setupSecret: SECRET })
  const client = bench.client()
  const { data } = await client.auth.signUp({ email: MEMBER, password: PASSWORD })
  return { bench, client, token: data.session?.access_token ?? '' }
}

describe('the setup secret is asked for on every way to the authorized address', () => {
  test('a listed member cannot move to it', async () => {
    const { bench, client, token } = await withMember()
    const { error } = await client.auth.updateUser({ email: ADMIN })
    expect(error).toMatchObject({ status: 422, code: 'email_address_not_authorized' })
    expect(error?.message).toContain('SEPTET_SETUP_SECRET')
    expect(await bench.letters()).toEqual([])
    expect((await bench.ask('GET', '/user', { token })).body).not.toHaveProperty('new_email')
  })

  test('an admin cannot make the two links of such a move', async () => {
    const { bench, token } = await withMember()
    const { access } = bench.auth.context
    await access.members.put({
      email: MEMBER,
      role: 'admin',
      namespaces: undefined,
      until: undefined,
      updatedAt: bench.auth.context.now(),
    })
    for (const type of ['email_change_current', 'email_change_new']) {
      const body = { type, email: MEMBER, new_email: ADMIN }
      expect(await bench.ask('POST', '/admin/generate_link', { body, token })).toMatchObject(NEEDS)
    }
  })

  test('a move that was begun while the address had an account does not end at it once it has none', async () => {
    const { bench, token } = await withMember()
    const { access, now } = bench.auth.context
    const member = await access.accounts.byEmail(MEMBER)
    // As a change that waited while SEPTET_AUTHORIZED_EMAIL named someone else.
    await access.accounts.update(member?.id ?? '', { newEmail: ADMIN, updatedAt: now() })
    await bench.ask('POST', '/resend', { body: { type: 'email_change', email: MEMBER } })
    const codes = [await bench.letter(MEMBER, 'email_change_current'), await bench.letter(ADMIN, 'email_change_new')]
    const answers = []
    for (const { to, code } of codes) {
      answers.push(await bench.ask('POST', '/verify', { body: { type: 'email_change', email: to, token: code } }))
    }
    expect(answers[1]).toMatchObject(NEEDS)
    expect((await bench.ask('GET', '/user', { token })).body).toMatchObject({ email: MEMBER })
  })

  test('asking without it costs no guess: the owner who has it comes in at once', async () => {
    const { bench, client } = await withMember()
    for (let times = 0; times < 12; times++) await client.auth.updateUser({ email: ADMIN })
    const body = { email: ADMIN, password: PASSWORD, data: { setup_secret: SECRET } }
    expect((await bench.ask('POST', '/signup', { body, ip: '127.0.0.1' })).status).toBe(200)
  })
})
