import type { FigureView } from '@septet/contract'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { costParts } from './CostPanel.tsx'

/** An amount of money that is in no proportion to the hours. */
const figure = (hours: number | null): FigureView => ({
  value: hours === null ? null : hours * 7,
  unit: 'USD',
  quality: 'measured',
  because: null,
  coverage: null,
  explain: { formula: '', window: null, source: '' },
})
const amount = fc.double({ min: 0, max: 1e6, noNaN: true })

type Hours = Parameters<typeof costParts>[1]
const costOf = (hours: Hours) =>
  costParts(
    {
      capacity: figure(hours.capacity),
      used: figure(hours.used),
      unmeasured: figure(hours.unmeasured),
      idleHeld: figure(hours.idleHeld),
      unallocated: figure(hours.unallocated),
      stranded: figure(hours.stranded),
      oversized: figure(hours.oversized),
      broken: figure(hours.broken),
      unrequested: figure(hours.unrequested),
      unobserved: figure(hours.unobserved),
      hours,
      unpricedGpuHours: 0,
    },
    hours,
  )

test('what is drawn adds up to the capacity, and what was not measured is a part of used', () => {
  fc.assert(
    fc.property(
      fc.tuple(
        amount,
        amount,
        amount,
        amount,
        amount,
        amount,
        amount,
        amount,
        fc.double({ min: 0, max: 1, noNaN: true }),
      ),
      (drawn) => {
        const [used, idleHeld, unallocated, stranded, oversized, broken, unrequested, unobserved, unmeasured] = drawn
        const capacity = drawn.slice(0, 8).reduce((sum, part) => sum + part, 0)
        fc.pre(capacity > 1e-3)
        const parts = costOf({
          capacity,
          used,
          idleHeld,
          unallocated,
          stranded,
          oversized,
          broken,
          unrequested,
          unobserved,
          unmeasured: unmeasured * used,
        })
        expect(parts.reduce((sum, part) => sum + part.drawn, 0)).toBeCloseTo(1, 9)
        const rows = parts.filter(({ key }) => key !== 'unmeasured')
        expect(rows.reduce((sum, part) => sum + part.share, 0)).toBeCloseTo(1, 9)
      },
    ),
  )
})

const money = (value: number): FigureView => ({ ...figure(0), value })

test('shares beside amounts of money are shares of the money, not of the hours', () => {
  const hours = {
    capacity: 10,
    used: 8,
    unmeasured: 0,
    idleHeld: 2,
    unallocated: 0,
    stranded: 0,
    oversized: 0,
    broken: 0,
    unrequested: 0,
    unobserved: 0,
  }
  const none = money(0)
  const cost = {
    ...hours,
    unmeasured: none,
    unallocated: none,
    stranded: none,
    oversized: none,
    broken: none,
    unrequested: none,
    unobserved: none,
  }
  const priced = { ...cost, capacity: money(100), used: money(60), idleHeld: money(40), hours, unpricedGpuHours: 0 }
  expect(costParts(priced, hours).map(({ share }) => share)).toEqual([0.6, 0, 0.4, 0, 0, 0])
  const unpriced = { ...priced, capacity: { ...none, value: null } }
  expect(costParts(unpriced, hours).map(({ share }) => share)).toEqual([0.8, 0, 0.2, 0, 0, 0])
})

test('without capacity there is no share, and no division by nothing', () => {
  const parts = costOf({
    capacity: 0,
    used: 0,
    idleHeld: 0,
    unallocated: 0,
    stranded: 0,
    oversized: 0,
    broken: 0,
    unrequested: 0,
    unobserved: 0,
    unmeasured: 0,
  })
  expect(parts.map(({ share }) => share)).toEqual([0, 0, 0, 0, 0, 0])
})

test('a view of some namespaces has no row for what nobody held, and the rest adds up', () => {
  const held = {
    capacity: 10,
    used: 6,
    unmeasured: 1,
    idleHeld: 3,
    oversized: 1,
    unallocated: null,
    stranded: null,
    broken: null,
    unrequested: null,
    unobserved: null,
  }
  const parts = costOf(held)
  expect(parts.map(({ key }) => key)).toEqual(['used', 'unmeasured', 'oversized', 'idleHeld'])
  expect(parts.reduce((sum, part) => sum + part.drawn, 0)).toBeCloseTo(1, 9)
})
