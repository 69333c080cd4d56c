import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { bandOf, Pile } from './place-index-pile.ts'

const MEMBERS = 5
// Few rooms, so that many members share a band and several bands are met.
const rooms = fc.record({
  cpuMilli: fc.constantFrom(0, 3000, 4000, 4100, 4200),
  memory: fc.constantFrom(0, 8000, 8100, 30_000),
})
const steps = fc.array(fc.record({ member: fc.nat(MEMBERS - 1), room: rooms, asked: rooms }), {
  minLength: 40,
  maxLength: 120,
})

describe('Pile', () => {
  it('finds a member with room exactly when a plain list has one, whatever came and went', () => {
    const property = fc.property(steps, (list) => {
      const pile = new Pile()
      const places = new Int32Array(MEMBERS)
      const there = new Map<number, { readonly cpuMilli: number; readonly memory: number }>()
      for (const { member, room, asked } of list) {
        const now = there.get(member)
        if (now === undefined) {
          there.set(member, room)
          pile.add(member, bandOf(room.cpuMilli, room.memory), places)
        } else {
          there.delete(member)
          pile.remove(member, bandOf(now.cpuMilli, now.memory), places)
        }
        const fitting = [...there].filter(
          ([, { cpuMilli, memory }]) => cpuMilli >= asked.cpuMilli && memory >= asked.memory,
        )
        const fits = new Set(fitting.map(([fit]) => fit))
        const met = new Set<number>()
        const found = pile.find(asked, (one) => {
          met.add(one)
          return fits.has(one)
        })
        expect(pile.size).toBe(there.size)
        expect(found === undefined ? fits.size === 0 : fits.has(found)).toBe(true)
        expect([...met].every((one) => there.has(one))).toBe(true)
      }
    })
    expect(() => fc.assert(property)).not.toThrow()
  })

  it.each([
    [0, 0],
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    [-5, -1],
  ])('knows a band for %d thousandths of a core and %d MiB', (cpuMilli, memory) => {
    expect(Number.isInteger(bandOf(cpuMilli, memory))).toBe(true)
  })
})
