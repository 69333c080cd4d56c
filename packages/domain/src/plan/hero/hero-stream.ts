import type { PlaceAsk, PlacedPod } from '../place/place-index-ask.ts'
import { PlaceIndex } from '../place/place-index.ts'
import { mib } from '../../units.ts'
import { heroJobs } from './hero-jobs.ts'
import type { HeroJob, HeroJobOptions } from './hero-jobs.ts'

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
 * Same options, same stream. The planner that places pods on a real fleet chooses where each workload goes, in the order in
 * which they come, and moves none afterwards. A GPU joins when nothing in use has room, and leaves when it is empty.
 */
export function heroStream(options: HeroOptions): HeroStream {
  const jobs = heroJobs(options)
  const rows = { whole: new Row('whole', options), mig: new Row('dynamic', options) }
  let at = 0
  let next = jobs.next().value
  return {
    advance(minutes) {
      at += minutes > 0 ? Math.min(minutes, MOST_MINUTES) : 0
      for (; next.from <= at; next = jobs.next().value) {
        rows.whole.begin(next)
        rows.mig.begin(next)
      }
      return { at, whole: rows.whole.notes(at), mig: rows.mig.notes(at) }
    },
  }
}

const MOST_MINUTES = 24 * 60

type Running = { readonly until: number; readonly placed: PlacedPod }

/** One fleet: each GPU is a node of its own, which has room while it is in use. */
class Row {
  private readonly index: PlaceIndex
  private readonly kind: 'whole' | 'dynamic'
  private readonly gpus: readonly string[]
  private readonly slots: number
  private readonly keep: number
  private running: readonly Running[] = []
  private planned: readonly HeroNote[] = []

  constructor(kind: 'whole' | 'dynamic', { voices, board, keep }: HeroOptions) {
    this.kind = kind
    this.slots = board.memorySlices
    this.keep = keep
    this.gpus = Array.from({ length: voices }, (_, gpu) => `${gpu}`)
    const room = { cpuMilli: 0, memory: undefined, labels: {}, taints: [] }
    const nodes = this.gpus.map((id) => ({ id, model: board.key, board, room, gpus: [{ kind, id }] }))
    this.index = new PlaceIndex(nodes, { renewEvery: 1 })
  }

  begin(job: HeroJob): void {
    this.settle(job.from)
    const ask = this.kind === 'whole' ? WHOLE : askFor(job.profile)
    if (this.index.choose(ask) === undefined) this.join()
    const placed = this.index.place(ask)
    // As many GPUs as voices, and a voice has one workload at a time: one GPU is always free to join.
    if (placed === undefined) throw new Error(`${job.name} found no GPU among as many as there are voices`)
    this.running = [...this.running, { until: job.until, placed }]
    const { start, size } = placed.instance?.placement ?? { start: 0, size: this.slots }
    this.planned = [...this.planned, { ...job, gpu: Number(placed.node), start, size }]
  }

  notes(at: number): readonly HeroNote[] {
    this.planned = this.planned.filter(({ until }) => until > at - this.keep)
    return this.planned
  }

  private join(): void {
    const used = this.nodesInUse()
    const next = this.gpus.find((gpu) => !used.has(gpu))
    if (next !== undefined) this.index.setRoom(next, { ...ROOM, cpuMilli: CPU_IN_USE })
  }

  private settle(at: number): void {
    const over = this.running.filter(({ until }) => until <= at)
    if (over.length === 0) return
    for (const { placed } of over) this.index.release(placed)
    this.running = this.running.filter(({ until }) => until > at)
    const used = this.nodesInUse()
    for (const { placed } of over) if (!used.has(placed.node)) this.index.setRoom(placed.node, ROOM)
  }

  private nodesInUse(): ReadonlySet<string> {
    return new Set(this.running.map(({ placed }) => placed.node))
  }
}

const ROOM = { cpuMilli: 0, memory: mib(0) }
// Room for more workloads of one thousandth each than a GPU has slices.
const CPU_IN_USE = 1000
const scheduling: PlaceAsk['scheduling'] = {
  cpuMilli: 1,
  memory: mib(0),
  nodeSelector: {},
  nodeTerms: [],
  tolerations: [],
}
const askOf = (wants: PlaceAsk['wants']): PlaceAsk => ({ wants, models: [], tenant: undefined, scheduling })
const WHOLE = askOf({ kind: 'whole', count: 1 })
const askFor = (profile: string): PlaceAsk => askOf({ kind: 'mig', profile })
