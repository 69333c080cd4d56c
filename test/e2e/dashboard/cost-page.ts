import { HOUR_MS, NOTHING_MEASURED, instant, ratio, seconds, type UsageRow } from '@septet/domain'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'

import { openTestSeptet, type TestSeptet } from '@septet/server/testing'
import { openBrowser, webFolder } from '../../shared/shared.ts'
import type { Session } from '../../windows.ts'
import { ADMIN, sessionOf, visitDashboard } from './dashboard-page.ts'

let browser: Browser
export let septet: TestSeptet
let session: Session

/** Opens what the tests of a file look at, and closes it after them. */
export function openBeforeTests(): void {
  beforeAll(async () => {
    const dist = await webFolder()
    septet = await openTestSeptet({ dist, clusters: ['cluster'] })
    await septet.signIn(ADMIN.email)
    await septet.store.usage.write('production', pastWeeks())
    session = await sessionOf(septet.url)
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await septet?.close()
  })
}

/** One H100 that the namespace lab held in every hour of the last six weeks. */
function pastWeeks(): UsageRow[] {
  const now = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
  return Array.from({ length: 42 * 24 }, (_, hour) => ({
    at: instant(now - (hour + 1) * HOUR_MS),
    span: '1h',
    node: 'a',
    pool: '',
    gpu: 'GPU-a-0',
    partition: 'GPU-a-0',
    profile: '',
    model: 'H100-80GB-HBM3',
    machine: '',
    kind: 'held',
    share: ratio(1),
    namespace: 'lab',
    workload: 'lab/Job/train',
    pod: 'lab/train-0',
    workloadClass: 'training',
    present: seconds(3600),
    measured: seconds(3600),
    idle: seconds(0),
    oversized: seconds(0),
    ...NOTHING_MEASURED,
    busy: ratio(0.9),
    busyPeak: ratio(1),
    reason: undefined,
  }))
}

export const visit = (
  { path, ...options }: { readonly path: string } & BrowserContextOptions,
  look: (page: Page) => Promise<void>,
): Promise<void> =>
  visitDashboard(
    { browser, url: `${septet.url}${path}`, session, timezoneId: 'Europe/Berlin', ...options },
    async (page) => {
      await page.getByRole('heading', { name: 'Cost', level: 1 }).waitFor()
      await look(page)
    },
  )
