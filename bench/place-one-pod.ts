import {
  boardFor,
  mib,
  PlaceIndex,
  type LayoutProblem,
  type PlaceAsk,
  type PlacedPod,
  type PlaceNode,
} from '@septet/domain'

import type { Benchmark, Figure } from './benchmark.ts'
import { makePlannerFleet } from './planner-fleet.ts'
import { randomFrom } from './random-from.ts'
import { quantile } from './quantile.ts'

const SIZES = [1000, 10_000, 100_000]
const SEED = 8
const MEASURED = 20_000
const SCANNED = 200
const GPUS_OF_NODE = 8

/** How long it takes to place one pod, in fleets of three sizes, beside a scan of all nodes with the same score. */
export const benchmark: Benchmark = {
  name: 'place-one-pod',
  description:
    'Placing one pod in fleets of 1,000 to 100,000 GPUs: five models, 60 demand classes, 5 workloads per GPU.',
  run: () => Promise.resolve(SIZES.flatMap(measure)),
}

function measure(gpus: number): Figure[] {
  const problem = makePlannerFleet(SEED, gpus)
  const random = randomFrom(SEED)
  const index = new PlaceIndex(nodesOf(problem))
  const asks = asksOf(problem, random)
  const filling: number[] = []
  const held: PlacedPod[] = []
  for (const ask of asks)
    keep(
      timed(() => index.place(ask), filling),
      held,
    )
  const placed = held.length
  const steady = churn(index, { asks, held, random })
  const scans: number[] = []
  let agreed = 0
  for (let round = 0; round < SCANNED; round += 1) {
    const ask = asks[Math.floor(random() * asks.length)]
    if (ask === undefined || ask.wants.kind === 'whole') continue
    const scanned = timed(() => index.chooseByScan(ask), scans)
    agreed += scanned?.loss === index.choose(ask)?.loss ? 1 : 0
  }
  const size = gpus.toLocaleString('en-US')
  const scan = { name: 'scan of all nodes, median', figure: quantile(scans, 0.5) }
  const states = index.states()
  return [
    {
      name: `${size} GPUs: median`,
      figure: quantile(steady, 0.5),
      unit: 'µs',
      baseline: scan,
      aim: gpus === 10_000 ? '20 µs, not growing with the fleet' : 'not growing with the fleet',
      seeds: 1,
      note: `${MEASURED.toLocaleString('en-US')} pods, one leaves for each that comes; ${states} different states`,
    },
    { name: `${size} GPUs: p99`, figure: quantile(steady, 0.99), unit: 'µs', seeds: 1 },
    {
      name: `${size} GPUs: median while filling`,
      figure: quantile(filling, 0.5),
      unit: 'µs',
      seeds: 1,
      note: `${placed.toLocaleString('en-US')} of ${asks.length.toLocaleString('en-US')} placed in random order, none moved`,
    },
    {
      name: `${size} GPUs: same loss as the scan`,
      figure: (100 * agreed) / scans.length,
      unit: '%',
      aim: '100 %',
      note: `${scans.length} decisions`,
    },
  ]
}

type Churn = { readonly asks: readonly PlaceAsk[]; readonly held: PlacedPod[]; readonly random: () => number }

/** One pod leaves for each that comes; only the coming is timed. */
function churn(index: PlaceIndex, { asks, held, random }: Churn): number[] {
  const times: number[] = []
  for (let round = 0; round < MEASURED; round += 1) {
    const place = Math.floor(random() * held.length)
    const gone = held[place]
    const last = held.pop()
    if (gone !== undefined && last !== undefined && gone !== last) held[place] = last
    if (gone !== undefined) index.release(gone)
    const ask = asks[Math.floor(random() * asks.length)]
    if (ask !== undefined)
      keep(
        timed(() => index.place(ask), times),
        held,
      )
  }
  return times
}

function keep(placed: PlacedPod | undefined, held: PlacedPod[]): void {
  if (placed !== undefined) held.push(placed)
}

function timed<T>(work: () => T, times: number[]): T {
  const start = performance.now()
  const result = work()
  times.push((performance.now() - start) * 1000)
  return result
}

/** Eight GPUs a node, cut by DRA, in two pools. */
function nodesOf({ classes }: LayoutProblem): readonly PlaceNode[] {
  return classes.flatMap(({ id, model, supply, price }) =>
    Array.from({ length: Math.ceil(supply / GPUS_OF_NODE) }, (_, node): PlaceNode => {
      const name = `${id}-${node}`
      const gpus = Math.min(GPUS_OF_NODE, supply - node * GPUS_OF_NODE)
      return {
        id: name,
        model: id,
        board: boardFor(model),
        room: {
          cpuMilli: 192_000,
          memory: mib(2_000_000),
          labels: { 'kubernetes.io/hostname': name, pool: node % 4 === 0 ? 'batch' : 'shared' },
          taints: [],
        },
        gpus: Array.from({ length: gpus }, (__, gpu) => ({ kind: 'dynamic', id: `${name}#${gpu}` })),
        ...(price === undefined ? {} : { price }),
      }
    }),
  )
}

/** Every workload of every demand class, in random order. */
function asksOf({ demands }: LayoutProblem, random: () => number): readonly PlaceAsk[] {
  return demands
    .flatMap(({ count, fits }, demand) => {
      const ask: PlaceAsk = {
        wants: { kind: 'any', of: fits.map(({ supplyClass, profile }) => ({ model: supplyClass, profile })) },
        models: [],
        tenant: `tenant-${demand % 10}`,
        scheduling: {
          cpuMilli: 1000 + 500 * (demand % 5),
          memory: mib(8000 + 4000 * (demand % 4)),
          nodeSelector: {},
          nodeTerms: [],
          tolerations: [],
        },
      }
      return Array.from({ length: count }, () => ({ ask, rank: random() }))
    })
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ ask }) => ask)
}
