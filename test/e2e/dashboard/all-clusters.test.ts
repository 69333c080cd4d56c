import { expect, test } from 'vitest'

import { openBeforeTests, source, visit } from './all-clusters-page.ts'

openBeforeTests()

test('all clusters are one choice away from the figures of one, and lead back to each', () =>
  visit({ path: '/dashboard/cost?cluster=west&range=7d' }, async (page) => {
    await source(page).click()
    await page.getByRole('menuitemradio', { name: 'All clusters' }).click()
    await page.getByRole('heading', { level: 1, name: 'All clusters' }).waitFor()
    await expect.poll(() => source(page).textContent()).toContain('All clusters')
    const table = page.getByRole('region', { name: 'Cost and waste of all clusters' })
    await table.getByText('Not included. Its GPUs and prices are made up').waitFor()
    const gpus = table.getByRole('button', { name: /^GPUs of all clusters: /u })
    await expect.poll(() => gpus.textContent()).toBe('5 GPUs')
    await source(page).click()
    await page.getByRole('menuitemradio', { name: 'Training east' }).click()
    await page.waitForURL(
      (url) => url.pathname.replace(/\/$/u, '') === '/dashboard' && url.searchParams.get('cluster') === 'east',
    )
    expect(new URL(page.url()).searchParams.get('range')).toBe('7d')
  }))

test('recommendations of all clusters are one list, best first, and a row opens its card', () =>
  visit({ path: '/dashboard/clusters' }, async (page) => {
    const rows = page.getByRole('table', { name: 'Recommendations of all clusters, best first' })
    await rows.getByText('Release ml/rank').waitFor()
    expect((await rows.innerText()).match(/Release ml\/\w+/gu)).toEqual([
      'Release ml/chat',
      'Release ml/embed',
      'Release ml/rank',
    ])
    await rows.getByText('Release ml/embed').click()
    await page.waitForURL(
      ({ pathname, searchParams }) =>
        pathname === '/dashboard/actions' &&
        searchParams.get('cluster') === 'west' &&
        searchParams.get('recommendation') === 'embed',
    )
    await page.getByRole('dialog', { name: 'Release ml/embed' }).waitFor()
  }))
