import { array, assert, constantFrom, double, integer, oneof, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'

import { NOTHING_MEASURED } from '../analyze/field-values.ts'
import { totalsOf } from '../analyze/usage-sum.ts'
import { USAGE_KINDS, type UsageRow } from '../analyze/usage.ts'
import { gpuHours, instant, ratio, seconds, usdPerGpuHour } from '../units.ts'
import { COST_PARTS, type CostParts, costBy, costOf, costTotals, isIdleKnown } from './cost-parts.ts'
import type { PriceOf } from './prices-of.ts'
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
  machine: '',
  kind: 'held',
  share: ratio(1),
  namespace: 'team',
  workload: 'team/Pod/x',
  pod: 'team/x',
  workloadClass: 'training',
  present: seconds(3600),
  measured: seconds(3600),
  idle: seconds(0),
  oversized: seconds(0),
  ...NOTHING_MEASURED,
  reason: undefined,
  ...more,
})
const GROUPS = ['kind', 'pool', 'model', 'namespace'] as const
const priced =
  (prices: Record<string, number>): PriceOf =>
  ({ model }) => {
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
  }

const isKnown = (more: Partial<Parameters<typeof isIdleKnown>[0]>): boolean =>
  isIdleKnown({ used: 0, idleHeld: 0, oversized: 0, unmeasured: 0, ...more })

describe('cost', () => {
  test('is divided into parts that never overlap', () => {
    const rows = [
      row({ idle: seconds(900), oversized: seconds(1350) }),
      row({ kind: 'free', partition: 'GPU-1' }),
      row({ kind: 'stranded', partition: 'GPU-2', share: ratio(0.5) }),
      row({ kind: 'down', partition: 'GPU-3' }),
      row({ kind: 'unrequested', partition: 'GPU-4', share: ratio(0.25) }),
      row({ kind: 'unobserved', partition: 'GPU-5', present: seconds(450) }),
    ]
    expect(costOf(costTotals(totalsOf(rows, GROUPS), priced({ T4: 2 })))).toEqual({
      hours: {
        used: 0.375,
        unmeasured: 0,
        idleHeld: 0.25,
        unallocated: 1,
        stranded: 0.5,
        oversized: 0.375,
        broken: 1,
        unrequested: 0.25,
        unobserved: 0.125,
        capacity: 3.875,
      },
      money: {
        used: 0.75,
        unmeasured: 0,
        idleHeld: 0.5,
        unallocated: 2,
        stranded: 1,
        oversized: 0.75,
        broken: 2,
        unrequested: 0.5,
        unobserved: 0.25,
        capacity: 7.75,
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

function expectToAddUp({ hours, money }: CostParts): void {
  expect(COST_PARTS.reduce((sum, part) => sum + hours[part], 0)).toBeCloseTo(hours.capacity, 9)
  expect(hours.unmeasured).toBeLessThanOrEqual(hours.used + 1e-9)
  if (money === undefined) return
  for (const part of COST_PARTS) expect(money[part]).toBeGreaterThanOrEqual(0)
  expect(COST_PARTS.reduce((sum, part) => sum + money[part], 0)).toBeCloseTo(money.capacity, 6)
  expect(money.unmeasured).toBeLessThanOrEqual(money.used + 1e-6)
}

test('on any cluster the parts add up to capacity, in sum and part by part over the groups of any cut', () => {
  const anyRow = record({
    kind: constantFrom('held' as const, ...USAGE_KINDS),
    share: constantFrom(1, 1 / 7, 2 / 7, 3 / 7, 4 / 7, 1 / 3, 0.25),
    present: integer({ min: 1, max: 3600 }),
    measured: double({ min: 0, max: 1, noNaN: true }),
    idle: double({ min: 0, max: 1, noNaN: true }),
    over: double({ min: 0, max: 1, noNaN: true }),
    namespace: constantFrom('a', 'b', 'c'),
    model: constantFrom('T4', 'A30', 'H200', 'X9000'),
    pool: constantFrom('', 'spot'),
  })
  const anyPrice = oneof(double({ min: 0, max: 30, noNaN: true }), constantFrom(0.01, 1 / 3))
  const prices = record({ T4: anyPrice, A30: anyPrice, H200: anyPrice })
  assert(
    property(array(anyRow, { maxLength: 30 }), prices, (list, book) => {
      const rows = list.map(({ kind: of, share, present, measured, idle, over, ...more }) => {
        const held = of === 'held' ? 1 : 0
        return row({
          ...more,
          kind: of,
          namespace: of === 'held' ? more.namespace : '',
          share: ratio(share),
          present: seconds(present),
          measured: seconds(held * present * measured),
          idle: seconds(held * present * measured * idle),
          oversized: seconds(held * present * measured * (1 - idle) * over),
        })
      })
      const costed = costTotals(totalsOf(rows, GROUPS), priced(book))
      const whole = costOf(costed)
      expectToAddUp(whole)
      for (const group of ['namespace', 'model', 'pool'] as const) {
        const groups = costBy(costed, ({ key }) => key[group])
        for (const { cost } of groups) expectToAddUp(cost)
        for (const part of COST_PARTS) {
          const hours = groups.reduce((sum, { cost }) => sum + cost.hours[part], 0)
          expect(hours).toBeCloseTo(whole.hours[part], 9)
          const money = groups.reduce((sum, { cost }) => sum + (cost.money?.[part] ?? 0), 0)
          expect(money).toBeCloseTo(whole.money?.[part] ?? 0, 4)
        }
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
