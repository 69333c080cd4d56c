import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'

import { axeFindings, overflow } from '../page-flaws.ts'
import { removeDataDir, startSeptet, type SeptetProcess } from '../server-process.ts'
import { openBrowser } from '../shared/shared.ts'
import { windowsOf, type Windows } from '../windows.ts'

/** The one address that may sign up where nothing else is set. */
export const OWNER = { email: 'admin@septet.local', password: 'a long enough password' }

/** A Septet that watches no cluster and has no account yet. */
export let septet: SeptetProcess
let browser: Browser
let open: Windows

/** Opens it before the tests of a file, and closes it after them. */
export function openBeforeTests(): void {
  beforeAll(async () => {
    ;[septet, browser] = await Promise.all([startSeptet({ environment: { SEPTET_DEMO: 'off' } }), openBrowser()])
    open = windowsOf(browser)
  })
  afterAll(async () => {
    await browser?.close()
    await septet?.stop()
    await removeDataDir(septet.dataDir)
  })
}

type Visit = {
  readonly path?: string
  readonly prepare?: (page: Page) => Promise<unknown>
  readonly alone?: boolean
} & BrowserContextOptions

/** Opens a page in a browser that knows nothing yet, and fails on any error that the page itself throws. */
export async function visit(
  { path = '/auth', prepare, ...options }: Visit,
  look: (page: Page) => Promise<void>,
): Promise<void> {
  const page = await open({ viewport: { width: 1280, height: 800 }, ...options })
  await prepare?.(page)
  page.setDefaultTimeout(60_000)
  const thrown: string[] = []
  page.on('pageerror', (error) => thrown.push(error.message))
  try {
    await page.goto(`${septet.url}${path}`)
    await look(page)
    expect(thrown).toEqual([])
  } finally {
    await page.close()
  }
}

export const email = (page: Page) => page.getByLabel('Email')
export const password = (page: Page) => page.getByLabel('Password', { exact: true })
export const submit = (page: Page, name: 'Sign In' | 'Sign Up') => page.getByRole('button', { name, exact: true })
export const toSignUp = (page: Page) => page.getByRole('button', { name: 'No account yet? Sign up' }).click()

export async function send(page: Page, account: { email: string; password: string }, name: 'Sign In' | 'Sign Up') {
  await email(page).fill(account.email)
  await password(page).fill(account.password)
  await submit(page, name).click()
}

/** Waits for a toast with that title and that text. */
export async function toasted(page: Page, title: string, description: string): Promise<boolean> {
  const shown = page.locator('[data-sonner-toast]').filter({ hasText: title })
  await shown.getByText(title, { exact: true }).waitFor()
  await shown.getByText(description, { exact: true }).waitFor()
  return true
}

/** Signs in by the form, and waits until the page is elsewhere. */
export async function passThrough(page: Page): Promise<void> {
  await send(page, OWNER, 'Sign In')
  await page.waitForURL((url) => url.pathname !== '/auth')
}

export const pathOf = (page: Page): string => new URL(page.url()).pathname
export const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('name'))
export const stored = (page: Page) => page.evaluate(() => localStorage.getItem('septet-auth'))

/** Signs in, and looks at a page behind the sign-in page. */
export const signedIn = (path: string, look: (page: Page) => Promise<void>) =>
  visit({ path: `/auth?next=${encodeURIComponent(path)}` }, async (page) => {
    await passThrough(page)
    await look(page)
  })

/** What axe finds on a page, and whether it is wider than its window. */
export async function flaws(page: Page): Promise<string[]> {
  const found = await axeFindings(page)
  return (await overflow(page)) === 0 ? found : [...found, `${page.url()} is wider than its window`]
}

/** What a letter's link looks like. */
export const LINK = /https?:\S+\/auth\?\S*token_hash=\S+/u

/** The newest letter of the outbox, read by the admin that its reader asks for help. */
export const letter = async (headers: { authorization: string }): Promise<string> => {
  const answer = await fetch(`${septet.url}/api/v1/mails?limit=1`, { headers })
  const { mails }: { mails: { text: string }[] } = await answer.json()
  return mails[0]?.text ?? ''
}

/** Forgets the password: asks for the letter that replaces it. */
export async function askForLetter(page: Page): Promise<void> {
  await email(page).fill(OWNER.email)
  await page.getByRole('button', { name: 'Forgot password?' }).click()
  await expect.poll(() => email(page).inputValue()).toBe(OWNER.email)
  await page.getByRole('button', { name: 'Send email' }).click()
  await page.getByRole('heading', { name: 'Look into your mail' }).waitFor()
}
