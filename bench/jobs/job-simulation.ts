import {
  isFeasible,
  meanOf,
  type Layout,
  type PlacedInstance,
  type ProfileName,
  type Seconds,
  seconds,
} from '@septet/domain'
import type { JobMenu } from './job-menu.ts'
import type { RefusedJob, SliceJob } from './slice-job.ts'
import type { GpuSlots, JobPolicy, SlotTarget } from './job-policy.ts'
import { isSameInstance } from './job-slots.ts'

export type JobSimulation = {
  readonly menu: JobMenu
  readonly jobs: readonly SliceJob[]
  readonly gpus: number
  readonly policy: JobPolicy
  /** What a move takes. The default of MISO's runner is 30 s. */
  readonly pause: Seconds
  /** Called after every decision; for tests and for pictures. */
  readonly watch?: (now: number, gpus: readonly GpuSlots[]) => void
}

export type JobRun = {
  /** Jobs that ended, in the order of ending. */
  readonly completions: ReadonlyArray<{ readonly id: string; readonly arrival: Seconds; readonly end: Seconds }>
  /** Jobs that fit no instance of the board, or none that the policy ever makes. */
  readonly refused: readonly RefusedJob[]
  /** How often a job stood still for a move or a re-cut. */
  readonly pauses: number
}

/** From arrival to end, of the jobs that ended; undefined when none did. */
export const meanCompletion = ({ completions }: JobRun): number | undefined =>
  meanOf(completions.map(({ arrival, end }) => end - arrival))

/**
 * Runs a list of jobs under a policy, from event to event; pure, so the same input gives the same run.
 *
 * A job that goes to another instance, or comes back from the queue, stands still for `pause`; a fresh job starts at once on
 * a free instance, or when that is ready: `pause` after it was made. Work done is kept (checkpoint and restart). As under
 * mig-manager, and in MISO, a re-cut makes every instance of the GPU again, so every job on it stands still.
 * Throws when the policy breaks a rule: an impossible layout, a job twice, a job where it does not fit.
 */
export function simulateJobs(simulation: JobSimulation): JobRun {
  const state = new Progress(simulation)
  while (state.advance()) state.decide()
  return state.result()
}

const EPSILON = 1e-9

class Progress {
  private readonly simulation: JobSimulation
  private readonly order: readonly number[]
  private readonly refused: RefusedJob[] = []
  private readonly attained: Float64Array
  private readonly pausedUntil: Float64Array
  private readonly readyAt: Float64Array
  /** Speed of the instance that a job holds; 0 while it waits. */
  private readonly speed: Float64Array
  private readonly started = new Set<number>()
  private readonly completed: number[] = []
  private readonly completions: Array<JobRun['completions'][number]> = []
  private gpus: GpuSlots[]
  private waiting: number[] = []
  private arrived = 0
  private now = 0
  private pauses = 0

  constructor(simulation: JobSimulation) {
    this.simulation = simulation
    const { jobs, menu, policy } = simulation
    this.attained = new Float64Array(jobs.length)
    this.pausedUntil = new Float64Array(jobs.length)
    this.readyAt = new Float64Array(simulation.gpus * menu.board.memorySlices)
    this.speed = new Float64Array(jobs.length)
    this.gpus = policy.start(simulation.gpus, menu).map((layout) => ({ layout, jobs: layout.map(() => undefined) }))
    for (const { layout } of this.gpus) assertFeasible(menu, layout)
    this.order = [...jobs.keys()]
      .filter((index) => this.canRun(index))
      .toSorted((a, b) => this.job(a).arrival - this.job(b).arrival || a - b)
  }

  /** To the next moment at which something is to be decided; false when nothing can happen any more. */
  advance(): boolean {
    const next = this.order[this.arrived]
    const arrival = next === undefined ? Infinity : this.job(next).arrival
    const end = this.nextEnd()
    const to = Math.min(arrival, end.at)
    if (to === Infinity) return false
    this.elapse(to)
    if (end.at <= to) this.complete(end.jobs)
    for (let index = next; index !== undefined && this.job(index).arrival <= to; index = this.order[this.arrived]) {
      this.waiting.push(index)
      this.arrived += 1
    }
    return true
  }

  decide(): void {
    const { simulation, now, gpus, waiting, attained, pausedUntil, readyAt, completed, started } = this
    const { menu, pause, jobs } = simulation
    const speeds = jobs.map((job) => job.speeds)
    const view = {
      now,
      menu,
      gpus,
      waiting,
      speeds,
      attained,
      pausedUntil,
      readyAt,
      completed,
      started,
      pause,
    }
    const targets = simulation.policy.decide(view)
    const before = new Map(this.instanceOfJobs())
    for (const { gpu } of targets) for (const job of this.gpus[gpu]?.jobs ?? []) this.release(job)
    for (const target of targets) this.settle(target, before)
    this.assertEveryJobOnce()
    simulation.watch?.(now, this.gpus)
  }

  result(): JobRun {
    for (const index of this.waiting) this.refuse(index, 'no instance that this policy makes is large enough for it')
    return {
      completions: this.completions,
      refused: this.refused,
      pauses: this.pauses,
    }
  }

  private canRun(index: number): boolean {
    const { arrival, work, speeds } = this.job(index)
    const broken = [arrival, work, ...speeds].some((value) => !Number.isFinite(value) || value < 0)
    if (broken) this.refuse(index, 'its arrival, work or speeds are not finite numbers of at least 0')
    else if (!speeds.some((speed) => speed > 0)) this.refuse(index, 'it fits no profile of this board')
    else return true
    return false
  }

