import {
  boardFor,
  compareMigPolicies,
  mapToMig,
  meanInterval,
  migCeiling,
  migPoliciesFor,
  migTables,
  type MigDemand,
  type MigPolicy,
  type MigTables,
} from '@septet/domain'

import type { Benchmark, Figure } from './benchmark.ts'
import { OPENB_LISTS, readOpenb, type OpenbList } from './openb-trace.ts'

const RATIO = 1.3
const FIRST_SEED = 42
const SEEDS = Number(process.env['SEPTET_BENCH_SEEDS'] ?? 5)

/** GPU Operator's static layouts beside policies that cut as they go, on demand from a real cluster. */
export const benchmark: Benchmark = {
  name: 'mig-openb',
  description:
    `openb-2023 as if its 6,212 GPUs were A100-80GB: pods of one GPU mapped to MIG (slices = ceil(gpu_milli × 7 / 1000), ` +
    `above 4 → 7g), 130 % of arrivals, never moved, mean of ${SEEDS} seeds from ${FIRST_SEED}; ± is half a 95 % interval`,
  run: ({ input }) => {
    const board = boardFor('A100-SXM4-80GB')
    if (board === undefined) throw new Error('there is an A100-80GB board')
    return Promise.resolve(OPENB_LISTS.flatMap((list) => figuresOf(input, list, migTables(board))))
  },
}

function figuresOf(input: string | undefined, list: OpenbList, tables: MigTables): Figure[] {
  const { nodes, pods } = readOpenb(input, list)
  const fleet = { tables, gpus: nodes.reduce((sum, node) => sum + node.gpus, 0), pods: mapToMig(pods, tables).pods }
  const policies = migPoliciesFor(tables.board)
  const runs = policies.map((policy) => ({ policy, ...runSeeds(policy, fleet) }))
  const bestFit = runs.find(({ policy }) => policy.name === 'best-fit')?.allocated ?? []
  return runs.map((run): Figure => {
    const { mean, halfWidth } = meanInterval(run.allocated)
    const beside = meanInterval(run.allocated.map((share, index) => share - (bestFit[index] ?? Number.NaN)))
    return {
      name: `${list}: ${run.policy.name}`,
      figure: mean,
      unit: '% of compute slices',
      baseline: { name: 'best fit', figure: meanInterval(bestFit).mean },
      seeds: SEEDS,
      note: `± ${spread(halfWidth)}; ${beside.mean.toFixed(2)} ± ${spread(beside.halfWidth)} points beside best fit; ceiling ${meanInterval(run.ceilings).mean.toFixed(2)}; ${run.policy.description}`,
    }
  })
}

type Fleet = { readonly tables: MigTables; readonly gpus: number; readonly pods: readonly MigDemand[] }

type Runs = { readonly allocated: readonly number[]; readonly ceilings: readonly number[] }

/** What was asked for and given in the end, and the ceiling of the same arrivals, % of all compute slices, by seed. */
function runSeeds(policy: MigPolicy, fleet: Fleet): Runs {
  const seeds = Array.from({ length: SEEDS }, (_, index) => FIRST_SEED + index)
  const runs = seeds.map((seed) => {
    const comparison = compareMigPolicies({ ...fleet, policies: [policy], seed, ratio: RATIO, recordAt: [] })
    comparison.advance(comparison.arrivals.length)
    return comparison
  })
  return {
    allocated: runs.map(({ simulations }) => simulations[0]?.now().allocated ?? Number.NaN),
    ceilings: runs.map(({ arrivals }) => migCeiling(fleet.tables, fleet.gpus, arrivals) ?? Number.NaN),
  }
}

const spread = (halfWidth: number | undefined): string => halfWidth?.toFixed(2) ?? 'unknown (one seed)'
