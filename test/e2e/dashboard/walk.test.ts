import { OPERATIONS } from '@septet/contract'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { axeFindings, cutCells, overflow, THEME_RULES } from '../../page-flaws.ts'
import { eventually, signIn } from '../../server-process.ts'
import { demoSeptet, openBrowser, type SharedSeptet } from '../../shared/shared.ts'
import { ADMIN, goWithin, settled, signInByForm } from './dashboard-page.ts'

/** Somebody whose role an admin decided, so that a row of the members has all that it can have. */
const APPOINTED = 'appointed@example.com'

let septet: SharedSeptet
let browser: Browser
let leave: () => Promise<unknown>
let state: Awaited<ReturnType<BrowserContext['storageState']>>
/** What the demo cluster has to open: its ids differ from run to run. */
let shown: { readonly gpu: string; readonly node: string; readonly workload: string; readonly recommendation: string }

beforeAll(async () => {
  ;[septet, browser] = await Promise.all([demoSeptet(), openBrowser()])
  const headers = await signIn(septet, ADMIN)
  const ask = async (path: string): Promise<unknown> => (await fetch(`${septet.url}${path}`, { headers })).json()
  const advice = await eventually(
    async () => OPERATIONS.recommendationsList.output.parse(await ask('/api/v1/recommendations?cluster=demo')),
    ({ recommendations }) => recommendations.length > 0,
  )
  const { nodes } = OPERATIONS.partitionsList.output.parse(await ask('/api/v1/partitions?cluster=demo'))
  const { workloads } = OPERATIONS.workloadsList.output.parse(await ask('/api/v1/workloads?cluster=demo&status=queued'))
  const [cut, waiting, first] = [nodes[0], workloads[0], advice.recommendations[0]]
  const gpu = cut?.gpus[0]
  if (cut === undefined || gpu === undefined || waiting === undefined || first === undefined) {
    throw new Error('The demo cluster lacks a GPU, a waiting workload or a recommendation.')
  }
  shown = { gpu: gpu.id, node: cut.node, workload: waiting.id, recommendation: first.id }
  await eventually(
    async () => OPERATIONS.alertsList.output.parse(await ask('/api/v1/alerts?cluster=demo')),
    ({ firing }) => firing.length > 0,
  )
  leave = await appoint(headers)
  state = await keptSignIn()
})
afterAll(async () => {
  await leave?.()
  await browser?.close()
})

/** Gives somebody a role, and answers how it is taken back. */
async function appoint(admin: { readonly authorization: string }): Promise<() => Promise<unknown>> {
  const member = `${septet.url}/api/v1/members/${APPOINTED}`
  const headers = { ...admin, 'content-type': 'application/json' }
  const answer = await fetch(member, { method: 'PUT', headers, body: JSON.stringify({ role: 'viewer' }) })
  expect(answer.status).toBe(200)
  return () => fetch(member, { method: 'DELETE', headers: admin })
}

async function keptSignIn(): Promise<typeof state> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await signInByForm(page, septet.url, { next: '/dashboard' })
  await page.getByRole('heading', { level: 1, name: 'GPU Optimization Summary' }).waitFor()
  const kept = await context.storageState()
  await context.close()
  return kept
}

type Screen = {
  readonly path: () => string
  readonly heading: string
  /** The tab's name, where it is not the heading's. */
  readonly title?: () => string
  /** What is there once the screen has its figures. */
  readonly holds?: (page: Page) => Promise<unknown>
}

const text =
  (words: string | RegExp) =>
  (page: Page): Promise<unknown> =>
    page.getByText(words).first().waitFor()
const dialog = (page: Page): Promise<unknown> => page.getByRole('dialog').getByRole('heading').first().waitFor()
const table =
  (name: string | RegExp) =>
  (page: Page): Promise<unknown> =>
    page.getByRole('table', { name }).or(page.getByRole('grid', { name })).first().waitFor()
const setting = (path: string, heading: string): Record<string, Screen> => ({
  [`Settings, ${heading}`]: { path: () => `/settings/${path}`, heading },
})

