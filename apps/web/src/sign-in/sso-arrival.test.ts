import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { arriveBySso, ssoStart, ssoWords } from './sso-arrival.ts'

const TOKENS = { access_token: 'a', refresh_token: 'r' }
const replaced = vi.fn<(to: string) => void>()
const setSession = vi.fn<(tokens: object) => Promise<{ error: unknown }>>(() => Promise.resolve({ error: null }))
const opened = () =>
  ({ client: { setSession }, signInInfo: { sso: { name: 'Acme' } } }) as unknown as Parameters<typeof arriveBySso>[0]
const at = (search: string) => vi.stubGlobal('location', { pathname: '/auth', search })
const answering = (status: number, body: unknown) =>
  vi.stubGlobal(
    'fetch',
    vi.fn<() => Promise<Response>>(() => Promise.resolve(new Response(JSON.stringify(body), { status }))),
  )

beforeEach(() => {
  replaced.mockClear()
  setSession.mockClear()
  vi.stubGlobal('history', { replaceState: (_state: unknown, _title: string, to: string) => replaced(to) })
})
afterEach(() => vi.unstubAllGlobals())

test.each([
  ['', '/auth/sso/start'],
  ['?next=%2Fdashboard%2Fcost%3Fa%3Db&x=1', '/auth/sso/start?next=%2Fdashboard%2Fcost%3Fa%3Db'],
])('the way on from %s', (search, to) => expect(ssoStart(search)).toBe(to))

describe('coming back from a provider', () => {
  test('nobody who came otherwise is asked anything', async () => {
    at('?next=%2F')
    answering(200, TOKENS)
    expect(await arriveBySso(opened())).toBeUndefined()
    expect(fetch).not.toHaveBeenCalled()
    expect(replaced).not.toHaveBeenCalled()
  })

  test('takes the session, and the address keeps only where to go on', async () => {
    at('?sso=done&next=%2Fdashboard')
    answering(200, TOKENS)
    expect(await arriveBySso(opened())).toBeUndefined()
    expect(setSession).toHaveBeenCalledWith(TOKENS)
    expect(replaced).toHaveBeenCalledWith('/auth?next=%2Fdashboard')
  })

  test.each<[number, unknown]>([
    [401, { code: 'late' }],
    [200, { access_token: 'a' }],
    [502, 'a proxy’s own page'],
  ])('says that it is too late where %i %j is the answer', async (status, body) => {
    at('?sso=done')
    answering(status, body)
    expect(await arriveBySso(opened())).toMatch(/expired, was already used/u)
    expect(setSession).not.toHaveBeenCalled()
  })

  test('says what went wrong, by its code and never in the address’s own words', async () => {
    at('?sso=away')
    expect(await arriveBySso(opened())).toMatch(/^Acme is not responding.*with a password/u)
    expect(replaced).toHaveBeenCalledWith('/auth')
    at('?sso=Call+this+number')
    expect(await arriveBySso(opened())).toMatch(/^Septet could not finish/u)
    expect(ssoWords('constructor', {})).toMatch(/^Septet could not finish/u)
    expect(ssoWords('denied', {})).toMatch(/^The sign-in provider denied/u)
    expect(ssoWords('denied', { sso: { name: '$&' } })).toMatch(/^\$& denied/u)
  })
})
