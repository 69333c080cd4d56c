import { OPERATIONS } from '@septet/contract'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'

import { eventually, signIn } from '../../server-process.ts'
import { demoSeptet, openBrowser, type SharedSeptet } from '../../shared/shared.ts'
import { ADMIN, goWithin, settled, signInByForm } from './dashboard-page.ts'

/** The demo cluster to walk through: who looks, and what there is to open, whose ids differ from run to run. */
export type Walk = {
  readonly septet: SharedSeptet
  readonly browser: Browser
  readonly shown: Shown
  /** A signed-in page that keeps all that went wrong in it. */
  open(width: number): Promise<{ readonly page: Page; readonly wrong: string[] }>
  close(): Promise<void>
}
type Shown = { readonly gpu: string; readonly node: string; readonly workload: string; readonly recommendation: string }

/** Somebody whose role an admin decided, so that a row of the members has all that it can have. */
const APPOINTED = 'appointed@example.com'

export async function openWalk(): Promise<Walk> {
  const [septet, browser] = await Promise.all([demoSeptet(), openBrowser()])
  const headers = await signIn(septet, ADMIN)
  const shown = await whatToOpen(septet, headers)
  const leave = await appoint(septet, headers)
  const state = await keptSignIn(septet, browser)
  return {
    septet,
    browser,
    shown,
    open: (width) => openPage({ septet, browser, state, width }),
    async close() {
      await leave()
      await browser.close()
    },
  }
}

async function whatToOpen(septet: SharedSeptet, headers: Headers): Promise<Shown> {
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
  await eventually(
    async () => OPERATIONS.alertsList.output.parse(await ask('/api/v1/alerts?cluster=demo')),
    ({ firing }) => firing.length > 0,
  )
  return { gpu: gpu.id, node: cut.node, workload: waiting.id, recommendation: first.id }
}

type Headers = { readonly authorization: string }

/** Gives somebody a role, and answers how it is taken back. */
async function appoint(septet: SharedSeptet, admin: Headers): Promise<() => Promise<unknown>> {
  const member = `${septet.url}/api/v1/members/${APPOINTED}`
  const headers = { ...admin, 'content-type': 'application/json' }
  const answer = await fetch(member, { method: 'PUT', headers, body: JSON.stringify({ role: 'viewer' }) })
  expect(answer.status).toBe(200)
  return () => fetch(member, { method: 'DELETE', headers: admin })
}

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

async function keptSignIn(septet: SharedSeptet, browser: Browser): Promise<StorageState> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await signInByForm(page, septet.url, { next: '/dashboard' })
  await page.getByRole('heading', { level: 1, name: 'GPU Optimization Summary' }).waitFor()
  const kept = await context.storageState()
  await context.close()
  return kept
}

type Opening = Pick<Walk, 'septet' | 'browser'> & { readonly state: StorageState; readonly width: number }

async function openPage({ septet, browser, state, width }: Opening): ReturnType<Walk['open']> {
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

export async function goTo(page: Page, shown: Shown, { path, heading, holds }: Screen): Promise<void> {
  await goWithin(page, `/dashboard${path(shown)}`, heading)
  await holds?.(page)
  await settled(page)
  await filled(page)
}

/** What is not answered yet, and a part whose script is on its way, has a skeleton in its place. */
const filled = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => document.querySelector('main .waits:not(svg), [role="dialog"] .waits:not(svg)') === null)

export type Screen = {
  readonly path: (shown: Shown) => string
  readonly heading: string
  /** The tab's name, where it is not the heading's. */
  readonly title?: (shown: Shown) => string
  /** What it opens over a screen that is looked at by itself. */
  readonly opens?: string
  /** What is there once the screen has its figures. */
  readonly holds?: (page: Page) => Promise<unknown>
}

const text =
  (words: string | RegExp) =>
  (page: Page): Promise<unknown> =>
    page.getByText(words).first().waitFor()
export const dialog = (page: Page): Promise<unknown> => page.getByRole('dialog').getByRole('heading').first().waitFor()
export const table =
  (name: string | RegExp) =>
  (page: Page): Promise<unknown> =>
    page.getByRole('table', { name }).or(page.getByRole('grid', { name })).first().waitFor()
const setting = (path: string, heading: string): Record<string, Screen> => ({
  [`Settings, ${heading}`]: { path: () => `/settings/${path}`, heading },
})

const DIALOG = '[role="dialog"]'

/** Every screen, and what each opens. */
export const SCREENS: Readonly<Record<string, Screen>> = {
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
    opens: 'li:has(button[aria-expanded="true"])',
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
    opens: DIALOG,
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
  'Fleet, a GPU': { path: (shown) => `/fleet?gpu=${shown.gpu}`, heading: 'Fleet', opens: DIALOG, holds: dialog },
  Partitions: { path: () => '/partitions', heading: 'Partitions', holds: text(/gpu-a100-\d/u) },
  'Partitions, what fits': { path: () => '/partitions?view=room', heading: 'Partitions' },
  'Partitions, stranded': { path: () => '/partitions?view=stranded', heading: 'Partitions' },
  'Partitions, editor': {
    path: (shown) => `/partitions?node=${shown.node}`,
    heading: 'Partitions',
    title: (shown) => `${shown.node} · Partitions · Septet`,
  },
  Workloads: { path: () => '/workloads', heading: 'Workloads' },
  'Workloads, one': {
    path: (shown) => `/workloads?workload=${encodeURIComponent(shown.workload)}`,
    heading: 'Workloads',
    opens: DIALOG,
    holds: dialog,
  },
  'Cost, breakdown': { path: () => '/cost', heading: 'Cost' },
  'Cost, budgets': { path: () => '/cost?view=budgets', heading: 'Cost' },
  'Cost, price book': { path: () => '/cost?view=prices', heading: 'Cost' },
  Actions: { path: () => '/actions', heading: 'Actions' },
  'Actions, one': {
    path: (shown) => `/actions?recommendation=${shown.recommendation}`,
    heading: 'Actions',
    opens: DIALOG,
    holds: dialog,
  },
  Savings: { path: () => '/actions/savings', heading: 'Savings', holds: text('Nothing verified') },
  'What if': { path: () => '/actions/what-if', heading: 'What if' },
  'What if, compared': {
    path: () => '/actions/what-if?runs=mig.best-fit,slices4.septet&seed=7',
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
  ...setting('agents', 'Agents'),
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
    opens: DIALOG,
    holds: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').waitFor()
      await page.keyboard.type('gpu-a100')
      await page.getByRole('option').filter({ hasText: 'gpu-a100' }).first().waitFor()
    },
  },
  'Page not found': { path: () => '/nowhere', heading: '404', title: () => 'Page not found · Septet' },
}
