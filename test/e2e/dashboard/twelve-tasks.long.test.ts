import { OPERATIONS } from '@septet/contract'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { eventually, removeDataDir, signIn, type SeptetProcess } from '../../server-process.ts'
import { openBrowser, ownDemoSeptet, webFolder } from '../../shared/shared.ts'
import { ADMIN, sessionOf, visitDashboard } from './dashboard-page.ts'

// What an admin comes for, from the Summary, each within so many presses. Typing is free, and so are the keys that lead to
// a field or open the palette; Enter counts where it presses a button.

const GUEST = 'guest@example.com'

let septet: SeptetProcess
let browser: Browser
let headers: { authorization: string }
let session: Awaited<ReturnType<typeof sessionOf>>

beforeAll(async () => {
  await webFolder()
  ;[septet, browser] = await Promise.all([
    ownDemoSeptet({ SEPTET_AUTHORIZED_EMAIL: `${ADMIN.email},${GUEST}`, SEPTET_WEBHOOK_LOOPBACK: 'on' }),
    openBrowser(),
  ])
  headers = await signIn(septet, ADMIN)
  session = await sessionOf(septet.url)
  await eventually(
    async () => OPERATIONS.recommendationsList.output.parse(await ask('/api/v1/recommendations?cluster=demo')),
    ({ recommendations }) => recommendations.length > 0,
  )
})
afterAll(async () => {
  await browser?.close()
  await septet?.stop()
  await removeDataDir(septet.dataDir)
})

const ask = async (path: string): Promise<unknown> => (await fetch(`${septet.url}${path}`, { headers })).json()
type Group = Awaited<ReturnType<typeof namespaces>>[number]
const idle = ({ usd }: Group): number => usd?.idleHeld ?? 0
const namespaces = async () =>
  OPERATIONS.costBreakdown.output.parse(await ask('/api/v1/cost?cluster=demo&by=namespace&range=24h')).groups
const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name, exact: true })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const rail = (page: Page, name: string) => page.getByRole('navigation', { name: 'Septet' }).getByRole('link', { name })
const settings = async (page: Page, name: string): Promise<void> => {
  await rail(page, 'Settings').click()
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name, exact: true }).click()
}

type Task = { readonly name: string; readonly presses: number; readonly does: (page: Page) => Promise<unknown> }

