import { HOUR_MS, MINUTE_MS, instant, type ApiToken, type Member } from '@septet/domain'
import type { FastifyRequest } from 'fastify'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import type { VerifiedToken } from './hosted-verify.ts'
import { AuthProblem } from './auth-problem.ts'
import { openGate, type Gate, type GateNeeds } from './gate.ts'

const verified: VerifiedToken = {
  accountId: '5f1f7c0e-6a4e-4d0b-9c53-6f0f5a1d2e3c',
  email: 'ann@example.com',
  sessionId: 'b7b1c6de-9f1a-4f0e-8a4f-6c3b6f9d0a11',
  aal: 'aal1',
  hasFactor: false,
  expiresAt: instant(HOUR_MS),
}
const token: ApiToken = {
  id: 'one',
  name: 'scraper',
  prefix: 'spt_abcd',
  hash: 'hash of spt_abcdef',
  role: 'admin',
  namespaces: undefined,
  clusters: undefined,
  createdBy: 'ann@example.com',
  account: '5f1f7c0e-6a4e-4d0b-9c53-6f0f5a1d2e3c',
  createdAt: instant(0),
  expiresAt: instant(5 * MINUTE_MS),
  lastUsedAt: undefined,
  revokedAt: undefined,
}

let now: number
let touches: number[]
let member: Member | undefined
/** Whose account made the token, where that was kept. */
let account: ApiToken['account']
let verify: () => Promise<VerifiedToken>
let gate: Gate
let away: boolean

const request = (authorization?: string): FastifyRequest =>
  ({ headers: authorization === undefined ? {} : { authorization }, ip: '192.0.2.1' }) as unknown as FastifyRequest

const whileThere = async <Value>(value: Value): Promise<Value> => {
  if (away) throw Object.assign(new Error('The database is not responding.'), { name: 'StoreError' })
  return value
}

beforeEach(() => {
  now = 0
  touches = []
  member = undefined
  account = token.account
  away = false
  verify = () => whileThere(verified)
  let lastUsedAt: ApiToken['lastUsedAt']
  const needs = {
    auth: { verify: () => verify() },
    access: {
      accounts: { byEmail: () => whileThere(undefined) },
      members: { get: () => whileThere(member) },
      tokens: {
        byHash: (hash: string) => whileThere(hash === token.hash ? { ...token, account, lastUsedAt } : undefined),
        touch: async (_id: string, at: number) => {
          touches.push(at)
          lastUsedAt = instant(at)
        },
      },
    },
    config: {
      mode: { kind: 'hosted', url: 'https://project.supabase.co', anonKey: '', jwtSecret: undefined },
      authorized: { admin: 'admin@septet.local', others: ['*@example.com'], anyone: false },
      publicDemo: true,
    },
    hashToken: (secret: string) => `hash of ${secret}`,
    publicClusters: () => ['demo', 'sample'],
    now: () => instant(now),
  }
  gate = openGate(needs as unknown as GateNeeds)
})

const known = async (bearer?: string) => {
  const { id, party } = await gate.caller(request(bearer))
  return [id, party]
}

