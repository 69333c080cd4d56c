import { bestAssignment } from '../jobs/best-assignment.ts'
import { stateOf } from '../jobs/job-menu.ts'
import type { GpuSlots, GpuTarget, JobPolicy, JobView } from './job-policy.ts'
import { fill } from './job-slots.ts'
import { wholeLayout } from './job-static.ts'

export type SeptetOptions = {
  readonly name?: string
  /** Work of each job, for a run with foreknowledge; absent: nothing is known of durations. */
  readonly work?: readonly number[]
  /** 'age': a job is worth what its age says of its chance to end soon; 'equal': all jobs alike, summed speed counts. */
  readonly weight?: 'age' | 'equal'
  /** For how many pauses ahead a change is judged. */
  readonly horizon?: number
  readonly scale?: number
  readonly candidates?: number
  readonly margin?: number
}

export const septetPolicy = (options: SeptetOptions = {}): JobPolicy => ({
  name: options.name ?? 'septet',
  start: (gpus, menu) => Array.from({ length: gpus }, () => wholeLayout(menu)),
  decide: (view) => new Planning(view, options).run(),
})

type Change = { readonly gain: number; readonly target: GpuTarget; readonly recut: boolean; readonly jobs: readonly number[] }

class Planning {
  private readonly view: JobView
  private readonly horizon: number
  private readonly candidates: number
  private readonly margin: number
  private readonly weights: Float64Array
  private readonly gpus: GpuSlots[]
  private readonly home: Int32Array
  private readonly until: Float64Array
  private readonly changed = new Set<number>()

  constructor(view: JobView, options: SeptetOptions) {
    this.view = view
    this.horizon = (options.horizon ?? 10) * Math.max(1, view.pause)
    this.candidates = options.candidates ?? 8
    this.margin = options.margin ?? 1
    this.gpus = [...view.gpus]
    this.until = Float64Array.from(view.pausedUntil)
    this.home = new Int32Array(view.speeds.length).fill(-1)
    for (const [gpu, { jobs }] of view.gpus.entries()) for (const job of jobs) if (job !== undefined) this.home[job] = gpu
    this.weights = weightsOf(view, options)
  }

  run(): readonly GpuTarget[] {
    for (const job of this.waiting()) this.insert(job)
    for (let round = 0; round < 4 * this.gpus.length; round += 1) {
      const best = this.bestOf([...this.gpus.keys()].map((gpu) => this.bestChange(gpu, this.outside(gpu))))
      if (best === undefined) break
      this.apply(best)
    }
    return [...this.changed].toSorted((a, b) => a - b).map((gpu) => ({ gpu, ...this.slots(gpu) }))
  }

  private insert(job: number): void {
    const best = this.bestOf([...this.gpus.keys()].map((gpu) => this.bestChange(gpu, [job])))
    if (best !== undefined) this.apply(best)
  }

  private bestOf(changes: ReadonlyArray<Change | undefined>): Change | undefined {
    let best: Change | undefined
    for (const change of changes) {
      if (change === undefined) continue
      if (best === undefined || change.gain > best.gain * (1 + 1e-9)) best = change
    }
    return best
  }

  private waiting(): readonly number[] {
    const all = [...this.view.waiting, ...this.view.gpus.flatMap((gpu) => gpu.jobs).filter((job) => job !== undefined)]
    return all
      .filter((job) => this.home[job] === -1)
      .toSorted((a, b) => this.weight(b) - this.weight(a) || a - b)
  }

  private outside(gpu: number): readonly number[] {
    const waiting = this.waiting()
    if (waiting.length > 0) return waiting.slice(0, this.candidates)
    const others = this.gpus.flatMap(({ jobs }, other) => (other === gpu ? [] : jobs)).filter((job) => job !== undefined)
    return others
  }

