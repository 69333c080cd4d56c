import { boardFor } from '../../gpu/known-boards.ts'
import type { Layout } from '../../gpu/layout.ts'
import { mib, ratio, usd } from '../../units.ts'
import type { Ratio, Usd, UsdPerGpuHour } from '../../units.ts'
import { seededChance } from '../simulate/seeded-chance.ts'
import { PlaceIndex } from '../place/place-index.ts'
import type { PlaceAsk, PlacedPod } from '../place/place-index-ask.ts'

/** A small made-up stream of workloads, placed twice: each on a whole GPU, and each on a MIG instance. */
export type HeroStream = {
  /** Workloads come and go for this many minutes, at most a day (a page that slept need not catch up); returns what there is then. */
  advance(minutes: number): HeroFrame
}

export type HeroFrame = {
  /** Minutes since the start. */
  readonly at: number
  readonly whole: HeroRow
  readonly mig: HeroRow
}

/** One row of GPUs. */
export type HeroRow = {
  readonly gpus: readonly HeroGpu[]
  /** GPUs that hold anything. */
  readonly gpusUsed: number
  /** Workloads that run, and those that wait because no GPU has room. */
  readonly running: number
  readonly waiting: number
  /** Compute that the workloads keep busy, over the compute of the GPUs used; undefined where none is used. */
  readonly busy: Ratio | undefined
  /** What the GPUs used cost an hour. */
  readonly usdPerHour: Usd
}

/** What is on a GPU; one whole instance where it is held whole. */
export type HeroGpu = { readonly id: string; readonly instances: Layout; readonly held: boolean }

/** Same seed, same stream. The price is given: nothing here knows one. */
export function heroStream({ seed, gpus, price }: HeroOptions): HeroStream {
  const random = seededChance(seed)
  const rows = { whole: new Row('whole', gpus), mig: new Row('dynamic', gpus) }
  let at = 0
  let next = 0
  return {
    advance(minutes) {
      const until = at + (minutes > 0 ? Math.min(minutes, MOST_MINUTES) : 0)
      for (; next <= until; next += waitFor(random, MINUTES_BETWEEN_ARRIVALS / gpus)) {
        const job = drawJob(next, random)
        rows.whole.arrive(job)
        rows.mig.arrive(job)
      }
      at = until
      return { at, whole: rows.whole.frame(at, price), mig: rows.mig.frame(at, price) }
    },
  }
}

export type HeroOptions = { readonly seed: number; readonly gpus: number; readonly price: UsdPerGpuHour }

type Job = {
  readonly at: number
  readonly stays: number
  readonly profile: string
  readonly slices: number
  readonly busy: number
}
type Running = { readonly job: Job; readonly until: number; readonly placed: PlacedPod }

// Shares of a mixed cluster of inference, notebooks and some training: most workloads need little. A choice, not a trace.
const MENU = [
  { profile: '1g.10gb', slices: 1, share: 0.5 },
  { profile: '2g.20gb', slices: 2, share: 0.25 },
  { profile: '3g.40gb', slices: 3, share: 0.17 },
  { profile: '7g.80gb', slices: 7, share: 0.08 },
] as const
const MINUTES_BETWEEN_ARRIVALS = 60
const MEAN_STAY = 45
const MOST_MINUTES = 24 * 60
const MODEL = 'A100-SXM4-80GB'
const COMPUTE_SLICES = 7

/** One fleet with its queue, first come first served. */
class Row {
  private readonly index: PlaceIndex
  private readonly kind: 'whole' | 'dynamic'
  private running: Running[] = []
  private waiting: Job[] = []

  constructor(kind: 'whole' | 'dynamic', gpus: number) {
    this.kind = kind
    const members = Array.from({ length: gpus }, (_, gpu) => ({ kind, id: `gpu-${gpu}` }))
    const room = { cpuMilli: undefined, memory: undefined, labels: {}, taints: [] }
    this.index = new PlaceIndex([{ id: 'node', model: MODEL, board: boardFor(MODEL), room, gpus: members }], {
      renewEvery: 1,
    })
  }

  arrive(job: Job): void {
    this.settle(job.at)
    this.waiting.push(job)
    this.start(job.at)
  }

  frame(at: number, price: UsdPerGpuHour): HeroRow {
    this.settle(at)
    const gpus = this.index.nodes().flatMap((view) => view.gpus)
    const shown = gpus.map((gpu): HeroGpu => {
      const instances = gpu.kind === 'dynamic' ? gpu.instances.map(({ instance }) => instance) : []
      return { id: gpu.id, instances, held: gpu.kind === 'held' || instances.length > 0 }
    })
    const gpusUsed = shown.filter(({ held }) => held).length
    const busySlices = this.running.reduce((sum, { job }) => sum + job.slices * job.busy, 0)
    return {
      gpus: shown,
      gpusUsed,
      running: this.running.length,
      waiting: this.waiting.length,
      busy: gpusUsed === 0 ? undefined : ratio(busySlices / (gpusUsed * COMPUTE_SLICES)),
      usdPerHour: usd(gpusUsed * price),
    }
  }

  /** Ends what is over by then, in order, and lets those who wait start at once. */
  private settle(at: number): void {
    for (;;) {
      const first = this.running[0]
      if (first === undefined || first.until > at) return
      this.running = this.running.slice(1)
      this.index.release(first.placed)
      this.start(first.until)
    }
  }

  private start(at: number): void {
    for (const job of this.waiting) {
      const placed = this.index.place(this.kind === 'whole' ? WHOLE : askFor(job.profile))
      if (placed === undefined) break
      this.waiting = this.waiting.slice(1)
      this.running.push({ job, until: at + job.stays, placed })
    }
    this.running.sort((a, b) => a.until - b.until)
  }
}

const scheduling: PlaceAsk['scheduling'] = {
  cpuMilli: 0,
  memory: mib(0),
  nodeSelector: {},
  nodeTerms: [],
  tolerations: [],
}
const askOf = (wants: PlaceAsk['wants']): PlaceAsk => ({ wants, models: [], tenant: undefined, scheduling })
const WHOLE = askOf({ kind: 'whole', count: 1 })
const askFor = (profile: string): PlaceAsk => askOf({ kind: 'mig', profile })

function drawJob(at: number, random: () => number): Job {
  let left = random()
  const size = MENU.find(({ share }) => (left -= share) < 0) ?? MENU[0]
  return {
    at,
    stays: waitFor(random, MEAN_STAY),
    profile: size.profile,
    slices: size.slices,
    busy: 0.5 + 0.5 * random(),
  }
}

/** An exponential wait with this mean. */
const waitFor = (random: () => number, mean: number): number => -Math.log(1 - random()) * mean
