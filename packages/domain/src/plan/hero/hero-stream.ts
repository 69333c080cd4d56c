import type { PlaceAsk, PlacedPod } from '../place/place-index-ask.ts'
import { PlaceIndex } from '../place/place-index.ts'
import { mib } from '../../units.ts'
import { heroJobs, type HeroJob, type HeroJobOptions } from './hero-jobs.ts'

/** A small made-up stream of workloads, placed twice: each on a whole GPU, and each on a MIG instance. */
export type HeroStream = {
  /** Plans this many minutes on, at most a day (a page that slept need not catch up); returns what there is then. */
  advance(minutes: number): HeroFrame
}

export type HeroFrame = {
  /** Minutes since the start up to which everything is planned. */
  readonly at: number
  /** What was planned and ended less than `keep` minutes before `at`, in the order in which it begins. */
  readonly whole: readonly HeroNote[]
  readonly mig: readonly HeroNote[]
}

/** One workload on one GPU, like a note on a lane: from when to when, and on which memory slices. */
export type HeroNote = HeroJob & {
  /** GPUs are numbered from 0. */
  readonly gpu: number
  readonly start: number
  readonly size: number
}

export type HeroOptions = HeroJobOptions & {
  /** For how many minutes what has ended is still told. */
  readonly keep: number
}

/**
 * Same options, same stream. One row gives each workload the first whole GPU that is free. In the other, the planner that
 * places pods on a real fleet chooses where each goes, in the order in which they come, and moves none afterwards; a GPU
 * joins when nothing in use has room, and leaves when it is empty.
 */
export function heroStream(options: HeroOptions): HeroStream {
  const jobs = heroJobs(options)
  const rows = { whole: new Row(new WholeGpus(options)), mig: new Row(new CutGpus(options)) }
  let at = 0
  let next = jobs.next().value
  return {
    advance(minutes) {
      at += minutes > 0 ? Math.min(minutes, MOST_MINUTES) : 0
      for (; next.from <= at; next = jobs.next().value) {
        rows.whole.begin(next)
        rows.mig.begin(next)
      }
      const since = at - options.keep
      return { at, whole: rows.whole.notesSince(since), mig: rows.mig.notesSince(since) }
    },
  }
}

const MOST_MINUTES = 24 * 60

type Seat = Pick<HeroNote, 'gpu' | 'start' | 'size'>

/** Where workloads can be; it knows nothing of time. */
type Gpus<Held extends Seat> = {
  take(job: HeroJob): Held
  giveBack(held: Held): void
}

/** One fleet over time. */
class Row<Held extends Seat> {
  private readonly gpus: Gpus<Held>
  private running: ReadonlyArray<{ readonly until: number; readonly held: Held }> = []
  private planned: readonly HeroNote[] = []

  constructor(gpus: Gpus<Held>) {
    this.gpus = gpus
  }

  begin(job: HeroJob): void {
    const over = this.running.filter(({ until }) => until <= job.from)
    for (const { held } of over) this.gpus.giveBack(held)
    const held = this.gpus.take(job)
    this.running = [...this.running.filter(({ until }) => until > job.from), { until: job.until, held }]
    this.planned = [...this.planned, { ...job, gpu: held.gpu, start: held.start, size: held.size }]
  }

  notesSince(time: number): readonly HeroNote[] {
    this.planned = this.planned.filter(({ until }) => until > time)
    return this.planned
  }
}

// Both have as many GPUs as there are voices, and a voice has one workload at a time: one GPU is always free to join.
class WholeGpus implements Gpus<Seat> {
  private readonly free: boolean[]
  private readonly size: number

  constructor({ voices, board }: HeroOptions) {
    this.free = Array.from({ length: voices }, () => true)
    this.size = board.memorySlices
  }

  take(): Seat {
    const gpu = this.free.indexOf(true)
    this.free[gpu] = false
    return { gpu, start: 0, size: this.size }
  }

  giveBack({ gpu }: Seat): void {
    this.free[gpu] = true
  }
}

type Cut = Seat & { readonly placed: PlacedPod }

/** Each GPU is a node of its own, which has room while it is in use. */
class CutGpus implements Gpus<Cut> {
  private readonly index: PlaceIndex
  /** How many workloads each GPU holds. */
  private readonly holds: number[]

  constructor({ voices, board }: HeroOptions) {
    this.holds = Array.from({ length: voices }, () => 0)
    const room = { cpuMilli: CLOSED.cpuMilli, memory: undefined, labels: {}, taints: [] }
    const nodes = this.holds.map((_, gpu) => {
      const id = `${gpu}`
      return { id, model: board.key, board, room, gpus: [{ kind: 'dynamic' as const, id }] }
    })
    this.index = new PlaceIndex(nodes, { renewEvery: 1 })
  }

  take({ profile, name }: HeroJob): Cut {
    const ask = askFor(profile)
    if (this.index.choose(ask) === undefined) this.index.setRoom(`${this.holds.indexOf(0)}`, OPEN)
    const placed = this.index.place(ask)
    if (placed?.instance === undefined) throw new Error(`${name} found no room among as many GPUs as there are voices`)
    const gpu = Number(placed.node)
    this.holds[gpu] = (this.holds[gpu] ?? 0) + 1
    return { gpu, ...placed.instance.placement, placed }
  }

  giveBack({ gpu, placed }: Cut): void {
    this.index.release(placed)
    const left = (this.holds[gpu] ?? 0) - 1
    this.holds[gpu] = left
    if (left === 0) this.index.setRoom(placed.node, CLOSED)
  }
}

// A workload asks for one thousandth of a core, so a GPU in use has CPU for more of them than it has slices.
const OPEN = { cpuMilli: 1000, memory: mib(0) }
const CLOSED = { cpuMilli: 0, memory: mib(0) }

const askFor = (profile: string): PlaceAsk => ({
  wants: { kind: 'mig', profile },
  models: [],
  tenant: undefined,
  scheduling: { cpuMilli: 1, memory: mib(0), nodeSelector: {}, nodeTerms: [], tolerations: [] },
})
