import {
  type Board,
  boardFor,
  enumerateLayouts,
  isFeasible,
  type Layout,
  plainProfiles,
  profileOf,
} from '@septet/domain'
import { describe, expect, test } from 'vitest'

import partitioning from '../../../content/partitioning.json' with { type: 'json' }
import { blocksOf } from '../../geometry/partition-blocks.ts'
import { computeParts, cutVerdictWords } from '../../geometry/partition-words.ts'
import { afterAdd, afterRemove, beginCut, layoutOn } from './PartitionExplorer.tsx'
import { addTo, offersOf } from './partition-offers.ts'

const known = (model: string): Board => {
  const board = boardFor(model)
  if (board === undefined) throw new Error(`no board ${model}`)
  return board
}
const A100 = known('A100-SXM4-40GB')
const BOARDS = [partitioning.board, ...partitioning.otherBoards].map(
  ({ label, model }) => [label, known(model)] as const,
)

/** Adds profiles one after the other, as pressing their buttons would. */
const cut = (board: Board, ...profiles: readonly string[]): Layout => {
  let layout: Layout = []
  for (const name of profiles) {
    const offer = offersOf(board, layout).find(({ profile }) => profile.name === name)
    const grown = offer === undefined ? undefined : addTo(board, layout, offer)
    if (grown === undefined) throw new Error(`${name} does not fit: ${offer?.because}`)
    layout = grown
  }
  return layout
}
const starts = (layout: Layout): string[] => layout.map(({ profile, placement }) => `${profile}@${placement.start}`)
const offer = (layout: Layout, name: string) => {
  const found = offersOf(A100, layout).find(({ profile }) => profile.name === name)
  if (found === undefined) throw new Error(`no profile ${name}`)
  return found
}

describe('an instance is added', () => {
  test('where most of the GPU stays in reach, and says so', () => {
    expect(offer([], '3g.20gb')).toMatchObject({
      kind: 'fits',
      start: 4,
      because: 'Goes to memory slices 4 to 7: 4 compute slices can still be used then, at memory slices 0 to 3 only 3.',
    })
    expect(starts(cut(A100, '3g.20gb', '4g.20gb'))).toEqual(['4g.20gb@0', '3g.20gb@4'])
  })

  test('in any order of the specification’s cuts', () => {
    for (const { profiles } of partitioning.configurations) {
      expect(isFeasible(A100, cut(A100, ...profiles)).kind).toBe('feasible')
      expect(isFeasible(A100, cut(A100, ...profiles.toReversed())).kind).toBe('feasible')
    }
  })
})

describe('what does not fit says why', () => {
  test('3g + 3g take all memory and strand a compute slice', () => {
    const layout = cut(A100, '3g.20gb', '3g.20gb')
    expect(offer(layout, '1g.5gb')).toMatchObject({
      kind: 'refused',
      because: 'Needs 1 memory slice (none left).',
      anew: undefined,
    })
    expect(offer(layout, '3g.20gb')?.because).toBe('Needs 3 compute slices (1 left) and 4 memory slices (none left).')
    expect(cutVerdictWords(A100, layout)).toBe(
      '6 of 7 compute slices and 8 of 8 memory slices are in instances. 1 compute slice is stranded: no memory slice is left to pair with it.',
    )
  })

  test('seven 1g leave a memory slice without compute', () => {
    const layout = cut(A100, ...Array.from({ length: 7 }, () => '1g.5gb'))
    expect(offer(layout, '1g.5gb')?.because).toBe('Needs 1 compute slice (none left).')
    expect(cutVerdictWords(A100, layout)).toContain('1 memory slice is left without a compute slice.')
    expect(blocksOf(A100, layout).at(-1)).toEqual({ kind: 'stranded', placement: { start: 7, size: 1 } })
  })

  test('a hole in the wrong place offers to place all of them again', () => {
    const layout: Layout = [{ profile: '3g.20gb', placement: { start: 0, size: 4 } }]
    const refused = offer(layout, '4g.20gb')
    expect(refused).toMatchObject({
      kind: 'refused',
      because: '4 memory slices are free, but it covers 4 in a row and starts only at 0.',
    })
    expect(refused?.kind === 'refused' && starts(refused.anew ?? [])).toEqual(['4g.20gb@0', '3g.20gb@4'])
  })
})

