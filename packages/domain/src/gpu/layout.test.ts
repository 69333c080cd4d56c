import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { profileOf, type Board } from './board.ts'
import type { Placement } from './geometry.ts'
import { BOARDS, boardFor } from './known-boards.ts'
import { computeSlicesOf, geometryOf, isFeasible, occupancy, placeAt, placementMask, type Layout } from './layout.ts'

const A100 = BOARDS.find(({ key }) => key === 'A100-40GB') as Board

/** `2g.10gb@4` on a board, legal or not. */
const draw = (board: Board, text: string): Layout =>
  text.split(' ').map((part) => {
    const [name = '', start = ''] = part.split('@')
    return { profile: name, placement: { start: Number(start), size: profileOf(board, name)?.size ?? 1 } }
  })

const because = (board: Board, layout: Layout): string | undefined => {
  const feasibility = isFeasible(board, layout)
  return feasibility.kind === 'infeasible' ? feasibility.because : undefined
}

describe('isFeasible', () => {
  it.each(['3g.20gb@4 2g.10gb@0 2g.10gb@2', '4g.20gb@0 3g.20gb@4', '3g.20gb@0 3g.20gb@4', '1g.10gb@6 1g.5gb@0'])(
    'allows %s',
    (text) => {
      expect(isFeasible(A100, draw(A100, text))).toEqual({ kind: 'feasible' })
    },
  )

  it('allows nothing at all', () => {
    expect(isFeasible(A100, [])).toEqual({ kind: 'feasible' })
  })

  it.each([
    ['1g.5gb@7', '1g.5gb cannot start at memory slice 7 of A100-40GB, only at 0, 1, 2, 3, 4, 5, 6'],
    ['4g.20gb@4', '4g.20gb cannot start at memory slice 4 of A100-40GB, only at 0'],
    ['1g.5gb@1 4g.20gb@0', '4g.20gb at memory slice 0 overlaps another instance'],
    ['1g.5gb@6 1g.10gb@6', '1g.10gb at memory slice 6 overlaps another instance'],
    ['1g.5gb+me@0 1g.5gb+me@1', '2 × 1g.5gb+me: A100-40GB takes at most 1'],
    ['1g.6gb@0', 'A100-40GB has no profile 1g.6gb'],
    ['3g.20gb@0 3g.20gb@4 1g.5gb@6', 'the instances need 9 memory slices, A100-40GB has 8'],
  ])('refuses %s, saying why', (text, reason) => {
    expect(because(A100, draw(A100, text))).toBe(reason)
  })

  it('refuses a size that the profile does not have', () => {
    const asTheTestDoubleSays = [{ profile: '3g.20gb', placement: { start: 0, size: 3 } }]
    expect(because(A100, asTheTestDoubleSays)).toBe('3g.20gb covers 4 memory slices on A100-40GB, not 3')
  })

  it('refuses the layout that a vendor page prints: 18 memory slices on a board with 8', () => {
    const printed = '1g.5gb@0 1g.5gb@1 2g.10gb@2 2g.10gb@4 3g.20gb@0 3g.20gb@4 3g.20gb@4'
    expect(because(A100, draw(A100, printed))).toBe('3 × 3g.20gb: A100-40GB takes at most 2')
  })

  it('counts both names of one profile together', () => {
    const A100_80 = boardFor('A100-SXM4-80GB') as Board
    expect(because(A100_80, draw(A100_80, '7g.79gb@0 7g.80gb@0'))).toBe('2 × 7g.80gb: A100-80GB takes at most 1')
  })
})

const placement = fc.record({ start: fc.nat({ max: 11 }), size: fc.integer({ min: 1, max: 12 }) })

const meet = (a: Placement, b: Placement): boolean => a.start < b.start + b.size && b.start < a.start + a.size

describe('placementMask', () => {
  it('overlaps exactly where the intervals do', () => {
    fc.assert(
      fc.property(placement, placement, (a, b) => {
        expect((placementMask(a) & placementMask(b)) !== 0).toBe(meet(a, b))
      }),
    )
  })

  it('has a bit for each memory slice of the placement', () => {
    expect(placementMask({ start: 4, size: 4 })).toBe(0b1111_0000)
    expect(placementMask({ start: 0, size: 12 })).toBe(0b1111_1111_1111)
  })
})

describe('any layout drawn at random', () => {
  const anyLayout = fc.constantFrom(...BOARDS).chain((board) =>
    fc.record({
      board: fc.constant(board),
      layout: fc.array(
        fc
          .constantFrom(...board.profiles)
          .chain((row) => fc.constantFrom(...row.starts).map((start) => placeAt(row, start))),
        { maxLength: 8 },
      ),
    }),
  )

  it('is feasible exactly when no intervals meet and no maximum is passed; then compute slices are within the board', () => {
    fc.assert(
      fc.property(anyLayout, ({ board, layout }) => {
        const covered = layout.flatMap(({ placement: { start, size } }) =>
          Array.from({ length: size }, (_, index) => start + index),
        )
        const disjoint = new Set(covered).size === covered.length
        const counts = Object.entries(geometryOf(layout))
        const withinMaximum = counts.every(([name, count]) => count <= (profileOf(board, name)?.max ?? 0))
        const feasible = isFeasible(board, layout).kind === 'feasible'
        expect(feasible).toBe(disjoint && withinMaximum)
        if (!feasible) return
        expect(computeSlicesOf(board, layout)).toBeLessThanOrEqual(board.computeSlices)
        expect(covered.reduce((mask, slice) => mask | (1 << slice), 0)).toBe(occupancy(layout))
      }),
      { numRuns: 2000 },
    )
  })
})
