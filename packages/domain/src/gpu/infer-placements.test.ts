import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Board } from './board.ts'
import { enumerateLayouts } from './enumerate-layouts.ts'
import { arrange, inferPlacements } from './infer-placements.ts'
import { BOARDS } from './known-boards.ts'
import { isFeasible } from './layout.ts'
import { bestCompletion } from './occupancy.ts'

const A100 = BOARDS.find(({ key }) => key === 'A100-40GB') as Board
const A100_80 = BOARDS.find(({ key }) => key === 'A100-80GB') as Board

const key = (names: readonly string[]): string => names.toSorted().join(' ')
const because = (names: string): string | undefined => {
  const arrangement = arrange(A100, names.split(' '))
  return arrangement.kind === 'infeasible' ? arrangement.because : undefined
}

describe('inferPlacements', () => {
  it('finds a feasible layout with these profiles in this order, for every layout in whatever order', () => {
    const any = fc.constantFrom(...BOARDS).chain((board) =>
      fc.constantFrom(...enumerateLayouts(board, board.profiles)).chain((layout) =>
        fc.record({
          board: fc.constant(board),
          layout: fc.constant(layout),
          names: fc.shuffledSubarray(
            layout.map(({ profile }) => profile),
            { minLength: layout.length, maxLength: layout.length },
          ),
        }),
      ),
    )
    fc.assert(
      fc.property(any, ({ board, layout, names }) => {
        const inferred = inferPlacements(board, names) ?? []
        expect(inferred.map(({ profile }) => profile)).toEqual(names)
        expect(isFeasible(board, inferred)).toEqual({ kind: 'feasible' })
        expect(bestCompletion(board, inferred)).toBeGreaterThanOrEqual(bestCompletion(board, layout))
      }),
      { numRuns: 500 },
    )
  })

  it('has no layout for a multiset that no enumerated layout has, and one for each that some has', () => {
    const possible = new Set(enumerateLayouts(A100).map((layout) => key(layout.map(({ profile }) => profile))))
    const names = fc.array(fc.constantFrom('1g.5gb', '1g.10gb', '2g.10gb', '3g.20gb', '4g.20gb', '7g.40gb'), {
      maxLength: 8,
    })
    fc.assert(
      fc.property(names, (some) => {
        expect(inferPlacements(A100, some) !== undefined).toBe(possible.has(key(some)))
      }),
      { numRuns: 1000 },
    )
  })

  it('keeps the most compute slices free: a lone 3g does not sit where a 4g could', () => {
    expect(inferPlacements(A100, ['3g.20gb'])).toEqual([{ profile: '3g.20gb', placement: { start: 4, size: 4 } }])
  })

  it('keeps the name that was given, also an older one', () => {
    expect(inferPlacements(A100_80, ['7g.79gb'])).toEqual([{ profile: '7g.79gb', placement: { start: 0, size: 8 } }])
  })

  it('answers the same to the same', () => {
    const names = ['2g.10gb', '1g.5gb', '2g.10gb', '1g.10gb']
    expect(inferPlacements(A100, names)).toEqual(inferPlacements(A100, names))
    expect(inferPlacements(A100, [])).toEqual([])
  })
})

describe('arrange', () => {
  it('says why published layouts are impossible', () => {
    expect(because('1g.5gb 1g.5gb 2g.10gb 2g.10gb 3g.20gb 3g.20gb 3g.20gb')).toBe(
      '3 × 3g.20gb: A100-40GB takes at most 2',
    )
    expect(because('1g.5gb 3g.20gb 4g.20gb')).toBe('the instances need 9 memory slices, A100-40GB has 8')
    expect(because('3g.24gb')).toBe('A100-40GB has no profile 3g.24gb')
  })

  it('says so when counts would allow what no placement does', () => {
    // 8 memory slices, but the eighth hosts no 1g: 4g@0, then 2g@4 leaves 6 and 7.
    expect(because('4g.20gb 2g.10gb 1g.5gb 1g.5gb')).toBe(
      'no placement of 4g.20gb + 2g.10gb + 1g.5gb + 1g.5gb on A100-40GB is without overlap',
    )
  })
})
