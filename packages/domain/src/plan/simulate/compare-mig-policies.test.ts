import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { boardFor } from '../../gpu/known-boards.ts'
import { mib } from '../../units.ts'
import type { Demand, GpuDemand } from '../place/demand.ts'
import type { MigPolicy } from '../place/mig-policy.ts'
import { migTables } from '../place/mig-tables.ts'
import { migPoliciesFor } from '../policy/mig-policies-for.ts'
import { compareMigPolicies } from './compare-mig-policies.ts'
import { migCeiling } from './mig-ceiling.ts'
import { mapToMig } from './mig-demand.ts'

const board = boardFor('A100-SXM4-80GB')
if (board === undefined) throw new Error('there is an A100-80GB board')
const tables = migTables(board)
const policies = migPoliciesFor(board)

const policyNamed = (wanted: string): MigPolicy => {
  const policy = policies.find(({ name }) => name === wanted)
  if (policy === undefined) throw new Error(`no policy ${wanted}`)
  return policy
}

const pod = (id: string, gpu: GpuDemand): Demand => ({
  id,
  cpuMilli: 1000,
  memory: mib(1024),
  gpu,
  models: [],
  tenant: undefined,
})
const share = (milli: number): Demand => pod(`share-${milli}`, { kind: 'share', milli })

describe('mapToMig', () => {
  it('takes ceil(share × 7) compute slices, above four the whole GPU, with the least memory of equal profiles', () => {
    const { pods } = mapToMig([1, 142, 143, 286, 428, 429, 571, 572, 999].map(share), tables)
    expect(pods.map(({ profile }) => tables.profiles[profile]?.name)).toEqual([
      '1g.10gb',
      '1g.10gb',
      '2g.20gb',
      '3g.40gb',
      '3g.40gb',
      '4g.40gb',
      '4g.40gb',
      '7g.80gb',
      '7g.80gb',
    ])
  })

  it('leaves out pods without a GPU and with several, and counts them', () => {
    const whole = (count: number): Demand => pod(`whole-${count}`, { kind: 'whole', count })
    const mapped = mapToMig([pod('none', { kind: 'none' }), whole(1), whole(2), whole(8)], tables)
    expect(mapped).toMatchObject({ withoutGpu: 1, severalGpus: 2, pods: [{ id: 'whole-1', milli: 1000 }] })
  })
})

const someRun = fc.record({
  shares: fc.array(fc.integer({ min: 1, max: 999 }), { minLength: 1, maxLength: 12 }),
  gpus: fc.integer({ min: 1, max: 12 }),
  seed: fc.nat(99),
})

describe('compareMigPolicies', () => {
  it('accounts for every pod, never gives memory slices twice, and counts what is given in compute slices', () => {
    const property = fc.property(someRun, ({ shares, gpus, seed }) => {
      const { pods } = mapToMig(
        shares.map((milli, index) => ({ ...share(milli), id: `p${index}` })),
        tables,
      )
      const comparison = compareMigPolicies({ tables, gpus, pods, policies, seed, ratio: 1.3, recordAt: [50] })
      comparison.advance(1e6)
      for (const simulation of comparison.simulations) {
        const { placed, skipped, fleet } = simulation
        expect(placed.length + skipped.length).toBe(comparison.arrivals.length)
        for (const { spot } of placed) expect(spot.before & spot.taken).toBe(0)
        const held = new Int32Array(gpus)
        for (const { spot } of placed) held[spot.gpu] = (held[spot.gpu] ?? 0) | spot.taken
        expect(fleet.masks).toEqual(held)
        const given = placed.reduce((sum, { demand }) => sum + (tables.profiles[demand.profile]?.computeSlices ?? 0), 0)
        const mark = simulation.now()
        expect(mark.allocated).toBeCloseTo((100 * given) / (7 * gpus), 9)
        expect(mark.fragmented).toBeGreaterThanOrEqual(-1e-9)
        expect(mark.allocated).toBeLessThanOrEqual((migCeiling(tables, gpus, comparison.arrivals) ?? 0) + 1e-6)
      }
    })
    expect(() => fc.assert(property, { numRuns: 25 })).not.toThrow()
  })

  it('counts room that a layout keeps from the list as fragmented', () => {
    const { pods } = mapToMig([share(700)], tables)
    const fragmented = (name: string): number | undefined => {
      const run = compareMigPolicies({
        tables,
        gpus: 4,
        pods,
        policies: [policyNamed(name)],
        seed: 1,
        ratio: 1,
        recordAt: [],
      })
      run.advance(1e6)
      return run.simulations[0]?.now().fragmented
    }
    expect(fragmented('static-1g')).toBeCloseTo(100, 9)
    expect(fragmented('static-7g')).toBe(0)
    expect(fragmented('whole-gpus')).toBe(0)
  })
})

const ceiling = (gpus: number, ...milli: number[]): number | undefined =>
  migCeiling(tables, gpus, mapToMig(milli.map(share), tables).pods)

describe('migCeiling', () => {
  it('is what the arrivals ask for where all fit, and what the board can hold where not', () => {
    expect(ceiling(2, 999)).toBeCloseTo(50, 9)
    expect(ceiling(1, 999, 999)).toBeCloseTo(100, 9)
    // 4g + 3g fill a GPU; two 4g do not fit on one, and two 3g leave a compute slice.
    expect(ceiling(1, 500, 400)).toBeCloseTo(100, 9)
    expect(ceiling(1, 500, 500)).toBeCloseTo((100 * 4) / 7, 9)
    expect(ceiling(1, 400, 400, 400)).toBeCloseTo((100 * 6) / 7, 9)
  })
})
