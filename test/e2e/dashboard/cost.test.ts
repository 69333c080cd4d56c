import { HOUR_MS, NOTHING_MEASURED, instant, ratio, seconds, type UsageRow } from '@septet/domain'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { openTestSeptet, type TestSeptet } from '@septet/server/testing'
import { openBrowser, webFolder } from '../../shared/shared.ts'
import type { Session } from '../../windows.ts'
import { csvOf, makeBill } from '../synthetic-bill.ts'
import { ADMIN, parameters, sessionOf, visitDashboard } from './dashboard-page.ts'

let browser: Browser
let septet: TestSeptet
let session: Session

beforeAll(async () => {
  const dist = await webFolder()
  septet = await openTestSeptet({ dist, clusters: ['cluster'] })
  await septet.signIn(ADMIN.email)
  await septet.store.usage.write('production', pastWeeks())
  session = await sessionOf(septet.url)
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await septet?.close()
})

/** One H100 that the namespace lab held in every hour of the last six weeks. */
function pastWeeks(): UsageRow[] {
  const now = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
  return Array.from({ length: 42 * 24 }, (_, hour) => ({
    at: instant(now - (hour + 1) * HOUR_MS),
    span: '1h',
    node: 'a',
    pool: '',
    gpu: 'GPU-a-0',
    partition: 'GPU-a-0',
    profile: '',
    model: 'H100-80GB-HBM3',
    kind: 'held',
    share: ratio(1),
    namespace: 'lab',
    workload: 'lab/Job/train',
    pod: 'lab/train-0',
    workloadClass: 'training',
    present: seconds(3600),
    measured: seconds(3600),
    idle: seconds(0),
    ...NOTHING_MEASURED,
    busy: ratio(0.9),
    busyPeak: ratio(1),
    reason: undefined,
  }))
}

const visit = (
  { path, ...options }: { readonly path: string } & BrowserContextOptions,
  look: (page: Page) => Promise<void>,
): Promise<void> =>
  visitDashboard(
    { browser, url: `${septet.url}${path}`, session, timezoneId: 'Europe/Berlin', ...options },
    async (page) => {
      await page.getByRole('heading', { name: 'Cost', level: 1 }).waitFor()
      await look(page)
    },
  )

