import { instant, NOTHING_MEASURED, ratio, seconds, type UsageRow } from '@septet/domain'
import { draw } from '@septet/domain/testing'
import { type ClusterFacts, factsOf, openTestSeptet, type TestSeptet } from '@septet/server/testing'
import { screen } from '@testing-library/dom'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { shows } from '../read-page.fake.ts'
import { openDashboardOf } from './open-dashboard.fake.tsx'

// What goes while it is looked at, and days on which the clock changes, answered by the server itself.

const ADMIN = 'admin@septet.local'
const BEFORE = draw`
  stays  A100-SXM4-80GB  [3g.40gb lab/other-1] [3g.40gb -]
  goes   A100-SXM4-80GB  [3g.40gb lab/ends-1] [3g.40gb -]`
const AFTER = draw`
  stays  A100-SXM4-80GB  [3g.40gb lab/other-1] [3g.40gb -]`

const known = (snapshot: typeof BEFORE): ClusterFacts => ({
  ...factsOf(snapshot, [], { id: 'watched', name: 'Watched', kind: 'cluster', createdAt: instant(0) }),
  asOf: () => instant(Date.now()),
})

let septet: TestSeptet
let token: string
/** The clusters that are watched; a test may change what one of them is. */
const clusters: ClusterFacts[] = []
beforeAll(async () => {
  septet = await openTestSeptet({
    environment: { SEPTET_AUTHORIZED_EMAIL: ADMIN },
    facts: { clusters: () => clusters },
  })
  token = (await septet.signIn(ADMIN)).authorization.replace('Bearer ', '')
})
beforeEach(() => void clusters.splice(0, 1, known(BEFORE)))
afterAll(() => septet?.close())

const visit = (path: string): ReturnType<typeof openDashboardOf> =>
  openDashboardOf(septet.url, `/dashboard${path}`, token)

/** The node leaves, its GPU and its workload with it, and the page is told. */
function leave(): void {
  clusters.splice(0, 1, known(AFTER))
  const asOf = new Date().toISOString()
  for (const kind of ['inventory', 'analysis'] as const) septet.events.publish({ kind, cluster: 'watched', asOf })
}

test.each([
  {
    what: 'GPU',
    path: '/fleet?cluster=watched&gpu=GPU-goes-0',
    is: 'A100-SXM4-80GB on goes',
    says: 'This GPU left the cluster or is no longer reported.',
  },
  {
    what: 'workload',
    path: '/workloads?cluster=watched&workload=lab%2FPod%2Fends-1',
    is: 'ends-1',
    says: 'It ended',
  },
  {
    what: 'node',
    path: '/partitions?cluster=watched&node=goes',
    is: 'Target layout',
    says: 'is not among the nodes that you see',
  },
])(
  'a $what that goes while it is open leaves what was last known of it, and the page says so',
  async ({ path, is, says }) => {
    await visit(path)
    await shows(is)
    await screen.findByText('Connected')
    expect(document.body.textContent).not.toContain(says)
    leave()
    await shows(says)
    await shows(is)
  },
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
      machine: '',
      kind: 'held',
      share: ratio(1),
      namespace: 'lab',
      workload: 'lab/Pod/other-1',
      pod: 'lab/other-1',
      workloadClass: 'training',
      present: seconds(3600),
      measured: seconds(3600),
      idle: seconds(0),
      oversized: seconds(0),
      ...NOTHING_MEASURED,
      busy: ratio(1),
      busyPeak: ratio(1),
      reason: undefined,
    })
  return rows
}

test('a month in which the clock changes has each of its days once, and one of them 23 hours', async () => {
  const [from, to] = ['2025-02-28T23:00:00Z', '2025-03-31T22:00:00Z']
  await septet.store.usage.write('watched', hoursOf(from, to))
  await visit(`/cost?cluster=watched&zone=Europe/Berlin&range=${encodeURIComponent(`${from}/${to}`)}`)
  const days = await screen.findAllByRole('button', { name: /^2025-03-\d\d: \$/u })
  const costs = new Map(
    days.map((day) => {
      const [, date = '', amount = ''] = /^(\S+): \$([\d.]+)/u.exec(day.getAttribute('aria-label') ?? '') ?? []
      return [date, Number(amount)]
    }),
  )
  expect([costs.size, [...costs.keys()].at(0), [...costs.keys()].at(-1)]).toEqual([31, '2025-03-01', '2025-03-31'])
  expect(costs.get('2025-03-30')).toBeCloseTo(23 * ((costs.get('2025-03-15') ?? 0) / 24), 1)
  days.find((day) => day.getAttribute('aria-label')?.startsWith('2025-03-30'))?.focus()
  await shows('Daylight saving time changes on this day: it has 23 hours.')
})
