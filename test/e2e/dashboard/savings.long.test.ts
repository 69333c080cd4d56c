import { expect, test } from 'vitest'

import { axeFindings, overflow } from '../../page-flaws.ts'
import { settled } from './dashboard-page.ts'
import { AT, openBeforeTests, visit } from './savings-page.ts'

openBeforeTests()

test('a period has the amounts of its hours, and the address keeps it', () =>
  visit({ path: AT }, async (page) => {
    await page.getByRole('radio', { name: 'This month' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('period')).toBe('month')
    await settled(page)
    expect(await page.getByRole('table', { name: 'What each action saved' }).innerText()).not.toContain('NaN')
    await page.goBack()
    await expect.poll(() => page.getByRole('radio', { name: 'All time' }).getAttribute('aria-checked')).toBe('true')
  }))

test.each([360, 1280])('at %i pixels nothing is cut off, and axe finds nothing in either theme', (width) =>
  visit({ path: AT, viewport: { width, height: 800 }, reducedMotion: 'reduce' }, async (page) => {
    await page.getByText('Measured for 29 of 168 hours.').first().waitFor()
    expect(await overflow(page)).toBe(0)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await axeFindings(page)).toEqual([])
    }
  }),
)
