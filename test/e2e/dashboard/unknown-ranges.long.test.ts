import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { eventually } from '../../server-process.ts'
import { demoSeptet, openBrowser, type SharedSeptet } from '../../shared/shared.ts'

// The demo cluster with its real pipeline, looked at over ranges of which nothing is known.

let septet: SharedSeptet
let browser: Browser
let context: BrowserContext

beforeAll(async () => {
  ;[septet, browser] = await Promise.all([demoSeptet(), openBrowser()])
  await eventually(
    async () => (await fetch(`${septet.url}/api/v1/cost?cluster=demo`)).json() as Promise<{ groups?: unknown[] }>,
    ({ groups }) => (groups?.length ?? 0) > 0,
  )
  context = await browser.newContext({
    timezoneId: 'Europe/Berlin',
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(60_000)
})
afterAll(() => browser?.close())

const BEFORE = '2019-03-01T00:00:00Z/2019-03-01T01:00:00Z'
const AHEAD = '2099-03-01T00:00:00Z/2099-03-08T00:00:00Z'

test.each([
  { range: BEFORE, says: 'Nothing was seen in this window.', words: 'Mar 1, 2019, 01:00 to Mar 1, 2019, 02:00' },
  { range: AHEAD, says: 'This window is in the future: there is no data yet.', words: 'Mar 1, 2099, 01:00' },
])('a range of which nothing is known has no figure on any screen: $says', async ({ range, says, words }) => {
  const page = await context.newPage()
  const thrown: string[] = []
  page.on('pageerror', (error) => thrown.push(error.message))
  await page.goto(`${septet.url}/demo?cluster=demo&range=${encodeURIComponent(range)}`)
  const main = page.locator('main')
  const shows = (text: string | RegExp) => main.getByText(text).first().waitFor()
  await page.getByRole('button', { name: new RegExp(`Time range: ${words}`, 'u') }).waitFor()
  await shows('No GPU was seen in this window.')
  await shows('No GPU-hours in this window.')
  await shows('No utilization measured in this window.')
  // Of now, and not of the range: what runs, and what recommendations would save. Of the range: nothing, which is no 0.
  await expect.poll(() => main.innerText()).toMatch(/GPU Utilization\s+Not measured/u)

  await page.goto(`${septet.url}/demo/cost?cluster=demo&range=${encodeURIComponent(range)}`)
  await shows(says)
  await shows('No GPU was in use or ready in this window.')
  await shows('No day in this window has a known cost.')
  await shows('No GPU was in use in this window.')
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
