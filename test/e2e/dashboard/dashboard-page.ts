import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'

import { windowsOf, type Session, type Windows } from '../../windows.ts'

type DashboardVisit = {
  readonly browser: Browser
  readonly url: string
  readonly session: Session
  /** The instant at which the page's clock stands still; it runs when left out. */
  readonly now?: number
} & BrowserContextOptions

/** Opens a page for somebody who is signed in, hands it over, and fails on any error that the page itself throws. */
export async function visitDashboard(
  { browser, url, now, ...how }: DashboardVisit,
  look: (page: Page) => Promise<void>,
): Promise<void> {
  const open = windows.get(browser) ?? windowsOf(browser)
  windows.set(browser, open)
  const page = await open(how)
  try {
    page.setDefaultTimeout(60_000)
    const thrown: string[] = []
    page.on('pageerror', (error) => thrown.push(error.message))
    if (now !== undefined) await page.clock.setFixedTime(now)
    await page.goto(url)
    await look(page)
    expect(thrown).toEqual([])
  } finally {
    await page.close()
  }
}

const windows = new WeakMap<Browser, Windows>()

/** The account that may sign up where nothing else is set, with the password that every test gives. */
export const ADMIN = { email: 'admin@septet.local', password: 'a long enough password' }

/** The session of an account that a server has, for its pages. */
export async function sessionOf(url: string, { email, password } = ADMIN): Promise<Session> {
  const answer = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  if (!answer.ok) throw new Error(`could not sign in as ${email}: ${answer.status} ${await answer.text()}`)
  const signedIn: { expires_in: number } = await answer.json()
  const expiresAt = Math.floor(Date.now() / 1000) + signedIn.expires_in
  return { key: 'septet-auth', value: JSON.stringify({ ...signedIn, expires_at: expiresAt }) }
}

/** Signs in by the form of a page, which then leads to that path. */
export async function signInByForm(
  page: Page,
  url: string,
  { next, account = ADMIN }: { next: string; account?: typeof ADMIN },
): Promise<void> {
  await page.goto(`${url}/auth?next=${encodeURIComponent(next)}`)
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.waitForURL(`${url}${next}`)
}

/** Goes to another screen as a link of the page does, without loading the page again, and waits for its heading. */
export async function goWithin(page: Page, path: string, heading: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  await page.getByRole('heading', { level: 1, name: heading, exact: true, includeHidden: true }).waitFor()
  await settled(page)
}

/** Waits until nothing of a page is loading any more. */
export const settled = (page: Page): Promise<unknown> =>
  page.waitForFunction(
    () =>
      document.querySelector('[aria-busy="true"]') === null &&
      [...document.querySelectorAll('output')].every((output) => !output.textContent.startsWith('Loading')),
  )

/** What the address of a page holds. */
export const parameters = (page: Page): Record<string, string> => Object.fromEntries(new URL(page.url()).searchParams)
