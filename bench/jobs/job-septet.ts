import type { PlacedInstance } from '@septet/domain'
import { bestAssignment } from './best-assignment.ts'
import { type JobMenu, stateOf } from './job-menu.ts'
import type { GpuSlots, SlotTarget, JobPolicy, JobView } from './job-policy.ts'
import { fill, isSameInstance } from './job-slots.ts'
import { wholeLayout } from './job-static.ts'

/**
 * Septet's online rule: choose the change of one GPU that raises the expected number of completions within the next
 * `HORIZON` pauses the most, net of the time lost to moves; repeat until nothing gains. A change keeps the layout (fills
 * free instances, swaps, suspends) or cuts again, with any jobs of that GPU, the queue, or other GPUs; both are solved
 * exactly by `bestAssignment`.
 *
 * A job that had x seconds of work ends within its next d with probability d / ((c + x) / 2 + d) or so: durations are
 * heavy-tailed (a Lomax tail of shape 2, to first order), so an old job is less likely to end soon than a fresh one. c is
 * learned while running.
 */
export const septetJobPolicy = (): JobPolicy => ({
  name: 'septet',
  start: (gpus, menu) => Array.from({ length: gpus }, () => wholeLayout(menu)),
  decide: (view) => new Planning(view).run(),
})

/**
 * How far a change is judged ahead, in pauses: about the time until the jobs on one GPU change again. Chosen on bootstrapped
 * lists at several loads; between 5 and 10 the mean completion time moves by 1 %.
 */
const HORIZON = 7
/** What is assumed of a job's work before any has ended, in pauses. */
const PRIOR_WORK = 20
const LEAST_SCALE = 10
/** Shape of the tail. Chosen as `HORIZON` is: at 1 the mean completion time is 1 % longer, at 4 half a percent. */
const TAIL = 2
const GAIN = 1e-9

type Change = {
  readonly gain: number
  readonly recut: boolean
  readonly jobs: readonly number[]
  readonly target: SlotTarget
}

/** One decision: a draft of the fleet that is improved change by change. */
class Planning {
  private readonly view: JobView
  private readonly menu: JobMenu
  private readonly pause: number
  private readonly horizon: number
  /** Expected work still ahead of a job, up to a factor: the d at which it is even odds that it ends. */
  private readonly patience: Float64Array
  private readonly gpus: GpuSlots[]
  /** GPU of each job, -1: none. */
  private readonly home: Int32Array
  private readonly until: Float64Array
  private readonly readyAt: Float64Array
  private readonly changed = new Set<number>()

  constructor(view: JobView) {
    this.view = view
    this.menu = view.menu
    this.pause = view.pause
    this.horizon = HORIZON * Math.max(1, view.pause)
    this.patience = patienceOf(view)
    this.gpus = [...view.gpus]
    this.until = Float64Array.from(view.pausedUntil)
    this.readyAt = Float64Array.from(view.readyAt)
    this.home = new Int32Array(view.speeds.length).fill(-1)
    for (const [gpu, slots] of view.gpus.entries()) for (const job of heldBy(slots)) this.home[job] = gpu
  }

  run(): readonly SlotTarget[] {
    const all = [...this.gpus.keys()]
    let misses = 0
    for (const job of this.waiting()) {
      misses = this.applyBest(all.map((gpu) => this.bestChange(gpu, [job]))) ? 0 : misses + 1
      if (misses > this.menu.board.computeSlices) break
    }
    // Every change raises one and the same sum, so this ends; the limit only bounds the time of one decision.
    for (let round = 0; round < 4 * all.length; round += 1) {
      if (!this.applyBest(all.map((gpu) => this.bestChange(gpu, this.candidatesFor(gpu))))) break
    }
    return [...this.changed].toSorted((a, b) => a - b).map((gpu) => ({ gpu, ...this.slots(gpu) }))
  }

  private applyBest(changes: ReadonlyArray<Change | undefined>): boolean {
    let best: Change | undefined
    for (const change of changes) {
      if (change !== undefined && change.gain > (best?.gain ?? 0) * (1 + GAIN)) best = change
    }
    if (best !== undefined) this.apply(best)
    return best !== undefined
  }

  /** Jobs without an instance, those first that are likeliest to end soon. */
  private waiting(): readonly number[] {
    return [...this.view.waiting, ...this.view.gpus.flatMap(heldBy)]
      .filter((job) => this.home[job] === -1)
      .toSorted((a, b) => (this.patience[a] ?? 0) - (this.patience[b] ?? 0) || a - b)
  }

  /** Who may come to a GPU: the head of the queue (one more than fits), or jobs of other GPUs when nobody waits. */
  private candidatesFor(gpu: number): readonly number[] {
    const waiting = this.waiting()
    if (waiting.length > 0) return waiting.slice(0, this.menu.board.computeSlices + 1)
    return this.gpus.flatMap((slots, other) => (other === gpu ? [] : heldBy(slots)))
  }

