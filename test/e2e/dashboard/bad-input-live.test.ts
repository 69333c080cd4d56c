import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { launchBrowser } from '../../browser.ts'
import { builtWeb } from '../../built-web.ts'
import { eventually, newDataDir, removeDataDir, startSeptet, type SeptetProcess } from '../../server-process.ts'

// The demo cluster with its real pipeline: looked at over ranges of which nothing is known, and from an open page while
// the server is restarted.

const EMAIL = 'admin@septet.local'
const PASSWORD = 'a long enough password'

let septet: SeptetProcess
let dataDir: string
let browser: Browser
let context: BrowserContext

beforeAll(async () => {
  builtWeb()
  dataDir = await newDataDir()
  septet = await startSeptet({ dataDir })
  browser = await launchBrowser()
  await eventually(
    async () => (await fetch(`${septet.url}/api/v1/cost?cluster=demo`)).json() as Promise<{ groups?: unknown[] }>,
    ({ groups }) => (groups?.length ?? 0) > 0,
  )
  await fetch(`${septet.url}/auth/v1/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  })
  context = await browser.newContext({
    timezoneId: 'Europe/Berlin',
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(60_000)
})
afterAll(async () => {
  await browser?.close()
  await septet?.stop()
  await removeDataDir(dataDir)
})

async function open(path: string): Promise<{ readonly page: Page; readonly thrown: string[] }> {
  const page = await context.newPage()
  const thrown: string[] = []
  page.on('pageerror', (error) => thrown.push(error.message))
  await page.goto(`${septet.url}${path}`)
  return { page, thrown }
}

const BEFORE = '2019-03-01T00:00:00Z/2019-03-01T01:00:00Z'
const AHEAD = '2099-03-01T00:00:00Z/2099-03-08T00:00:00Z'

test.each([
  { range: BEFORE, says: 'Nothing was seen in this window.', words: 'Mar 1, 2019, 01:00 to Mar 1, 2019, 02:00' },
  { range: AHEAD, says: 'This window lies ahead: nothing of it was seen yet.', words: 'Mar 1, 2099, 01:00' },
])('a range of which nothing is known has no figure on any screen: $says', async ({ range, says, words }) => {
  const { page, thrown } = await open(`/demo?cluster=demo&range=${encodeURIComponent(range)}`)
  const main = page.locator('main')
  const shows = (text: string | RegExp) => main.getByText(text).first().waitFor()
  await page.getByRole('button', { name: new RegExp(`Time range: ${words}`, 'u') }).waitFor()
  await shows('No GPU was ready in this window, so there is nothing to divide.')
  await shows('No GPU-hours in this window, so there is nothing to divide.')
  await shows('No utilization was measured in this window.')
  // Of now, and not of the range: what runs. Of the range: nothing, which is no 0.
  await expect.poll(() => main.innerText()).toMatch(/GPU Utilization\s+Not measured/u)
  expect(await main.innerText()).toMatch(/Total Cost Savings\s+Not measured/u)

  await page.goto(`${septet.url}/demo/cost?cluster=demo&range=${encodeURIComponent(range)}`)
  await shows(says)
  await shows('No GPU was held or ready in this window, so there is nothing to divide.')
  await shows('No day of this window has a known cost.')
  await shows('Nothing was held in this window.')
  expect(await main.innerText()).not.toMatch(/\$0\.00|(?<![\d.])0(?:\.0)?\s?%/u)

  await page.goto(`${septet.url}/demo/cost?cluster=demo&view=prices&range=${encodeURIComponent(range)}`)
  await shows('No GPU was seen in this window')

  await page.goto(`${septet.url}/demo/workloads?cluster=demo&range=${encodeURIComponent(range)}`)
  await main.getByText('Idle GPU-h').first().waitFor()
  await main.getByText('Running', { exact: true }).first().waitFor()
  expect(await main.innerText()).not.toMatch(/\$0\.00|No price/u)
  expect(thrown).toEqual([])
  await page.close()
})

test('a page that is open while the server is restarted keeps its figures and what was typed, and comes back by itself', async () => {
  const signIn = await open(`/auth?next=${encodeURIComponent('/dashboard?cluster=demo')}`)
  await signIn.page.getByLabel('Email').fill(EMAIL)
  await signIn.page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await signIn.page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await signIn.page.getByRole('heading', { name: 'Where capacity went' }).waitFor()
  const [summary, form] = [signIn, await open('/dashboard/cost?cluster=demo&view=budgets')]
  const pages = [summary.page, form.page]
  await form.page.getByLabel('USD per month').fill('1234')
  await form.page.getByLabel('Name').fill('half-written')
  for (const page of pages) {
    await page.getByText('Connected', { exact: true }).waitFor()
    await page.evaluate(() => document.documentElement.setAttribute('data-opened-once', ''))
  }
  const figure = summary.page
    .locator('main')
    .getByText(/^\$[\d.,]+K?$/u)
    .first()
  await figure.waitFor()

  await septet.stop()
  for (const page of pages) await page.getByText('Disconnected', { exact: true }).waitFor()
  await summary.page.getByText('The Septet server does not answer.').first().waitFor()
  await summary.page.getByText('What you see is from').waitFor()
  expect(await figure.count()).toBe(1)
  expect(await form.page.getByLabel('USD per month').inputValue()).toBe('1234')

  septet = await startSeptet({ dataDir, environment: { SEPTET_PORT: new URL(septet.url).port } })
  for (const page of pages) await page.getByText('Connected', { exact: true }).waitFor({ timeout: 110_000 })
  await summary.page.getByText('What you see is from').waitFor({ state: 'detached', timeout: 110_000 })
  for (const page of pages) {
    expect(await page.locator('html[data-opened-once]').count()).toBe(1)
    expect(new URL(page.url()).pathname).toMatch(/^\/dashboard/u)
  }
  expect(await form.page.getByLabel('USD per month').inputValue()).toBe('1234')
  expect(await form.page.getByLabel('Name').inputValue()).toBe('half-written')
  expect([...summary.thrown, ...form.thrown]).toEqual([])
}, 300_000)
