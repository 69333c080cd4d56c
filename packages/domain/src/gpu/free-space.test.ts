import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { profileOf, type Board, type MigProfile } from './board.ts'
import { enumerateLayouts } from './enumerate-layouts.ts'
import { freeShare, strandedShare, structuralShare } from './free-space.ts'
import { BOARDS } from './known-boards.ts'
import { computeSlicesOf, placeAt } from './layout.ts'

const A100 = BOARDS.find(({ key }) => key === 'A100-40GB') as Board
const row = (name: string): MigProfile => profileOf(A100, name) as MigProfile
const at = (name: string, start: number) => placeAt(row(name), start)

const anyFeasible = fc
  .constantFrom(...BOARDS)
  .chain((board) =>
    fc.record({ board: fc.constant(board), layout: fc.constantFrom(...enumerateLayouts(board, board.profiles)) }),
  )

describe('free and stranded share', () => {
  it('are everything and nothing on an empty board', () => {
    expect([freeShare(A100, []), strandedShare(A100, [])]).toEqual([1, 0])
  })

  it('strand a compute slice under 3g + 3g, by structure', () => {
    const layout = [at('3g.20gb', 0), at('3g.20gb', 4)]
    expect([freeShare(A100, layout), strandedShare(A100, layout)]).toEqual([0, 1 / 7])
    expect(structuralShare(A100, layout)).toBe(1 / 7)
  })

  it('strand by position what another position would leave free', () => {
    const layout = [at('3g.20gb', 0), at('1g.5gb', 4)]
    expect([freeShare(A100, layout), strandedShare(A100, layout)]).toEqual([2 / 7, 1 / 7])
    expect(structuralShare(A100, layout)).toBe(0)
  })

  it('make the whole GPU together with the instances, on every layout', () => {
    fc.assert(
      fc.property(anyFeasible, ({ board, layout }) => {
        const held = computeSlicesOf(board, layout) / board.computeSlices
        const stranded = strandedShare(board, layout)
        expect(held + freeShare(board, layout) + stranded).toBeCloseTo(1, 12)
        expect(stranded).toBeGreaterThanOrEqual(0)
        expect(structuralShare(board, layout)).toBeLessThanOrEqual(stranded)
        expect(structuralShare(board, layout)).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 500 },
    )
  })
})