  /** The better of keeping the layout and of cutting again; undefined when neither gains. */
  private bestChange(gpu: number, guests: readonly number[]): Change | undefined {
    const { menu } = this
    const old = this.slots(gpu)
    const own = heldBy(old)
    const jobs = [...own, ...guests.filter((job) => this.home[job] !== gpu)]
    const before = own.reduce((sum, job) => sum + this.worthNow(job), 0)
    const limit = menu.within[stateOf(menu, old.layout)]
    const kept = bestAssignment(menu, this.worths(gpu, jobs, false), limit)
    const cut = bestAssignment(menu, this.worths(gpu, jobs, true))
    const recut = cut.value > kept.value + GAIN
    const { value, profiles } = recut ? cut : kept
    if (value - before <= GAIN) return undefined
    const layout = recut ? (menu.layouts[menu.completed[cut.state] ?? 0] ?? []) : old.layout
    return { gain: value - before, recut, jobs, target: { gpu, ...fill({ menu, old, layout, jobs, profiles }) } }
  }

  /** What each job would be worth on each profile of this GPU, less what it is worth on another GPU now. */
  private worths(gpu: number, jobs: readonly number[], recut: boolean): Float64Array {
    const width = this.menu.profiles.length
    const worths = new Float64Array(jobs.length * width)
    for (const [at, job] of jobs.entries()) {
      const lost = this.home[job] === gpu ? 0 : this.worthNow(job)
      const profileNow = this.home[job] === gpu ? this.profileOf(job) : -1
      for (let profile = 0; profile < width; profile += 1) {
        const speed = this.view.speeds[job]?.[profile] ?? 0
        const until = recut
          ? this.view.now + this.pause
          : this.untilOn(gpu, { job, profile, stays: profile === profileNow })
        worths[at * width + profile] = speed > 0 ? this.worth(job, speed, until) - lost : -Infinity
      }
    }
    return worths
  }

  /** When a job goes on if it gets an instance of this profile that is there already. */
  private untilOn(gpu: number, { job, profile, stays }: { job: number; profile: number; stays: boolean }): number {
    if (stays) return this.until[job] ?? 0
    const name = this.menu.profiles[profile]
    const ready = this.slots(gpu).layout.reduce(
      (least, instance) => (instance.profile === name ? Math.min(least, this.readyOf(gpu, instance)) : least),
      Infinity,
    )
    return this.isFresh(job) ? ready : Math.max(ready, this.view.now + this.pause)
  }

  private readyOf(gpu: number, { placement }: PlacedInstance): number {
    return this.readyAt[this.place(gpu, placement.start)] ?? 0
  }

  private place(gpu: number, start: number): number {
    return gpu * this.menu.board.memorySlices + start
  }

  private isFresh(job: number): boolean {
    return this.home[job] === -1 && !this.view.started.has(job)
  }

  /** The chance that a job ends within the horizon at this speed, standing still until then. */
  private worth(job: number, speed: number, until: number): number {
    const done = speed * Math.max(0, this.horizon - Math.max(0, until - this.view.now))
    return done / ((this.patience[job] ?? 0) + done)
  }

  private worthNow(job: number): number {
    const profile = this.profileOf(job)
    return profile < 0 ? 0 : this.worth(job, this.view.speeds[job]?.[profile] ?? 0, this.until[job] ?? 0)
  }

  private profileOf(job: number): number {
    const { layout, jobs } = this.slots(this.home[job] ?? -1)
    const instance = layout[jobs.indexOf(job)]
    return instance === undefined ? -1 : this.menu.profiles.indexOf(instance.profile)
  }

  private apply({ target, recut, jobs }: Change): void {
    const { gpu, layout } = target
    const old = this.slots(gpu)
    const back = this.view.now + this.pause
    if (recut) for (const { placement } of layout) this.readyAt[this.place(gpu, placement.start)] = back
    for (const job of jobs) {
      const instance = layout[target.jobs.indexOf(job)]
      if (instance === undefined) {
        this.suspend(gpu, job)
        continue
      }
      const before = old.layout[old.jobs.indexOf(job)]
      const stays = !recut && before !== undefined && isSameInstance(before, instance)
      const ready = this.readyOf(gpu, instance)
      if (!stays) this.until[job] = this.isFresh(job) ? ready : Math.max(ready, back)
      this.move(job, gpu)
    }
    this.gpus[gpu] = { layout, jobs: target.jobs }
    this.changed.add(gpu)
  }

  /** A candidate that was not chosen loses its instance only if it was on this GPU. */
  private suspend(gpu: number, job: number): void {
    if (this.home[job] === gpu) this.home[job] = -1
  }

  private move(job: number, gpu: number): void {
    const home = this.home[job] ?? -1
    if (home >= 0 && home !== gpu) this.leave(home, job)
    this.home[job] = gpu
  }

  private leave(gpu: number, job: number): void {
    const { layout, jobs } = this.slots(gpu)
    this.gpus[gpu] = { layout, jobs: jobs.map((held) => (held === job ? undefined : held)) }
    this.changed.add(gpu)
  }

  private slots(gpu: number): GpuSlots {
    return this.gpus[gpu] ?? { layout: [], jobs: [] }
  }
}

const heldBy = ({ jobs }: GpuSlots): number[] => jobs.filter((job) => job !== undefined)

function patienceOf({ attained, completed, pause }: JobView): Float64Array {
  const seen = attained.reduce((sum, done) => sum + done, PRIOR_WORK * pause)
  // The mean of an exponential law under censoring: all the work seen, over the jobs that have ended.
  const scale = Math.max(LEAST_SCALE * pause, seen / (completed.length + 1), 1)
  return attained.map((done) => scale + done / TAIL)
}
