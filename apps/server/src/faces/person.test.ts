import { gunzipSync } from 'node:zlib'

import { OPERATIONS, type OutputOf, type personExport } from '@septet/contract'
import { actionRun, transition } from '@septet/storage/testing'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { openTestSeptet, type TestSeptet } from './open-test-septet.fixture.ts'

const ADMIN = 'admin@septet.local'
const ANN = 'ann@example.com'
/** Longer by a few letters at both ends, and somebody else. */
const JOANN = 'joann@example.com'

let septet: TestSeptet
let admin: { authorization: string }
let ann: { authorization: string }
let database: Client
let token: string

type Asking = { readonly body?: object; readonly as?: { readonly authorization: string } }
const call = (method: string, path: string, { body, as = admin }: Asking = {}): Promise<Response> =>
  fetch(`${septet.url}${path}`, {
    method,
    headers: { ...as, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
const fine = async (answer: Promise<Response>): Promise<unknown> => {
  const response = await answer
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status} ${text}`)
  return JSON.parse(text)
}
const exported = async (email: string): Promise<OutputOf<typeof personExport>> =>
  OPERATIONS.personExport.output.parse(await fine(call('POST', '/api/v1/people/export', { body: { email } })))
const forget = (person: string, confirm = person, as = admin): Promise<Response> =>
  call('POST', '/api/v1/people/removal', { body: { person, confirm }, as })
const rowsOf = (data: OutputOf<typeof personExport>, kind: string) =>
  data.data.find((each) => each.kind === kind)?.rows ?? []

/** Every row of every table as text, bodies of actions unpacked. */
async function everything(): Promise<string> {
  const tables = await database.query<{ name: string }>(
    "select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')",
  )
  const texts: string[] = []
  for (const { name } of tables.rows) {
    const { rows } = await database.query<{ row: string }>(`select to_jsonb(t)::text as row from ${name} t`)
    texts.push(...rows.map(({ row }) => `${name} ${row}`))
  }
  const bodies = await database.query<{ body: Buffer }>('select body from action_runs')
  return [...texts, ...bodies.rows.map(({ body }) => gunzipSync(body).toString())].join('\n')
}

beforeAll(async () => {
  septet = await openTestSeptet({ environment: { SEPTET_AUTHORIZED_EMAIL: `${ADMIN}, *@example.com` } })
  database = new Client(septet.store.connection)
  await database.connect()
  admin = await septet.signIn(ADMIN)
  await septet.signIn(JOANN)
  await fine(call('PUT', `/api/v1/members/${ANN}`, { body: { role: 'admin' } }))
  await fine(call('PUT', `/api/v1/members/${JOANN}`, { body: { role: 'operator' } }))
  ann = await septet.signIn(ANN)
  const made = await fine(call('POST', '/api/v1/tokens', { body: { name: 'ci', role: 'viewer' }, as: ann }))
  token = (made as { secret: string }).secret
  await fine(call('POST', '/api/v1/copilot', { body: { question: 'Which GPUs are idle?' }, as: ann }))
  await fine(call('PUT', '/api/v1/channels/pager', { body: { kind: 'email', target: ANN }, as: ann }))
  await fine(call('PUT', '/api/v1/channels/team', { body: { kind: 'email', target: JOANN }, as: ann }))
  const rhythm = { rhythm: { every: 'week', weekday: 1 }, time: '07:00', zone: 'UTC', cluster: 'production' }
  const schedule = { ...rhythm, range: 'last-week', files: ['pdf'] }
  await fine(call('PUT', '/api/v1/report-schedules/hers', { body: { ...schedule, recipients: [ANN] }, as: ann }))
  await fine(call('PUT', '/api/v1/report-schedules/all', { body: { ...schedule, recipients: [ANN, JOANN] }, as: ann }))
  await septet.store.actions.propose(
    actionRun('hers', {
      proposedBy: ANN,
      transitions: [transition(1, 'proposed', { by: ANN, because: `${ANN} asked.` })],
    }),
  )
  await septet.store.actions.advance('hers', transition(2, 'approved', { by: ADMIN, because: `As ${ANN} wished.` }))
})
afterAll(async () => {
  await database?.end()
  await septet?.close()
})

describe('the data of a person', () => {
  test('is exported whole, for admins alone, and holds nothing that opens anything', async () => {
    const data = await exported(ANN)
    expect(rowsOf(data, 'account')).toMatchObject([{ email: ANN }])
    expect(rowsOf(data, 'sessions').length).toBeGreaterThan(0)
    expect(rowsOf(data, 'membership')).toMatchObject([{ role: 'admin' }])
    expect(rowsOf(data, 'apiTokens')).toMatchObject([{ name: 'ci' }])
    expect(JSON.stringify(rowsOf(data, 'copilotQuestions'))).toContain('Which GPUs are idle?')
    expect(rowsOf(data, 'actions')).toMatchObject([{ run: 'hers', state: 'proposed' }])
    expect(rowsOf(data, 'settings').map(({ key }) => key)).toEqual(['alert-channels', 'report-schedules'])
    expect(rowsOf(data, 'auditLog').map(({ action }) => action)).toContain('channels.put')
    const text = JSON.stringify(data)
    for (const secret of ['password_hash', 'hash', 'secret', 'refresh_counter', token]) {
      expect(text).not.toContain(`"${secret}"`)
    }
    const others = data.data.filter(({ kind }) => kind !== 'auditLog')
    expect(JSON.stringify(others)).not.toContain(JOANN)
    expect(
      (await call('POST', '/api/v1/people/export', { body: { email: ADMIN }, as: await septet.signIn(JOANN) })).status,
    ).toBe(403)
  })

  test('is not deleted by mistake: not one’s own, not the authorized admin’s, not without a confirmation', async () => {
    expect(await (await forget(ANN, JOANN)).text()).toContain('The confirmation does not match the address')
    expect(await (await forget(ADMIN)).text()).toContain('your own data')
    expect(await (await forget(ADMIN, ADMIN, ann)).text()).toContain('the authorized admin')
    expect((await forget(ANN, ANN, await septet.signIn(JOANN))).status).toBe(403)
    expect(rowsOf(await exported(ANN), 'account')).toHaveLength(1)
  })

  test('is gone from every table when it is deleted, and what was done stays true under an anonymous name', async () => {
    // The very entries that say that it was exported name it, too.
    expect(await everything()).toContain(ANN)
    const answer = OPERATIONS.personForget.output.parse(await fine(forget(ANN)))
    expect(answer.removed.toSorted()).toEqual(['hers', 'pager'])
    expect(answer.anonymousId).toMatch(/^person-[0-9a-f]{12}$/u)
    const left = (await everything()).split('\n').filter((row) => row.replaceAll(JOANN, '').includes(ANN))
    expect(left).toEqual([])
    expect(await everything()).toContain(JOANN)
    const run = await septet.store.actions.get('hers')
    expect(run).toMatchObject({
      proposedBy: answer.anonymousId,
      transitions: [{ by: answer.anonymousId }, { by: ADMIN, because: `As ${answer.anonymousId} wished.` }],
    })
    expect((await call('GET', '/api/v1/me', { as: ann })).status).toBe(401)
    expect((await call('GET', '/api/v1/me', { as: { authorization: `Bearer ${token}` } })).status).toBe(401)
  })

  test('leaves the chain of the audit log whole, says how many entries no longer prove who, and who deleted it', async () => {
    const lines = (await (await call('GET', '/api/v1/audit/export')).text()).trim().split('\n')
    const { chain } = JSON.parse(lines.at(-1) ?? '') as { chain: unknown }
    expect(chain).toMatchObject({ kind: 'whole', forgotten: expect.any(Number) })
    const entries = lines.slice(0, -1).map((line) => JSON.parse(line) as Record<string, unknown>)
    const theirs = entries.filter(({ details }) => 'forgotten' in (details as object))
    expect(theirs.length).toBeGreaterThan(3)
    const [said] = entries.filter(({ action }) => action === 'person.forgotten')
    expect(said).toMatchObject({ actor: ADMIN, details: { entries: theirs.length } })
    expect(entries.at(-2)).toMatchObject({ action: 'person.forget', actor: ADMIN, object: '' })
  })

  test('another person of a similar address is as before', async () => {
    expect(rowsOf(await exported(JOANN), 'account')).toHaveLength(1)
    const schedules = await fine(call('GET', '/api/v1/report-schedules'))
    expect(schedules).toMatchObject({ schedules: [{ id: 'all', recipients: [JOANN] }] })
  })
})
