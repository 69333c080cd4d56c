import { OPERATIONS, ProblemDocumentSchema, type Operation } from '@septet/contract'
import { instant } from '@septet/domain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { openTestSeptet, type TestSeptet } from './open-test-septet.fixture.ts'

/** For people alone: what a lost token could do to stay, and what a terminal shows to one person. */
const PERSONAL = new Set(['tokens.create', 'logins.get', 'logins.allow', 'logins.deny'])

/** Everyone who can stand before the sign-in page; `may` says in the specification's words what they get. */
const CALLERS = {
  none: { may: () => 401 },
  visitor: {
    may: ({ role, effect, name }) => (role === 'viewer' && effect === 'read' && !PERSONAL.has(name) ? 'answered' : 401),
  },
  viewer: { may: ({ role }) => (role === 'viewer' ? 'answered' : 403) },
  operator: { may: ({ role }) => (role === 'admin' ? 403 : 'answered') },
  admin: { may: () => 'answered' },
  'viewer of one namespace': {
    may: ({ role, reach }) => (role === 'viewer' && reach !== 'cluster' && reach !== 'installation' ? 'answered' : 403),
  },
  'admin of one namespace': {
    may: ({ reach }) => (reach === 'cluster' || reach === 'installation' ? 403 : 'answered'),
  },
  'token of a viewer': { may: ({ role, name }) => (role === 'viewer' && !PERSONAL.has(name) ? 'answered' : 403) },
  'token of an operator': {
    may: ({ role, name }) => (role === 'admin' || PERSONAL.has(name) ? 403 : 'answered'),
  },
  'token of an admin': { may: ({ name }) => (PERSONAL.has(name) ? 403 : 'answered') },
  'token of an admin for one cluster': {
    may: ({ reach, name }) => (reach === 'installation' || PERSONAL.has(name) ? 403 : 'answered'),
  },
  'token whose maker was demoted': {
    may: ({ role, name }) => (role === 'viewer' && !PERSONAL.has(name) ? 'answered' : 403),
  },
  'expired token': { may: () => 401 },
  'revoked token': { may: () => 401 },
  'invented token': { may: () => 401 },
  'expired account token': { may: () => 401 },
  'account token without a signature': { may: () => 401 },
  'account that signed out': { may: () => 401 },
  'account that is no longer admitted': { may: () => 403 },
  'account without its second factor': { may: () => 403 },
  'password instead of a token': { may: () => 401 },
} satisfies Record<string, { may(operation: Operation): 'answered' | 401 | 403 }>
type CallerName = keyof typeof CALLERS

let septet: TestSeptet
let locked: TestSeptet
let headers: Record<CallerName, Record<string, string>>

beforeAll(async () => {
  const environment = { SEPTET_AUTHORIZED_EMAIL: 'admin@septet.local, *@example.com' }
  septet = await openTestSeptet({ environment })
  locked = await openTestSeptet({ environment: { SEPTET_PUBLIC_DEMO: 'off' } })
  headers = await prepare()
})
afterAll(async () => {
  await septet.close()
  await locked.close()
})

