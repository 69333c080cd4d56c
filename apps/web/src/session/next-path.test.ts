import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { signInTo, nextPath } from './next-path.ts'

const ORIGIN = 'https://septet.example'

const after = (next: string): string => nextPath(`?next=${encodeURIComponent(next)}`, ORIGIN)

describe('after signing in', () => {
  test('a page of the dashboard is gone back to, with what it showed', () => {
    expect(after('/dashboard')).toBe('/dashboard')
    expect(after('/dashboard/settings/account')).toBe('/dashboard/settings/account')
    expect(after('/dashboard?cluster=demo&range=7d#gpu')).toBe('/dashboard?cluster=demo&range=7d#gpu')
  })

  test.each(['', '?', '?next=', '?next=%00', '?other=/dashboard'])('without a wish (%s) the front page', (search) =>
    expect(nextPath(search, ORIGIN)).toBe('/'),
  )

  test.each([
    '//evil.example/dashboard',
    '/\\evil.example/dashboard',
    '\\\\evil.example',
    'https://evil.example/dashboard',
    'https:/dashboard',
    'javascript:alert(1)',
    '/\t/evil.example/dashboard',
    '/dashboard/../auth',
    '/dashboard/%2e%2e/api',
    '/dashboardish',
    '/dashboard@evil.example',
    '/demo',
    'dashboard',
    'http://septet.example/dashboard',
  ])('nothing else is followed: %s', (next) => expect(after(next)).toBe('/'))

  const nasty = fc.stringMatching(/^[/\\.:@%a-z0-9\t\n\r?#]{0,30}$/u)

  test('whatever is asked for, the browser stays on this origin, on the front page or the dashboard', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          nasty,
          nasty.map((text) => `/dashboard${text}`),
          nasty.map((text) => `/${text}dashboard`),
          fc.webUrl(),
        ),
        (next) => {
          const url = new URL(after(next), `${ORIGIN}/auth`)
          expect(url.origin).toBe(ORIGIN)
          expect(url.pathname).toMatch(/^\/(dashboard(\/.*)?)?$/u)
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('every page of the dashboard survives the way through the sign-in page', () => {
    fc.assert(
      fc.property(fc.webPath(), fc.webQueryParameters(), (path, query) => {
        const page = new URL(`/dashboard${path}?${query}`, ORIGIN)
        const wanted = `${page.pathname}${page.search}`
        const { search } = new URL(signInTo(wanted), ORIGIN)
        expect(nextPath(search, ORIGIN)).toBe(
          page.pathname.startsWith('/dashboard/') || page.pathname === '/dashboard' ? wanted : '/',
        )
      }),
    )
  })
})
