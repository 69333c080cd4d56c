import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { boardFor, enumerateLayouts, isFeasible, type Layout, type PlacedInstance } from '@septet/domain'
import { jobMenu } from './job-menu.ts'
import { jobPlacements } from './job-placements.ts'

const names = ['1g.5gb', '2g.10gb', '3g.20gb', '4g.20gb', '7g.40gb']
const board = boardFor('A100-SXM4-40GB')
if (board === undefined) throw new Error('the catalog has no A100-SXM4-40GB')
const menu = jobMenu(board, names)
const placements = jobPlacements(menu)
const layouts = enumerateLayouts(
  board,
  board.profiles.filter(({ name }) => names.includes(name)),
)
const nameOf = ({ profile, placement }: PlacedInstance): string => `${profile} at ${placement.start}`
const shared = (a: Layout, b: Layout): number => {
  const there = new Set(b.map(nameOf))
  return a.filter((instance) => there.has(nameOf(instance))).length
}
const countsOf = (layout: Layout): string =>
  names.map((name) => layout.filter(({ profile }) => profile === name).length).join()
const anyLayout = fc.constantFrom(...layouts)

/** The layouts that hold these instances, by the profiles that they add. */
function besideByHand(kept: Layout): Map<string, Layout[]> {
  const found = new Map<string, Layout[]>()
  for (const layout of layouts.filter((each) => shared(kept, each) === kept.length)) {
    const key = countsOf(layout.filter((instance) => shared([instance], kept) === 0))
    found.set(key, [...(found.get(key) ?? []), layout])
  }
  return found
}

test('beside kept instances is exactly what the board can hold with them, and it is placed with most in common', () => {
  fc.assert(
    fc.property(anyLayout, anyLayout, (kept, old) => {
      const byHand = besideByHand(kept)
      const states = placements.beside(kept)
      expect(new Set([...states].map((state) => menu.counts[state]?.join()))).toEqual(new Set(byHand.keys()))
      expect([...states]).toEqual([...states].toSorted((a, b) => a - b))
      for (const state of states) {
        const layout = placements.place(kept, state, old)
        expect(isFeasible(board, layout)).toEqual({ kind: 'feasible' })
        const same = byHand.get(menu.counts[state]?.join() ?? '') ?? []
        expect(same.map((each) => each.map(nameOf).join())).toContain(layout.map(nameOf).join())
        expect(shared(layout, old)).toBe(Math.max(...same.map((each) => shared(each, old))))
      }
    }),
    { numRuns: 40, seed: 9 },
  )
})

test('filled up, nothing more fits and the kept instances stay; what is full stays as it is', () => {
  fc.assert(
    fc.property(anyLayout, anyLayout, (kept, old) => {
      const filled = placements.filledUp(kept, old)
      expect(shared(kept, filled)).toBe(kept.length)
      expect([...placements.beside(filled)]).toEqual([0])
      expect(placements.filledUp(filled, old)).toEqual(filled)
    }),
    { numRuns: 60, seed: 10 },
  )
})

const at = (profile: string, start: number, size: number): PlacedInstance => ({ profile, placement: { start, size } })
const stateOf = (...counts: readonly number[]): number => menu.counts.findIndex((each) => each.join() === counts.join())

describe('fragmentation', () => {
  test('beside a 1g at memory slice 3 a 4g has no room, beside one at 6 it has', () => {
    const four = stateOf(0, 0, 0, 1, 0)
    expect(placements.beside([at('1g.5gb', 3, 1)])).not.toContain(four)
    expect(placements.beside([at('1g.5gb', 6, 1)])).toContain(four)
    expect(() => placements.place([at('1g.5gb', 3, 1)], four, [])).toThrow(`geometry ${four} does not fit beside`)
  })

  test('a single 1g goes where the largest profile still has room', () => {
    expect(placements.beside(placements.place([], stateOf(1, 0, 0, 0, 0), []))).toContain(stateOf(0, 0, 0, 1, 0))
  })
})
