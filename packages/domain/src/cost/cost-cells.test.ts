import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { NO_PEAKS } from '../analyze/field-values.ts'
import type { UsageTotal } from '../analyze/usage.ts'
import { instant, usdPerGpuHour } from '../units.ts'
import { cellsOf, cutCost } from './cost-cells.ts'
import { costBy, type Costing, costOf, costTotals } from './cost-parts.ts'
import type { Price } from './price-book.ts'

const price = (amount: number): Price => ({
  kind: 'known',
  price: usdPerGpuHour(amount),
  source: 'test',
  asOf: instant(0),
  origin: 'operator',
  scope: 'default',
})
const costing: Costing = {
  priceOf: ({ model }) =>
    model === 'odd' ? { kind: 'unknown', because: 'none' } : price(model === 'a' ? 1.37 : 2.911),
  oversizedOf: (total) => total.measuredGpuSeconds / 3,
}
const anyTotal = fc
  .record({
    kind: fc.constantFrom('held', 'free', 'stranded', 'down'),
    namespace: fc.constantFrom('x', 'y', 'z'),
    name: fc.constantFrom('1', '2', '3'),
    model: fc.constantFrom('a', 'b', 'odd'),
    pool: fc.constantFrom('p', 'q'),
    seconds: fc.integer({ min: 1, max: 100_000 }),
    measured: fc.double({ min: 0, max: 1, noNaN: true }),
    idle: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ kind, namespace, name, model, pool, seconds, measured, idle }): UsageTotal => {
    const held = kind === 'held'
    return {
      key: {
        kind,
        namespace: held ? namespace : '',
        workload: held ? `${namespace}/Job/${name}` : '',
        model,
        pool,
      },
      gpuSeconds: seconds,
      measuredGpuSeconds: held ? seconds * measured : 0,
      busyGpuSeconds: 0,
      effectiveMeasuredGpuSeconds: 0,
      effectiveGpuSeconds: 0,
      idleGpuSeconds: held ? seconds * measured * idle : 0,
      seconds,
      measuredSeconds: 0,
      ...NO_PEAKS,
      rows: 1,
    }
  })
const anyTotals = fc.array(anyTotal, { minLength: 1, maxLength: 40 })
const cents = (amount: number | undefined): number => Math.round((amount ?? 0) * 100)

describe('cells of a cost', () => {
  test('add up to the whole, to the cent, however they are cut', () => {
    fc.assert(
      fc.property(
        anyTotals,
        fc.array(fc.constantFrom('', 'red', 'blue'), { minLength: 3, maxLength: 3 }),
        (totals, colors) => {
          const costed = costTotals(totals, costing)
          const fleet = costOf(costed)
          const cells = cellsOf(costed)
          // As a tenant or a label does it: some workloads have one, some have none, and nobody's capacity is apart.
          const groups = cutCost(cells, ({ workload }) =>
            workload === '' ? 'nobody' : `of ${colors[Number(workload.at(-1)) - 1] ?? ''}`,
          )
          const sum = groups.reduce((whole, { cost }) => whole + cents(cost.money?.capacity), 0)
          expect(sum).toBe(cents(fleet.money?.capacity))
          const hours = groups.reduce((whole, { cost }) => whole + cost.hours.capacity, 0)
          expect(hours).toBeCloseTo(fleet.hours.capacity, 6)
          for (const { cost } of groups) {
            const { used, idleHeld, unallocated, stranded, oversized, broken, capacity } =
              cost.money ?? costOf([]).money ?? fleet.hours
            expect(
              cents(used) + cents(idleHeld) + cents(unallocated) + cents(stranded) + cents(oversized) + cents(broken),
            ).toBe(cents(capacity))
          }
        },
      ),
    )
  })

  test('cut as the totals were cut, they say the same', () => {
    fc.assert(
      fc.property(anyTotals, (totals) => {
        const costed = costTotals(totals, costing)
        for (const group of ['namespace', 'model', 'pool'] as const) {
          const cut = cutCost(cellsOf(costed), (cell) => cell[group])
          const straight = costBy(costed, ({ key }) => key[group] ?? '')
          expect(new Map(cut.map(({ key, cost }) => [key, cents(cost.money?.capacity)]))).toEqual(
            new Map(straight.map(({ key, cost }) => [key, cents(cost.money?.capacity)])),
          )
        }
      }),
    )
  })

  test('of one namespace, cut by workload, meet the amount that the namespace shows', () => {
    fc.assert(
      fc.property(anyTotals, (totals) => {
        const cells = cellsOf(costTotals(totals, costing))
        for (const { key, cost } of cutCost(cells, ({ namespace }) => namespace)) {
          const inside = cutCost(
            cells.filter(({ namespace }) => namespace === key),
            ({ workload }) => workload,
            cost.money?.capacity,
          )
          const sum = inside.reduce((whole, each) => whole + cents(each.cost.money?.capacity), 0)
          expect(sum).toBe(cents(cost.money?.capacity))
        }
      }),
    )
  })
})
