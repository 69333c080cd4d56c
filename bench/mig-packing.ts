import type { Benchmark, Figure } from './benchmark.ts'
import { PACKERS } from './greedy-packers.ts'
import { type Packing, planPacking, readPackings } from './packing-lists.ts'

/** The fewest GPUs for a list of MIG workloads, beside heuristics that see one workload after the other. */
export const benchmark: Benchmark = {
  name: 'mig-packing',
  description: 'MIG packing: GPUs used for 45 lists with proven optima.',
  run: ({ input }) => Promise.resolve(figuresOf(readPackings(input))),
}

function figuresOf(packings: readonly Packing[]): readonly Figure[] {
  const start = performance.now()
  const plans = packings.map(({ arrivals }) => planPacking(arrivals))
  const milliseconds = performance.now() - start
  const total = sum(plans.map(({ totals }) => totals.gpus))
  const optimum = sum(packings.map((packing) => packing.optimum))
  const reached = plans.filter(({ totals }, index) => totals.gpus === packings[index]?.optimum).length
  const baselines = Object.entries(PACKERS).map(([name, pack]): Figure => {
    const gpus = sum(packings.map(({ arrivals }) => pack(arrivals)))
    return { name: `GPUs by ${name}`, figure: gpus, unit: 'GPUs', baseline: { name: 'optimum', figure: optimum } }
  })
  const best = Math.min(...baselines.map(({ figure }) => figure))
  return [
    {
      name: `GPUs for ${packings.length} lists`,
      figure: total,
      unit: 'GPUs',
      baseline: { name: 'best heuristic over all lists', figure: best },
      aim: `optimum ${optimum}`,
    },
    {
      name: 'lists with the proven optimum',
      figure: reached,
      unit: `of ${packings.length}`,
      aim: 'all',
    },
    {
      name: 'lists that our own bound proves optimal',
      figure: plans.filter(({ quality }) => quality.proof === 'optimal').length,
      unit: `of ${packings.length}`,
    },
    { name: 'all lists, first run', figure: milliseconds, unit: 'ms', aim: 'under 1 s' },
    ...baselines,
  ]
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