describe('the gate', () => {
  test('notes the use of a token at most once a minute', async () => {
    for (const at of [0, 1, MINUTE_MS - 1, MINUTE_MS, MINUTE_MS + 1, 2 * MINUTE_MS]) {
      now = at
      await gate.caller(request('Bearer spt_abcdef'))
    }
    expect(touches).toEqual([0, MINUTE_MS, 2 * MINUTE_MS])
  })

  test('in hosted mode too, a token does no more than its maker, and nothing once they are not admitted', async () => {
    expect(await gate.caller(request('bearer  spt_abcdef'))).toMatchObject({ name: 'token:scraper', role: 'viewer' })
    member = {
      email: 'ann@example.com',
      role: 'operator',
      namespaces: ['team'],
      until: undefined,
      updatedAt: instant(0),
    }
    expect(await gate.caller(request('Bearer spt_abcdef'))).toMatchObject({ role: 'operator', namespaces: ['team'] })
    now = 5 * MINUTE_MS
    await expect(gate.caller(request('Bearer spt_abcdef'))).rejects.toMatchObject({ code: 'not-signed-in' })
  })

  test('callers are told apart by ids, and a token acts for the account that made it', async () => {
    const ann = 'account:5f1f7c0e-6a4e-4d0b-9c53-6f0f5a1d2e3c'
    expect(await known('Bearer a.b.c')).toEqual([ann, ann])
    expect(await known('Bearer spt_abcdef')).toEqual(['token:one', ann])
    account = undefined
    expect(await known('Bearer spt_abcdef')).toEqual(['token:one', undefined])
    expect(await known()).toEqual(['visitor:192.0.2.1', undefined])
  })

  test('an account of the hosted project that is not admitted here is refused', async () => {
    verify = async () => ({ ...verified, email: 'ann@example.com.evil.example' })
    await expect(gate.caller(request('Bearer a.b.c'))).rejects.toMatchObject({ code: 'not-allowed' })
  })

  test.each(['Basic YTpi', 'Bearer', 'Bearer ', 'Bearer a b', 'spt_abcdef', ''])(
    'who sends "%s" does not mean to be a visitor',
    async (header) => {
      await expect(gate.caller(request(header))).rejects.toMatchObject({ code: 'not-signed-in' })
    },
  )

  test('a hosted project that does not answer is not a bad token', async () => {
    const problem = new AuthProblem(503, 'unexpected_failure', 'The project is not responding.')
    verify = () => Promise.reject(problem)
    await expect(gate.caller(request('Bearer a.b.c'))).rejects.toBe(problem)
  })
})

/** From now on nothing is told of an access token until it is refused. */
function still() {
  const { promise, reject } = Promise.withResolvers<VerifiedToken>()
  verify = () => promise
  return { refuse: () => reject(new AuthProblem(401, 'bad_jwt', 'It was revoked.')) }
}

describe('while the database stands still', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())
  test('whoever was let in lately waits a second, and what is told later holds from then on', async () => {
    await gate.caller(request('Bearer ey.J.x'))
    const { refuse } = still()
    const waiting = gate.caller(request('Bearer ey.J.x'))
    await vi.advanceTimersByTimeAsync(1000)
    expect(await waiting).toMatchObject({ name: 'ann@example.com' })
    refuse()
    await vi.advanceTimersByTimeAsync(0)
    await expect(gate.caller(request('Bearer ey.J.x'))).rejects.toThrow('not valid')
  })

  test('whoever was not waits', async () => {
    still()
    let isOver = false
    void gate.caller(request('Bearer ey.J.x')).finally(() => (isOver = true))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(isOver).toBe(false)
  })
})

describe('while the database is away', () => {
  test('whoever was let in lately is let in again, for a quarter of an hour and no longer than what they showed', async () => {
    const [person, program] = [request('Bearer a.b.c'), request('Bearer spt_abcdef')]
    await gate.caller(person)
    await gate.caller(program)
    away = true
    now = 5 * MINUTE_MS - 1
    expect((await gate.caller(person)).name).toBe('ann@example.com')
    expect((await gate.caller(program)).name).toBe('token:scraper')
    now = 5 * MINUTE_MS
    await expect(gate.caller(program)).rejects.toMatchObject({ name: 'StoreError' })
    now = 15 * MINUTE_MS
    await expect(gate.caller(person)).rejects.toMatchObject({ name: 'StoreError' })
  })

  test('nobody else is, nor who was refused since', async () => {
    await gate.caller(request('Bearer a.b.c'))
    verify = () => Promise.reject(new AuthProblem(403, 'session_not_found', 'The session is gone.'))
    await expect(gate.caller(request('Bearer a.b.c'))).rejects.toMatchObject({ code: 'not-signed-in' })
    away = true
    verify = () => whileThere(verified)
    await expect(gate.caller(request('Bearer a.b.c'))).rejects.toMatchObject({ name: 'StoreError' })
    await expect(gate.caller(request('Bearer d.e.f'))).rejects.toMatchObject({ name: 'StoreError' })
  })
})
