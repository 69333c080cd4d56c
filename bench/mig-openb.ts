import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import {
  acceptMost,
  boardFor,
  fewestGpus,
  MIG_BASELINES,
  migTables,
  simulateMig,
  staticLayouts,
  wholeGpus,
} from '@septet/domain'
import type { MigArrival, MigTables } from '@septet/domain'

import type { Benchmark, Figure } from './benchmark.ts'
import { randomFrom } from './planner-fleet.ts'

const FILE = 'openb_pod_list_default.csv'
const GPUS = 1000
const ARRIVALS = 1.3
const SEEDS = 5

/** GPU Operator's static layouts beside policies that cut as they go, on demand from a real cluster. */
export const benchmark: Benchmark = {
  name: 'mig-openb',
  description:
    'openb pods of one GPU mapped to MIG (slices = ceil(gpu_milli × 7 / 1000), above 4 → 7g): 1,000 A100-80GB, 130 % arrivals.',
  run: async ({ input }) => {
    const board = boardFor('A100-SXM4-80GB')
    if (board === undefined) throw new Error('there is an A100-80GB board')
    const tables = migTables(board)
    const profiles = await readProfiles(input ?? join(import.meta.dirname, '../../shared/traces/openb-2023'), tables)
    const lists = Array.from({ length: SEEDS }, (_, seed) => draw(profiles, tables, randomFrom(42 + seed)))
    const policies = [...MIG_BASELINES, ...staticLayouts(board), wholeGpus, acceptMost, fewestGpus]
    return policies.map((policy): Figure => {
      const shares = lists.map((arrivals, seed) => {
        const outcome = simulateMig({ tables, policy, arrivals, gpus: GPUS, random: randomFrom(seed) })
        return (100 * outcome.acceptedWorth) / GPUS
      })
      const middle = shares.reduce((sum, share) => sum + share, 0) / SEEDS
      const spread = Math.sqrt(shares.reduce((sum, share) => sum + (share - middle) ** 2, 0) / (SEEDS - 1))
      return {
        name: policy.name,
        figure: middle,
        unit: '% of the GPUs, as worth of what was asked',
        seeds: SEEDS,
        note: `± ${((1.96 * spread) / Math.sqrt(SEEDS)).toFixed(2)}; ${policy.description}`,
      }
    })
  },
}

async function readProfiles(folder: string, tables: MigTables): Promise<readonly number[]> {
  const text = await readFile(join(folder, FILE), 'utf8').catch(() => {
    throw new Error(`${FILE} is not in ${folder}: pass the folder that holds it with --input`)
  })
  const [head = '', ...lines] = text.trim().split(/\r?\n/u)
  const columns = head.split(',')
  const [count, milli] = [columns.indexOf('num_gpu'), columns.indexOf('gpu_milli')]
  if (count < 0 || milli < 0) throw new Error(`${FILE} needs the columns num_gpu and gpu_milli`)
  // Pods with several GPUs are left out: MIG cannot serve them.
  return lines
    .map((line) => line.split(','))
    .filter((fields) => Number(fields[count]) === 1)
    .map((fields) => profileFor(Number(fields[milli]), tables))
}

function profileFor(milli: number, { profiles }: MigTables): number {
  if (!(milli > 0 && milli <= 1000)) throw new Error(`${FILE}: gpu_milli ${milli} is not between 1 and 1000`)
  const slices = Math.ceil((milli * 7) / 1000)
  const wanted = slices > 4 ? 7 : slices
  return profiles.findIndex(({ computeSlices }) => computeSlices === wanted)
}

function draw(profiles: readonly number[], { worth }: MigTables, random: () => number): readonly MigArrival[] {
  const arrivals: MigArrival[] = []
  for (let asked = 0; asked < ARRIVALS * GPUS;) {
    const profile = profiles[Math.floor(random() * profiles.length)]
    if (profile === undefined) throw new Error(`${FILE} has no pod of one GPU`)
    arrivals.push({ profile, at: arrivals.length, stays: undefined })
    asked += worth[profile] ?? 1
  }
  return arrivals
}
