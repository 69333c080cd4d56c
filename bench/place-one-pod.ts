import {
  BEST_FIT,
  boardFor,
  type Board,
  type LayoutProblem,
  openGpuSet,
  PLACINGS,
  profileOf,
  type SupplyClass,
} from '@septet/domain'

import type { Benchmark, Figure } from './benchmark.ts'
import { makePlannerFleet } from './planner-fleet.ts'
import { quantile } from './quantile.ts'
import { randomFrom } from './random-from.ts'

const SIZES = [1000, 10_000, 100_000]
const SEED = 8
const MEASURED = 20_000
const SCANNED = 200
const GPUS_OF_NODE = 8

/** How long What if takes to place one pod, in fleets of three sizes, beside a scan of all GPUs. */
export const benchmark: Benchmark = {
  name: 'place-one-pod',
  description:
    'Placing one pod as a replay does, in fleets of 1,000 to 100,000 GPUs: five models, 60 demand classes, 5 workloads per GPU.',
  run: () => Promise.resolve(SIZES.flatMap(measure)),
}

function measure(gpus: number): Figure[] {
  const problem = makePlannerFleet(SEED, gpus)
  const random = randomFrom(SEED)
  const asks = asksOf(problem, random)
  const fleet = new DrawnFleet(problem)
  const filling: number[] = []
  for (const ask of asks) timed(() => fleet.place(ask), filling)
  const placed = fleet.held.length
  const steady = churn(fleet, asks, random)
  const scans: number[] = []
  for (const ask of asks.slice(0, SCANNED)) timed(() => fleet.scan(ask), scans)
  const size = gpus.toLocaleString('en-US')
  return [
    {
      name: `${size} GPUs: median`,
      figure: quantile(steady, 0.5),
      unit: 'µs',
      baseline: { name: 'scan of all GPUs, median', figure: quantile(scans, 0.5) },
      aim: gpus === 10_000 ? '20 µs, not growing with the fleet' : 'not growing with the fleet',
      seeds: 1,
      note: `${MEASURED.toLocaleString('en-US')} pods, one leaves for each that comes`,
    },
    { name: `${size} GPUs: p99`, figure: quantile(steady, 0.99), unit: 'µs', seeds: 1 },
    {
      name: `${size} GPUs: median while filling`,
      figure: quantile(filling, 0.5),
      unit: 'µs',
      seeds: 1,
      note: `${placed.toLocaleString('en-US')} of ${asks.length.toLocaleString('en-US')} placed in random order, none moved`,
    },
  ]
}

type GpuSet = ReturnType<typeof openGpuSet>

/** Where a pod may go, in its order: a model of the fleet, and a profile of it or a whole GPU. */
type Ask = ReadonlyArray<{ readonly model: string; readonly need: Parameters<GpuSet['take']>[0] }>
type Held = { readonly model: string; readonly held: NonNullable<ReturnType<GpuSet['take']>> }

/** GPUs of each model, with what is taken of each for the scan. */
class DrawnFleet {
  readonly held: Held[] = []
  readonly #sets: ReadonlyMap<string, { readonly set: GpuSet; readonly board: Board; readonly masks: Int32Array }>

  constructor({ classes }: LayoutProblem) {
    this.#sets = new Map(
      classes.map(({ id, model, supply }) => {
        const nodes = Math.ceil(supply / GPUS_OF_NODE)
        const group = { model, pool: '', nodes, gpusPerNode: GPUS_OF_NODE, price: null, cuts: [] }
        const set = openGpuSet({ model, groups: [group], placing: PLACINGS.at(-1) ?? BEST_FIT })
        return [id, { set, board: known(model), masks: new Int32Array(nodes * GPUS_OF_NODE) }]
      }),
    )
  }

  place(ask: Ask): void {
    for (const { model, need } of ask) {
      const held = this.#sets.get(model)?.set.take(need, 0)
      if (held === undefined) continue
      this.held.push({ model, held })
      this.#mark({ model, held }, held.token)
      return
    }
  }

  release(at: number): void {
    const [gone, last] = [this.held[at], this.held.pop()]
    if (gone === undefined || last === undefined) return
    if (gone !== last) this.held[at] = last
    this.#sets.get(gone.model)?.set.release(gone.held)
    this.#mark(gone, 0)
  }

  /** The fullest GPU of the first choice with room, found by a look at every GPU. */
  scan(ask: Ask): number | undefined {
    for (const { model, need } of ask) {
      const masks = this.#sets.get(model)?.masks ?? []
      const spots = spotsOf(need)
      let best = -1
      for (let gpu = 0; gpu < masks.length; gpu += 1) {
        const mask = masks[gpu] ?? 0
        if (mask > (masks[best] ?? -1) && spots.some((spot) => (spot & mask) === 0)) best = gpu
      }
      if (best >= 0) return best
    }
    return undefined
  }

  #mark({ model, held }: Held, now: number): void {
    const masks = this.#sets.get(model)?.masks ?? new Int32Array()
    for (const gpu of held.gpus) masks[gpu] = ((masks[gpu] ?? 0) & ~held.token) | now
  }
}

const spotsOf = (need: Ask[number]['need']): readonly number[] =>
  need.kind === 'whole' ? [-1] : (need.profile?.starts ?? []).map((at) => (2 ** (need.profile?.size ?? 0) - 1) << at)

/** One pod leaves for each that comes; only the coming is timed. */
function churn(fleet: DrawnFleet, asks: readonly Ask[], random: () => number): number[] {
  const times: number[] = []
  for (let round = 0; round < MEASURED; round += 1) {
    fleet.release(Math.floor(random() * fleet.held.length))
    const ask = asks[Math.floor(random() * asks.length)] ?? []
    timed(() => fleet.place(ask), times)
  }
  return times
}

function timed<T>(work: () => T, times: number[]): T {
  const start = performance.now()
  const result = work()
  times.push((performance.now() - start) * 1000)
  return result
}

function known(model: string): Board {
  const board = boardFor(model)
  if (board === undefined) throw new Error(`no board ${model}`)
  return board
}

/** Every workload of every demand class, in random order. */
function asksOf({ classes, demands }: LayoutProblem, random: () => number): readonly Ask[] {
  const boards = new Map(classes.map(({ id, model }: SupplyClass) => [id, known(model)]))
  return demands
    .flatMap(({ count, fits }) => {
      const ask = fits.flatMap(({ supplyClass: model, profile: name }): Ask => {
        const board = boards.get(model)
        const profile = board && profileOf(board, name)
        return [
          profile === undefined
            ? { model, need: { kind: 'whole', gpus: 1 } }
            : { model, need: { kind: 'part', profile, milli: 0 } },
        ]
      })
      return Array.from({ length: count }, () => ({ ask, rank: random() }))
    })
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ ask }) => ask)
}
