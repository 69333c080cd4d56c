import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { authorizedFetch, authorizeWith, type PageCredentials, type Renewal } from './authorized-fetch.ts'

/** Takes the tokens that are good, and remembers which were shown. */
let good: Set<string | null>
let shown: (string | null)[]

beforeEach(() => {
  good = new Set()
  shown = []
  vi.stubGlobal('fetch', (_address: string, init?: RequestInit) => {
    const bearer = new Headers(init?.headers).get('authorization')
    shown.push(bearer)
    return Promise.resolve(new Response('', { status: good.has(bearer) ? 200 : 401 }))
  })
})
afterEach(() => {
  authorizeWith(undefined)
  vi.unstubAllGlobals()
})

/** Someone who holds a token, and can or cannot get another. */
function holder(token: string | undefined, renewal: Renewal): PageCredentials & { readonly told: string[] } {
  const told: string[] = []
  let held = token
  return {
    told,
    token: () => Promise.resolve(held),
    renew: () => {
      told.push('renew')
      if (renewal.kind === 'renewed') held = renewal.token
      return Promise.resolve(renewal)
    },
    lost: () => {
      told.push('lost')
      return Promise.resolve()
    },
  }
}

test('a visitor shows nothing, and a refusal is theirs to see', async () => {
  expect((await authorizedFetch('/api/v1/x')).status).toBe(401)
  expect(shown).toEqual([null])
})

test('a token is shown, and other headers stay', async () => {
  const headers: (string | null)[] = []
  vi.stubGlobal('fetch', (_address: string, init?: RequestInit) => {
    headers.push(new Headers(init?.headers).get('accept'), new Headers(init?.headers).get('authorization'))
    return Promise.resolve(new Response(''))
  })
  authorizeWith(holder('one', { kind: 'refused' }))
  await authorizedFetch('/api/v1/x', { headers: { accept: 'text/plain' } })
  expect(headers).toEqual(['text/plain', 'Bearer one'])
})

test('a refused token is renewed once, and the question asked again', async () => {
  good.add('Bearer two')
  const held = holder('one', { kind: 'renewed', token: 'two' })
  authorizeWith(held)
  expect((await authorizedFetch('/api/v1/x')).status).toBe(200)
  expect(shown).toEqual(['Bearer one', 'Bearer two'])
  expect(held.told).toEqual(['renew'])
})

test('of several that are refused at once, one renews', async () => {
  good.add('Bearer two')
  const held = holder('one', { kind: 'renewed', token: 'two' })
  authorizeWith(held)
  const first = await authorizedFetch('/api/v1/x')
  // The other was sent with the old token, and is refused after the first has renewed it.
  let asked = 0
  authorizeWith({ ...held, token: () => Promise.resolve((asked += 1) === 1 ? 'one' : 'two') })
  const second = await authorizedFetch('/api/v1/y')
  expect([first.status, second.status]).toEqual([200, 200])
  expect(held.told).toEqual(['renew'])
})

test.each([{ kind: 'refused' }, { kind: 'renewed', token: 'also bad' }] satisfies Renewal[])(
  'when renewing ends in %o the session is over, said once',
  async (renewal) => {
    const held = holder('one', renewal)
    authorizeWith(held)
    expect((await authorizedFetch('/api/v1/x')).status).toBe(401)
    expect(held.told).toEqual(['renew', 'lost'])
  },
)

test('when nobody can renew just now, nobody is signed out', async () => {
  const held = holder('one', { kind: 'unreachable' })
  authorizeWith(held)
  expect((await authorizedFetch('/api/v1/x')).status).toBe(401)
  expect(held.told).toEqual(['renew'])
})