  private refuse(index: number, because: string): void {
    this.refused.push({ id: this.job(index).id, because })
  }

  private job(index: number): SliceJob {
    const job = this.simulation.jobs[index]
    if (job === undefined) throw new RangeError(`there is no job ${index}`)
    return job
  }

  private endOf(index: number): number {
    const left = this.job(index).work - (this.attained[index] ?? 0)
    return Math.max(this.now, this.pausedUntil[index] ?? 0) + Math.max(0, left) / (this.speed[index] ?? 0)
  }

  private nextEnd(): { readonly at: number; readonly jobs: readonly number[] } {
    const running = this.gpus.flatMap((gpu) => gpu.jobs).filter((job) => job !== undefined)
    const ends = running.map((job) => ({ job, at: this.endOf(job) }))
    const at = ends.reduce((least, end) => Math.min(least, end.at), Infinity)
    return { at, jobs: ends.filter((end) => end.at <= at + EPSILON).map((end) => end.job) }
  }

  private elapse(to: number): void {
    for (const { jobs } of this.gpus) {
      for (const job of jobs) {
        if (job === undefined) continue
        const ran = Math.max(0, to - Math.max(this.now, this.pausedUntil[job] ?? 0))
        this.attained[job] = (this.attained[job] ?? 0) + ran * (this.speed[job] ?? 0)
      }
    }
    this.now = to
  }

  private complete(ended: readonly number[]): void {
    for (const index of ended) {
      const { id, arrival, work } = this.job(index)
      this.attained[index] = work
      this.completed.push(work)
      this.completions.push({ id, arrival, end: seconds(this.now) })
    }
    this.gpus = this.gpus.map(({ layout, jobs }) => ({
      layout,
      jobs: jobs.map((job) => (job !== undefined && ended.includes(job) ? undefined : job)),
    }))
  }

  private *instanceOfJobs(): Generator<readonly [number, string]> {
    for (const [gpu, { layout, jobs }] of this.gpus.entries()) {
      for (const [at, instance] of layout.entries()) {
        const job = jobs[at]
        if (job !== undefined) yield [job, placeName(gpu, instance)]
      }
    }
  }

  private release(job: number | undefined): void {
    if (job === undefined) return
    this.speed[job] = 0
    this.waiting.push(job)
  }

  private settle({ gpu, layout, jobs }: SlotTarget, before: ReadonlyMap<number, string>): void {
    const old = this.gpus[gpu]
    if (old === undefined || jobs.length !== layout.length) throw new RangeError(`a target for GPU ${gpu} is malformed`)
    const anew = !isSameLayout(old.layout, layout)
    if (anew) this.cutAnew(gpu, layout)
    for (const [at, instance] of layout.entries()) {
      const job = jobs[at]
      if (job === undefined) continue
      this.speed[job] = this.speedOn(job, instance.profile)
      const stays = before.get(job) === placeName(gpu, instance)
      this.begin(job, { anew, stays, ready: this.readyOf(gpu, instance) })
    }
    this.gpus[gpu] = { layout, jobs }
  }

  /** Whether a job that holds an instance from now on goes on at once or stands still first. */
  private begin(job: number, how: { readonly anew: boolean; readonly stays: boolean; readonly ready: number }): void {
    if (how.stays && !how.anew) return
    if (how.anew || this.started.has(job)) this.standStill(job)
    else this.pausedUntil[job] = how.ready
    this.started.add(job)
  }

  private cutAnew(gpu: number, layout: Layout): void {
    const { menu, pause } = this.simulation
    assertFeasible(menu, layout)
    for (const { placement } of layout) this.readyAt[gpu * menu.board.memorySlices + placement.start] = this.now + pause
  }

  private readyOf(gpu: number, { placement }: PlacedInstance): number {
    return this.readyAt[gpu * this.simulation.menu.board.memorySlices + placement.start] ?? 0
  }

  private speedOn(index: number, name: ProfileName): number {
    const { id, speeds } = this.job(index)
    const speed = speeds[this.simulation.menu.profiles.indexOf(name)] ?? 0
    if (speed <= 0) throw new RangeError(`job ${id} does not fit ${name}`)
    return speed
  }

  private standStill(job: number): void {
    this.pausedUntil[job] = this.now + this.simulation.pause
    this.pauses += 1
  }

  private assertEveryJobOnce(): void {
    const running = this.gpus.flatMap((gpu) => gpu.jobs).filter((job) => job !== undefined)
    const held = new Set(running)
    const due = this.arrived - this.completions.length
    this.waiting = [...new Set(this.waiting)].filter((job) => !held.has(job)).toSorted((a, b) => this.rank(a, b))
    if (held.size !== running.length) throw new RangeError('a job is on two instances')
    if (held.size + this.waiting.length !== due) throw new RangeError('a job was lost or runs before it arrives')
  }

  private rank(a: number, b: number): number {
    return this.job(a).arrival - this.job(b).arrival || a - b
  }
}

const placeName = (gpu: number, { profile, placement }: PlacedInstance): string =>
  `${gpu} ${profile} ${placement.start}`

function assertFeasible(menu: JobMenu, layout: Layout): void {
  const verdict = isFeasible(menu.board, layout)
  if (verdict.kind === 'infeasible') throw new RangeError(verdict.because)
}

function isSameLayout(a: Layout, b: Layout): boolean {
  if (a === b) return true
  if (a.length !== b.length) return false
  return a.every((instance, at) => {
    const other = b[at]
    return other !== undefined && isSameInstance(instance, other)
  })
}
