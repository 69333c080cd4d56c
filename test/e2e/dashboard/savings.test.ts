import { HOUR_MS } from '@septet/domain'
import { openTestSeptet, type TestSeptet } from '@septet/server/testing'
import {
  ALL_THE_WAY,
  CHANGE,
  END,
  estimated,
  keptFrom,
  look,
  runOf,
  writePricedTruth,
} from '@septet/server/testing/act'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { axeFindings, overflow } from '../../page-flaws.ts'
import { openBrowser, webFolder } from '../../shared/shared.ts'
import type { Session } from '../../windows.ts'
import { ADMIN, sessionOf, settled, visitDashboard } from './dashboard-page.ts'

let browser: Browser
let septet: TestSeptet
let session: Session

beforeAll(async () => {
  septet = await openTestSeptet({ dist: await webFolder() })
  await septet.signIn(ADMIN.email)
  session = await sessionOf(septet.url)
  const { store } = septet
  await writePricedTruth(store, 'production')
  const runs = [
    runOf('done', { cluster: 'production', saving: estimated(0.1 * 4 * 730), states: keptFrom(CHANGE) }),
    runOf('fresh', {
      cluster: 'production',
      object: 'workload/web/Deployment/rank',
      saving: estimated(100),
      states: keptFrom(END - 30 * HOUR_MS),
    }),
    runOf('wished', {
      cluster: 'production',
      object: 'workload/web/Deployment/api',
      saving: estimated(730),
      states: [['approved', END - HOUR_MS]],
    }),
  ]
  for (const run of runs) await store.actions.propose(run)
  await look(store, ALL_THE_WAY, { cluster: 'production' })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await septet?.close()
})

const visit = (
  { path, ...options }: { readonly path: string } & BrowserContextOptions,
  seen: (page: Page) => Promise<void>,
): Promise<void> =>
  visitDashboard({ browser, url: `${septet.url}${path}`, session, ...options }, async (page) => {
    await page.getByRole('heading', { level: 1 }).waitFor()
    await settled(page)
    await seen(page)
  })

const AT = '/dashboard/actions/savings?cluster=production'

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
