import { instant, type AccessStore, type Account, type Factor, type Session } from '@septet/domain'
import { openTestStore } from '@septet/storage/testing'
import { beforeEach, describe, expect, test } from 'vitest'

import { openLiveSessions, type LiveSessions } from './live-sessions.ts'

const at = instant(1_000_000)
const ACCOUNT: Account = {
  id: '6f1c2b1e-0000-4000-8000-000000000001',
  email: 'ann@b.example',
  passwordHash: undefined,
  appMetadata: {},
  userMetadata: {},
  emailConfirmedAt: at,
  invitedAt: undefined,
  lastSignInAt: undefined,
  bannedUntil: undefined,
  newEmail: undefined,
  mailSentAt: {},
  createdAt: at,
  updatedAt: at,
}
const SESSION: Session = {
  id: '6f1c2b1e-0000-4000-8000-000000000002',
  accountId: ACCOUNT.id,
  aal: 'aal1',
  factorId: undefined,
  methods: [],
  refreshCounter: 0,
  createdAt: at,
  refreshedAt: at,
  userAgent: '',
  ip: '',
  notAfter: undefined,
  providerSession: undefined,
}
const FACTOR: Factor = {
  id: '6f1c2b1e-0000-4000-8000-000000000003',
  accountId: ACCOUNT.id,
  friendlyName: 'phone',
  status: 'verified',
  secret: new Uint8Array(),
  lastStep: undefined,
  lastChallengedAt: undefined,
  createdAt: at,
  updatedAt: at,
}

let reads: number
let clock: number
let access: AccessStore
let live: LiveSessions
/** What a read of a session does before it answers with what it found. */
let gate: () => Promise<void>

beforeEach(async () => {
  reads = 0
  clock = 0
  gate = async () => {}
  const store = (await openTestStore()).access
  const counting: AccessStore = {
    ...store,
    sessions: {
      ...store.sessions,
      async get(id) {
        reads++
        const found = await store.sessions.get(id)
        await gate()
        return found
      },
    },
  }
  ;({ access, live } = openLiveSessions(counting, () => instant(clock)))
  await access.accounts.create(ACCOUNT)
  await access.sessions.create(SESSION)
})

const find = async () => live.find(SESSION.id)

test('a session is read once in five seconds', async () => {
  await Promise.all([find(), find()])
  clock = 4999
  expect(await find()).toMatchObject({ session: { id: SESSION.id }, account: { id: ACCOUNT.id }, factors: [] })
  expect(reads).toBe(1)
  clock = 5000
  await find()
  expect(reads).toBe(2)
})

describe('it is read again at once after', () => {
  test.each([
    ['its end', () => access.sessions.remove(SESSION.id)],
    ['the end of all', () => access.sessions.removeOf(ACCOUNT.id)],
    ['the account is gone', () => access.accounts.remove(ACCOUNT.id)],
    ['it was pruned', () => access.sessions.prune(at, instant(at + 1))],
  ])('%s', async (_what, change) => {
    expect(await find()).toBeDefined()
    await change()
    expect(await find()).toBeUndefined()
  })
  test.each([
    ['a ban', () => access.accounts.update(ACCOUNT.id, { bannedUntil: at })],
    ['a change of address', () => access.accounts.update(ACCOUNT.id, { email: 'bob@b.example' })],
    ['a rise to aal2', () => access.sessions.update(SESSION.id, { aal: 'aal2' })],
    ['a refresh', () => access.sessions.advance(SESSION.id, 0, { refreshCounter: 1 })],
    ['a second factor', () => access.factors.create(FACTOR)],
  ])('%s', async (_what, change) => {
    const before = await find()
    await change()
    expect(await find()).not.toEqual(before)
  })
  test('a second factor was confirmed, and removed', async () => {
    await access.factors.create({ ...FACTOR, status: 'unverified' })
    expect((await find())?.factors).toMatchObject([{ status: 'unverified' }])
    await access.factors.update(FACTOR.id, { status: 'verified' })
    expect((await find())?.factors).toMatchObject([{ status: 'verified' }])
    await access.factors.remove(FACTOR.id)
    expect((await find())?.factors).toEqual([])
  })
})

test('what others do does not matter', async () => {
  const other = { ...ACCOUNT, id: '6f1c2b1e-0000-4000-8000-000000000009', email: 'bob@b.example' }
  await access.accounts.create(other)
  await find()
  await access.accounts.update(other.id, { lastSignInAt: at })
  await access.sessions.removeOf(other.id)
  await find()
  expect(reads).toBe(1)
})

test('a read that was under way when the session ended is not kept', async () => {
  const [found, waiting] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  gate = () => {
    found.resolve()
    return waiting.promise
  }
  const slow = find()
  await found.promise
  await access.sessions.remove(SESSION.id)
  waiting.resolve()
  await slow
  expect(await find()).toBeUndefined()
})

test('a read that failed is not kept', async () => {
  gate = () => Promise.reject(new Error('the database is away'))
  await expect(find()).rejects.toThrow('away')
  gate = async () => {}
  expect(await find()).toBeDefined()
})
