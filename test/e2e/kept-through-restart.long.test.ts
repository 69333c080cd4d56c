import { OPERATIONS, type OutputOf } from '@septet/contract'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { eventually, removeDataDir, signIn, startSeptet, type SeptetProcess } from '../server-process.ts'
import { openBrowser, ownDemoSeptet } from '../shared/shared.ts'
import { ADMIN, signInByForm } from './dashboard/dashboard-page.ts'

// What a restart of the server leaves as it was: what was decided, and the pages that were open meanwhile.

type List = OutputOf<typeof OPERATIONS.recommendationsList>
const EMPTY_NODE = 'node/gpu-a100-40-02'

let septet: SeptetProcess
let browser: Browser
let context: BrowserContext
/** The recommendation that is dismissed. */
let id: string

beforeAll(async () => {
  ;[septet, browser] = await Promise.all([ownDemoSeptet(), openBrowser()])
  await signIn(septet, ADMIN)
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' })
  context.setDefaultTimeout(60_000)
})
afterAll(async () => {
  await browser?.close()
  await septet?.stop()
  await removeDataDir(septet.dataDir)
})

const address = (path: string): string => `${septet.url}/api/v1/recommendations${path}`
const list = async (query = ''): Promise<List> =>
  OPERATIONS.recommendationsList.output.parse(await (await fetch(address(`?cluster=demo&limit=500${query}`))).json())
const idOfNode = async (): Promise<string | undefined> =>
  (await list('&kind=remove-node')).recommendations.find(({ object }) => object === EMPTY_NODE)?.id
const dismissal = (): string => address(`/${id}/dismissal?cluster=demo`)

test('a recommendation is dismissed with a reason', async () => {
  id = (await eventually(idOfNode, (found) => found !== undefined)) ?? ''
  const put = await fetch(dismissal(), {
    method: 'PUT',
    headers: { ...(await signIn(septet)), 'content-type': 'application/json' },
    body: JSON.stringify({ reason: 'kept for a launch in spring' }),
  })
  expect(put.status).toBe(200)
  expect((await list()).recommendations.map((each) => each.id)).not.toContain(id)
})

/** A window of the browser, and every error that its page throws. */
async function open(path?: string): Promise<{ readonly page: Page; readonly thrown: string[] }> {
  const page = await context.newPage()
  const thrown: string[] = []
  page.on('pageerror', (error) => thrown.push(error.message))
  if (path !== undefined) await page.goto(`${septet.url}${path}`)
  return { page, thrown }
}

test('a page that is open while the server is restarted keeps its figures and what was typed, and comes back by itself', async () => {
  const summary = await open()
  await signInByForm(summary.page, septet.url, { next: '/dashboard?cluster=demo' })
  await summary.page.getByRole('heading', { name: 'Where capacity went' }).waitFor()
  const form = await open('/dashboard/cost?cluster=demo&view=budgets')
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
  await summary.page.getByText('Cannot reach the Septet server.').first().waitFor()
  await summary.page.getByText('Showing data from').waitFor()
  expect(await figure.count()).toBe(1)
  expect(await form.page.getByLabel('USD per month').inputValue()).toBe('1234')

  septet = await startSeptet({
    dataDir: septet.dataDir,
    environment: { SEPTET_PORT: new URL(septet.url).port },
  })
  for (const page of pages) await page.getByText('Connected', { exact: true }).waitFor({ timeout: 110_000 })
  await summary.page.getByText('Showing data from').waitFor({ state: 'detached', timeout: 110_000 })
  for (const page of pages) {
    expect(await page.locator('html[data-opened-once]').count()).toBe(1)
    expect(new URL(page.url()).pathname).toMatch(/^\/dashboard/u)
  }
  expect(await form.page.getByLabel('USD per month').inputValue()).toBe('1234')
  expect(await form.page.getByLabel('Name').inputValue()).toBe('half-written')
  expect([...summary.thrown, ...form.thrown]).toEqual([])
})

test('the dismissed one stays away, with its reason, until it is taken back', async () => {
  const after = await eventually(list, ({ madeAt }) => madeAt !== null)
  expect(after.recommendations.map((each) => each.id)).not.toContain(id)
  expect(after.dismissed).toBe(1)
  const shown = await list('&dismissed=show')
  expect(shown.recommendations.find((each) => each.id === id)?.dismissed?.reason).toBe('kept for a launch in spring')

  const taken = await fetch(dismissal(), { method: 'DELETE', headers: await signIn(septet) })
  expect(taken.status).toBe(200)
  expect(await idOfNode()).toBe(id)
})