describe.each(BOARDS)('on %s, beside every cut that the driver allows', (_label, board) => {
  const layouts = enumerateLayouts(board)

  test('an offer is taken exactly when some start is feasible', () => {
    for (const layout of layouts) {
      for (const made of offersOf(board, layout)) {
        const possible = made.profile.starts.some(
          (start) =>
            isFeasible(board, [
              ...layout,
              { profile: made.profile.name, placement: { start, size: made.profile.size } },
            ]).kind === 'feasible',
        )
        expect(made.kind === 'fits').toBe(possible)
        expect(addTo(board, layout, made) !== undefined).toBe(possible)
      }
    }
  })

  test('a refusal that speaks of slices counts them right', () => {
    for (const layout of layouts) {
      const held = layout.reduce((sum, { profile }) => sum + (profileOf(board, profile)?.computeSlices ?? 0), 0)
      const covered = layout.reduce((sum, { placement }) => sum + placement.size, 0)
      for (const made of offersOf(board, layout)) {
        if (made.kind === 'fits') continue
        const lacksCompute = made.profile.computeSlices > board.computeSlices - held
        const lacksMemory = made.profile.size > board.memorySlices - covered
        expect(made.because.includes('compute slice')).toBe(lacksCompute)
        expect(made.because.startsWith('Needs')).toBe(lacksCompute || lacksMemory)
        expect(made.because.includes('in a row')).toBe(!lacksCompute && !lacksMemory)
        expect(made.anew !== undefined && (lacksCompute || lacksMemory)).toBe(false)
      }
    }
  })

  test('the row is covered once, and the compute slices add up', () => {
    for (const layout of layouts) {
      const covered = blocksOf(board, layout).reduce((sum, { placement }) => sum + placement.size, 0)
      expect(covered).toBe(board.memorySlices)
      const { taken, reachable, stranded } = computeParts(board, layout)
      expect(taken + reachable + stranded).toBe(board.computeSlices)
      expect(Math.min(taken, reachable, stranded)).toBeGreaterThanOrEqual(0)
      expect(cutVerdictWords(board, layout)).toContain(
        layout.length === 0 ? 'No instances yet' : `${taken} of ${board.computeSlices}`,
      )
    }
  })

  test('every profile of the menu is offered', () => {
    expect(offersOf(board, []).map(({ profile }) => profile)).toEqual(plainProfiles(board))
    expect(offersOf(board, []).every(({ kind }) => kind === 'fits')).toBe(true)
  })
})

describe('a cut by hand', () => {
  const { board } = partitioning

  test('begins at real placements', () => {
    expect(partitioning.configurations.map(({ profiles }) => starts(layoutOn(board, profiles)).join(' '))).toEqual([
      '1g.5gb@0 1g.5gb@1 1g.5gb@2 1g.5gb@3 1g.5gb@4 1g.5gb@5 1g.5gb@6',
      '2g.10gb@0 2g.10gb@2 3g.20gb@4',
      '7g.40gb@0',
    ])
  })

  test('says what was added, what was removed and what did not fit, and then changes nothing', () => {
    const begun = beginCut(board, ['3g.20gb'])
    const added = afterAdd(begun, offer(begun.layout, '4g.20gb'))
    expect(added.said).toBe('4g.20gb added. Goes to memory slices 0 to 3.')
    const refused = afterAdd(added, offer(added.layout, '1g.5gb'))
    expect(refused.layout).toBe(added.layout)
    expect(refused.said).toMatch(/^1g\.5gb does not fit\. Needs /u)
    const removed = afterRemove(added, 0)
    expect(starts(removed.layout)).toEqual(['3g.20gb@4'])
    expect(removed.said).toBe('4g.20gb removed from memory slices 0 to 3.')
    expect(afterRemove(removed, 5)).toBe(removed)
  })
})
