import { describe, expect, test } from 'vitest'

import navigation from '../../content/navigation.json' with { type: 'json' }
import { showAccount } from './show-account.ts'

const { signIn } = navigation
const session = (email: unknown, more: object = { refresh_token: 'r' }): string =>
  JSON.stringify({ user: { email }, ...more })

/** The links of a page to the door: to sign in, and to begin. */
function linksAfter(kept: string): readonly string[] {
  const page = document.createElement('div')
  page.innerHTML = `<a href="${signIn.href}">${signIn.label}</a><a href="${signIn.href}">Get Started</a><a href="/docs">Docs</a>`
  showAccount(page, kept)
  return [...page.querySelectorAll('a')].map((link) => `${link.textContent} ${link.getAttribute('href')}`)
}
const STRANGER = [`${signIn.label} ${signIn.href}`, `Get Started ${signIn.href}`, 'Docs /docs']

describe('a page of the site', () => {
  test('says the account in the place of signing in, and leads to the dashboard', () =>
    expect(linksAfter(session('ada@example.com'))).toEqual([
      'ada@example.com /dashboard/settings/account',
      'Open dashboard /dashboard',
      'Docs /docs',
    ]))

  test('shows an address as a text', () =>
    expect(linksAfter(session('<b>x</b>@example.com'))[0]).toBe('<b>x</b>@example.com /dashboard/settings/account'))

  test.each([
    ['what is no session', '{'],
    ['null', 'null'],
    ['a session that cannot go on', session('ada@example.com', {})],
    ['an account without an address', session('')],
    ['an address that is no text', session({ a: 1 })],
    ['a list', '[]'],
  ])('is that of a stranger over %s', (_, kept) => expect(linksAfter(kept)).toEqual(STRANGER))
})
