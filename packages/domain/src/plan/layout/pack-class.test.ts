import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { enumerateLayouts } from '../../gpu/enumerate-layouts.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import { plainProfiles } from '../../gpu/board.ts'
import { packClass } from './pack-class.ts'

/** The fewest GPUs that hold all that is wanted, by trying one pattern more after the other. */
function fewest(counts: ReadonlyArray<readonly number[]>, wanted: readonly number[]): number {
  let open = new Map([[wanted.join(' '), wanted]])
  for (let gpus = 0; ; gpus += 1) {
    if ([...open.values()].some((rest) => rest.every((count) => count === 0))) return gpus
    const next = [...open.values()].flatMap((rest) =>
      counts.map((pattern) => rest.map((count, at) => Math.max(0, count - (pattern[at] ?? 0)))),
    )
    open = new Map(next.map((rest) => [rest.join(' '), rest]))
  }
}

const sum = (all: readonly number[]): number => all.reduce((total, each) => total + each, 0)
const heldBy = (counts: ReadonlyArray<readonly number[]>, gpus: readonly number[], profile: number): number =>
  sum(gpus.map((each, pattern) => each * (counts[pattern]?.[profile] ?? 0)))

describe('the fewest GPUs of one class', () => {
  const profiles = fc.integer({ min: 1, max: 4 })
  const questions = profiles.chain((width) =>
    fc.record({
      // Each profile has a pattern that holds it, so that everything can be had.
      counts: fc
        .array(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: width, maxLength: width }), { maxLength: 5 })
        .map((drawn) => [
          ...drawn,
          ...Array.from({ length: width }, (_row, one) => Array.from({ length: width }, (_, at) => Number(at === one))),
        ]),
      wanted: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: width, maxLength: width }),
    }),
  )
  test('hold all that is wanted, and no fewer would', () => {
    fc.assert(
      fc.property(questions, ({ counts, wanted }) => {
        const gpus = packClass(counts, wanted)
        for (const [profile, count] of wanted.entries())
          expect(heldBy(counts, gpus, profile)).toBeGreaterThanOrEqual(count)
        expect(sum(gpus)).toBe(fewest(counts, wanted))
      }),
      { numRuns: 300 },
    )
  })
  test('of a real board too', () => {
    const board = boardFor('A100-SXM4-80GB')
    if (board === undefined) throw new Error('the catalog has no A100')
    const names = plainProfiles(board).map(({ name }) => name)
    const patterns = new Map(
      enumerateLayouts(board).map((layout) => {
        const counts = names.map((name) => layout.filter(({ profile }) => profile === name).length)
        return [counts.join(' '), counts]
      }),
    )
    const counts = [...patterns.values()]
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 2 }), { minLength: names.length, maxLength: names.length }),
        (wanted) => {
          expect(sum(packClass(counts, wanted))).toBe(fewest(counts, wanted))
        },
      ),
      { numRuns: 10 },
    )
  })
  test('are none where nothing is wanted, and none where it cannot be had', () => {
    expect(packClass([[1]], [0])).toEqual([0])
    expect(packClass([], [])).toEqual([])
    expect(packClass([[1, 0]], [0, 1])).toEqual([])
  })
  test('grow with what is wanted as large counts do', () => {
    // Seven of the smallest, or two and one large.
    const counts = [
      [7, 0],
      [3, 1],
      [0, 2],
    ]
    expect(sum(packClass(counts, [7000, 0]))).toBe(1000)
    expect(sum(packClass(counts, [300, 100]))).toBe(93)
    expect(sum(packClass(counts, [0, 1001]))).toBe(501)
  })
})
