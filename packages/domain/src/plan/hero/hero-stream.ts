import type { PlaceAsk, PlacedPod } from '../place/place-index-ask.ts'
import { PlaceIndex } from '../place/place-index.ts'
import { mib } from '../../units.ts'
import { heroJobs, type HeroJob, type HeroJobOptions } from './hero-jobs.ts'

/** A small made-up stream of workloads, placed twice: each on a whole GPU, and each on a MIG instance. In the order in which they begin. */
export type HeroPlan = { readonly whole: readonly HeroNote[]; readonly mig: readonly HeroNote[] }

/** One workload on one GPU, like a note on a lane: from when to when, and on which memory slices. */
export type HeroNote = HeroJob & {
  /** GPUs are numbered from 0. */
  readonly gpu: number
  readonly start: number
  readonly size: number
}

/**
 * All that begins until a minute; same options, same plan. One row gives each workload the first whole GPU that is free. In
 * the other, the planner that places pods on a real fleet chooses where each goes, in the order in which they come, and moves
 * none afterwards; a GPU joins when nothing in use has room, and leaves when it is empty.
 */
export function heroPlan(options: HeroJobOptions, until: number): HeroPlan {
  const jobs: HeroJob[] = []
  for (const job of heroJobs(options)) {
    if (job.from > until) break
    jobs.push(job)
  }
  return { whole: notesOf(jobs, wholeGpus(options)), mig: notesOf(jobs, new CutGpus(options)) }
}

type Seat = Pick<HeroNote, 'gpu' | 'start' | 'size'>

/** Where workloads can be; it knows nothing of time. */
type Gpus<Held extends Seat> = {
  take(job: HeroJob): Held
  giveBack(held: Held): void
}

/** One fleet over time. */
function notesOf<Held extends Seat>(jobs: readonly HeroJob[], gpus: Gpus<Held>): readonly HeroNote[] {
  let running: ReadonlyArray<{ readonly until: number; readonly held: Held }> = []
  return jobs.map((job) => {
    for (const { until, held } of running) if (until <= job.from) gpus.giveBack(held)
    const held = gpus.take(job)
    running = [...running.filter(({ until }) => until > job.from), { until: job.until, held }]
    return { ...job, gpu: held.gpu, start: held.start, size: held.size }
  })
}

// Both have as many GPUs as there are voices, and a voice has one workload at a time: one GPU is always free to join.
function wholeGpus({ voices, board }: HeroJobOptions): Gpus<Seat> {
  const free = Array.from({ length: voices }, () => true)
  return {
    take() {
      const gpu = free.indexOf(true)
      free[gpu] = false
      return { gpu, start: 0, size: board.memorySlices }
    },
    giveBack: ({ gpu }) => void (free[gpu] = true),
  }
}

type Cut = Seat & { readonly placed: PlacedPod }

/** Each GPU is a node of its own, which has room while it is in use. */
class CutGpus implements Gpus<Cut> {
  private readonly index: PlaceIndex
  /** How many workloads each GPU holds. */
  private readonly holds: number[]

  constructor({ voices, board }: HeroJobOptions) {
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
