import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { boardFor, enumerateLayouts } from '@septet/domain'
import { bestAssignment } from './best-assignment.ts'
import { jobMenu } from './job-menu.ts'

const board = boardFor('A100-SXM4-40GB')
if (board === undefined) throw new Error('the catalog has no A100-SXM4-40GB')
const names = ['1g.5gb', '2g.10gb', '3g.20gb', '4g.20gb', '7g.40gb']
const menu = jobMenu(board, names)

test('a menu counts every geometry once and completes each to a maximal one', () => {
  const profiles = board.profiles.filter(({ name }) => names.includes(name))
  const geometries = new Set(
    enumerateLayouts(board, profiles).map((layout) =>
      layout
        .map(({ profile }) => profile)
        .toSorted()
        .join(),
    ),
  )
  expect(menu.layouts).toHaveLength(geometries.size)
  for (const [state, counts] of menu.counts.entries()) {
    const full = menu.completed[state] ?? -1
    expect(menu.maximal).toContain(full)
    expect(counts.every((count, at) => count <= (menu.counts[full]?.[at] ?? 0))).toBe(true)
  }
})

test('a profile of another board is refused', () => {
  expect(() => jobMenu(board, ['1g.5gb', '1g.24gb'])).toThrow('A100-40GB has no profile 1g.24gb')
})

describe('the best assignment', () => {
  const width = names.length

  /** Every choice of profile or nothing for every candidate. */
  function bruteForce(values: Float64Array): number {
    const feasible = new Set(menu.counts.map((counts) => counts.join()))
    let best = 0
    const choose = (candidate: number, counts: readonly number[], value: number): void => {
      if (candidate * width >= values.length) {
        if (feasible.has(counts.join())) best = Math.max(best, value)
        return
      }
      choose(candidate + 1, counts, value)
      for (let profile = 0; profile < width; profile += 1) {
        const next = counts.map((count, at) => (at === profile ? count + 1 : count))
        choose(candidate + 1, next, value + (values[candidate * width + profile] ?? 0))
      }
    }
    choose(0, [0, 0, 0, 0, 0], 0)
    return best
  }

  test('equals an exhaustive search, and its profiles add up to its value', () => {
    const value = fc.oneof(fc.constant(-Infinity), fc.double({ min: -1, max: 2, noNaN: true }))
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4 }), fc.infiniteStream(value), (candidates, stream) => {
        const values = Float64Array.from(stream.take(candidates * width))
        const found = bestAssignment(menu, values)
        const chosen = [...found.profiles].map((profile, at) => (profile < 0 ? 0 : (values[at * width + profile] ?? 0)))
        expect(found.value).toBeCloseTo(bruteForce(values), 9)
        expect(chosen.reduce((sum, each) => sum + each, 0)).toBeCloseTo(found.value, 9)
        const counts = names.map((_, profile) => found.profiles.filter((each) => each === profile).length)
        expect(menu.counts[found.state]).toEqual(counts)
      }),
      { numRuns: 100, seed: 3 },
    )
  })

  test('keeps within the geometry it is given', () => {
    const state = menu.counts.findIndex((counts) => counts.join() === '0,0,1,1,0')
    const { profiles } = bestAssignment(menu, new Float64Array(3 * width).fill(1), menu.within[state])
    expect([...profiles].filter((profile) => profile >= 0).toSorted((a, b) => a - b)).toEqual([2, 3])
  })
})
