import { expect, test } from 'vitest'

import { AT, openBeforeTests, visit } from './savings-page.ts'

openBeforeTests()

test('the savings are reached from the actions, with totals of what was measured beside what was promised', () =>
  visit({ path: '/dashboard/actions?cluster=production' }, async (page) => {
    await page.getByRole('link', { name: 'Savings', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Savings' }).waitFor()
    const freed = page.getByRole('region', { name: 'Capacity freed' })
    await freed.getByText(/^verified, 90% sure of \$\d+ to \$\d+$/u).waitFor()
    await expect.poll(() => freed.innerText()).toMatch(/Estimated for the same hours\s+\$268/u)
    await freed.getByText('2 actions, $1,660/mo').waitFor()
    await page.getByRole('region', { name: 'Bill reduced' }).getByText('Nothing verified', { exact: true }).waitFor()
  }))

test('each action says what is measured or why not yet, and leads to its card', () =>
  visit({ path: AT }, async (page) => {
    const rows = page.getByRole('table', { name: 'What each action saved' })
    await rows.getByText('Measured for 29 of 168 hours.').waitFor()
    await rows.getByText('It is approved, and not all of it is applied yet.').waitFor()
    await rows.getByText('335 of 335').waitFor()
    await rows.getByRole('link', { name: 'Do done' }).click()
    await page.waitForURL((url) => url.pathname === '/dashboard/actions' && url.searchParams.get('action') === 'done')
    await expect.poll(() => page.getByRole('dialog', { name: 'Do done' }).isVisible()).toBe(true)
  }))
