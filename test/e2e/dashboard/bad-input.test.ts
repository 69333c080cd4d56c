import type { Browser, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { openTestSeptet, type TestSeptet } from '../../../apps/server/src/faces/open-test-septet.suite.ts'
import { launchBrowser } from '../../browser.ts'
import { builtWeb } from '../../built-web.ts'

// Every screen of a Septet that watches no cluster, answered by the server itself.

const ADMIN = 'admin@septet.local'
const VIEWER = 'viewer@septet.local'
const PASSWORD = 'a long enough password'

const SCREENS = [
  '',
  '/fleet',
  '/fleet?view=table',
  '/partitions',
  '/partitions?view=room',
  '/workloads',
  '/cost',
  '/cost?view=budgets',
  '/cost?view=prices',
  '/actions',
  '/actions/what-if',
  '/actions/what-if?from=now',
  '/alerts',
] as const
let browser: Browser
let septet: TestSeptet
const sessions = new Map<string, string>()

beforeAll(async () => {
  const dist = builtWeb()
  septet = await openTestSeptet({
    dist,
    environment: { SEPTET_AUTHORIZED_EMAIL: `${ADMIN},${VIEWER}` },
    clusters: [],
  })
  const headers = { ...(await septet.signIn(ADMIN)), 'content-type': 'application/json' }
  const member = await fetch(`${septet.url}/api/v1/members/${VIEWER}`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ role: 'viewer', namespaces: ['lab'] }),
  })
  if (!member.ok) throw new Error(await member.text())
  await septet.signIn(VIEWER)
  for (const email of [ADMIN, VIEWER]) sessions.set(email, await sessionOf(email))
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await septet?.close()
})

async function sessionOf(email: string): Promise<string> {
  const answer = await fetch(`${septet.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  const signedIn = (await answer.json()) as { expires_in: number }
  return JSON.stringify({ ...signedIn, expires_at: Math.floor(Date.now() / 1000) + signedIn.expires_in })
}

/** A browser's window for somebody who is signed in; fails on any error that the page throws. */
async function visit(email: string, look: (page: Page) => Promise<void>): Promise<void> {
  const opened = await browser.newContext({
    timezoneId: 'Europe/Berlin',
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
  })
  await opened.addInitScript((value) => localStorage.setItem('septet-auth', value), sessions.get(email) ?? '')
  const page = await opened.newPage()
  page.setDefaultTimeout(20_000)
  follow(page)
  const thrown: string[] = []
  page.on('pageerror', (error) => thrown.push(error.message))
  try {
    await look(page)
    expect(thrown).toEqual([])
  } finally {
    await opened.close()
  }
}

/** The answers that a page waits for; the stream of events never ends, so it is none of them. */
const asking = new Map<Page, Set<Request>>()
function follow(page: Page): void {
  const open = new Set<Request>()
  asking.set(page, open)
  page.on('request', (request) => !request.url().includes('/events') && open.add(request))
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
}

/** Opens a screen, waits until every answer is there, and gives its text. */
async function screen(page: Page, path: string): Promise<string> {
  await page.goto(`${septet.url}/dashboard${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page
    .getByText(/^(?:Connected|Not live|Disconnected|Cluster disconnected)$/u)
    .or(page.locator('main nav'))
    .first()
    .waitFor()
  await expect.poll(() => asking.get(page)?.size, { timeout: 15_000 }).toBe(0)
  await expect.poll(() => page.locator('main .waits').count(), { timeout: 15_000 }).toBe(0)
  const text = await page.locator('main').innerText()
  expect(`${path}: ${text}`).not.toMatch(/NaN|undefined|\bnull\b|Infinity|\[object/u)
  return text
}

describe('without a cluster', () => {
  test.each(SCREENS)('"%s" says so and leads to where one is added', (path) =>
    visit(ADMIN, async (page) => {
      expect(await screen(page, path)).toContain('No cluster is watched that you may see.')
      await page.getByRole('link', { name: 'Add a cluster' }).click()
      await page.getByLabel('Kubeconfig', { exact: true }).waitFor()
    }),
  )

  test('of a link to one that is gone, sample data is one press away', () =>
    visit(ADMIN, async (page) => {
      expect(await screen(page, '?cluster=gone')).toContain('There is no cluster "gone".')
      await page.getByRole('button', { name: 'Look at sample data' }).click()
      await page.getByText('$324K').waitFor()
    }))

  test('somebody who may not add one is told who may', () =>
    visit(VIEWER, async (page) => {
      expect(await screen(page, '/fleet')).toContain('An admin can add one, in Settings → Clusters.')
    }))
})
