import { array, assert, constantFrom, double, integer, oneof, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'

import { NOTHING_MEASURED } from '../analyze/field-values.ts'
import { totalsOf } from '../analyze/usage-sum.ts'
import type { UsageKind, UsageRow, UsageTotal } from '../analyze/usage.ts'
import { gpuHours, instant, ratio, seconds, usdPerGpuHour } from '../units.ts'
import { type CostParts, costBy, type Costing, costOf, costTotals, isIdleKnown } from './cost-parts.ts'
import { splitToCents } from './split-to-cents.ts'

const row = (more: Partial<UsageRow>): UsageRow => ({
  at: instant(0),
  span: '1h',
  node: 'a',
  pool: '',
  gpu: 'GPU-0',
  partition: 'GPU-0',
  profile: '',
  model: 'T4',
  kind: 'held',
  share: ratio(1),
  namespace: 'team',
  workload: 'team/Pod/x',
  pod: 'team/x',
  workloadClass: 'training',
  present: seconds(3600),
  measured: seconds(3600),
  idle: seconds(0),
  ...NOTHING_MEASURED,
  reason: undefined,
  ...more,
})
const GROUPS = ['kind', 'pool', 'model', 'namespace'] as const
const priced = (prices: Record<string, number>, oversizedOf: Costing['oversizedOf'] = () => 0): Costing => ({
  priceOf: ({ model }) => {
    const price = prices[model]
    if (price === undefined) return { kind: 'unknown', because: 'not in this test' }
    return {
      kind: 'known',
      price: usdPerGpuHour(price),
      source: 'test',
      asOf: instant(0),
      origin: 'operator',
      scope: 'default',
    }
  },
  oversizedOf,
})

const isKnown = (more: Partial<Parameters<typeof isIdleKnown>[0]>): boolean =>
  isIdleKnown({ used: 0, idleHeld: 0, oversized: 0, unmeasured: 0, ...more })
const half = (total: UsageTotal): number => (total.measuredGpuSeconds - total.idleGpuSeconds) / 2

describe('cost', () => {
  test('is what was used, and five kinds of waste that never overlap', () => {
    const rows = [
      row({ idle: seconds(900) }),
      row({ kind: 'free', partition: 'GPU-1' }),
      row({ kind: 'stranded', partition: 'GPU-2', share: ratio(0.5) }),
      row({ kind: 'down', partition: 'GPU-3' }),
    ]
    expect(costOf(costTotals(totalsOf(rows, GROUPS), priced({ T4: 2 }, half)))).toEqual({
      hours: {
        used: 0.375,
        unmeasured: 0,
        idleHeld: 0.25,
        unallocated: 1,
        stranded: 0.5,
        oversized: 0.375,
        broken: 1,
        capacity: 3.5,
      },
      money: {
        used: 0.75,
        unmeasured: 0,
        idleHeld: 0.5,
        unallocated: 2,
        stranded: 1,
        oversized: 0.75,
        broken: 2,
        capacity: 7,
      },
      unpriced: 0,
    })
  })

  test('of held time that nobody measured is used, and told as unmeasured', () => {
    const { hours, money } = costOf(costTotals(totalsOf([row({ measured: seconds(1800) })], GROUPS), priced({ T4: 2 })))
    expect([hours.used, hours.unmeasured, money?.used, money?.unmeasured]).toEqual([1, 0.5, 2, 1])
  })

  test('tells idle time only of what was measured in part, or where nothing was held', () => {
    expect(isKnown({})).toBe(true)
    expect(isKnown({ used: 10, unmeasured: 10 })).toBe(false)
    expect(isKnown({ used: 10, unmeasured: 9 })).toBe(true)
    // Nothing but idle time was measured.
    expect(isKnown({ idleHeld: 10, used: 2, unmeasured: 2 })).toBe(true)
    expect(isKnown({ used: 1 / 3 + 1 / 3, unmeasured: 0.666_666_666 })).toBe(false)
  })

  test('is not known without a price, and not $0', () => {
    const rows = [row({}), row({ model: 'X9000', partition: 'GPU-1' })]
    const whole = costOf(costTotals(totalsOf(rows, GROUPS), priced({ T4: 2 })))
    expect([whole.hours.capacity, whole.money?.capacity, whole.unpriced]).toEqual([2, 2, 1])
    expect(costOf(costTotals(totalsOf(rows.slice(1), GROUPS), priced({ T4: 2 })))).toMatchObject({
      money: undefined,
      unpriced: 1,
    })
  })

  test('of a namespace leaves out what nobody held, which has its own row', () => {
    const rows = [row({}), row({ namespace: 'other' }), row({ kind: 'free', namespace: '' })]
    const groups = costBy(costTotals(totalsOf(rows, GROUPS), priced({ T4: 1 })), ({ key }) => key.namespace)
    expect(groups.map(({ key, cost }) => [key, cost.money?.capacity, cost.hours.unallocated])).toEqual([
      ['', 1, gpuHours(1)],
      ['other', 1, gpuHours(0)],
      ['team', 1, gpuHours(0)],
    ])
  })

  test('refuses totals that mix held and free time', () => {
    expect(() => costTotals(totalsOf([row({})], ['model']), priced({}))).toThrow('must be grouped by kind')
  })
})

const cents = (amount: number): number => {
  const whole = Math.round(amount * 100)
  expect(Math.abs(amount * 100 - whole)).toBeLessThan(1e-6)
  return whole
}

function expectToAddUp({ hours, money }: CostParts): void {
  const parts = hours.used + hours.idleHeld + hours.unallocated + hours.stranded + hours.oversized + hours.broken
  expect(parts).toBeCloseTo(hours.capacity, 6)
  expect(hours.unmeasured).toBeLessThanOrEqual(hours.used + 1e-9)
  if (money === undefined) return
  const { used, idleHeld, unallocated, stranded, oversized, broken, capacity, unmeasured } = money
  const amounts = [used, idleHeld, unallocated, stranded, oversized, broken].map(cents)
  for (const amount of amounts) expect(amount).toBeGreaterThanOrEqual(0)
  expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(cents(capacity))
  expect(unmeasured).toBeLessThanOrEqual(used)
}

test('on any cluster, used + idle-held + unallocated + stranded + oversized + broken = capacity to the cent, per group and in sum', () => {
  const kind = constantFrom<UsageKind>('held', 'held', 'free', 'stranded', 'down')
  const anyRow = record({
    kind,
    share: constantFrom(1, 1 / 7, 2 / 7, 3 / 7, 4 / 7, 1 / 3, 0.25),
    present: integer({ min: 1, max: 3600 }),
    measured: double({ min: 0, max: 1, noNaN: true }),
    idle: double({ min: 0, max: 1, noNaN: true }),
    namespace: constantFrom('a', 'b', 'c'),
    model: constantFrom('T4', 'A30', 'H200', 'X9000'),
    pool: constantFrom('', 'spot'),
  })
  const anyPrice = oneof(double({ min: 0, max: 30, noNaN: true }), constantFrom(0.01, 1 / 3))
  const prices = record({ T4: anyPrice, A30: anyPrice, H200: anyPrice })
  assert(
    property(array(anyRow, { maxLength: 30 }), prices, double({ min: 0, max: 2, noNaN: true }), (list, book, over) => {
      const rows = list.map(({ kind: of, share, present, measured, idle, ...more }) =>
        row({
          ...more,
          kind: of,
          namespace: of === 'held' ? more.namespace : '',
          share: ratio(share),
          present: seconds(present),
          measured: seconds(of === 'held' ? present * measured : 0),
          idle: seconds(of === 'held' ? present * measured * idle : 0),
        }),
      )
      const costing = priced(book, (total) => total.measuredGpuSeconds * over)
      const costed = costTotals(totalsOf(rows, GROUPS), costing)
      const whole = costOf(costed)
      expectToAddUp(whole)
      for (const group of ['namespace', 'model', 'pool'] as const) {
        const parts = costBy(costed, ({ key }) => key[group])
        for (const { cost } of parts) expectToAddUp(cost)
        const sum = parts.reduce((more, { cost }) => more + cents(cost.money?.capacity ?? 0), 0)
        expect(sum).toBe(cents(whole.money?.capacity ?? 0))
        const hours = parts.reduce((more, { cost }) => more + cost.hours.capacity, 0)
        expect(hours).toBeCloseTo(whole.hours.capacity, 6)
      }
    }),
  )
})

describe('splitting to cents', () => {
  test('gives the missing cents to the largest remainders', () => {
    expect(splitToCents([1 / 3, 1 / 3, 1 / 3])).toEqual([0.34, 0.33, 0.33])
    expect(splitToCents([0.005, 0.005])).toEqual([0.01, 0])
  })
  test('meets a whole that is shown elsewhere', () => {
    expect(splitToCents([1, 1], 2.01)).toEqual([1.01, 1])
    expect(splitToCents([1, 0.02], 1.01)).toEqual([1, 0.01])
  })
  test('adds up for any amounts', () => {
    assert(
      property(array(double({ min: 0, max: 1e7, noNaN: true }), { minLength: 1, maxLength: 50 }), (amounts) => {
        const sum = amounts.reduce((more, amount) => more + amount, 0)
        const split = splitToCents(amounts)
        expect(split.reduce((more, amount) => more + Math.round(amount * 100), 0)).toBe(Math.round(sum * 100))
        for (const [index, amount] of split.entries())
          expect(Math.abs(amount - (amounts[index] ?? 0))).toBeLessThan(0.011)
      }),
    )
  })
})
