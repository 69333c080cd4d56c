import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { NO_PEAKS } from '../analyze/field-values.ts'
import { valueOf } from '../analyze/figure.ts'
import type { UsageTotal } from '../analyze/usage.ts'
import { utilizationOf } from '../analyze/utilization.ts'
import { instant, usdPerGpuHour } from '../units.ts'
import { cellsOf, cutCost } from './cost-cells.ts'
import { COST_PARTS, costBy, costOf, costTotals, heldOf } from './cost-parts.ts'
import { fleetCost } from './fleet-cost.ts'
import type { Price } from './price-book.ts'
import type { PriceOf } from './prices-of.ts'

const price = (amount: number): Price => ({
  kind: 'known',
  price: usdPerGpuHour(amount),
  source: 'test',
  asOf: instant(0),
  origin: 'operator',
  scope: 'default',
})
/** In thousandths: no share is so small that its product with another is 0. */
const anyShare = fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000)
const priceOf: PriceOf = ({ model }) =>
  model === 'odd' ? { kind: 'unknown', because: 'none' } : price(model === 'a' ? 1.37 : 2.911)
const anyTotal = fc
  .record({
    kind: fc.constantFrom('held', 'free', 'stranded', 'down'),
    namespace: fc.constantFrom('x', 'y', 'z'),
    name: fc.constantFrom('1', '2', '3'),
    model: fc.constantFrom('a', 'b', 'odd'),
    pool: fc.constantFrom('p', 'q'),
    seconds: fc.integer({ min: 1, max: 100_000 }),
    measured: anyShare,
    idle: fc.double({ min: 0, max: 1, noNaN: true }),
    busy: anyShare,
    node: fc.constantFrom('n', 'm'),
  })
  .map(({ kind, namespace, name, model, pool, seconds, measured, idle, busy, node }): UsageTotal => {
    const held = kind === 'held'
    return {
      key: {
        kind,
        namespace: held ? namespace : '',
        workload: held ? `${namespace}/Job/${name}` : '',
        model,
        pool,
        node,
      },
      gpuSeconds: seconds,
      measuredGpuSeconds: held ? seconds * measured : 0,
      busyGpuSeconds: held ? seconds * measured * busy : 0,
      effectiveMeasuredGpuSeconds: 0,
      effectiveGpuSeconds: 0,
      idleGpuSeconds: held ? seconds * measured * idle : 0,
      oversizedGpuSeconds: held ? (seconds * measured * (1 - idle)) / 3 : 0,
      seconds,
      measuredSeconds: 0,
      ...NO_PEAKS,
      rows: 1,
    }
  })
const anyTotals = fc.array(anyTotal, { minLength: 1, maxLength: 40 })
const cents = (amount: number | undefined): number => Math.round((amount ?? 0) * 100)

describe('cells of a cost', () => {
  test('add up to the whole, part by part, however they are cut', () => {
    fc.assert(
      fc.property(
        anyTotals,
        fc.array(fc.constantFrom('', 'red', 'blue'), { minLength: 3, maxLength: 3 }),
        (totals, colors) => {
          const costed = costTotals(totals, priceOf)
          const fleet = costOf(costed)
          const cells = cellsOf(costed)
          // As a tenant or a label does it: some workloads have one, some have none, and nobody's capacity is apart.
          const groups = cutCost(cells, ({ workload }) =>
            workload === '' ? 'nobody' : `of ${colors[Number(workload.at(-1)) - 1] ?? ''}`,
          )
          for (const part of [...COST_PARTS, 'capacity'] as const) {
            const money = groups.reduce((whole, { cost }) => whole + (cost.money?.[part] ?? 0), 0)
            expect(money).toBeCloseTo(fleet.money?.[part] ?? 0, 4)
            const hours = groups.reduce((whole, { cost }) => whole + cost.hours[part], 0)
            expect(hours).toBeCloseTo(fleet.hours[part], 9)
          }
        },
      ),
    )
  })

  test('are busy as the fleet is, weighted by what was measured, however they are cut', () => {
    fc.assert(
      fc.property(anyTotals, fc.boolean(), (totals, isDark) => {
        const seen = isDark ? totals.map((total) => ({ ...total, measuredGpuSeconds: 0, busyGpuSeconds: 0 })) : totals
        const costed = costTotals(seen, priceOf)
        const { byNamespace, byModel, byPool, byNode, cells } = fleetCost(costed, [])
        const byTenant = cutCost(cells, ({ workload }) => workload.slice(0, 1))
        const fleet = utilizationOf(seen).busyOfAllocated
        for (const groups of [byNamespace, byModel, byPool, byNode, byTenant]) {
          const parts = groups.map(({ cost: { hours }, busyOfAllocated: busy }) => ({
            measured: heldOf(hours) * busy.coverage,
            busy,
          }))
          const measured = parts.reduce((sum, part) => sum + part.measured, 0)
          const weighted = parts.reduce((sum, { busy, ...part }) => sum + (valueOf(busy) ?? 0) * part.measured, 0)
          // Unknown exactly where nothing was measured: a mean of noughts would be known.
          for (const part of parts) expect(part.busy.kind).toBe(part.measured > 0 ? 'known' : 'unknown')
          expect(measured > 0).toBe(fleet.kind === 'known')
          expect(weighted).toBeCloseTo((valueOf(fleet) ?? 0) * measured, 6)
        }
      }),
    )
  })

  test('cut as the totals were cut, they say the same', () => {
    fc.assert(
      fc.property(anyTotals, (totals) => {
        const costed = costTotals(totals, priceOf)
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
        const cells = cellsOf(costTotals(totals, priceOf))
        for (const { key, cost } of cutCost(cells, ({ namespace }) => namespace)) {
          const inside = cutCost(
            cells.filter(({ namespace }) => namespace === key),
            ({ workload }) => workload,
          )
          const sum = inside.reduce((whole, each) => whole + (each.cost.money?.capacity ?? 0), 0)
          expect(sum).toBeCloseTo(cost.money?.capacity ?? 0, 4)
        }
      }),
    )
  })
})