  /** The best of keeping the layout and of cutting anew, if either gains. */
  private bestChange(gpu: number, extra: readonly number[]): Change | undefined {
    const slots = this.slots(gpu)
    const own = slots.jobs.filter((job) => job !== undefined)
    const jobs = [...own, ...extra.filter((job) => !own.includes(job))]
    const before = own.reduce((sum, job) => sum + this.worthNow(job), 0)
    const state = stateOf(this.view.menu, slots.layout) ?? 0
    const kept = bestAssignment(this.view.menu, this.values(jobs, gpu, false), this.view.menu.within[state])
    const cut = bestAssignment(this.view.menu, this.values(jobs, gpu, true))
    const recut = cut.value > kept.value + 1e-12
    const { value, profiles, state: to } = recut ? cut : kept
    const gain = value - before
    if (gain <= 1e-9 * Math.max(1e-9, before)) return undefined
    const layout = recut ? (this.view.menu.layouts[to] ?? []) : slots.layout
    return { gain, recut, jobs, target: { gpu, ...fill({ menu: this.view.menu, old: slots, layout, jobs, profiles }) } }
  }

  private values(jobs: readonly number[], gpu: number, recut: boolean): Float64Array {
    const { menu, speeds, now, pause } = this.view
    const width = menu.profiles.length
    const values = new Float64Array(jobs.length * width)
    const slots = this.slots(gpu)
    for (const [at, job] of jobs.entries()) {
      const home = this.home[job] ?? -1
      const lost = home >= 0 && home !== gpu ? this.worthNow(job) : 0
      const held = home === gpu ? slots.layout[slots.jobs.indexOf(job)]?.profile : undefined
      const fresh = home < 0 && (this.view.attained[job] ?? 0) === 0
      for (let profile = 0; profile < width; profile += 1) {
        const speed = speeds[job]?.[profile] ?? 0
        const stays = held !== undefined && held === menu.profiles[profile]
        const until = recut || !(stays || fresh) ? now + pause * this.margin : stays ? (this.until[job] ?? 0) : now
        values[at * width + profile] = speed > 0 ? this.worth(job, speed, until) - lost : -Infinity
      }
    }
    return values
  }

  private worth(job: number, speed: number, until: number): number {
    return this.weight(job) * speed * Math.max(0, this.horizon - Math.max(0, until - this.view.now))
  }

  private worthNow(job: number): number {
    const slots = this.slots(this.home[job] ?? -1)
    const profile = slots.layout[slots.jobs.indexOf(job)]?.profile ?? ''
    const speed = this.view.speeds[job]?.[this.view.menu.profiles.indexOf(profile)] ?? 0
    return this.worth(job, speed, this.until[job] ?? 0)
  }

  private apply({ target, recut, jobs }: Change): void {
    const { gpu, layout } = target
    const old = this.slots(gpu)
    for (const job of jobs) {
      const at = target.jobs.indexOf(job)
      const home = this.home[job] ?? -1
      if (at < 0) {
        if (home === gpu) this.home[job] = -1
        continue
      }
      const stays = !recut && home === gpu && old.jobs.indexOf(job) === at
      const fresh = home < 0 && (this.view.attained[job] ?? 0) === 0
      if (recut || !(stays || fresh)) this.until[job] = this.view.now + this.view.pause
      if (home >= 0 && home !== gpu) this.leave(home, job)
      this.home[job] = gpu
    }
    this.gpus[gpu] = { layout, jobs: target.jobs }
    this.changed.add(gpu)
  }

  private leave(gpu: number, job: number): void {
    const { layout, jobs } = this.slots(gpu)
    this.gpus[gpu] = { layout, jobs: jobs.map((held) => (held === job ? undefined : held)) }
    this.changed.add(gpu)
  }

  private slots(gpu: number): GpuSlots {
    return this.gpus[gpu] ?? { layout: [], jobs: [] }
  }

  private weight(job: number): number {
    return this.weights[job] ?? 0
  }
}

function weightsOf(view: JobView, { work, weight, scale }: SeptetOptions): Float64Array {
  if (work !== undefined) return view.attained.map((done, job) => 1 / Math.max(1, (work[job] ?? 0) - done))
  if (weight === 'equal') return view.attained.map(() => 1 / 300)
  const base = (scale ?? 10) * Math.max(1, view.pause)
  return view.attained.map((done) => 1 / (base + done))
}