async function prepare(): Promise<typeof headers> {
  const admin = await septet.signIn('admin@septet.local')
  const person = (name: string) => septet.signIn(`${name}@example.com`)
  const people = {
    viewer: await person('viewer'),
    operator: await person('operator'),
    narrow: await person('narrow'),
    narrowAdmin: await person('narrow-admin'),
    demoted: await person('demoted'),
    gone: await person('gone'),
    guarded: await person('guarded'),
  }
  const give = (name: string, body: object) => ask('PUT', `/api/v1/members/${name}@example.com`, { admin, body })
  await give('operator', { role: 'operator' })
  await give('narrow', { role: 'viewer', namespaces: ['team'] })
  await give('narrow-admin', { role: 'admin', namespaces: ['team'] })
  await give('demoted', { role: 'admin' })
  const tokens = {
    viewer: await makeToken(people.viewer, { name: 'of-viewer' }),
    operator: await makeToken(people.operator, { name: 'of-operator', role: 'operator' }),
    admin: await makeToken(admin, { name: 'of-admin', role: 'admin' }),
    cluster: await makeToken(admin, { name: 'of-cluster', role: 'admin', clusters: ['demo'] }),
    demoted: await makeToken(people.demoted, { name: 'of-demoted', role: 'admin' }),
    expired: await makeToken(admin, { name: 'expired', role: 'admin' }),
    revoked: await makeToken(admin, { name: 'revoked', role: 'admin' }),
  }
  await give('demoted', { role: 'viewer' })
  await ask('DELETE', `/api/v1/tokens/${tokens.revoked.id}`, { admin })
  await expire(tokens.expired.id)
  await ask('POST', '/auth/v1/logout', { admin: people.gone })
  await enrollFactor('guarded@example.com')
  return {
    none: {},
    visitor: {},
    viewer: people.viewer,
    operator: people.operator,
    admin,
    'viewer of one namespace': people.narrow,
    'admin of one namespace': people.narrowAdmin,
    'token of a viewer': tokens.viewer,
    'token of an operator': tokens.operator,
    'token of an admin': tokens.admin,
    'token of an admin for one cluster': tokens.cluster,
    'token whose maker was demoted': tokens.demoted,
    'expired token': tokens.expired,
    'revoked token': tokens.revoked,
    'invented token': { authorization: `Bearer spt_${'A'.repeat(43)}` },
    'expired account token': { authorization: `Bearer ${await expiredAccountToken()}` },
    'account token without a signature': { authorization: `Bearer ${unsigned(admin.authorization)}` },
    'account that signed out': people.gone,
    'account that is no longer admitted': await notAdmitted(),
    'account without its second factor': people.guarded,
    'password instead of a token': { authorization: `Basic ${btoa('admin@septet.local:a long enough password')}` },
  }
}

type Ask = { readonly admin: Record<string, string>; readonly body?: object }

