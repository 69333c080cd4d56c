import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { openScreens, screen, SCREENS, VIEWER, type Screens } from './open-screens.ts'

// Every screen of a Septet that watches no cluster, answered by the server itself.

let screens: Screens
beforeAll(async () => {
  screens = await openScreens([])
})
afterAll(() => screens?.close())

describe('without a cluster', () => {
  // One window walks every screen, which is much quicker than a window for each.
  test('every screen says so and leads to where one is added', () =>
    screens.visit({}, async (page) => {
      for (const path of SCREENS) {
        expect(await screen(page, screens, path)).toContain('You do not have access to a cluster yet.')
        const link = await page.getByRole('link', { name: 'Add a cluster' }).getAttribute('href')
        expect([path, link]).toEqual([path, '/dashboard/settings/clusters?add=cluster'])
      }
      await page.getByRole('link', { name: 'Add a cluster' }).click()
      await page.getByLabel('Kubeconfig', { exact: true }).waitFor()
    }))

  test('of a link to one that is gone, sample data is one press away', () =>
    screens.visit({}, async (page) => {
      expect(await screen(page, screens, '?cluster=gone')).toContain('There is no cluster "gone".')
      await page.getByRole('button', { name: 'View sample data' }).click()
      await page.getByText('$324K').waitFor()
    }))

  test('somebody who may not add one is told who may', () =>
    screens.visit({ as: VIEWER }, async (page) => {
      expect(await screen(page, screens, '/fleet')).toContain('An admin can add one, in Settings → Clusters.')
    }))
})
