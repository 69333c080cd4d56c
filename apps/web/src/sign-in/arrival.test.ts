import { afterEach, describe, expect, test, vi } from 'vitest'

import { reasonWords } from './SignInFrame.tsx'
import { linkOf } from './arrival.ts'
import { enterDashboard } from './enter.ts'

const HASH = 'a'.repeat(64)
const letter = (type: string) => ({ kind: 'letter', letter: { tokenHash: HASH, type } })
const CARRIES = { kind: 'broken', words: 'A link that carries a sign-in is not followed' }

test.each([
  ['', '', { kind: 'none' }],
  ['', '#main', { kind: 'none' }],
  ['?next=%2Fdashboard&type=recovery', '', { kind: 'none' }],
  [`?token_hash=${HASH}&type=recovery`, '', letter('recovery')],
  [`?next=%2Fdashboard&token_hash=${HASH}&type=email_change`, '', letter('email_change')],
  [`?token_hash=${HASH}&type=constructor`, '', { kind: 'broken', words: 'The link is not complete' }],
  [`?token_hash=${HASH}`, '', { kind: 'broken', words: 'The link is not complete' }],
  ['?token_hash=&type=recovery', '', { kind: 'broken', words: 'The link is not complete' }],
  ['', '#access_token=a&refresh_token=b&type=recovery', CARRIES],
  ['?next=%2F', '#access_token=a&refresh_token=b&type=magiclink', CARRIES],
  [
    '',
    '#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired',
    { kind: 'broken', words: 'Email link is invalid or has expired' },
  ],
  ['', '#error=server_error', { kind: 'broken', words: 'The link could not be used' }],
  [
    '',
    '#error=x&error_code=otp_expired&error_description=Call+this+number',
    { kind: 'broken', words: 'Email link is invalid or has expired' },
  ],
  ['', '#error_description=Call+this+number', { kind: 'broken', words: 'The link could not be used' }],
])('a link that ends in %s%s', (search, hash, link) => expect(linkOf({ search, hash })).toEqual(link))

test.each(['', '?reason=', '?reason=constructor', '?reason=<b>'])('there are no words for %j', (search) =>
  expect(reasonWords(search)).toBeUndefined(),
)
test('a lost session is spoken of', () => expect(reasonWords('?next=%2F&reason=ended')).toMatch(/signed out/u))

const levels = {
  aal1: { currentLevel: 'aal1', nextLevel: 'aal1' },
  needed: { currentLevel: 'aal1', nextLevel: 'aal2' },
}
const client = (session: object | null, level: object) => {
  const left: unknown[] = []
  const fake = {
    getSession: () => Promise.resolve({ data: { session }, error: null }),
    mfa: { getAuthenticatorAssuranceLevel: () => Promise.resolve({ data: level, error: null }) },
    signOut: (options: unknown) => {
      left.push(options)
      return Promise.resolve({ error: null })
    },
  }
  return { left, go: (to: string) => enterDashboard(fake as unknown as Parameters<typeof enterDashboard>[0], to) }
}
const answering = (status: number, body: object = {}) =>
  vi.stubGlobal('fetch', () =>
    Promise.resolve(status === 204 ? new Response(null, { status }) : new Response(JSON.stringify(body), { status })),
  )
/** A browser that lets the site keep things, or not. */
function keeping(cookieEnabled: boolean): void {
  vi.stubGlobal('localStorage', { setItem: () => undefined, removeItem: () => undefined })
  vi.stubGlobal('navigator', { cookieEnabled })
}

describe('going in with a session', () => {
  afterEach(() => vi.unstubAllGlobals())

  const session = { access_token: 'a' }

  test('nobody without one', async () => expect(await client(null, levels.aal1).go('/')).toEqual({ kind: 'nobody' }))

  test('not before the second factor, where there is one', async () => {
    answering(204)
    expect(await client(session, levels.needed).go('/dashboard')).toEqual({ kind: 'second-factor' })
  })

  test('in, with the leave of the server', async () => {
    answering(204)
    keeping(true)
    expect(await client(session, levels.aal1).go('/dashboard')).toEqual({ kind: 'in' })
  })

  test('not round and round where the browser keeps nothing: that is told, and the front page is open', async () => {
    answering(204)
    keeping(false)
    expect(await client(session, levels.aal1).go('/dashboard')).toMatchObject({
      kind: 'refused',
      message: { title: 'Sign-in not kept' },
    })
    expect(await client(session, levels.aal1).go('/')).toEqual({ kind: 'in' })
  })

  test('a session that the server does not know any more is forgotten, or sign-in page and dashboard would send it to and fro', async () => {
    answering(401, { code: 'not-signed-in', detail: 'Ended.', todo: 'Sign in.' })
    const held = client(session, levels.aal1)
    expect(await held.go('/dashboard')).toMatchObject({ kind: 'refused', message: { title: 'Session ended' } })
    expect(held.left).toEqual([{ scope: 'local' }])
  })

  test('an account of a hosted project that may not come in is told why, and signed out', async () => {
    answering(403, { code: 'not-allowed', detail: 'a@b.example may not use this Septet.', todo: 'Ask.' })
    const held = client(session, levels.aal1)
    expect(await held.go('/')).toMatchObject({
      kind: 'refused',
      message: { description: 'a@b.example may not use this Septet. Ask.', tone: 'destructive' },
    })
    expect(held.left).toHaveLength(1)
  })

  test('a server that cannot say leads to the front page all the same, and not to the dashboard', async () => {
    answering(503)
    expect(await client(session, levels.aal1).go('/')).toEqual({ kind: 'in' })
    expect(await client(session, levels.aal1).go('/dashboard')).toMatchObject({ kind: 'refused' })
  })
})