const TASKS: readonly Task[] = [
  {
    name: 'find the most wasteful namespace',
    presses: 1,
    does: async (page) => {
      const groups = await eventually(namespaces, (each) => each.some((group) => idle(group) > 0))
      const [worst] = groups.toSorted((a, b) => idle(b) - idle(a))
      await link(page, 'Idle by namespace').click()
      const first = page.getByRole('table', { name: 'Cost by namespace' }).getByRole('row').nth(1)
      await first.getByText(worst?.key ?? '', { exact: true }).waitFor()
    },
  },
  {
    name: 'see why a workload is pending',
    presses: 1,
    does: async (page) => {
      const answer = await ask('/api/v1/workloads?cluster=demo&status=queued&sort=duration&limit=1')
      const [queued] = OPERATIONS.workloadsList.output.parse(answer).workloads
      const row = page
        .getByRole('region', { name: 'List of active workloads' })
        .getByRole('listitem')
        .filter({ hasText: queued?.name ?? 'no workload is queued' })
      await row.first().getByRole('button').waitFor()
      expect(await row.first().getByRole('button').innerText()).toMatch(/GPU|node|quota|MIG/u)
    },
  },
  {
    name: 'see what a GPU holds',
    presses: 1,
    does: async (page) => {
      const { nodes } = OPERATIONS.partitionsList.output.parse(await ask('/api/v1/partitions?cluster=demo&limit=8'))
      const node = nodes.find(({ gpus }) => gpus.some(({ blocks }) => blocks.some(({ holder }) => holder !== null)))
      const holder = node?.gpus.flatMap(({ blocks }) => blocks).find((block) => block.holder !== null)?.holder ?? ''
      const panel = page.getByRole('region', { name: 'MIG Partition Status' })
      await panel
        .getByRole('button', { name: node?.node ?? '', exact: false })
        .first()
        .click()
      await panel
        .getByText(holder.split('/').at(-1) ?? '', { exact: false })
        .first()
        .waitFor()
    },
  },
  {
    name: 'keep a report as PDF',
    presses: 2,
    does: async (page) => {
      await button(page, 'Export Report').click()
      const [download] = await Promise.all([
        page.waitForEvent('download', { timeout: 120_000 }),
        button(page, 'Download Report as PDF').click(),
      ])
      expect(download.suggestedFilename()).toMatch(/\.pdf$/u)
    },
  },
  {
    name: 'send every alert to a webhook',
    presses: 4,
    does: async (page) => {
      await settings(page, 'Notifications')
      await page.getByRole('form', { name: 'Add a channel' }).getByLabel('Name', { exact: true }).fill('on-call')
      await page.getByLabel('Webhook address').fill('http://127.0.0.1:9/hook')
      await button(page, 'Add the channel').click()
      await button(page, 'Send all rules to on-call').click()
      await expect
        .poll(async () => {
          const { rules } = OPERATIONS.alertRulesGet.output.parse(await ask('/api/v1/alert-rules'))
          return Object.values(rules).every(({ channels }) => channels.includes('on-call'))
        })
        .toBe(true)
    },
  },
  {
    name: 'find a node',
    presses: 0,
    does: async (page) => {
      const { nodes } = OPERATIONS.partitionsList.output.parse(await ask('/api/v1/partitions?cluster=demo&limit=8'))
      const name = nodes.at(-1)?.node ?? ''
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill(name)
      await page
        .getByRole('option', { name: new RegExp(name, 'u') })
        .first()
        .waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Fleet' }).waitFor()
      expect(new URL(page.url()).searchParams.get('q')).toBe(name)
    },
  },
  {
    name: 'get a plan for a target layout',
    presses: 4,
    does: async (page) => {
      await rail(page, 'Partitions').click()
      await page.getByRole('list', { name: 'Nodes' }).getByRole('button', { name: /^gpu-/u }).first().click()
      await page
        .getByRole('button', { name: /^Place /u })
        .first()
        .click()
      await button(page, 'Draft plan').click()
      await page.getByRole('region', { name: 'Draft plan' }).waitFor()
    },
  },
  {
    name: 'set a budget',
    presses: 3,
    does: async (page) => {
      await rail(page, 'Cost').click()
      await page.getByRole('radio', { name: 'Budgets and forecast' }).or(button(page, 'Budgets and forecast')).click()
      await page.getByLabel('Name', { exact: true }).fill('whole-demo')
      await page.getByLabel('USD per month').fill('250000')
      await button(page, 'Save budget').click()
      await button(page, 'Remove budget whole-demo').waitFor()
    },
  },
  {
    name: 'invite somebody',
    presses: 3,
    does: async (page) => {
      await settings(page, 'Members')
      const panel = page.getByRole('region', { name: 'Invite' })
      await panel.getByLabel('Email').fill(GUEST)
      await panel.getByRole('button', { name: 'Invite', exact: true }).click()
      await page.getByText(`The invitation for ${GUEST} is in the outbox.`).first().waitFor()
    },
  },
  {
    name: 'make a token',
    presses: 3,
    does: async (page) => {
      await settings(page, 'API tokens')
      await page.getByLabel('Name', { exact: true }).fill('ci')
      await button(page, 'Create token').click()
      await page.getByRole('region', { name: 'The secret of ci' }).waitFor()
    },
  },
  {
    name: 'compare scheduling policies',
    presses: 2,
    does: async (page) => {
      await link(page, 'Compare scheduling policies').click()
      await button(page, 'Compare').click()
      await page.getByRole('region', { name: 'Side by side' }).waitFor({ timeout: 120_000 })
    },
  },
  {
    name: 'look at another range',
    presses: 1,
    does: async (page) => {
      await page.getByRole('radio', { name: 'Last 7 days' }).click()
      await expect.poll(() => new URL(page.url()).searchParams.get('range')).toBe('7d')
    },
  },
]

test.each(TASKS)('$name takes $presses presses at most', ({ presses, does }) =>
  visitDashboard(
    { browser, url: `${septet.url}/dashboard?cluster=demo`, session, reducedMotion: 'reduce' },
    async (page) => {
      await page.getByRole('heading', { level: 1, name: 'GPU Optimization Summary' }).waitFor()
      await page
        .getByRole('button', { name: /^GPU utilization: /iu })
        .first()
        .waitFor()
      await page.evaluate(countPresses)
      await does(page)
      expect(await page.evaluate(() => Number(sessionStorage.getItem('presses')))).toBeLessThanOrEqual(presses)
    },
  ),
)

/**
 * Counts what a hand does to buttons and links: each time a pointer goes down, and each press by key, which the browser
 * tells as a click without a pointer. Runs in the page.
 */
function countPresses(): void {
  sessionStorage.setItem('presses', '0')
  for (const kind of ['pointerdown', 'click'])
    addEventListener(
      kind,
      (event) => {
        const isPress = kind === 'pointerdown' || (event instanceof MouseEvent && event.detail === 0)
        if (event.isTrusted && isPress)
          sessionStorage.setItem('presses', String(Number(sessionStorage.getItem('presses')) + 1))
      },
      true,
    )
}