async function ask(method: string, path: string, { admin, body }: Ask): Promise<Record<string, unknown>> {
  const answer = await fetch(`${septet.url}${path}`, {
    method,
    headers: { authorization: admin['authorization'] ?? '', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
}

async function makeToken(by: Record<string, string>, body: object): Promise<{ id: string; authorization: string }> {
  const made = OPERATIONS.tokensCreate.output.parse(await ask('POST', '/api/v1/tokens', { admin: by, body }))
  return { id: made.token.id, authorization: `Bearer ${made.secret}` }
}

/** As time would do it: the store has no way to change a token, so it is made again, ended. */
async function expire(id: string): Promise<void> {
  const { tokens } = septet.store.access
  const token = (await tokens.list()).find((each) => each.id === id)
  if (token === undefined) throw new Error('no such token')
  Object.assign(token, { expiresAt: instant(Date.now() - 1) })
  const byHash = tokens.byHash.bind(tokens)
  Object.assign(tokens, { byHash: async (hash: string) => (hash === token.hash ? token : byHash(hash)) })
}

async function expiredAccountToken(): Promise<string> {
  const { signingKeys } = septet.identity.auth.context
  const account = await septet.store.access.accounts.byEmail('admin@septet.local')
  const [session] = await septet.store.access.sessions.ofAccount(account?.id ?? '')
  const second = Math.floor(Date.now() / 1000)
  return signingKeys.sign({
    iss: `${septet.url}/auth/v1`,
    aud: 'authenticated',
    sub: account?.id ?? '',
    session_id: session?.id,
    iat: second - 7200,
    exp: second - 3600,
  })
}

const unsigned = (authorization: string): string => {
  const [, claims] = authorization.split('.')
  return `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${claims}.`
}

/** Someone whose account was made while more people were admitted. */
async function notAdmitted(): Promise<{ authorization: string }> {
  const signed = await septet.signIn('former@example.com')
  const { accounts } = septet.identity.auth.context.access
  const account = await accounts.byEmail('former@example.com')
  await accounts.update(account?.id ?? '', { email: 'former@elsewhere.example' })
  return signed
}

async function enrollFactor(email: string): Promise<void> {
  const { access } = septet.identity.auth.context
  const account = await access.accounts.byEmail(email)
  const now = instant(Date.now())
  await access.factors.create({
    id: '6b9f3a54-6f0a-4a52-9d4e-1d8a3c0b7e11',
    accountId: account?.id ?? '',
    friendlyName: 'phone',
    status: 'verified',
    secret: new Uint8Array(20),
    lastStep: undefined,
    lastChallengedAt: now,
    createdAt: now,
    updatedAt: now,
  })
}

/** A request that is right in form where that is easy; only whether it is let through matters. */
async function request({ method, path: route }: Operation, caller: CallerName): Promise<Response> {
  const { url } = caller === 'none' ? locked : septet
  const path = route.replaceAll(/:(\w+)/gu, 'nobody-has-this')
  const hasBody = method === 'PUT' || method === 'POST'
  return fetch(`${url}${path}?${method === 'GET' ? queryOf(route, caller) : ''}`, {
    method,
    headers: { ...headers[caller], ...(hasBody && { 'content-type': 'application/json' }) },
    ...(hasBody && { body: JSON.stringify(BODIES[route] ?? {}) }),
  })
}

/** The cluster, where it takes one and the caller does not go by the one that is theirs, and what it must be asked for. */
function queryOf(path: string, caller: CallerName): string {
  if (!TAKES_CLUSTER.has(path)) return ''
  const cluster = caller === 'visitor' || caller.endsWith('one cluster') ? [] : ['cluster=production']
  return [...cluster, ...(QUERIES[path] ?? [])].join('&')
}

const TAKES_CLUSTER = new Set(
  Object.values<Operation>(OPERATIONS)
    .filter(({ input }) => 'cluster' in input.shape)
    .map(({ path }) => path),
)
/** What must be asked for, where there is no asking for everything. */
const QUERIES: Record<string, readonly string[]> = {
  '/api/v1/partitions/room': ['profile=1g.10gb'],
  '/api/v1/search': ['query=gpu'],
  '/api/v1/workload': ['id=nobody-has-this'],
  // No past is stored here that could be replayed.
  '/api/v1/scenarios/input': ['from=now'],
}
const BODIES: Record<string, object> = { '/api/v1/tokens': { name: 'made-by-the-walk' } }

/** What came of it: `answered`, 401 or 403 in due form, or what is wrong with it. */
async function outcomeOf(operation: Operation, answer: Response): Promise<unknown> {
  const body: unknown = await answer.json()
  const { status } = answer
  const scheme = answer.headers.get('www-authenticate')
  if (status === 401 || status === 403) return isInForm(status, scheme, body) ? status : { status, scheme, body }
  if (operation.method !== 'GET' || asksForOne(operation.path)) {
    return status < 500 ? 'answered' : { status, body }
  }
  const flaw = operation.output.safeParse(body).error?.message
  return status === 200 && flaw === undefined ? 'answered' : { status, flaw }
}

/** Where there is no such thing an answer of 404 is right, too. */
const asksForOne = (path: string): boolean =>
  path.includes(':') || QUERIES[path]?.includes('id=nobody-has-this') === true

const isInForm = (status: number, scheme: string | null, body: unknown): boolean =>
  ProblemDocumentSchema.safeParse(body).data?.todo.endsWith('.') === true &&
  scheme === (status === 401 ? 'Bearer' : null)

describe.each(Object.keys(CALLERS) as CallerName[])('%s', (caller) => {
  test.each(Object.values<Operation>(OPERATIONS).map((operation) => [operation.name, operation] as const))(
    '%s',
    async (_name, operation) => {
      const outcome = await outcomeOf(operation, await request(operation, caller))
      expect(outcome).toEqual(CALLERS[caller].may(operation))
    },
  )
})

test('no operation that changes anything is open to a visitor', () => {
  const open = Object.values<Operation>(OPERATIONS).filter(({ effect }) => effect !== 'read')
  expect(open.length).toBeGreaterThan(5)
  for (const operation of open) expect([operation.name, CALLERS.visitor.may(operation)]).toEqual([operation.name, 401])
})
