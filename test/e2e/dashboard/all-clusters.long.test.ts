import { expect, test } from 'vitest'

import { axeFindings, overflow } from '../../page-flaws.ts'
import { DEMO, EAST, WEST, openBeforeTests, source, visit, watch } from './all-clusters-page.ts'

openBeforeTests()

test('with one real cluster there is nothing to add up', async () => {
  watch([EAST, DEMO])
  try {
    await visit({ path: '/dashboard/cost?cluster=east' }, async (page) => {
      await source(page).click()
      await page.getByRole('menuitemradio', { name: 'Demo cluster' }).waitFor()
      expect(await page.getByRole('menuitemradio', { name: 'All clusters' }).count()).toBe(0)
    })
  } finally {
    watch([EAST, WEST, DEMO])
  }
})

test.each([360, 1280])('at %i pixels nothing is cut off, and axe finds nothing in either theme', (width) =>
  visit({ path: '/dashboard/clusters', viewport: { width, height: 800 } }, async (page) => {
    await page.getByText('Release ml/chat').first().waitFor()
    expect(await overflow(page)).toBe(0)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await axeFindings(page)).toEqual([])
    }
  }),
)