describe('the cost screen', () => {
  test('cuts the cost, opens a group, and back closes it again', () =>
    visit({ path: '/dashboard/cost?range=7d' }, async (page) => {
      await page.getByRole('button', { name: /^Capacity\s\$/u }).waitFor()
      await page.getByRole('radio', { name: 'Tenant' }).click()
      await page.getByText('No rule in Settings → Tenants matches').waitFor()
      await expect.poll(() => parameters(page)).toMatchObject({ by: 'tenant', range: '7d' })
      await page.getByText('No tenant', { exact: true }).click()
      await page.getByRole('dialog', { name: 'No tenant' }).waitFor()
      await expect.poll(() => parameters(page)).toMatchObject({ group: 'none:' })
      await page.goBack()
      await page.getByRole('dialog', { name: 'No tenant' }).waitFor({ state: 'hidden' })
    }))

  test('says of each workload of a namespace what of its cost was idle, and never 0 for what was not measured', () =>
    visit({ path: '/dashboard/cost?range=7d' }, async (page) => {
      await page.getByText('team', { exact: true }).click()
      const table = page.getByRole('dialog', { name: 'team' }).getByRole('table', { name: 'Workloads of this group' })
      await table.getByRole('columnheader', { name: 'Idle-held' }).waitFor()
      await expect.poll(() => table.getByRole('cell').allTextContents()).toContain('Idle-heldNot measured')
    }))

  test('looks over a range that was typed, in the zone that was chosen', () =>
    visit({ path: '/dashboard/cost' }, async (page) => {
      await page.getByRole('button', { name: 'More time ranges' }).click()
      await page.getByLabel('Time zone').selectOption('Asia/Tokyo')
      await expect.poll(() => parameters(page)).toEqual({ zone: 'Asia/Tokyo' })
      await page.getByLabel('From', { exact: true }).fill('2026-03-10T00:00')
      await page.getByLabel('To', { exact: true }).fill('2026-03-12T06:30')
      await page.getByRole('button', { name: 'Apply' }).click()
      await page
        .getByRole('button', { name: /^Time range: Mar 10(?:, 2026)?, 00:00 to Mar 12(?:, 2026)?, 06:30/u })
        .waitFor()
      await expect
        .poll(() => parameters(page))
        .toEqual({
          zone: 'Asia/Tokyo',
          range: '2026-03-09T15:00:00.000Z/2026-03-11T21:30:00.000Z',
        })
      await page.getByText('(Asia/Tokyo)', { exact: false }).first().waitFor()
      await page.getByText('No day in this window has a known cost.').waitFor()
    }))

  test('keeps a range that was typed when another zone is chosen, whose clock it is then', () =>
    visit({ path: '/dashboard/cost' }, async (page) => {
      await page.getByRole('button', { name: 'More time ranges' }).click()
      const [from, to] = [page.getByLabel('From', { exact: true }), page.getByLabel('To', { exact: true })]
      await from.fill('2026-03-10T00:00')
      await page.getByLabel('Time zone').selectOption('Asia/Tokyo')
      await expect.poll(() => parameters(page)).toEqual({ zone: 'Asia/Tokyo' })
      // What was not typed is the same instant on the other clock.
      const shown = await to.inputValue()
      await to.fill('2026-03-12T06:30')
      expect([await from.inputValue(), shown]).toEqual(['2026-03-10T00:00', expect.stringMatching(/^\d{4}-/u)])
      await page.getByRole('button', { name: 'Apply' }).click()
      await expect
        .poll(() => parameters(page))
        .toEqual({ zone: 'Asia/Tokyo', range: '2026-03-09T15:00:00.000Z/2026-03-11T21:30:00.000Z' })
    }))

  test('takes a range of the calendar by keyboard alone', () =>
    visit({ path: '/dashboard/cost' }, async (page) => {
      await page.getByRole('button', { name: 'More time ranges' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Last week' }).waitFor()
      await page.getByRole('button', { name: 'Last week' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: /^Time range: Last week/u }).waitFor()
      await expect.poll(() => parameters(page)).toEqual({ range: 'last-week', zone: 'Europe/Berlin' })
      await page
        .getByRole('button', { name: /^\d{4}-\d\d-\d\d: \$/u })
        .first()
        .waitFor()
      await expect.poll(() => page.getByRole('button', { name: /^\d{4}-\d\d-\d\d: /u }).count()).toBe(7)
    }))

  test('says before a price is set what it will price, and keeps it', () =>
    visit({ path: '/dashboard/cost?view=prices' }, async (page) => {
      await page.getByLabel('Name of the entry').fill('own-h100')
      await page.getByLabel('USD per GPU-hour').fill('1000')
      await page.getByText('Applies to', { exact: false }).waitFor()
      await page.getByText(/A month like this one costs \$[\d,.]+ now, and \$[\d,.]+ with it/u).waitFor()
      await page.getByLabel('Source').fill('a contract of our own')
      await page.getByRole('button', { name: 'Save price' }).click()
      await page.getByRole('button', { name: 'Remove the price own-h100' }).waitFor()
      expect(await septet.store.prices.list()).toMatchObject([{ id: 'own-h100', price: 1000 }])
      // Days are costed at the prices in force: 24 GPU-hours and more.
      await page.goto(`${septet.url}/dashboard/cost?range=last-week&view=breakdown`)
      await page
        .getByRole('button', { name: /^\d{4}-\d\d-\d\d: \$24,000(?![\d.]|,\d)/u })
        .first()
        .waitFor()
      await page.goto(`${septet.url}/dashboard/cost?view=prices`)
      await page.getByRole('button', { name: 'Remove the price own-h100' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
      await page.getByRole('button', { name: 'Remove the price own-h100' }).waitFor({ state: 'hidden' })
      await expect.poll(() => septet.store.prices.list()).toEqual([])
    }))

  test('reckons the price of a server of one’s own, and holds it from a day on', () =>
    visit({ path: '/dashboard/cost?view=prices' }, async (page) => {
      await page.getByLabel('Name of the entry').fill('cellar')
      await page.getByLabel('Effective from').fill('2026-05-01')
      await page.getByRole('radio', { name: 'From my own server' }).click()
      await page.getByText('Enter the server’s cost', { exact: false }).waitFor()
      await page.getByLabel('Server, USD').fill('364550')
      await page.getByText('A GPU-hour costs $1.46: $1.30 server, $0.16 power', { exact: false }).waitFor()
      await page.getByLabel('Source').fill('quotation of May')
      await page.getByRole('button', { name: 'Save price' }).click()
      await page.getByRole('button', { name: 'Remove the price cellar' }).waitFor()
      await page.getByText('every model, owned, from 2026-05-01').waitFor()
      expect(await septet.store.prices.list()).toMatchObject([
        {
          id: 'cellar',
          capacity: 'owned',
          effectiveFrom: Date.UTC(2026, 4, 1),
          owned: { purchaseUsd: 364_550, gpus: 8 },
        },
      ])
      await page.getByRole('button', { name: 'Remove the price cellar' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
      await expect.poll(() => septet.store.prices.list()).toEqual([])
    }))

  test('takes prices from a bill in FOCUS, which it reads in the browser', () =>
    visit({ path: '/dashboard/cost?view=prices' }, async (page) => {
      const machine = { resource: 'i-1', instanceType: 'p5.48xlarge', region: 'us-east-1', gpus: 8, spot: false }
      const bill = makeBill({ seed: 7, machines: [machine], from: Date.UTC(2026, 6, 1), hours: 24, commitments: false })
      const chooser = page.getByLabel('FOCUS bill')
      await chooser.setInputFiles({ name: 'odd.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2') })
      await page.getByText('This is no bill in FOCUS', { exact: false }).waitFor()
      await chooser.setInputFiles({ name: 'bill.csv', mimeType: 'text/csv', buffer: Buffer.from(csvOf(bill)) })
      await page.getByText(/charges in USD: [\d,.]+ billed, [\d,.]+ effective/u).waitFor()
      await page.getByRole('button', { name: 'Set 1 price' }).click()
      await page.getByRole('button', { name: 'Remove the price bill-2026-07' }).waitFor()
      expect(await septet.store.prices.list()).toMatchObject([
        { instanceType: 'p5.48xlarge', capacity: 'on-demand', price: 6.912346, effectiveFrom: Date.UTC(2026, 6, 1) },
      ])
      await page.getByRole('button', { name: 'Remove the price bill-2026-07' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
      await expect.poll(() => septet.store.prices.list()).toEqual([])
    }))

  test('keeps a budget, says where it stands, and what the month comes to', () =>
    visit({ path: '/dashboard/cost?view=budgets' }, async (page) => {
      await page.getByText(/^[A-Z][a-z]+ \d{4} is expected to come to \$/u).waitFor()
      await page.getByLabel('Name', { exact: true }).fill('lab')
      await page.getByLabel('Scope').selectOption('namespace')
      await page.getByLabel('Namespace', { exact: true }).fill('lab')
      await page.getByLabel('USD per month').fill('1')
      await page.getByRole('button', { name: 'Save budget' }).click()
      await page.getByText('100% reached').waitFor()
      await page.getByText(/used up on \d{4}-\d\d-\d\d/u).waitFor()
      await page.getByRole('button', { name: 'Remove budget lab' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
      await page.getByText('No budgets for this cluster yet.').waitFor()
      await expect.poll(() => septet.store.settings.get('budgets')).toEqual({ budgets: [] })
    }))

  test('says of sample data that it has nothing to divide', () =>
    visit({ path: '/dashboard/cost?cluster=sample' }, async (page) => {
      await page.getByText('Choose a cluster to see where its money goes.', { exact: false }).waitFor()
      expect(await page.getByRole('heading', { name: 'From capacity to use' }).count()).toBe(0)
    }))
})
