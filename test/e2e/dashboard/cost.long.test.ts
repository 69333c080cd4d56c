import { describe, expect, test } from 'vitest'

import { parameters } from './dashboard-page.ts'
import { openBeforeTests, septet, visit } from './cost-page.ts'

openBeforeTests()

describe('the cost screen', () => {
  test('says of each workload of a namespace what of its cost was idle, and never 0 for what was not measured', () =>
    visit({ path: '/dashboard/cost?range=7d' }, async (page) => {
      await page.getByText('team', { exact: true }).click()
      const table = page.getByRole('dialog', { name: 'team' }).getByRole('table', { name: 'Workloads of this group' })
      await table.getByRole('columnheader', { name: 'Idle-held' }).waitFor()
      await expect.poll(() => table.getByRole('cell').allTextContents()).toContain('Idle-heldNot measured')
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
