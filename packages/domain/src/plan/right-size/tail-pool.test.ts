import { describe, expect, test } from 'vitest'

import { pastFrom } from './past.ts'
import { poolTails, shareAbove, type TailPool } from './tail-pool.ts'
import { seededChance } from '../simulate/seeded-chance.ts'

const pastOfPeaks = (peaks: readonly number[]) =>
  pastFrom(peaks.map((peak, index) => ({ peak, age: peaks.length - 1 - index })))
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
const flat = HOURS.map(() => 10_000)

function poolOf(workloads: readonly (readonly number[])[], halfLife = Infinity): TailPool {
  const [pool] = poolTails(workloads.map(pastOfPeaks), [halfLife])
  if (pool === undefined) throw new Error('one pool for one half-life')
  return pool
}

describe('a pool', () => {
  test('of nobody says nothing', () => {
    const { usual, record } = poolOf([])
    expect([shareAbove(usual, 2), shareAbove(record, 2)]).toEqual([1, 1])
  })

  test('of flat workloads never moves', () => {
    const { usual, record } = poolOf([flat, flat, flat])
    expect([1, 1.1, 2].flatMap((multiple) => [shareAbove(usual, multiple), shareAbove(record, multiple)])).toEqual(
      Array.from({ length: 6 }, () => 0),
    )
  })

  test('knows the share of blocks above a multiple of their median, and that none is far above the highest', () => {
    const high = HOURS.map((hour) => (hour % 4 === 0 ? 20_000 : 10_000 + hour))
    const { usual } = poolOf([...Array.from({ length: 50 }, () => high), ...Array.from({ length: 50 }, () => flat)])
    expect(shareAbove(usual, 1.5)).toBeCloseTo(1 / 8, 9)
    expect(shareAbove(usual, 2.5)).toBeLessThan(0.01)
  })

  test('that forgets fast counts what was long ago for little', () => {
    const lively = HOURS.map((hour) => (hour < 12 && hour % 2 === 0 ? 20_000 : 10_000))
    const share = (halfLife: number): number => shareAbove(poolOf([lively], halfLife).usual, 1.5)
    expect(share(Infinity)).toBeCloseTo(1 / 4, 9)
    expect(share(1)).toBeLessThan(0.001)
  })

  test('where all blocks are alike sees as many new highest blocks as chance makes', () => {
    const random = seededChance(3)
    const alike = Array.from({ length: 300 }, () => Array.from({ length: 100 }, () => 10_000 + 5000 * random()))
    expect(shareAbove(poolOf(alike).record, 1)).toBeGreaterThan(0.9)
    expect(shareAbove(poolOf(alike).record, 1)).toBeLessThan(1.1)
  })
})
