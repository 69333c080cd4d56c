import { describe, expect, test } from 'vitest'

import { csvOf, makeBill } from '../synthetic-bill.ts'
import { parameters } from './dashboard-page.ts'
import { openBeforeTests, septet, visit } from './cost-page.ts'

openBeforeTests()

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
})
