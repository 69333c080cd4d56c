import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

import {
  acceptMost,
  boardFor,
  fewestGpus,
  MIG_BASELINES,
  type MigPolicy,
  migTables,
  type MigTables,
  staticLayouts,
  wholeGpus,
} from '@septet/domain'
import { simulateMig, type MigArrival } from '@septet/domain/testing'

import type { Benchmark, Figure } from './benchmark.ts'
import { randomFrom } from './random-from.ts'

const FILE = 'packing.json.gz'
const SHAPES = ['1g', '1g+m', '2g', '3g', '4g', '7g']
const SEEDS = 10
const GPUS = 64
const LOADS = [0.85, 1, 1.2]

/** One MIG instance at a time, none moved: who needs fewest GPUs, and who accepts most where the fleet is fixed. */
export const benchmark: Benchmark = {
  name: 'mig-policies',
  description: 'Online placement of MIG instances over the nine mixes of mig-packing-instances, policies side by side.',
  run: async ({ input }) => {
    const folder = input ?? join(import.meta.dirname, '../../shared/traces/mig-packing-instances')
    const instances = await readInstances(folder)
    const board = boardFor('A100-SXM4-80GB')
    if (board === undefined) throw new Error('there is an A100-80GB board')
    const tables = migTables(board)
    return [
      ...inArrivalOrder(tables, instances),
      ...inUse(tables, instances),
      ...LOADS.flatMap((load) => withDepartures(tables, instances, load)),
    ]
  },
}

type Instance = { readonly mix: string; readonly arrivals: readonly number[]; readonly optimum: number }

async function readInstances(folder: string): Promise<readonly Instance[]> {
  const packed = await readFile(join(folder, FILE)).catch(() => {
    throw new Error(`${FILE} is not in ${folder}: pass the folder that holds it with --input`)
  })
  const rows: unknown = JSON.parse(gunzipSync(packed).toString())
  if (!Array.isArray(rows)) throw new Error(`${FILE} holds no list`)
  return rows.map((row: Record<string, unknown>, index): Instance => {
    const { mix, arrivals, optimal_gpus: optimum } = row
    if (typeof mix !== 'string' || typeof arrivals !== 'string' || typeof optimum !== 'number') {
      throw new Error(`${FILE}, entry ${index}: needs mix, arrivals and optimal_gpus`)
    }
    return { mix, arrivals: arrivals.split(' ').map((shape) => shapeIndex(shape, index)), optimum }
  })
}

function shapeIndex(shape: string, entry: number): number {
  const found = SHAPES.indexOf(shape)
  if (found < 0) throw new Error(`${FILE}, entry ${entry}: ${shape} is none of ${SHAPES.join(', ')}`)
  return found
}

/** As many GPUs as are wanted: how many hold something in the end. */
function inArrivalOrder(tables: MigTables, instances: readonly Instance[]): Figure[] {
  const optimum = instances.reduce((sum, instance) => sum + instance.optimum, 0)
  return [...MIG_BASELINES, fewestGpus].map((policy): Figure => {
    const used = instances.map(({ arrivals }, index) => {
      const random = randomFrom(index)
      const list = arrivals.map((profile): MigArrival => ({ profile, at: 0, stays: undefined }))
      return simulateMig({ tables, policy, arrivals: list, gpus: list.length, random }).gpusUsed
    })
    const total = used.reduce((sum, gpus) => sum + gpus, 0)
    const over = used.map((gpus, index) => (100 * gpus) / (instances[index]?.optimum ?? NaN) - 100)
    return {
      name: `GPUs in arrival order, ${policy.name}`,
      figure: total,
      unit: 'GPUs',
      baseline: { name: 'proven optimum with all arrivals known', figure: optimum },
      note: `${(100 * (total / optimum - 1)).toFixed(2)} % over in all; per instance ${interval(over)} %`,
    }
  })
}