const SCREENS: Readonly<Record<string, Screen>> = {
  Summary: { path: () => '', heading: 'GPU Optimization Summary', holds: text('MIG Partition Status') },
  'Summary, sample data': {
    path: () => '?cluster=sample',
    heading: 'GPU Optimization Summary',
    holds: async (page) => {
      await page.getByText('$324K').waitFor()
      await page.locator('.recharts-bar-rectangle').first().waitFor()
    },
  },
  'Summary, a node opened': {
    path: () => '',
    heading: 'GPU Optimization Summary',
    holds: (page) =>
      page
        .getByRole('region', { name: 'MIG Partition Status' })
        .getByRole('listitem')
        .getByRole('button', { expanded: false })
        .first()
        .click(),
  },
  'Export Report': {
    path: () => '',
    heading: 'GPU Optimization Summary',
    holds: async (page) => {
      await page.getByRole('button', { name: 'Export Report' }).click()
      await dialog(page)
    },
  },
  'Fleet, map': {
    path: () => '/fleet',
    heading: 'Fleet',
    holds: (page) =>
      page
        .getByRole('status')
        .getByText(/^\d+ GPUs$/u)
        .waitFor(),
  },
  'Fleet, table': { path: () => '/fleet?view=table', heading: 'Fleet', holds: table('Every GPU') },
  'Fleet, a GPU': { path: () => `/fleet?gpu=${shown.gpu}`, heading: 'Fleet', holds: dialog },
  Partitions: { path: () => '/partitions', heading: 'Partitions', holds: text(/gpu-a100-\d/u) },
  'Partitions, what fits': { path: () => '/partitions?view=room', heading: 'Partitions' },
  'Partitions, stranded': { path: () => '/partitions?view=stranded', heading: 'Partitions' },
  'Partitions, editor': {
    path: () => `/partitions?node=${shown.node}`,
    heading: 'Partitions',
    title: () => `${shown.node} · Partitions · Septet`,
  },
  Workloads: { path: () => '/workloads', heading: 'Workloads' },
  'Workloads, one': {
    path: () => `/workloads?workload=${encodeURIComponent(shown.workload)}`,
    heading: 'Workloads',
    holds: dialog,
  },
  'Cost, breakdown': { path: () => '/cost', heading: 'Cost' },
  'Cost, budgets': { path: () => '/cost?view=budgets', heading: 'Cost' },
  'Cost, price book': { path: () => '/cost?view=prices', heading: 'Cost' },
  Actions: { path: () => '/actions', heading: 'Actions' },
  'Actions, one': {
    path: () => `/actions?recommendation=${shown.recommendation}`,
    heading: 'Actions',
    holds: dialog,
  },
  Savings: { path: () => '/actions/savings', heading: 'Savings', holds: text('Nothing verified') },
  'What if': { path: () => '/actions/what-if', heading: 'What if' },
  'What if, compared': {
    path: () => '/actions/what-if?runs=mig.best-fit,slices4.fgd&seed=7',
    heading: 'What if',
    holds: async (page) => {
      await page.getByRole('button', { name: 'Compare' }).click()
      await page.getByText(/engine version \d+/u).waitFor()
    },
  },
  Alerts: { path: () => '/alerts', heading: 'Alerts', holds: text('Pending with free slices') },
  ...setting('account', 'Account'),
  ...setting('tokens', 'API tokens'),
  ...setting('clusters', 'Clusters'),
  'Settings, add a cluster': {
    path: () => '/settings/clusters?add=cluster',
    heading: 'Clusters',
    holds: (page) => page.getByLabel('Kubeconfig', { exact: true }).waitFor(),
  },
  ...setting('prices', 'Prices'),
  ...setting('tenants', 'Tenants'),
  ...setting('policies', 'Policies'),
  ...setting('acting', 'What Septet may do'),
  ...setting('retention', 'Data retention'),
  ...setting('notifications', 'Notifications'),
  ...setting('reports', 'Scheduled reports'),
  'Settings, Members': { path: () => '/settings/members', heading: 'Members', holds: text(APPOINTED) },
  ...setting('audit', 'Audit log'),
  ...setting('outbox', 'Outbox'),
  ...setting('about', 'About'),
  Palette: {
    path: () => '/alerts',
    heading: 'Alerts',
    holds: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').waitFor()
      await page.keyboard.type('gpu-a100')
      await page.getByRole('option').filter({ hasText: 'gpu-a100' }).first().waitFor()
    },
  },
  'Page not found': { path: () => '/nowhere', heading: '404', title: () => 'Page not found · Septet' },
}

/** Opens a signed-in page that keeps all that went wrong in it. */
async function openPage(width: number): Promise<{ readonly page: Page; readonly wrong: string[] }> {
  const context = await browser.newContext({
    storageState: state,
    reducedMotion: 'reduce',
    viewport: { width, height: width < 600 ? 800 : 900 },
  })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const wrong: string[] = []
  page.on('pageerror', (error) => wrong.push(`thrown: ${error.message}`))
  page.on('console', (message) => {
    // The specification wants an unknown path in the console.
    const isWanted = message.text() === 'No page at /dashboard/nowhere'
    if (message.type() === 'error' && !isWanted) wrong.push(`console: ${message.text()}`)
  })
  page.on('response', (answer) => answer.status() >= 400 && wrong.push(`${answer.status()}: ${answer.url()}`))
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? ''
    // What a screen no longer waits for, the page itself ends.
    if (why !== 'net::ERR_ABORTED') wrong.push(`${why}: ${request.url()}`)
  })
  await page.goto(`${septet.url}/dashboard`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return { page, wrong }
}

