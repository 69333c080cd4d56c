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
import { afterAll, beforeAll } from 'vitest'

import { openBrowser, webFolder } from '../../shared/shared.ts'
import type { Session } from '../../windows.ts'
import { ADMIN, sessionOf, settled, visitDashboard } from './dashboard-page.ts'

let browser: Browser
let septet: TestSeptet
let session: Session

/** Opens what the tests of a file look at, and closes it after them. */
export function openBeforeTests(): void {
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
}

export const visit = (
  { path, ...options }: { readonly path: string } & BrowserContextOptions,
  seen: (page: Page) => Promise<void>,
): Promise<void> =>
  visitDashboard({ browser, url: `${septet.url}${path}`, session, ...options }, async (page) => {
    await page.getByRole('heading', { level: 1 }).waitFor()
    await settled(page)
    await seen(page)
  })

export const AT = '/dashboard/actions/savings?cluster=production'