/** As many GPUs as are wanted, and workloads that leave: how many hold something, mean over time. */
function inUse(tables: MigTables, instances: readonly Instance[]): Figure[] {
  const lists = drawnLists(instances, 1)
  const run = (policy: MigPolicy): readonly number[] =>
    lists.map((arrivals, index) => {
      const gpus = 4 * GPUS
      return simulateMig({ tables, policy, arrivals, gpus, random: randomFrom(index), countFrom: 3 }).meanInUse
    })
  const bestFit = MIG_BASELINES.find(({ name }) => name === 'best-fit')
  const baseline = bestFit === undefined ? [] : run(bestFit)
  return [...MIG_BASELINES, fewestGpus].map((policy): Figure => {
    const used = run(policy)
    const less = used.map((gpus, index) => 100 * (1 - gpus / (baseline[index] ?? NaN)))
    return {
      name: `GPUs in use where workloads leave, ${policy.name}`,
      figure: mean(used),
      unit: 'GPUs',
      baseline: { name: 'best fit', figure: mean(baseline) },
      seeds: SEEDS,
      note: `below best fit on the same arrivals: ${interval(less)} %`,
    }
  })
}

/**
 * 64 GPUs, Poisson arrivals, exponential stays of mean 1, over 20 stays after 3 of warm-up. Load 1 offers as many workloads
 * as an ideal packing of the mix holds.
 */
function withDepartures(tables: MigTables, instances: readonly Instance[], load: number): Figure[] {
  const lists = drawnLists(instances, load)
  const run = (policy: MigPolicy): readonly number[] =>
    lists.map((arrivals, index) => {
      const outcome = simulateMig({ tables, policy, arrivals, gpus: GPUS, random: randomFrom(index), countFrom: 3 })
      return (100 * outcome.acceptedWorth) / outcome.arrivedWorth
    })
  const bestFit = MIG_BASELINES.find(({ name }) => name === 'best-fit')
  const baseline = bestFit === undefined ? [] : run(bestFit)
  const statics = staticLayouts(tables.board).filter(({ name }) => name === 'static-balanced' || name === 'static-1g')
  return [...MIG_BASELINES, acceptMost, ...statics, wholeGpus].map((policy): Figure => {
    const accepted = run(policy)
    const gain = accepted.map((share, index) => share - (baseline[index] ?? NaN))
    return {
      name: `accepted at load ${load}, ${policy.name}`,
      figure: mean(accepted),
      unit: '% of the worth that arrived',
      baseline: { name: 'best fit', figure: mean(baseline) },
      seeds: SEEDS,
      note: `beside best fit on the same arrivals: ${interval(gain)} points`,
    }
  })
}

/** Lists of each of the longest mixes. */
function drawnLists(instances: readonly Instance[], load: number): ReadonlyArray<readonly MigArrival[]> {
  const longest = Math.max(...instances.map(({ arrivals }) => arrivals.length))
  const mixes = instances.filter(({ arrivals }) => arrivals.length === longest)
  return mixes.flatMap((mix, index) =>
    Array.from({ length: SEEDS }, (_, seed) => drawArrivals(mix, load, randomFrom(1000 * index + seed))),
  )
}

function drawArrivals(mix: Instance, load: number, random: () => number): readonly MigArrival[] {
  const rate = (load * GPUS * mix.arrivals.length) / mix.optimum
  const arrivals: MigArrival[] = []
  const wait = (perUnit: number): number => -Math.log(1 - random()) / perUnit
  for (let at = wait(rate); at < 23; at += wait(rate)) {
    const profile = mix.arrivals[Math.floor(random() * mix.arrivals.length)] ?? 0
    arrivals.push({ profile, at, stays: wait(1) })
  }
  return arrivals
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** The mean, with the half-width of its 95 % interval. */
function interval(values: readonly number[]): string {
  const middle = mean(values)
  const variance = values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1)
  return `${middle.toFixed(2)} ± ${(1.96 * Math.sqrt(variance / values.length)).toFixed(2)}`
}
