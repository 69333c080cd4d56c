import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { publishedTraces } from '../../../../test/system-tools.ts'
import { plainProfiles, type Board } from './board.ts'
import { enumerateLayouts, maximalGeometries, maximalLayouts } from './enumerate-layouts.ts'
import { BOARDS } from './known-boards.ts'
import { computeSlicesOf, geometryOf, isFeasible, type Geometry } from './layout.ts'

const eightSlices = BOARDS.filter(({ memorySlices }) => memorySlices === 8)
const fourCompute = BOARDS.filter(({ computeSlices }) => computeSlices === 4)
const A100 = BOARDS.find(({ key }) => key === 'A100-40GB') as Board

describe.each(eightSlices)('$key', (board) => {
  it('has 723 layouts, 78 of them maximal, of 38 geometries', () => {
    expect(enumerateLayouts(board)).toHaveLength(723)
    expect(maximalLayouts(board)).toHaveLength(78)
    expect(maximalGeometries(board)).toHaveLength(38)
  })

  it('has 19 maximal layouts without the double-memory profile', () => {
    const single = plainProfiles(board).filter(({ computeSlices, size }) => computeSlices !== 1 || size === 1)
    expect(single).toHaveLength(5)
    expect(maximalLayouts(board, single)).toHaveLength(19)
  })
})

describe.each(fourCompute)('$key', (board) => {
  it('has 26 layouts, 5 of them maximal, of 4 geometries', () => {
    expect(enumerateLayouts(board)).toHaveLength(26)
    expect(maximalLayouts(board)).toHaveLength(5)
    expect(maximalGeometries(board)).toHaveLength(4)
  })
})

it('covers 13 eight-slice boards and 2 with four compute slices', () => {
  expect([eightSlices.length, fourCompute.length]).toEqual([13, 2])
})

describe.each(BOARDS)('every layout of $key, variants included,', (board) => {
  const layouts = enumerateLayouts(board, board.profiles)

  it('is feasible and within the compute slices', () => {
    for (const layout of layouts) {
      expect(isFeasible(board, layout)).toEqual({ kind: 'feasible' })
      expect(computeSlicesOf(board, layout)).toBeLessThanOrEqual(board.computeSlices)
    }
  })

  it('is there once', () => {
    expect(new Set(layouts.map((layout) => JSON.stringify(layout))).size).toBe(layouts.length)
  })
})

it('never places two instances with media engines on a seven-slice board', () => {
  const withMedia = enumerateLayouts(A100, A100.profiles).map((layout) => geometryOf(layout)['1g.5gb+me'] ?? 0)
  expect(Math.max(...withMedia)).toBe(1)
})

it('gives the same list, in the same order, each time', () => {
  expect(maximalGeometries(A100)).toEqual(maximalGeometries(A100))
  expect(enumerateLayouts(A100, plainProfiles(A100))).toEqual(enumerateLayouts(A100))
})

const names = ['1g.5gb', '1g.10gb', '2g.10gb', '3g.20gb', '4g.20gb', '7g.40gb']
const vectorOf = (geometry: Geometry): number[] => names.map((name) => geometry[name] ?? 0)
const inOrder = (vectors: readonly number[][]): string[] => vectors.map(String).toSorted()

const traces = publishedTraces()

it.skipIf(traces === undefined)('has the 28 undominated geometries of the published packing instances', () => {
  const file = new URL('mig-packing-instances/geometry.json', traces)
  const { maximal_count_vectors: published } = JSON.parse(readFileSync(file, 'utf8')) as {
    maximal_count_vectors: number[][]
  }
  const vectors = maximalGeometries(A100).map(vectorOf)
  const dominated = (vector: number[]): boolean =>
    vectors.some((other) => other !== vector && other.every((count, index) => count >= (vector[index] ?? 0)))
  expect(published).toHaveLength(28)
  expect(inOrder(vectors.filter((vector) => !dominated(vector)))).toEqual(inOrder(published))
})
