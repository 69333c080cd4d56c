import { describe, expect, test } from 'vitest'

// Drawn clusters are for tests only, so they are not exported.
import { TITLE, openBeforeTests, visit } from './actions-page.ts'

openBeforeTests()

describe('recommendations', () => {
  test('one opens with what changes, is dismissed with a reason, and taken back', () =>
    visit({ path: '/dashboard/actions' }, async (page) => {
      await page.getByRole('button', { name: /Bill reduction: \$2,190/u }).waitFor()
      await page.getByText(TITLE).first().click()
      const card = page.getByRole('dialog', { name: TITLE })
      await card.getByText('The node is removed.').waitFor()
      await card.getByText('No plan can free more than one node.', { exact: true }).waitFor()
      await card.getByText('90%', { exact: true }).first().waitFor()
      await card.getByLabel('File', { exact: true }).selectOption('PLAN.md')
      await expect.poll(() => new URL(page.url()).searchParams.get('recommendation')).toBe('remove-node-1')
      await card.getByRole('button', { name: 'Dismiss', exact: true }).click()
      await card.getByText('Give a reason of at least 3 characters.').waitFor()
      await card.getByLabel('Reason').fill('It is kept for a launch')
      await card.getByRole('button', { name: 'Dismiss', exact: true }).click()
      await card.waitFor({ state: 'hidden' })
      await page.getByText('“It is kept for a launch”').waitFor()
      await page.getByRole('button', { name: `Open ${TITLE}` }).click()
      await page.getByRole('button', { name: 'Restore' }).click()
      await page.getByRole('heading', { name: /Dismissed \(/u }).waitFor({ state: 'detached' })
    }))
})

describe('Reserve GPUs', () => {
  test('the form says what it takes, keeps it in the address, and names what speaks against it', () =>
    visit({ path: '/dashboard/actions/what-if?ask=gpus' }, async (page) => {
      await page.getByLabel('GPUs', { exact: true }).fill('1')
      await page.getByLabel('Together').selectOption('1')
      await page.getByRole('button', { name: 'Plan it' }).click()
      const answer = page.getByRole('region', { name: 'Reservation' })
      await answer.getByText('What happens, node by node').waitFor()
      await answer.getByText('Pods evicted').waitFor()
      await answer.getByRole('button', { name: /as one archive/u }).waitFor()
      await page.waitForURL(({ searchParams }) => searchParams.get('gpus') === '1' && searchParams.get('at') !== null)
      await page.getByLabel('GPUs', { exact: true }).fill('99')
      await page.getByRole('button', { name: 'Plan it' }).click()
      const words = page.getByText(/GPUs? of 99 are available at/u)
      await expect.poll(() => words.isVisible()).toBe(true)
    }))
})

describe('what if', () => {
  test('a scenario leads with the sentence that decides, before four rows and the figures behind them', () =>
    visit({ path: '/dashboard/actions/what-if' }, async (page) => {
      await page
        .getByText(/1,501 pods|1501 pods/u)
        .first()
        .waitFor()
      await page.getByLabel('Nodes of H100-80GB-HBM3').fill('3')
      await page.waitForURL((url) => url.searchParams.get('changes') === 'add*H100-80GB-HBM3**2*1*')
      await page.getByRole('button', { name: 'Compare' }).click()
      const decision = page.getByRole('heading', { name: /layout .* on \d+ GPUs?/u })
      await decision.waitFor()
      await expect.poll(() => decision.evaluate((heading) => heading === document.activeElement)).toBe(true)
      await expect
        .poll(() => decision.evaluate((heading) => heading.getBoundingClientRect().bottom < innerHeight / 2))
        .toBe(true)
      await page.getByRole('status').filter({ hasText: 'Comparison ready: ' }).waitFor({ state: 'attached' })
      const needed = page.getByRole('region', { name: 'GPUs needed for zero wait' })
      expect(await needed.getByRole('listitem').count()).toBe(4)
    }))
})
