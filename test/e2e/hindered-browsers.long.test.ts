import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { launchProfile } from '../browser.ts'
import { signIn } from '../server-process.ts'
import { openBrowser, septetWithoutDemo, type SharedSeptet } from '../shared/shared.ts'

const OWNER = { email: 'admin@septet.local', password: 'a long enough password' }
const TO_DASHBOARD = '/auth?next=%2Fdashboard'
const NOT_KEPT = /this browser does not keep what opens the dashboard/u

let septet: SharedSeptet
let browser: Browser

beforeAll(async () => {
  ;[septet, browser] = await Promise.all([septetWithoutDemo(), openBrowser()])
  await signIn(septet, OWNER)
})
afterAll(() => browser?.close())

/** Counts the documents that a page went through. */
function documentsOf(page: Page): { count: number } {
  const seen = { count: 0 }
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) seen.count += 1
  })
  return seen
}

async function withPage(look: (page: Page, context: BrowserContext) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    await look(page, context)
  } finally {
    await context.close()
  }
}

async function send(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(OWNER.email)
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

/** Signs in, and waits until the dashboard knows who is there. */
async function comeIn(page: Page): Promise<void> {
  await page.goto(`${septet.url}${TO_DASHBOARD}`)
  await send(page)
  await account(page).waitFor()
}

const account = (page: Page) => page.getByRole('button', { name: `Account: ${OWNER.email}` })
const pathOf = (page: Page): string => new URL(page.url()).pathname
/** The words that stay on the page, not those of a toast. */
const told = (page: Page, words: RegExp) => page.getByRole('main').getByRole('status').filter({ hasText: words })

/** The page stays where it is for a while: nothing sends it on. */
async function staysPut(page: Page, documents: { readonly count: number }): Promise<void> {
  const before = documents.count
  await page.evaluate(() => new Promise((done) => setTimeout(done, 1500)))
  expect(documents.count).toBe(before)
}

describe('a browser that refuses cookies', () => {
  test('is told so when it signs in, and is not sent to and fro between the sign-in page and the dashboard', async () => {
    await withPage(async (page, context) => {
      // What a browser or a proxy does that drops Set-Cookie and keeps the rest.
      await context.route('**/auth/page-pass', (route) => route.fulfill({ status: 204 }))
      const documents = documentsOf(page)
      await page.goto(`${septet.url}/dashboard`)
      await send(page)
      await told(page, NOT_KEPT).waitFor()
      expect(pathOf(page)).toBe('/auth')
      await staysPut(page, documents)

      // The session itself was kept, which is what would make it go round.
      await page.goto(`${septet.url}/dashboard`)
      await told(page, NOT_KEPT).waitFor()
      expect(page.url()).toBe(`${septet.url}${TO_DASHBOARD}`)
      await staysPut(page, documents)

      await context.unroute('**/auth/page-pass')
      await page.reload()
      await account(page).waitFor()
      await expect.poll(() => pathOf(page)).toBe('/dashboard')
    })
  })

  test('by its own setting, which takes its storage too, is told before and after it signs in', async () => {
    const profile = await mkdtemp(join(tmpdir(), 'septet-profile-'))
    await mkdir(join(profile, 'Default'))
    // 2: blocked, as in the browser's own settings for cookies and site data.
    const preferences = { profile: { default_content_setting_values: { cookies: 2 } } }
    await writeFile(join(profile, 'Default', 'Preferences'), JSON.stringify(preferences))
    const context = await launchProfile(profile)
    try {
      const page = await context.newPage()
      page.setDefaultTimeout(60_000)
      const documents = documentsOf(page)
      await page.goto(`${septet.url}/dashboard`)
      await told(page, /does not let this site keep anything/u).waitFor()
      await expect(page.evaluate(() => localStorage.length)).rejects.toThrow(/Access is denied/u)
      await send(page)
      await told(page, NOT_KEPT).waitFor()
      expect(pathOf(page)).toBe('/auth')
      await staysPut(page, documents)
    } finally {
      await context.close()
      await rm(profile, { recursive: true, force: true })
    }
  })
})

test('a browser that keeps cookies and no storage ends at the sign-in page, which says why', async () => {
  await withPage(async (page, context) => {
    await context.addInitScript(() =>
      Object.defineProperty(window, 'localStorage', {
        get: () => {
          throw new DOMException('denied', 'SecurityError')
        },
      }),
    )
    const documents = documentsOf(page)
    await page.goto(`${septet.url}${TO_DASHBOARD}`)
    await send(page)
    await told(page, NOT_KEPT).waitFor()
    // The cookie opens the page now, which finds nobody and goes to the sign-in page: once.
    await page.goto(`${septet.url}/dashboard`)
    await page.waitForURL((url) => url.pathname === '/auth')
    await told(page, /does not let this site keep anything/u).waitFor()
    expect(page.url()).toBe(`${septet.url}${TO_DASHBOARD}`)
    await staysPut(page, documents)
  })
})

describe('a slow line', () => {
  test('the sign-in page comes up, takes a sign-in and leads to the dashboard, which says what it waits for', async () => {
    await withPage(async (page, context) => {
      // What is said while something is on its way is gone again before a busy machine asks for it.
      const said = await saidBy(page, ['Loading...', 'Checking who is signed in'])
      const line = await context.newCDPSession(page)
      await line.send('Network.enable')
      // Slow 3G, as browsers' developer tools have it.
      const slow = { latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }
      await line.send('Network.emulateNetworkConditions', { offline: false, ...slow })
      await page.goto(`${septet.url}${TO_DASHBOARD}`)
      await send(page)
      await account(page).waitFor({ timeout: 120_000 })
      expect(said).toEqual(new Set(['Loading... (disabled)', 'Checking who is signed in']))
    })
  })
})

/** Which of these texts have stood in the page so far, and whether on a button that cannot be pressed. */
async function saidBy(page: Page, words: readonly string[]): Promise<ReadonlySet<string>> {
  const said = new Set<string>()
  await page.exposeFunction('said', (text: string) => void said.add(text))
  await page.addInitScript((wanted) => {
    const { said: tell }: { said: (text: string) => void } = Object(globalThis)
    new MutationObserver(() => {
      const disabled = [...document.querySelectorAll('button:disabled')].map(({ textContent }) => textContent)
      for (const text of wanted) {
        if (disabled.includes(text)) tell(`${text} (disabled)`)
        else if (document.body?.textContent.includes(text)) tell(text)
      }
    }).observe(document, { childList: true, subtree: true, characterData: true, attributes: true })
  }, words)
  return said
}

describe('a line that is gone', () => {
  test('an open dashboard stays, says what it cannot load or ask, and goes on when the line is back', async () => {
    await withPage(async (page, context) => {
      // Scripts of other screens are fetched ahead; the line was gone before this one came.
      await context.route('**/assets/SettingsPage-*.js', (route) => route.abort())
      await comeIn(page)
      await context.setOffline(true)
      await page.getByRole('link', { name: 'Settings' }).click()
      const alert = page.getByRole('main').getByRole('alert')
      await alert.filter({ hasText: 'The settings could not be loaded. Check your connection' }).waitFor()
      await expect.poll(() => pathOf(page)).toMatch(/^\/dashboard\/settings/u)
      expect(await account(page).isVisible()).toBe(true)
      await context.setOffline(false)
      await context.unroute('**/assets/SettingsPage-*.js')
      await page.getByRole('button', { name: 'Load the page again' }).click()
      await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()

      await context.route('**/api/v1/tokens', (route) => route.abort())
      await page.getByRole('link', { name: 'API tokens' }).click()
      await alert.filter({ hasText: 'Cannot reach the Septet server.' }).waitFor()
      await context.unroute('**/api/v1/tokens')
      await alert.getByRole('button', { name: 'Try again' }).click()
      await alert.waitFor({ state: 'detached' })
      expect(await account(page).isVisible()).toBe(true)
    })
  })

  test('a dashboard that cannot ask who is there says so, signs nobody out, and works when it is asked again', async () => {
    await withPage(async (page, context) => {
      await comeIn(page)
      await context.route('**/auth/sign-in.json', (route) => route.abort())
      const documents = documentsOf(page)
      await page.reload()
      await page.getByRole('heading', { name: 'Septet could not check who you are' }).waitFor()
      expect(await page.getByRole('alert').innerText()).toMatch(/is not responding|connection/u)
      await staysPut(page, documents)
      await context.unroute('**/auth/sign-in.json')
      await page.getByRole('button', { name: 'Try again' }).click()
      await account(page).waitFor()
    })
  })

  test('a sign-in page that cannot be read says so, and takes a sign-in once it can be', async () => {
    await withPage(async (page, context) => {
      await context.route('**/auth/sign-in.json', (route) => route.abort())
      await page.goto(`${septet.url}${TO_DASHBOARD}`)
      await page
        .locator('[data-sonner-toast]')
        .getByText(/Check your connection/u)
        .waitFor()
      await context.unroute('**/auth/sign-in.json')
      await send(page)
      await account(page).waitFor()
      await expect.poll(() => pathOf(page)).toBe('/dashboard')
    })
  })

  test('someone with a session whose page pass cannot be asked for stays at the sign-in page with their session', async () => {
    await withPage(async (page, context) => {
      await comeIn(page)
      // An open dashboard asks for a page pass by itself, and would have the cookie back.
      await page.goto('about:blank')
      await context.clearCookies()
      await context.route('**/auth/page-pass', (route) => route.abort())
      const documents = documentsOf(page)
      await page.goto(`${septet.url}/dashboard`)
      await told(page, /the server could not open the dashboard just now/u).waitFor()
      await staysPut(page, documents)
      await context.unroute('**/auth/page-pass')
      await page.reload()
      await account(page).waitFor()
      await expect.poll(() => pathOf(page)).toBe('/dashboard')
    })
  })
})
