import type { BrowserContextOptions, Page, Request } from 'playwright-core'
import { expect } from 'vitest'

import { type ClusterFacts, openTestSeptet, type TestSeptet } from '@septet/server/testing'
import { openBrowser, webFolder } from '../../shared/shared.ts'
import { windowsOf, type Session, type Windows } from '../../windows.ts'
import { ADMIN as ACCOUNT, sessionOf } from './dashboard-page.ts'

/** Every screen of figures, with its views. */
export const SCREENS = [
  '',
  '/fleet',
  '/fleet?view=table',
  '/partitions',
  '/partitions?view=room',
  '/partitions?view=stranded',
  '/workloads',
  '/cost',
  '/cost?view=budgets',
  '/cost?view=prices',
  '/actions',
  '/actions/savings',
  '/actions/what-if',
  '/actions/what-if?from=now',
  '/alerts',
] as const

/** Sections of the settings that speak of clusters, names or people. */
export const SETTINGS = [
  'clusters',
  'prices',
  'tenants',
  'policies',
  'acting',
  'retention',
  'notifications',
  'reports',
  'members',
  'about',
].map((section) => `/settings/${section}`)

/** A Septet that watches these clusters, and a browser to look at it. */
export type Screens = {
  readonly septet: TestSeptet
  /** A window of somebody who is signed in; fails on any error that the page throws. */
  visit(how: BrowserContextOptions, look: (page: Page) => Promise<void>): Promise<void>
  close(): Promise<void>
}

export async function openScreens(clusters: readonly ClusterFacts[]): Promise<Screens> {
  const septet = await openTestSeptet({
    dist: await webFolder(),
    environment: { SEPTET_AUTHORIZED_EMAIL: ACCOUNT.email },
    facts: { clusters: () => clusters },
  })
  await septet.signIn(ACCOUNT.email)
  const session = await sessionOf(septet.url, ACCOUNT)
  const browser = await openBrowser()
  const open = windowsOf(browser)
  return {
    septet,
    visit: (context, look) => visit(open, { session, context, look }),
    async close() {
      await browser.close()
      await septet.close()
    },
  }
}

type Looking = {
  readonly session: Session
  readonly context: BrowserContextOptions
  readonly look: (page: Page) => Promise<void>
}

async function visit(open: Windows, { session, context, look }: Looking): Promise<void> {
  const page = await open({
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    ...context,
    session,
  })
  page.setDefaultTimeout(60_000)
  follow(page)
  const thrown: string[] = []
  page.on('pageerror', (error) => thrown.push(error.message))
  try {
    await look(page)
    expect(thrown).toEqual([])
  } finally {
    await page.close()
  }
}

/** The answers that a page waits for; the stream of events never ends, so it is none of them. */
const asking = new WeakMap<Page, Set<Request>>()
function follow(page: Page): void {
  const open = new Set<Request>()
  asking.set(page, open)
  page.on('request', (request) => !request.url().includes('/events') && open.add(request))
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
}

const NO_VALUE = /NaN|undefined|\bnull\b|Infinity|\[object/u
const ONE_OF_MANY = /(?<![\d.,])1 (?:GPUs|nodes|rows|pods|slices|days|pools|devices|requests)\b/u

/** Opens a screen, waits until every answer is there, and gives its text, which is never of a value that is none. */
export async function screen(page: Page, { septet }: Screens, path: string): Promise<string> {
  await page.goto(`${septet.url}/dashboard${path}`)
  return settled(page, path)
}

/** The text of a screen once nothing on it waits. */
export async function settled(page: Page, path: string): Promise<string> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.locator('main nav').or(page.getByText(CONNECTION)).first().waitFor()
  await expect
    .poll(async () => [path, asking.get(page)?.size, await page.locator(SKELETONS).count()])
    .toEqual([path, 0, 0])
  // An answer is there a moment before what is made of it.
  let text = ''
  await expect.poll(async () => text === (text = await page.locator('main').innerText()) && text !== '').toBe(true)
  expect(`${path}: ${text}`).not.toMatch(NO_VALUE)
  expect(`${path}: ${text}`).not.toMatch(ONE_OF_MANY)
  expect(`${path}: ${text}`).not.toContain('could not be loaded')
  return text
}

const CONNECTION = /^(?:Connected|Not live|Disconnected|Cluster disconnected)$/u
/** What stands where an answer will be; the dot of a state that waits is no such thing. */
const SKELETONS = 'main .waits:not(svg)'
