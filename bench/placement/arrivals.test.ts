import { seededChance } from '@septet/domain'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { arrivals } from './arrivals.ts'

type Sized = { readonly id: string; readonly size: number }

const pods = fc
  .array(fc.integer({ min: 0, max: 8 }), { minLength: 1, maxLength: 30 })
  .map((sizes) => sizes.map((size, index): Sized => ({ id: `p${index}`, size })))
const sizeOf = ({ size }: Sized): number => size
const total = (list: readonly Sized[]): number => list.reduce((sum, { size }) => sum + size, 0)
const draw = (list: readonly Sized[], capacity: number, seed: number): Sized[] =>
  arrivals({ pods: list, sizeOf, capacity, ratio: 1.3, random: seededChance(seed) })

describe('arrivals', () => {
  test('ask for the ratio of the fleet and for no pod more', () => {
    fc.assert(
      fc.property(pods, fc.integer({ min: 1, max: 200 }), fc.nat(1000), (list, capacity, seed) => {
        fc.pre(total(list) > 0)
        const drawn = draw(list, capacity, seed)
        const largest = Math.max(...list.map(sizeOf))
        expect(total(drawn)).toBeGreaterThanOrEqual(capacity * 1.3 - 1e-9)
        expect(total(drawn)).toBeLessThan(capacity * 1.3 + largest)
      }),
    )
  })

  test('are pods of the list, each under a name of its own', () => {
    fc.assert(
      fc.property(pods, fc.integer({ min: 1, max: 200 }), fc.nat(1000), (list, capacity, seed) => {
        const known = new Map(list.map(({ id, size }) => [id, size]))
        const drawn = draw(list, capacity, seed)
        for (const { id, size } of drawn) expect(known.get(id.split('+')[0] ?? '')).toBe(size)
        expect(new Set(drawn.map(({ id }) => id)).size).toBe(drawn.length)
      }),
    )
  })

  test('come in the same order for the same seed', () => {
    fc.assert(
      fc.property(pods, fc.nat(1000), (list, seed) => {
        expect(draw(list, 50, seed)).toEqual(draw(list, 50, seed))
      }),
    )
  })

  test('are all pods once where none asks for anything', () => {
    const idle = ['a', 'b', 'c'].map((id) => ({ id, size: 0 }))
    expect(
      draw(idle, 100, 1)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(['a', 'b', 'c'])
  })
})
