import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Store } from '@septet/domain'
import { openPostgresStore, startEmbeddedPostgres, type EmbeddedPostgres } from '@septet/storage'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

import { openMailBench, type MailBench } from './mail-flow.fixture.ts'
import { PASSWORD } from './open-test-auth.fixture.ts'

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const folder = mkdtempSync(join(tmpdir(), 'septet-two-'))
let postgres: EmbeddedPostgres
beforeAll(async () => {
  postgres = await startEmbeddedPostgres({ dataDir: folder, log })
})
afterAll(async () => {
  await postgres.stop()
  rmSync(folder, { recursive: true })
})

async function openOne(): Promise<{ store: Store; bench: MailBench }> {
  const store = await openPostgresStore({ connection: postgres.connection, log })
  onTestFinished(() => store.close())
  return { store, bench: await openMailBench({}, { store }) }
}

/** Two servers on one database, and an account of its own for the test. */
async function openTwo(): Promise<{ servers: readonly [MailBench, MailBench]; email: string; store: Store }> {
  const email = `${randomBytes(6).toString('hex')}@example.com`
  const [one, other] = [await openOne(), await openOne()]
  await one.bench.ask('POST', '/signup', { body: { email, password: PASSWORD } })
  return { servers: [one.bench, other.bench], email, store: one.store }
}
const sessionsOf = async ({ access }: Store, email: string) =>
  access.sessions.ofAccount((await access.accounts.byEmail(email))?.id ?? '')

describe('two servers on one PostgreSQL', () => {
  test('take a code once between them', async () => {
    const { servers, email, store } = await openTwo()
    await servers[0].ask('POST', '/recover', { body: { email } })
    const { code } = await servers[0].letter(email, 'recovery')
    const body = { type: 'recovery', email, token: code }
    const tries = [0, 1, 0, 1].map((which) => servers[which === 0 ? 0 : 1].ask('POST', '/verify', { body }))
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 403, 403, 403])
    expect(await sessionsOf(store, email)).toHaveLength(2)
  })
  test('count wrong tries together', async () => {
    const { servers, email } = await openTwo()
    await servers[0].ask('POST', '/recover', { body: { email } })
    const { code } = await servers[0].letter(email, 'recovery')
    const wrong = { type: 'recovery', email, token: code === '000000' ? '000001' : '000000' }
    for (const which of [0, 1, 0, 1, 0] as const) {
      expect((await servers[which].ask('POST', '/verify', { body: wrong })).status).toBe(403)
    }
    const right = await servers[1].ask('POST', '/verify', { body: { ...wrong, token: code } })
    expect(right).toMatchObject({ status: 403, body: { code: 'otp_expired' } })
  })
  test('do not both send a letter within the minute', async () => {
    const { servers, email } = await openTwo()
    for (const server of servers) {
      expect((await server.ask('POST', '/recover', { body: { email } })).status).toBe(200)
      await server.letters()
    }
    const letters = await servers[0].letters()
    expect(letters.filter(({ to }) => to === email)).toHaveLength(1)
  })
  test('finish a sign-in by link once between them', async () => {
    const { servers, email, store } = await openTwo()
    await servers[0].ask('POST', '/recover', { body: { email } })
    const { link } = await servers[0].letter(email, 'recovery')
    const all = await Promise.all(servers.map((server) => server.press(link)))
    expect(all.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403])
    expect(await sessionsOf(store, email)).toHaveLength(2)
  })
  test('change an address once, when both halves agree at the same moment', async () => {
    const { servers, email, store } = await openTwo()
    const newEmail = `new-${email}`
    const signedIn = await servers[0].ask('POST', '/token?grant_type=password', { body: { email, password: PASSWORD } })
    await servers[0].ask('PUT', '/user', { body: { email: newEmail }, token: String(signedIn.body['access_token']) })
    const halves = [
      await servers[0].letter(email, 'email_change_current'),
      await servers[0].letter(newEmail, 'email_change_new'),
    ]
    await Promise.all(halves.map(({ link }, which) => servers[which === 0 ? 0 : 1].press(link)))
    expect(await store.access.accounts.byEmail(email)).toBeUndefined()
    expect(await store.access.accounts.byEmail(newEmail)).toMatchObject({ newEmail: undefined })
    const changes = await store.access.audit.list({ limit: 100, action: 'account.change-email' })
    expect(changes.filter(({ object }) => object === newEmail)).toHaveLength(1)
  })
})
