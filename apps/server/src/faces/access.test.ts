import { AUDIT_EXPORT_PATH, OPERATIONS, type OutputOf } from '@septet/contract'
import { instant, type AuditEntry } from '@septet/domain'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { z } from 'zod'

import { openTestSeptet, type TestSeptet } from './open-test-septet.fixture.ts'

type Headers = Record<string, string>
type Problem = { readonly code: string; readonly detail: string; readonly todo: string }

let septet: TestSeptet
let admin: { authorization: string }
beforeEach(async () => {
  septet = await openTestSeptet({
    environment: { SEPTET_AUTHORIZED_EMAIL: 'admin@septet.local, *@example.com' },
  })
  admin = await septet.signIn('admin@septet.local')
})
afterEach(() => septet.close())

type Ask = { readonly as?: Headers; readonly body?: object }
const send = (method: string, path: string, { as = admin, body }: Ask = {}): Promise<Response> =>
  fetch(`${septet.url}${path}`, {
    method,
    headers: { ...as, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })

async function answered<O extends { output: z.ZodType }>(
  operation: O,
  answer: Promise<Response>,
): Promise<OutputOf<O>> {
  const body: unknown = await (await answer).json()
  const parsed = operation.output.safeParse(body)
  if (!parsed.success) throw new Error(`${JSON.stringify(body)}: ${parsed.error.message}`)
  return parsed.data as OutputOf<O>
}

async function refused(answer: Promise<Response>): Promise<[number, string]> {
  const got = await answer
  return [got.status, ((await got.json()) as Problem).code]
}

const giveRole = (name: string, body: object): Promise<Response> =>
  send('PUT', `/api/v1/members/${name}@example.com`, { body })
const makeToken = (body: object, as: Headers = admin): Promise<OutputOf<typeof OPERATIONS.tokensCreate>> =>
  answered(OPERATIONS.tokensCreate, send('POST', '/api/v1/tokens', { as, body }))
const bearer = (secret: string): { authorization: string } => ({ authorization: `Bearer ${secret}` })
const me = (as: Headers): Promise<OutputOf<typeof OPERATIONS.sessionMe>> =>
  answered(OPERATIONS.sessionMe, send('GET', '/api/v1/me', { as }))

const clusterIds = async (as: Headers): Promise<string[]> =>
  (await answered(OPERATIONS.clustersList, send('GET', '/api/v1/clusters', { as }))).clusters.map(({ id }) => id)

const toldOf = async (id: string): Promise<string> => {
  const answer = await send('GET', `/api/v1/summary?cluster=${id}`, { as: {} })
  return `${answer.status} ${(await answer.text()).replaceAll(id, 'X')}`
}

const sessionsOf = async (as: Headers): Promise<OutputOf<typeof OPERATIONS.sessionsList>['sessions']> =>
  (await answered(OPERATIONS.sessionsList, send('GET', '/api/v1/sessions', { as }))).sessions

const auditPage = async (query = ''): Promise<OutputOf<typeof OPERATIONS.auditList>> =>
  answered(OPERATIONS.auditList, send('GET', `/api/v1/audit${query}`))

const auditFacts = async (action: string): Promise<unknown[]> =>
  (await auditPage(`?action=${action}`)).entries.map(({ actor, object, outcome, details }) => ({
    actor,
    object,
    outcome,
    details,
  }))

const exported = async (): Promise<{ lines: { seq: number }[]; chain: unknown }> => {
  const answer = await send('GET', AUDIT_EXPORT_PATH)
  expect(answer.headers.get('content-type')).toMatch(/^application\/x-ndjson/u)
  const lines = (await answer.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { seq: number })
  const { chain } = lines.pop() as unknown as { chain: unknown }
  return { lines, chain }
}

describe('who I am', () => {
  test('is told to people, programs and visitors', async () => {
    const { secret } = await makeToken({ name: 'reader', clusters: ['demo'] })
    expect(await me(admin)).toMatchObject({
      kind: 'account',
      name: 'admin@septet.local',
      role: 'admin',
      namespaces: null,
      clusters: null,
      mode: 'embedded',
      session: expect.any(String),
      secondFactor: false,
    })
    expect(await me(bearer(secret))).toMatchObject({
      kind: 'token',
      name: 'token:reader',
      clusters: ['demo'],
      expiresAt: expect.any(String),
    })
    expect(await me({})).toMatchObject({ kind: 'visitor', role: 'viewer', clusters: ['demo', 'sample'], session: null })
  })
})

describe('clusters', () => {
  test('are only those that one may see, and the first of them is meant when none is named', async () => {
    const { secret } = await makeToken({ name: 'narrow', clusters: ['demo'] })
    for (const [as, seen, first] of [
      [admin, ['production', 'demo', 'sample'], 'production'],
      [bearer(secret), ['demo'], 'demo'],
      [{}, ['demo', 'sample'], 'demo'],
    ] as const) {
      expect(await clusterIds(as)).toEqual(seen)
      const summary = await answered(OPERATIONS.summaryGet, send('GET', '/api/v1/summary', { as }))
      expect(summary.source.id).toBe(first)
    }
  })

  test('one that may not be seen is refused in the very words of one that is not there', async () => {
    expect(await toldOf('production')).toBe(await toldOf('nowhere'))
    expect(await toldOf('production')).toMatch(/^404 .*unknown-cluster/u)
  })

  test('prices of clusters that may not be seen are not told', async () => {
    for (const [id, cluster] of [
      ['hidden', 'production'],
      ['shown', 'demo'],
    ]) {
      await send('PUT', `/api/v1/prices/${id}`, { body: { cluster, usdPerGpuHour: 2, source: 'contract' } })
    }
    const { prices } = await answered(OPERATIONS.pricesList, send('GET', '/api/v1/prices', { as: {} }))
    expect(prices.filter(({ origin }) => origin === 'operator').map(({ id }) => id)).toEqual(['shown'])
  })
})

describe('members', () => {
  test('what an admin decides holds with the next request, and until it is taken back', async () => {
    const ann = await septet.signIn('ann@example.com')
    expect(await me(ann)).toMatchObject({ role: 'viewer', namespaces: null })
    await giveRole('ann', { role: 'operator', namespaces: ['team-b', 'team-a', 'team-a'] })
    expect(await me(ann)).toMatchObject({ role: 'operator', namespaces: ['team-a', 'team-b'] })
    const list = await answered(OPERATIONS.membersList, send('GET', '/api/v1/members'))
    expect(list.authorized).toEqual(['admin@septet.local', '*@example.com'])
    expect(list.members).toMatchObject([
      { email: 'admin@septet.local', role: 'admin', origin: 'settings', admitted: true },
      { email: 'ann@example.com', role: 'operator', origin: 'admin', lastSignInAt: expect.any(String) },
    ])
    expect((await send('DELETE', '/api/v1/members/ANN@example.com')).status).toBe(200)
    expect(await me(ann)).toMatchObject({ role: 'viewer', namespaces: null })
    expect(await refused(send('DELETE', '/api/v1/members/ann@example.com'))).toEqual([404, 'not-found'])
  })

  test('the owner cannot be shut out, and nobody is given a role who may not come in', async () => {
    for (const email of ['admin@septet.local', 'ADMIN@septet.local', 'someone@elsewhere.example', 'nobody']) {
      const answer = send('PUT', `/api/v1/members/${email}`, { body: { role: 'viewer' } })
      expect([email, await refused(answer)]).toEqual([email, [400, 'invalid-input']])
    }
    const { members } = septet.store.access
    await members.put({
      email: 'admin@septet.local',
      role: 'viewer',
      namespaces: ['x'],
      until: undefined,
      updatedAt: instant(0),
    })
    expect(await me(admin)).toMatchObject({ role: 'admin', namespaces: null })
  })
})

const byGroups = (index: number) => ({
  email: `group-${index}@elsewhere.example`,
  role: 'viewer' as const,
  namespaces: ['x'],
  until: instant(Date.now() + (index === 1 ? -1000 : 3_600_000)),
  updatedAt: instant(Date.now() - index),
})
const memberList = () => answered(OPERATIONS.membersList, send('GET', '/api/v1/members'))

describe('members by their groups', () => {
  test('are shown as such, and no admin gives them a role that the next sign-in would take back', async () => {
    const { members } = septet.store.access
    await members.put(byGroups(0))
    await members.put(byGroups(1))
    expect((await memberList()).members).toContainEqual({
      email: 'group-0@elsewhere.example',
      role: 'viewer',
      namespaces: ['x'],
      origin: 'groups',
      admitted: true,
      updatedAt: expect.any(String),
      until: expect.any(String),
      lastSignInAt: null,
    })
    expect((await memberList()).members).toContainEqual(
      expect.objectContaining({ email: 'group-1@elsewhere.example', admitted: false }),
    )
    const answer = send('PUT', '/api/v1/members/group-0@elsewhere.example', { body: { role: 'admin' } })
    expect(await refused(answer)).toEqual([400, 'invalid-input'])
    expect(await members.get('group-0@elsewhere.example')).toMatchObject({ role: 'viewer' })
  })

  test('are listed as far as anyone reads, and the rest is counted', async () => {
    const { members } = septet.store.access
    await Promise.all(Array.from({ length: 620 }, (_, index) => members.put(byGroups(index))))
    const { members: listed, unlisted } = await memberList()
    expect(listed.filter(({ origin }) => origin === 'groups')).toHaveLength(500)
    expect(listed.map(({ email }) => email)).toContain('group-0@elsewhere.example')
    expect(listed.map(({ email }) => email)).not.toContain('group-619@elsewhere.example')
    expect(unlisted).toBe(120)
    await Promise.all(Array.from({ length: 620 }, (_, index) => members.remove(byGroups(index).email)))
  })
})

describe('API tokens', () => {
  test('show their secret once, work, and end when they are revoked', async () => {
    const { token, secret } = await makeToken({ name: 'ci' })
    expect(secret).toMatch(/^spt_[\w-]{43}$/u)
    expect(token).toMatchObject({ prefix: secret.slice(0, 8), role: 'viewer', state: 'active', lastUsedAt: null })
    const days = (Date.parse(token.expiresAt ?? '') - Date.parse(token.createdAt)) / 86_400_000
    expect(days).toBe(90)
    expect((await me(bearer(secret))).role).toBe('viewer')
    const listed = await (await send('GET', '/api/v1/tokens')).text()
    expect(listed).not.toContain(secret)
    expect(JSON.parse(listed)).toMatchObject({ tokens: [{ name: 'ci', lastUsedAt: expect.any(String) }] })
    expect(JSON.stringify(await septet.store.access.tokens.list())).not.toContain(secret.slice(8))
    expect((await send('DELETE', `/api/v1/tokens/${token.id}`)).status).toBe(200)
    expect(await refused(send('GET', '/api/v1/me', { as: bearer(secret) }))).toEqual([401, 'not-signed-in'])
    expect(await refused(send('DELETE', `/api/v1/tokens/${token.id}`))).toEqual([404, 'not-found'])
  })

  test('may do no more than their maker, at no time', async () => {
    const ann = await septet.signIn('ann@example.com')
    await giveRole('ann', { role: 'operator', namespaces: ['team-a', 'team-b'] })
    const post = (body: object, as: Headers = ann): Promise<[number, string]> =>
      refused(send('POST', '/api/v1/tokens', { as, body }))
    expect(await post({ name: 'a', role: 'admin' })).toEqual([403, 'not-allowed'])
    expect(await post({ name: 'a', namespaces: ['team-a', 'team-c'] })).toEqual([403, 'not-allowed'])
    expect(await post({ name: 'a', clusters: ['nowhere'] })).toEqual([404, 'unknown-cluster'])
    const wide = await makeToken({ name: 'wide', role: 'operator' }, ann)
    const narrow = await makeToken({ name: 'narrow', namespaces: ['team-a'] }, ann)
    expect(wide.token.namespaces).toEqual(['team-a', 'team-b'])
    expect(await post({ name: 'wide' })).toEqual([400, 'invalid-input'])
    expect(await post({ name: 'more' }, bearer(wide.secret))).toEqual([403, 'not-allowed'])
    await giveRole('ann', { role: 'viewer', namespaces: ['team-b'] })
    expect(await me(bearer(wide.secret))).toMatchObject({ role: 'viewer', namespaces: ['team-b'] })
    expect(await me(bearer(narrow.secret))).toMatchObject({ role: 'viewer', namespaces: [] })
  })

  test('end when their maker is banned or gone', async () => {
    const { accounts } = septet.identity.auth.context.access
    for (const [name, end] of [
      ['ann', (id: string) => accounts.update(id, { bannedUntil: instant(Date.now() + 60_000) })],
      ['bob', (id: string) => accounts.remove(id)],
    ] as const) {
      const { secret } = await makeToken({ name: `of-${name}` }, await septet.signIn(`${name}@example.com`))
      expect((await me(bearer(secret))).kind).toBe('token')
      const account = await accounts.byEmail(`${name}@example.com`)
      await end(account?.id ?? '')
      expect(await refused(send('GET', '/api/v1/me', { as: bearer(secret) }))).toEqual([401, 'not-signed-in'])
    }
  })

  test('are for their makers to see and revoke, and for an admin', async () => {
    const ann = await septet.signIn('ann@example.com')
    const bob = await septet.signIn('bob@example.com')
    const { token } = await makeToken({ name: 'of-ann' }, ann)
    const names = async (as: Headers): Promise<string[]> =>
      (await answered(OPERATIONS.tokensList, send('GET', '/api/v1/tokens', { as }))).tokens.map(({ name }) => name)
    expect([await names(ann), await names(bob), await names(admin)]).toEqual([['of-ann'], [], ['of-ann']])
    expect(await refused(send('DELETE', `/api/v1/tokens/${token.id}`, { as: bob }))).toEqual([404, 'not-found'])
    expect((await send('DELETE', `/api/v1/tokens/${token.id}`)).status).toBe(200)
  })

  test('can be revoked when they have expired', async () => {
    const { token } = await makeToken({ name: 'old' }, admin)
    const stored = (await septet.store.access.tokens.list()).find(({ id }) => id === token.id)
    if (stored === undefined) throw new Error('the token is not stored')
    await septet.store.access.tokens.create({ ...stored, id: 'expired', hash: 'expired', expiresAt: instant(1) })
    expect((await send('DELETE', '/api/v1/tokens/expired')).status).toBe(200)
  })

  test('do not come to life again when the address of their maker has another account', async () => {
    const ann = await septet.signIn('ann@example.com')
    const { secret } = await makeToken({ name: 'scraper' }, ann)
    expect((await me(bearer(secret))).name).toBe('token:scraper')
    const { accounts } = septet.identity.auth.context.access
    await accounts.remove((await accounts.byEmail('ann@example.com'))?.id ?? '')
    await septet.signIn('ann@example.com')
    expect(await refused(send('GET', '/api/v1/me', { as: bearer(secret) }))).toEqual([401, 'not-signed-in'])
  })
})

describe('sessions', () => {
  test('can be ended one by one, at once, and only by whose they are', async () => {
    const ann = await septet.signIn('ann@example.com')
    const phone = await septet.signIn('ann@example.com')
    const bob = await septet.signIn('bob@example.com')
    const lost = (await sessionsOf(phone)).find(({ current }) => current)
    expect(await sessionsOf(ann)).not.toHaveLength(1)
    expect(await refused(send('DELETE', `/api/v1/sessions/${lost?.id}`, { as: bob }))).toEqual([404, 'not-found'])
    expect((await send('DELETE', `/api/v1/sessions/${lost?.id}`, { as: ann })).status).toBe(200)
    expect(await refused(send('GET', '/api/v1/me', { as: phone }))).toEqual([401, 'not-signed-in'])
    expect((await me(ann)).name).toBe('ann@example.com')
    expect(await sessionsOf({})).toEqual([])
  })
})

/** Whether the letter to each reader is shown with its code. */
async function codesShown(as: Headers): Promise<ReadonlyMap<string, boolean>> {
  const { mails } = await answered(OPERATIONS.mailsList, send('GET', '/api/v1/mails', { as }))
  return new Map(mails.map(({ to, text }) => [to, /^ {4}\d{6}$/mu.test(text)]))
}

const publicKids = async (): Promise<string[]> => {
  const answer = await fetch(`${septet.url}/auth/v1/.well-known/jwks.json`)
  const { keys } = (await answer.json()) as { keys: { kid: string }[] }
  return keys.map(({ kid }) => kid)
}
const rotate = (body: object, as: Headers = admin) => send('POST', '/api/v1/signing-keys', { body, as })

describe('signing keys', () => {
  test('are rotated by an admin: tokens of before go on, unless a key leaked; sessions go on in any case', async () => {
    const [first] = await publicKids()
    const answer = await answered(OPERATIONS.signingKeysRotate, rotate({}))
    expect(answer.verifying).toEqual([first])
    expect(await publicKids()).toEqual([answer.kid, first])
    expect((await me(admin)).role).toBe('admin')
    const signedIn = await send('POST', '/auth/v1/token?grant_type=password', {
      as: {},
      body: { email: 'admin@septet.local', password: 'a long enough password' },
    })
    const { access_token: access, refresh_token: refresh } = (await signedIn.json()) as Record<string, string>
    const leaked = await answered(OPERATIONS.signingKeysRotate, rotate({ leaked: true }))
    expect([leaked.verifying, await publicKids()]).toEqual([[], [leaked.kid]])
    expect(await refused(send('GET', '/api/v1/members', { as: bearer(access ?? '') }))).toEqual([401, 'not-signed-in'])
    const renewed = await send('POST', '/auth/v1/token?grant_type=refresh_token', {
      as: {},
      body: { refresh_token: refresh },
    })
    const { access_token: fresh } = (await renewed.json()) as Record<string, string>
    expect((await me(bearer(fresh ?? ''))).name).toBe('admin@septet.local')
  })

  test('are not for an operator', async () => {
    await giveRole('bob', { role: 'operator' })
    expect(await refused(rotate({}, await septet.signIn('bob@example.com')))).toEqual([403, 'not-allowed'])
  })
})

describe('the outbox', () => {
  test("does not show an admin, nor a token, what opens the owner's account", async () => {
    await giveRole('ann', { role: 'admin' })
    const ann = await septet.signIn('ann@example.com')
    for (const email of ['admin@septet.local', 'ann@example.com']) {
      expect((await send('POST', '/auth/v1/recover', { body: { email } })).status).toBe(200)
    }
    await expect
      .poll(() => codesShown(admin))
      .toEqual(
        new Map([
          ['ann@example.com', true],
          ['admin@septet.local', true],
        ]),
      )
    const { secret } = await makeToken({ name: 'reader', role: 'admin' })
    for (const as of [ann, bearer(secret)]) {
      expect(await codesShown(as)).toEqual(
        new Map([
          ['ann@example.com', true],
          ['admin@septet.local', false],
        ]),
      )
    }
  })
})

describe('the audit log', () => {
  test('holds what was done and who was refused, and no secret', async () => {
    const ann = await septet.signIn('ann@example.com')
    await giveRole('ann', { role: 'operator' })
    const { secret } = await makeToken({ name: 'ci', role: 'operator' }, ann)
    for (let tries = 0; tries < 3; tries += 1) {
      await send('PUT', '/api/v1/prices/p', { as: bearer(secret), body: { usdPerGpuHour: 1, source: 'contract' } })
    }
    await send('PUT', '/api/v1/prices/p', { as: {}, body: { usdPerGpuHour: 1, source: 'a visitor' } })
    await send('GET', '/api/v1/summary')
    expect(await auditFacts('members.put')).toEqual([
      { actor: 'admin@septet.local', object: 'ann@example.com', outcome: 'done', details: { role: 'operator' } },
    ])
    expect(await auditFacts('tokens.create')).toMatchObject([
      { actor: 'ann@example.com', object: 'ci', outcome: 'done' },
    ])
    // Once: who asks again and again does not fill the log.
    expect(await auditFacts('prices.put')).toMatchObject([{ actor: 'token:ci', object: 'p', outcome: 'refused' }])
    expect(await auditFacts('summary.get')).toEqual([])
    expect(JSON.stringify(await auditPage('?limit=500'))).not.toContain(secret)
  })

  test('also holds refusals that an operation finds out by itself', async () => {
    const ann = await septet.signIn('ann@example.com')
    await send('POST', '/api/v1/tokens', { as: ann, body: { name: 'too-much', role: 'admin' } })
    expect(await auditFacts('tokens.create')).toMatchObject([
      { actor: 'ann@example.com', object: 'too-much', outcome: 'refused', details: { role: 'admin' } },
    ])
  })

  test('comes page by page, without a gap and without an end too soon', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await makeToken({ name })
    const seen: number[] = []
    let next: number | null = null
    do {
      const page: OutputOf<typeof OPERATIONS.auditList> = await auditPage(
        `?limit=2${next === null ? '' : `&before=${next}`}`,
      )
      seen.push(...page.entries.map(({ seq }) => seq))
      next = page.next
    } while (next !== null)
    expect(seen).toEqual(seen.map((_, index) => seen.length - index))
    expect(seen.length).toBeGreaterThanOrEqual(4)
  })

  test('is exported whole, with the verdict on its chain, and that is written down too', async () => {
    await makeToken({ name: 'a' })
    const { lines, chain } = await exported()
    expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1))
    expect(chain).toMatchObject({ kind: 'whole', entries: lines.length })
    expect(await auditFacts('audit.export')).toHaveLength(1)
  })

  test('an entry that was changed is found out, and what follows is exported all the same', async () => {
    for (const name of ['a', 'b', 'c']) await makeToken({ name })
    const { audit } = septet.store.access
    const all = audit.all.bind(audit)
    Object.assign(audit, {
      async *all(): AsyncGenerator<readonly AuditEntry[]> {
        for await (const batch of all()) {
          for (const entry of batch) yield [entry.seq === 2 ? { ...entry, actor: 'someone@else.example' } : entry]
        }
      },
    })
    const { lines, chain } = await exported()
    expect(chain).toMatchObject({ kind: 'broken', seq: 2 })
    expect(lines.length).toBeGreaterThanOrEqual(4)
  })

  test('is for admins who see everything', async () => {
    const ann = await septet.signIn('ann@example.com')
    expect(await refused(send('GET', AUDIT_EXPORT_PATH, { as: ann }))).toEqual([403, 'not-allowed'])
    expect(await refused(send('GET', AUDIT_EXPORT_PATH, { as: {} }))).toEqual([401, 'not-signed-in'])
  })
})
