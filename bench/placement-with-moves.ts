import {
  comparePolicies,
  gpuMilliOf,
  GPU_MILLI,
  type LinearSolver,
  meanInterval,
  POLICIES,
  type Policy,
} from '@septet/domain'
import { openHighs } from '@septet/solver'

import type { Benchmark, Figure } from './benchmark.ts'
import { readOpenb, type OpenbList } from './openb-trace.ts'
import { makeRoom, type RoomStep } from './lab/make-room.ts'
import { mostStartable } from './lab/repacking-bound.ts'

const FIRST_SEED = 42
const SEEDS = Number(process.env['SEPTET_BENCH_SEEDS'] ?? 10)
const MOVED_PERCENT = [0, 1, 5, 10]
const STARTS_FROM = POLICIES.filter(({ name }) => name === 'fgd' || name === 'septet')

/** FGD's published mean without moves, and the offline ceiling: free choice of pods, CPU, memory and nodes ignored. */
const REFERENCES = {
  default: { fgd: 95.23, ceiling: 96.9 },
  gpushare100: { fgd: 86.64, ceiling: 89.16 },
} as const satisfies Partial<Record<OpenbList, { readonly fgd: number; readonly ceiling: number }>>

const LISTS = ['default', 'gpushare100'] as const

export const benchmark: Benchmark = {
  name: 'placement-with-moves',
  description:
    `Share of GPUs allocated on openb-2023 at 100% of arrivals, then with at most 1, 5 and 10% of the placed pods moved ` +
    `to start waiting ones; mean of ${SEEDS} seeds from ${FIRST_SEED}; ± is half a 95% interval. The same run proves the most that any number of moves can add.`,
  run: async ({ input }) => {
    const solver = openHighs()
    const figures: Figure[] = []
    for (const list of LISTS)
      for (const policy of STARTS_FROM) figures.push(...(await figuresOf(input, { list, policy, solver })))
    await solver.close()
    return figures
  },
}

type Case = { readonly list: keyof typeof REFERENCES; readonly policy: Policy; readonly solver: LinearSolver }

async function figuresOf(input: string | undefined, { list, policy, solver }: Case): Promise<Figure[]> {
  const trace = readOpenb(input, list)
  const runs: Repacked[] = []
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
    runs.push(await repacked({ ...trace, policy, seed, solver }))
  }
  const most = meanInterval(runs.map((run) => run.mostAdded)).mean
  const { fgd, ceiling } = REFERENCES[list]
  return MOVED_PERCENT.map((percent, index) => {
    const { mean, halfWidth } = meanInterval(runs.map((run) => run.allocated[index] ?? Number.NaN))
    const moves = meanInterval(runs.map((run) => run.moves[index] ?? Number.NaN)).mean
    const added = mean - meanInterval(runs.map((run) => run.allocated[0] ?? Number.NaN)).mean
    const seconds = meanInterval(runs.map((run) => run.seconds)).mean
    return {
      name: `${list}: ${policy.name}, at most ${percent} % moved`,
      figure: mean,
      unit: '% of GPUs',
      baseline: { name: 'FGD, published, no moves', figure: fgd },
      aim: `${(ceiling * 0.98).toFixed(2)} (98 % of the ceiling ${ceiling})`,
      seeds: SEEDS,
      note: `± ${halfWidth?.toFixed(2) ?? 'unknown (one seed)'}; ${((100 * mean) / ceiling).toFixed(2)} % of the ceiling; adds ${added.toFixed(2)} of at most ${most.toFixed(2)} points that moves can add (proven); ${moves.toFixed(1)} moves; search ${seconds.toFixed(1)} s`,
    }
  })
}

type Repacked = {
  readonly allocated: readonly number[]
  readonly moves: readonly number[]
  readonly seconds: number
  /** No number of moves adds more points. */
  readonly mostAdded: number
}

async function repacked({
  nodes,
  pods,
  policy,
  seed,
  solver,
}: ReturnType<typeof readOpenb> & { policy: Policy; seed: number; solver: LinearSolver }): Promise<Repacked> {
  const comparison = comparePolicies({ nodes, pods, policies: [policy], seed, ratio: 1, recordAt: [] })
  comparison.advance(comparison.arrivals.length)
  const [simulation] = comparison.simulations
  if (simulation === undefined) throw new Error('A comparison of one policy has one simulation.')
  const { fleet, placed, skipped } = simulation
  const before = simulation.now().allocated
  const percentMilli = (fleet.milliFree.length * GPU_MILLI) / 100
  const running = placed.map(({ demand }) => demand)
  const most = await mostStartable({ nodes, placed: running, waiting: skipped }, solver)
  const begun = performance.now()
  const budgets = MOVED_PERCENT.map((percent) => Math.floor((placed.length * percent) / 100))
  const steps = makeRoom({ fleet, placed, waiting: skipped, mostMoves: Math.max(...budgets) })
  const seconds = (performance.now() - begun) / 1000
  const within = budgets.map((budget) => untilBudget(steps, budget))
  return {
    allocated: within.map(({ startedMilli }) => before + startedMilli / percentMilli),
    moves: within.map(({ moves }) => moves),
    seconds,
    mostAdded: (most * GPU_MILLI) / percentMilli,
  }
}

/** Steps are in order of execution, so a smaller budget is a shorter plan: it stops before the first start that it cannot afford. */
function untilBudget(steps: readonly RoomStep[], budget: number): { moves: number; startedMilli: number } {
  let moves = 0
  let kept = { moves: 0, startedMilli: 0 }
  for (const step of steps) {
    if (step.kind === 'move') moves += 1
    if (moves > budget) break
    if (step.kind === 'start') kept = { moves, startedMilli: kept.startedMilli + gpuMilliOf(step.demand.gpu) }
  }
  return kept
}
