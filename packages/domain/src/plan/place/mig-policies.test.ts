import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { boardFor } from '../../gpu/known-boards.ts'
import { placeable, placeableTogether } from '../../gpu/occupancy.ts'
import { seededChance } from '../simulate/seeded-chance.ts'
import { MIG_BASELINES } from './mig-baselines.fake.ts'
import { completionValue, fewestGpus, keepUsable, migBestFit } from './mig-policies.ts'
import type { MigPolicy } from './mig-policy.ts'
import { simulateMig, type MigArrival } from './mig-simulation.fake.ts'
import { evenDemand, migTables, type MigTables, roomFor } from './mig-tables.ts'

const tablesOf = (model: string): MigTables => {
  const board = boardFor(model)
  if (board === undefined) throw new Error(`no board for ${model}`)
  return migTables(board)
}
const A100 = tablesOf('A100-SXM4-80GB')
const A30 = tablesOf('A30')
const PRO = tablesOf('RTX PRO 6000 Blackwell Server Edition')

describe('migTables', () => {
  it('agrees with the search on every mask that instances can make, on boards of 4, 8 and 12 memory slices', () => {
    for (const tables of [A30, A100, PRO]) {
      for (const mask of tables.reachable) {
        const searched = tables.profiles.map((profile) => placeableTogether(tables.board, mask, profile))
        expect(tables.profiles.map((_, index) => roomFor(tables, mask, index))).toEqual(searched)
        const open = tables.profiles.some((profile) => placeable(tables.board, mask, profile).length > 0)
        expect(tables.full[mask]).toBe(open ? 0 : 1)
      }
    }
  })

  it('meets 192 masks on eight memory slices: all that leave the last one free, and half of the rest', () => {
    expect(A100.reachable.length).toBe(192)
    expect(A30.reachable.length).toBe(16)
    expect(PRO.reachable.length).toBe(16)
  })

  it('knows that a 1g at 0 to 3 blocks 4g and 7g, and that 3g + 3g leaves room for nothing', () => {
    const room = (mask: number): readonly number[] => [4, 5].map((profile) => roomFor(A100, mask, profile))
    expect([0, 1, 2, 3].map((start) => room(1 << start).join())).toEqual(['0,0', '0,0', '0,0', '0,0'])
    expect([4, 5, 6].map((start) => room(1 << start).join())).toEqual(['1,0', '1,0', '1,0'])
    expect(A100.full[0b1111_1111]).toBe(1)
  })

  it('is made once for each board', () => {
    expect(tablesOf('A100-SXM4-80GB')).toBe(A100)
  })
})

describe('completionValue', () => {
  it('never grows when memory slices are taken', () => {
    const values = completionValue(A100, evenDemand(A100))
    for (const mask of A100.reachable) {
      const after = A100.spots.flat().filter((spot) => (spot & mask) === 0)
      for (const spot of after) expect(values[mask | spot]).toBeLessThanOrEqual((values[mask] ?? 0) + 1e-9)
    }
  })

  it('is 0 where nothing fits', () => {
    expect(completionValue(A100, evenDemand(A100))[0b1111_1111]).toBe(0)
  })

  it('is the fixed point that it says it is', () => {
    const shares = evenDemand(A100)
    const values = completionValue(A100, shares, 0.9)
    for (const mask of A100.reachable) {
      const value = values[mask] ?? 0
      const next = A100.spots.reduce((sum, spots, profile) => {
        const gains = spots
          .filter((spot) => (spot & mask) === 0)
          .map((spot) => (A100.worth[profile] ?? 0) + (values[mask | spot] ?? 0))
        return sum + (shares[profile] ?? 0) * Math.max(value, ...gains)
      }, 0)
      expect(value).toBeCloseTo(0.9 * next, 9)
    }
  })
})

const draw = (weights: readonly number[], count: number, seed: number): readonly MigArrival[] => {
  const random = seededChance(seed)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return Array.from({ length: count }, (_, at) => {
    let left = random() * total
    const profile = Math.max(
      0,
      weights.findIndex((weight) => (left -= weight) < 0),
    )
    return { profile, at, stays: undefined }
  })
}

const used = (policy: MigPolicy, arrivals: readonly MigArrival[]): number =>
  simulateMig({ tables: A100, policy, arrivals, gpus: arrivals.length }).gpusUsed

describe('policies on MIG', () => {
  it('place every arrival where GPUs are enough, and never on taken memory slices', () => {
    const arrivals = fc.array(
      fc.record({
        profile: fc.nat(5),
        at: fc.integer({ min: 0, max: 100 }),
        stays: fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined }),
      }),
      { maxLength: 40 },
    )
    const everyPolicy = fc.constantFrom(...MIG_BASELINES, keepUsable, fewestGpus)
    const property = fc.property(arrivals, everyPolicy, (list, policy) => {
      const sorted = list.toSorted((a, b) => a.at - b.at)
      const gpus = Math.max(1, list.length)
      return simulateMig({ tables: A100, policy, arrivals: sorted, gpus }).accepted === list.length
    })
    expect(() => fc.assert(property)).not.toThrow()
  })

  it('needs fewer GPUs than every baseline on mixes of several sizes', () => {
    for (const [index, mix] of [
      [0, 0, 4, 3, 3, 0],
      [5, 1, 3, 1, 0, 1],
    ].entries()) {
      const arrivals = draw(mix, 1500, 40 + index)
      const theirs = MIG_BASELINES.map((policy) => used(policy, arrivals))
      expect(used(fewestGpus, arrivals)).toBeLessThan(Math.min(...theirs))
    }
  })

  it('keeps fewer GPUs in use than best fit where workloads come and leave, on mixes of several sizes', () => {
    const share = [
      [0, 0, 4, 3, 3, 0],
      [5, 1, 3, 1, 0, 1],
      [4, 0, 2, 1, 0, 0],
      [1, 1, 1, 1, 1, 1],
    ].reduce((sum, mix, index) => {
      const random = seededChance(60 + index)
      const arrivals = draw(mix, 1500, 70 + index).map(({ profile }, at) => ({
        profile,
        at: at / 100,
        stays: -Math.log(1 - random()),
      }))
      const inUse = (policy: MigPolicy): number =>
        simulateMig({ tables: A100, policy, arrivals, gpus: 200, countFrom: 3 }).meanInUse
      return sum + inUse(fewestGpus) / inUse(migBestFit) / 4
    }, 0)
    expect(share).toBeLessThan(1)
  })

  it('does not wait for partners that rarely come: mixes that lack profiles cost at most 8 % more than the best baseline', () => {
    for (const [index, mix] of [
      [0, 0, 4, 3, 3, 0],
      [0, 0, 1, 0, 0, 0],
      [0, 5, 0, 0, 1, 0],
      [0, 0, 0, 1, 0, 9],
      [9, 0, 0, 0, 1, 0],
    ].entries()) {
      const arrivals = draw(mix, 600, 50 + index)
      const theirs = MIG_BASELINES.map((policy) => used(policy, arrivals))
      expect(used(fewestGpus, arrivals)).toBeLessThan(1.08 * Math.min(...theirs))
    }
  })

  it('skips what fits nowhere, and counts its worth as arrived', () => {
    const arrivals = [5, 5, 0].map((profile, at) => ({ profile, at, stays: undefined }))
    const outcome = simulateMig({ tables: A100, policy: migBestFit, arrivals, gpus: 1 })
    expect(outcome).toMatchObject({ arrived: 3, accepted: 1, acceptedWorth: 1, gpusUsed: 1 })
  })
})
