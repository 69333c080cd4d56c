import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainProfiles, profileOf, type Board, type MigProfile } from './board.ts'
import { enumerateLayouts } from './enumerate-layouts.ts'
import { BOARDS } from './known-boards.ts'
import { computeSlicesOf, isFeasible, occupancy, placeAt, type Layout } from './layout.ts'
import { bestCompletion, freeMemorySlices, placeable, placeableTogether } from './occupancy.ts'

const A100 = BOARDS.find(({ key }) => key === 'A100-40GB') as Board
const RTX = BOARDS.find(({ key }) => key === 'RTX-PRO-6000-96GB') as Board
const row = (name: string, board = A100): MigProfile => profileOf(board, name) as MigProfile
const at = (name: string, start: number, board = A100) => placeAt(row(name, board), start)

const anyFeasible = fc
  .constantFrom(...BOARDS)
  .chain((board) =>
    fc.record({ board: fc.constant(board), layout: fc.constantFrom(...enumerateLayouts(board, board.profiles)) }),
  )

describe('placeable', () => {
  it('knows what a single 1g blocks', () => {
    for (const start of [0, 1, 2, 3]) {
      const layout = [at('1g.5gb', start)]
      expect(placeable(A100, layout, row('4g.20gb'))).toEqual([])
      expect(placeable(A100, layout, row('7g.40gb'))).toEqual([])
      expect(placeable(A100, layout, row('3g.20gb'))).toEqual([4])
    }
    expect(placeable(A100, [at('1g.5gb', 6)], row('1g.10gb'))).toEqual([0, 2, 4])
  })

  it('finds nothing beside 3g + 3g', () => {
    const full = [at('3g.20gb', 0), at('3g.20gb', 4)]
    for (const profile of A100.profiles) expect(placeable(A100, full, profile)).toEqual([])
  })

  it('leaves one 1g or one double-memory 1g beside three 2g', () => {
    const layout = [at('2g.10gb', 0), at('2g.10gb', 2), at('2g.10gb', 4)]
    expect(placeable(A100, layout, row('1g.5gb'))).toEqual([6])
    expect(placeable(A100, layout, row('1g.10gb'))).toEqual([6])
    expect(placeable(A100, layout, row('2g.10gb'))).toEqual([])
  })

  it('counts a layout against the maximum of its profile, and cannot for a bare mask', () => {
    const layout = [at('1g.5gb+me', 0)]
    expect(placeable(A100, layout, row('1g.5gb+me'))).toEqual([])
    expect(placeable(A100, occupancy(layout), row('1g.5gb+me'))).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('lists exactly the starts at which the layout stays feasible', () => {
    fc.assert(
      fc.property(anyFeasible, fc.nat(), ({ board, layout }, pick) => {
        const profile = board.profiles[pick % board.profiles.length] as MigProfile
        const feasible = profile.starts.filter(
          (start) => isFeasible(board, [...layout, placeAt(profile, start)]).kind === 'feasible',
        )
        expect(placeable(board, layout, profile)).toEqual(feasible)
      }),
      { numRuns: 500 },
    )
  })
})

describe('placeableTogether', () => {
  it('is the most that fit, by trying all', () => {
    fc.assert(
      fc.property(anyFeasible, fc.nat(), ({ board, layout }, pick) => {
        const profile = board.profiles[pick % board.profiles.length] as MigProfile
        const most = (from: Layout): number =>
          Math.max(0, ...placeable(board, from, profile).map((start) => 1 + most([...from, placeAt(profile, start)])))
        expect(placeableTogether(board, layout, profile)).toBe(most(layout))
      }),
      { numRuns: 40 },
    )
  })
})

describe('bestCompletion', () => {
  it('is the whole board when empty and nothing when full', () => {
    for (const board of BOARDS) {
      expect(bestCompletion(board, [])).toBe(board.computeSlices)
      expect(bestCompletion(board, (1 << board.memorySlices) - 1)).toBe(0)
    }
  })

  it('knows that 3g + 1g leaves 3 and not the 4 that subtraction would give, when the 1g sits badly', () => {
    expect(bestCompletion(A100, [at('3g.20gb', 0), at('1g.5gb', 4)])).toBe(3 - 1)
    expect(bestCompletion(A100, [at('3g.20gb', 4), at('1g.5gb', 0)])).toBe(3)
  })

  it('is at least what any greedy way reaches, and never more than the slices left', () => {
    fc.assert(
      fc.property(anyFeasible, fc.array(fc.nat(), { minLength: 24, maxLength: 24 }), ({ board, layout }, choices) => {
        const best = bestCompletion(board, layout)
        let grown: Layout = layout
        for (const choice of choices) {
          const options = board.profiles.flatMap((profile) =>
            placeable(board, grown, profile).map((start) => placeAt(profile, start)),
          )
          const chosen = options[choice % Math.max(1, options.length)]
          if (chosen !== undefined) grown = [...grown, chosen]
        }
        const reached = computeSlicesOf(board, grown) - computeSlicesOf(board, layout)
        expect(best).toBeGreaterThanOrEqual(reached)
        expect(best).toBeLessThanOrEqual(board.computeSlices - computeSlicesOf(board, layout))
      }),
      { numRuns: 500 },
    )
  })

  it('is reached by some enumerated layout, and beaten by none', () => {
    for (const board of [A100, RTX]) {
      const all = enumerateLayouts(board).map((layout) => ({
        mask: occupancy(layout),
        compute: computeSlicesOf(board, layout),
      }))
      for (const layout of all) {
        const beside = all.filter(({ mask }) => (mask & layout.mask) === 0).map(({ compute }) => compute)
        expect(bestCompletion(board, layout.mask)).toBe(Math.max(...beside))
      }
    }
  })
})

it('counts free memory slices', () => {
  expect(freeMemorySlices(A100, [])).toBe(8)
  expect(freeMemorySlices(RTX, [at('2g.48gb', 6, RTX)])).toBe(6)
  expect(plainProfiles(RTX)).toHaveLength(3)
})