async function goTo(page: Page, { path, heading, holds }: Screen): Promise<void> {
  await goWithin(page, `/dashboard${path()}`, heading)
  await holds?.(page)
  await settled(page)
}

/** Every rule that axe runs by default, and what WCAG 2.2 AA has beyond them. */
const EVERYTHING = { tags: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }
/** What a theme can change, which is colors and what they leave to press. */
const OF_A_THEME = { rules: [...THEME_RULES.rules, 'target-size'] }
/**
 * What axe looks for in each look. Names, roles and their order are those of a width, whatever the theme: one of its two
 * looks is audited by every rule, the other by those of a theme. They are looked at one after the other in one visit.
 */
const WIDTHS = [
  { width: 360, looks: { light: EVERYTHING, dark: OF_A_THEME } },
  { width: 1280, looks: { light: OF_A_THEME, dark: EVERYTHING } },
] as const

describe.each(WIDTHS)('$width pixels wide, in both themes,', ({ width, looks }) => {
  let page: Page
  let wrong: string[]
  beforeAll(async () => {
    ;({ page, wrong } = await openPage(width))
  })
  afterAll(() => page?.context().close())

  test.each(Object.entries(SCREENS))('%s is whole, fits and is for everybody', async (_name, screen) => {
    wrong.length = 0
    await goTo(page, screen)
    await expect.poll(() => page.title()).toBe(screen.title?.() ?? `${screen.heading} · Septet`)
    await expect.poll(() => page.getByRole('heading', { level: 1, includeHidden: true }).count()).toBe(1)
    expect(await overflow(page)).toBe(0)
    expect(await cutCells(page)).toEqual([])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect([colorScheme, await axeFindings(page, looks[colorScheme])]).toEqual([colorScheme, []])
    }
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(wrong).toEqual([])
  })
})

/** What has focus, and whether a ring or the like shows it. */
const focus = (page: Page): Promise<{ readonly inMain: boolean; readonly isShown: boolean }> =>
  page.evaluate(() => {
    const at = document.activeElement
    const { outlineStyle, outlineWidth } = getComputedStyle(at ?? document.body)
    return {
      inMain: at !== null && at.id !== 'main' && document.querySelector('main')?.contains(at) === true,
      isShown: outlineStyle !== 'none' && outlineWidth !== '0px',
    }
  })

const hasFocus = (control: Locator): Promise<boolean> => control.evaluate((button) => button === document.activeElement)

describe('by keyboard alone', () => {
  let page: Page
  beforeAll(async () => {
    ;({ page } = await openPage(1440))
  })
  afterAll(() => page?.context().close())

  test.each([
    ['Summary', 'GPU Optimization Summary'],
    ...['Fleet', 'Partitions', 'Workloads', 'Cost', 'Actions', 'Alerts', 'Members'].map((name) => [name, name]),
  ])('%s is reached from the palette, and its first control has visible focus', async (name, heading) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.type(name)
    // Enter takes what is marked, and the list narrows a moment after the letters.
    await page.getByRole('option', { name: new RegExp(`^${name}\\b`, 'u'), selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
    await settled(page)
    await page.locator('#main').focus()
    await page.keyboard.press('Tab')
    await expect.poll(() => focus(page)).toEqual({ inMain: true, isShown: true })
  })

  test('a node is found, and opens on the map; T shows it in the table, Enter its GPU, Escape goes back', async () => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.type(shown.node)
    await page.getByRole('option', { selected: true }).filter({ hasText: shown.node }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname.endsWith('/fleet') && url.searchParams.get('q') === shown.node)
    await page.getByRole('heading', { level: 1, name: 'Fleet', exact: true }).waitFor()
    await settled(page)
    await page.locator('#main').focus()
    await page.keyboard.press('t')
    await table('Every GPU')(page)
    const first = page.getByRole('button', { name: new RegExp(shown.node, 'u') }).first()
    await first.focus()
    await page.keyboard.press('Enter')
    await dialog(page)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await expect.poll(() => hasFocus(first)).toBe(true)
  })

  test('what opens from a button closes by Escape and gives focus back', async () => {
    for (const name of ['Find', 'Export Report']) {
      await goTo(page, { path: () => '', heading: 'GPU Optimization Summary' })
      const opener = page.getByRole('button', { name }).first()
      await opener.press('Enter')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      await expect.poll(() => hasFocus(opener), { message: name }).toBe(true)
    }
  })
})
