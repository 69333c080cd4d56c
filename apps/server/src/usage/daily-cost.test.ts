import {
  HOUR_MS,
  NOTHING_MEASURED,
  instant,
  ratio,
  seconds,
  type Store,
  type UsageRow,
  usdPerGpuHour,
} from '@septet/domain'
import { openTestStore } from '@septet/storage/testing'
import { expect, test } from 'vitest'

import { budgetStatesOf, outlookOf, writeBudgets } from './budget-states.ts'
import { dailyCost } from './daily-cost.ts'
import { writeTenants } from '../tenants.ts'
import type { ClusterFacts } from '../facts.ts'

const at = (text: string) => instant(Date.parse(text))
const NOW = at('2026-10-27T12:00:00Z')

const row = (time: number, namespace: string): UsageRow => ({
  at: instant(time),
  span: '1h',
  node: 'n',
  pool: 'p',
  gpu: `GPU-${namespace}`,
  partition: `GPU-${namespace}`,
  profile: '',
  model: 'H100-80GB-HBM3',
  machine: '',
  kind: 'held',
  share: ratio(1),
  namespace,
  workload: `${namespace}/Job/a`,
  pod: `${namespace}/a-0`,
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

/** One GPU of two namespaces, $2 an hour, from some hour to now; nothing was seen for five hours of the 26th. */
async function storeFrom(from: string): Promise<Store> {
  const store = await openTestStore()
  const hours: UsageRow[] = []
  for (let time = at(from) as number; time < NOW; time += HOUR_MS) {
    const hidden = time >= at('2026-10-26T10:00:00Z') && time < at('2026-10-26T15:00:00Z')
    if (!hidden) hours.push(row(time, 'lab'), row(time, 'web'))
  }
  await store.usage.write('c', hours)
  await store.prices.put({
    id: 'own',
    cluster: undefined,
    pool: undefined,
    model: undefined,
    price: usdPerGpuHour(2),
    source: 'a contract',
    asOf: NOW,
    origin: 'operator',
  })
  return store
}

const facts = { record: { id: 'c' }, picture: () => undefined } as unknown as ClusterFacts
const dollars = (day: Awaited<ReturnType<typeof dailyCost>>[number] | undefined): number =>
  Math.round((day?.cells ?? []).flatMap(({ tally }) => tally.money).reduce((sum, amount) => sum + amount, 0))
const window = { from: at('2026-10-24T12:00:00Z'), to: at('2026-10-28T12:00:00Z') }
const asked = { cluster: 'c', zone: 'Europe/Berlin', window, now: NOW, nodes: [] }

test('a day on which the clock goes back has 25 hours of cost, and a gap stays a gap', async () => {
  const store = await storeFrom('2026-10-24T00:00:00Z')
  const days = await dailyCost(store, asked)
  expect(days.map((day) => [day.date, dollars(day), Math.round(day.seen * 100) / 100])).toEqual([
    ['2026-10-24', 88, 0.92],
    ['2026-10-25', 100, 1],
    ['2026-10-26', 76, 0.79],
    ['2026-10-27', 52, 1],
  ])
})

test('of a namespace it is what that held, and the gap is that of the cluster', async () => {
  const store = await storeFrom('2026-10-24T00:00:00Z')
  const days = await dailyCost(store, { ...asked, namespaces: ['lab'] })
  expect(days.map(dollars)).toEqual([44, 50, 38, 26])
  expect(days.map(({ seen }) => Math.round(seen * 100) / 100)).toEqual([0.92, 1, 0.79, 1])
})

test('budgets of a cluster, a namespace and a tenant stand where their days add up to', async () => {
  const store = await storeFrom('2026-09-20T00:00:00Z')
  await writeTenants(store.settings, [{ name: 'Web', namespaces: ['we*'], labels: {} }])
  const budget = { cluster: 'c', usdPerMonth: 2000, thresholds: [80, 100], zone: 'UTC' }
  await writeBudgets(store.settings, [
    { ...budget, id: 'all', scope: { kind: 'cluster' } },
    { ...budget, id: 'lab', scope: { kind: 'namespace', name: 'lab' } },
    { ...budget, id: 'web', scope: { kind: 'tenant', name: 'Web' } },
    { ...budget, id: 'other', cluster: 'other', scope: { kind: 'cluster' } },
  ])
  const states = await budgetStatesOf({ store, now: NOW }, facts)
  // 26 days and a half less five hours, one or two GPUs.
  const hours = 26.5 * 24 - 5
  expect(states.map((state) => [state.budget.id, state.spent])).toEqual([
    ['all', hours * 4],
    ['lab', hours * 2],
    ['web', hours * 2],
  ])
  expect(states[0]).toMatchObject({ reached: [80, 100], usedUp: { isOver: true }, unknownDays: 1 })
  expect(states[1]?.forecast).toMatchObject({ kind: 'known', usd: 31 * 24 * 2 })
  const theirs = await budgetStatesOf({ store, now: NOW }, facts, ['lab'])
  expect(theirs.map(({ budget: { id } }) => id)).toEqual(['lab'])
  const outlook = await outlookOf({ store, now: NOW }, facts, { zone: 'UTC', namespaces: ['lab'] })
  expect(outlook.spent).toBe(hours * 2)
})
