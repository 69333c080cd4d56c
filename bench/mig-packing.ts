import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { maximalGeometries } from '@septet/domain'

import type { Benchmark, Figure } from './benchmark.ts'
import { PACKERS } from './greedy-packers.ts'
import { type Packing, packingBoard, packingFolder, planPacking, PROFILES, readPackings } from './packing-lists.ts'
import { randomFrom } from './random-from.ts'

/** The fewest GPUs for a list of MIG workloads, beside heuristics that see one workload after the other. */
export const benchmark: Benchmark = {
  name: 'mig-packing',
  description: 'MIG packing: GPUs used for 45 lists with proven optima, and for fresh lists from the same families.',
  run: ({ input }) => {
    const folder = packingFolder(input)
    const packings = readPackings(folder)
    return Promise.resolve([checkGeometry(folder), ...onGivenLists(packings), ...onFreshLists(packings)])
  },
}

function checkGeometry(folder: string): Figure {
  const geometry: unknown = JSON.parse(readFileSync(join(folder, 'geometry.json'), 'utf8'))
  const listed: unknown =
    typeof geometry === 'object' && geometry !== null && 'maximal_count_vectors' in geometry
      ? geometry.maximal_count_vectors
      : []
  const given = new Set((Array.isArray(listed) ? listed : []).map(String))
  const vectors = maximalGeometries(packingBoard).map((each) => [...PROFILES.values()].map((name) => each[name] ?? 0))
  const ours = new Set(vectors.filter((each) => !vectors.some((other) => isBelow(each, other))).map(String))
  const same = [...given].filter((vector) => ours.has(vector)).length
  return {
    name: 'undominated count vectors: ours that the input lists too',
    figure: same,
    unit: `of ${given.size}`,
    baseline: { name: 'ours', figure: ours.size },
  }
}

const isBelow = (a: readonly number[], b: readonly number[]): boolean =>
  a !== b && a.every((count, index) => count <= (b[index] ?? 0)) && String(a) !== String(b)

function onGivenLists(packings: readonly Packing[]): readonly Figure[] {
  const cold = timed(() => packings.map(({ arrivals }) => planPacking(arrivals)))
  const warm = timed(() => packings.map(({ arrivals }) => planPacking(arrivals)))
  const plans = cold.result
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
    { name: 'all lists, first run', figure: cold.milliseconds, unit: 'ms', aim: 'under 1 s' },
    { name: 'all lists, again', figure: warm.milliseconds, unit: 'ms' },
    { name: 'all lists, processor time of the first run', figure: cold.cpu, unit: 'ms', note: CPU_NOTE },
    ...baselines,
  ]
}

const FRESH_SIZES = [10, 35, 140, 600, 2500, 9000]
const FRESH_SEEDS = [101, 202, 303, 404, 505]

/** Lists drawn with each family's shares, as the given lists have them, with other seeds and sizes. */
function onFreshLists(packings: readonly Packing[]): readonly Figure[] {
  const families = Map.groupBy(packings, ({ mix }) => mix)
  const lists = [...families].flatMap(([, members]) =>
    FRESH_SIZES.flatMap((size) =>
      FRESH_SEEDS.map((seed) =>
        draw(
          members.flatMap(({ arrivals }) => arrivals),
          size,
          seed,
        ),
      ),
    ),
  )
  const { result: plans, milliseconds } = timed(() => lists.map(planPacking))
  const sorted = PACKERS['best fit, largest first']
  return [
    {
      name: 'fresh lists whose plan equals its bound, so proven optimal',
      figure: plans.filter(({ quality }) => quality.proof === 'optimal').length,
      unit: `of ${lists.length}`,
      seeds: FRESH_SEEDS.length,
      note: `sizes ${FRESH_SIZES.join(', ')}; seeds ${FRESH_SEEDS.join(', ')}; ${families.size} families`,
    },
    {
      name: 'GPUs for the fresh lists',
      figure: sum(plans.map(({ totals }) => totals.gpus)),
      unit: 'GPUs',
      baseline: { name: 'best fit, largest first', figure: sum(lists.map((arrivals) => sorted?.(arrivals) ?? 0)) },
      note: `sum of the bounds: ${sum(plans.map(({ quality }) => quality.bound ?? 0))}`,
    },
    { name: 'a fresh list, mean', figure: milliseconds / lists.length, unit: 'ms' },
  ]
}

function draw(pool: readonly string[], size: number, seed: number): readonly string[] {
  const random = randomFrom(seed * 7919 + size)
  return Array.from({ length: size }, () => pool[Math.floor(random() * pool.length)] ?? '1g')
}

const CPU_NOTE = 'does not count waiting for a busy machine'

function timed<T>(work: () => T): { readonly result: T; readonly milliseconds: number; readonly cpu: number } {
  const before = process.cpuUsage()
  const start = performance.now()
  const result = work()
  const milliseconds = performance.now() - start
  const { user, system } = process.cpuUsage(before)
  return { result, milliseconds, cpu: (user + system) / 1000 }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
