import { NOTHING_MEASURED, instant, ratio, seconds, type UsageRow } from '@septet/domain'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { type ClusterFacts, factsOf } from '@septet/server/testing'
import { draw } from '@septet/domain/testing'
import { openScreens, type Screens } from './open-screens.ts'

// What goes while it is looked at, and days on which the clock changes, answered by the server itself.

const BEFORE = draw`
  stays  A100-SXM4-80GB  [3g.40gb lab/other-1] [3g.40gb -]
  goes   A100-SXM4-80GB  [3g.40gb lab/ends-1] [3g.40gb -]`
const AFTER = draw`
  stays  A100-SXM4-80GB  [3g.40gb lab/other-1] [3g.40gb -]`

const known = (snapshot: typeof BEFORE): ClusterFacts => ({
  ...factsOf(snapshot, [], { id: 'watched', name: 'Watched', kind: 'cluster', createdAt: instant(0) }),
  asOf: () => instant(Date.now()),
})

let screens: Screens
/** The clusters that are watched; a test may change what one of them is. */
const clusters: ClusterFacts[] = []
beforeAll(async () => {
  screens = await openScreens(clusters)
})
beforeEach(() => void clusters.splice(0, 1, known(BEFORE)))
afterAll(() => screens?.close())

const open = (page: Page, path: string): Promise<unknown> => page.goto(`${screens.septet.url}/dashboard${path}`)

/** The node leaves, its GPU and its workload with it, and the page is told. */
function leave(): void {
  clusters.splice(0, 1, known(AFTER))
  const asOf = new Date().toISOString()
  for (const kind of ['inventory', 'analysis'] as const)
    screens.septet.events.publish({ kind, cluster: 'watched', asOf })
}

test.each([
  {
    what: 'GPU',
    path: '/fleet?cluster=watched&gpu=GPU-goes-0',
    shows: 'A100-SXM4-80GB on goes',
    says: 'This GPU left the cluster or is no longer reported.',
  },
  {
    what: 'workload',
    path: '/workloads?cluster=watched&workload=lab%2FPod%2Fends-1',
    shows: 'ends-1',
    says: 'It ended',
  },
  {
    what: 'node',
    path: '/partitions?cluster=watched&node=goes',
    shows: 'Target layout',
    says: 'is not among the nodes that you see',
  },
])(
  'a $what that goes while it is open leaves what was last known of it, and the page says so',
  ({ path, shows, says }) =>
    screens.visit({}, async (page) => {
      await open(page, path)
      await page.getByText(shows).first().waitFor()
      await page.getByText('Connected', { exact: true }).waitFor()
      expect(await page.getByText(says).count()).toBe(0)
      leave()
      await page.getByText(says).first().waitFor()
      await page.getByText(shows).first().waitFor()
    }),
)

/** One GPU that was held for every hour of a window. */
function hoursOf(from: string, to: string): UsageRow[] {
  const rows: UsageRow[] = []
  for (let at = Date.parse(from); at < Date.parse(to); at += 3_600_000)
    rows.push({
      at: instant(at),
      span: '1h',
      node: 'stays',
      pool: '',
      gpu: 'GPU-stays-0',
      partition: 'GPU-stays-0',
      profile: '',
      model: 'A100-SXM4-80GB',
      kind: 'held',
      share: ratio(1),
      namespace: 'lab',
      workload: 'lab/Pod/other-1',
      pod: 'lab/other-1',
      workloadClass: 'training',
      present: seconds(3600),
      measured: seconds(3600),
      idle: seconds(0),
      ...NOTHING_MEASURED,
      busy: ratio(1),
      busyPeak: ratio(1),
      reason: undefined,
    })
  return rows
}

test('a month in which the clock changes has each of its days once, and one of them 23 hours', () =>
  screens.visit({ timezoneId: 'Europe/Berlin' }, async (page) => {
    const [from, to] = ['2025-02-28T23:00:00Z', '2025-03-31T22:00:00Z']
    await screens.septet.store.usage.write('watched', hoursOf(from, to))
    await open(page, `/cost?cluster=watched&range=${encodeURIComponent(`${from}/${to}`)}`)
    const days = page.getByRole('button', { name: /^2025-03-\d\d: \$/u })
    await expect.poll(() => days.count()).toBe(31)
    const costs = new Map<string, number>()
    for (const name of await days.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''))) {
      const [, date = '', amount = ''] = /^(\S+): \$([\d.]+)/u.exec(name) ?? []
      costs.set(date, Number(amount))
    }
    const hour = (costs.get('2025-03-15') ?? 0) / 24
    expect([...costs.keys()].at(0)).toBe('2025-03-01')
    expect([...costs.keys()].at(-1)).toBe('2025-03-31')
    expect(costs.get('2025-03-30')).toBeCloseTo(23 * hour, 1)
    await page.getByRole('button', { name: /^2025-03-30/u }).focus()
    await page.getByText('Daylight saving time changes on this day: it has 23 hours.').first().waitFor()
  }))
