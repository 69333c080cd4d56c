import { bitCount } from '../../gpu/occupancy.ts'
import type { Mask } from '../../gpu/layout.ts'
import { keepUsable } from '../place/mig-policies.ts'
import { migTables } from '../place/mig-tables.ts'
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
 * the other, one of the rules that What if replays Septet by chooses where each goes, in the order in which they come, and
 * moves none afterwards; a GPU joins when nothing in use has room, and leaves when it is empty.
 */
export function heroPlan(options: HeroJobOptions, until: number): HeroPlan {
  const jobs: HeroJob[] = []
  for (const job of heroJobs(options)) {
    if (job.from > until) break
    jobs.push(job)
  }
  return { whole: notesOf(jobs, wholeGpus(options)), mig: notesOf(jobs, cutGpus(options)) }
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

type Cut = Seat & { readonly taken: Mask }

/** GPUs by what is taken of them; of equal ones the first. */
function cutGpus({ voices, board }: HeroJobOptions): Gpus<Cut> {
  const tables = migTables(board)
  const choose = keepUsable.start(tables)
  const masks = new Int32Array(voices)
  const gpusByMask = new Int32Array(tables.full.length)
  gpusByMask[0] = voices
  const set = (gpu: number, mask: Mask): void => {
    const before = masks[gpu] ?? 0
    gpusByMask[before] = (gpusByMask[before] ?? 0) - 1
    gpusByMask[mask] = (gpusByMask[mask] ?? 0) + 1
    masks[gpu] = mask
  }
  return {
    take({ profile, name }) {
      const spot = choose(
        tables.profiles.findIndex((each) => each.name === profile),
        gpusByMask,
      )
      if (spot === undefined) throw new Error(`${name} found no room among as many GPUs as there are voices`)
      const { mask, taken } = spot
      const gpu = masks.indexOf(mask)
      set(gpu, mask | taken)
      return { gpu, start: Math.log2(taken & -taken), size: bitCount(taken), taken }
    },
    giveBack: ({ gpu, taken }) => set(gpu, (masks[gpu] ?? 0) & ~taken),
  }
}
