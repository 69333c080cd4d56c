import { DAY_MS, HOUR_MS, instant, type PastWait } from '@septet/domain'

/** A job of a queue: when it comes, what it asks for, how long it runs. Milliseconds. */
export type QueuedJob = { readonly at: number; readonly gpus: number; readonly runs: number }

/** In which order waiting jobs start: whoever fits, strictly in turn, or the shortest first of those that fit. */
export type QueueOrder = 'first-fit' | 'strict' | 'shortest'

/** The waits of jobs on so many GPUs, in the order of coming; jobs that ask for more than there are never come. */
export function replayQueue(jobs: readonly QueuedJob[], gpus: number, order: QueueOrder): readonly PastWait[] {
  const waits: PastWait[] = []
  const waiting: QueuedJob[] = []
  const running: { readonly gpus: number; readonly until: number }[] = []
  let free = gpus
  const start = (now: number): void => {
    const turn = order === 'shortest' ? waiting.toSorted((a, b) => a.runs - b.runs) : waiting.slice()
    for (const job of turn) {
      if (job.gpus > free && order === 'strict') return
      if (job.gpus > free) continue
      free -= job.gpus
      insert(running, { gpus: job.gpus, until: now + job.runs })
      waiting.splice(waiting.indexOf(job), 1)
      const asks = `${job.gpus} × nvidia.com/gpu`
      waits.push({ namespace: 'a', asks, from: instant(job.at), to: instant(now), over: true })
    }
  }
  const endUntil = (time: number): void => {
    for (;;) {
      const next = running[0]
      if (next === undefined || next.until > time) return
      running.shift()
      free += next.gpus
      start(next.until)
    }
  }
  for (const job of jobs.filter((each) => each.gpus <= gpus)) {
    endUntil(job.at)
    waiting.push(job)
    start(job.at)
  }
  endUntil(Infinity)
  return waits.toSorted((a, b) => a.from - b.from)
}

type Running = { readonly gpus: number; readonly until: number }

function insert(running: Running[], one: Running): void {
  const at = running.findIndex(({ until }) => until > one.until)
  running.splice(at === -1 ? running.length : at, 0, one)
}

/** How the jobs of a drawn queue are made. */
export type QueueKind = {
  readonly name: string
  readonly gpus: number
  readonly order: QueueOrder
  /** Share of the GPUs that the jobs would keep busy if none waited. */
  readonly load: number
  readonly sizes: readonly number[]
  /** Milliseconds, with a mean of about one hour; scaled by the load. */
  readonly runs: (random: () => number) => number
  /** Jobs an hour at an instant, with a mean of about 1; scaled by the load. */
  readonly rate: (at: number, random: () => number) => number
  /** Jobs that come together. */
  readonly batch: (random: () => number) => number
}

const logNormal =
  (spread: number) =>
  (random: () => number): number =>
    HOUR_MS * Math.exp(spread * normal(random) - (spread * spread) / 2)
const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
/** A heavy tail, cut off after ten days. */
const pareto = (random: () => number): number => Math.min(10 * DAY_MS, (HOUR_MS / 3) * (1 - random()) ** (-1 / 1.5))
const byDay = (at: number): number => 1 + 0.6 * Math.sin((at / DAY_MS) * 2 * Math.PI)
const byWeek = (at: number): number => (Math.floor(at / DAY_MS) % 7 < 5 ? 1.25 * byDay(at) : 0.35)
const steady = (): number => 1
const one = (): number => 1

/** Queues that the method was tuned on. */
export const TUNING_KINDS: readonly QueueKind[] = [
  {
    name: 'day and night',
    gpus: 64,
    order: 'first-fit',
    load: 0.9,
    sizes: [1, 1, 2, 4, 8],
    runs: logNormal(1.2),
    rate: byDay,
    batch: one,
  },
  {
    name: 'steady and strict',
    gpus: 32,
    order: 'strict',
    load: 0.75,
    sizes: [1, 2, 4],
    runs: logNormal(1),
    rate: steady,
    batch: one,
  },
]

/** Queues of other shapes, which were looked at only once the method stood. */
export const HELD_OUT_KINDS: readonly QueueKind[] = [
  {
    name: 'weekdays',
    gpus: 64,
    order: 'first-fit',
    load: 0.85,
    sizes: [1, 1, 1, 2, 8],
    runs: logNormal(1.2),
    rate: byWeek,
    batch: one,
  },
  {
    name: 'sweeps of many jobs at once',
    gpus: 48,
    order: 'first-fit',
    load: 0.8,
    sizes: [1, 1, 2, 4],
    runs: logNormal(0.8),
    rate: byDay,
    batch: (random) => (random() < 0.15 ? 1 + Math.floor(random() * 40) : 1),
  },
  {
    name: 'few very long jobs',
    gpus: 64,
    order: 'first-fit',
    load: 0.98,
    sizes: [1, 2, 4, 8],
    runs: pareto,
    rate: steady,
    batch: one,
  },
  {
    name: 'strict, large and small',
    gpus: 128,
    order: 'strict',
    load: 0.7,
    sizes: [1, 1, 1, 8, 16, 32],
    runs: logNormal(1),
    rate: byDay,
    batch: one,
  },
  {
    name: 'shortest first',
    gpus: 32,
    order: 'shortest',
    load: 0.9,
    sizes: [1, 1, 2, 4],
    runs: logNormal(1.4),
    rate: byDay,
    batch: one,
  },
]

/** The jobs of a drawn queue. */
export function drawQueue(kind: QueueKind, jobs: number, random: () => number): readonly QueuedJob[] {
  const size = kind.sizes.reduce((sum, each) => sum + each, 0) / kind.sizes.length
  // Jobs an hour so that each, one hour long on average, keeps the wanted share of the GPUs busy.
  const perHour = (kind.gpus * kind.load) / size / meanOf(kind.batch, random)
  const drawn: QueuedJob[] = []
  for (let now = 0; drawn.length < jobs;) {
    now += (-Math.log(1 - random()) * HOUR_MS) / perHour / kind.rate(now, random)
    const together = Math.ceil(kind.batch(random))
    for (let each = 0; each < together; each += 1) {
      const gpus = kind.sizes[Math.floor(random() * kind.sizes.length)] ?? 1
      drawn.push({ at: now, gpus, runs: kind.runs(random) })
    }
  }
  return drawn.slice(0, jobs)
}

const meanOf = (draw: (random: () => number) => number, random: () => number): number =>
  Array.from({ length: 2000 }, () => Math.ceil(draw(random))).reduce((sum, each) => sum + each, 0) / 2000
