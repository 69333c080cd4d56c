import { Replay, type ScoreKeeper } from '../replay.ts'
import type { GpuSetHeld } from './gpu-set.ts'
import type { RunPlan } from './run-plan.ts'

/** Stretches that means over time are told for. */
export const TRACK_POINTS = 168

/**
 * One alternative on one fleet, from event to event. Anyone who arrives is placed if there is room, else waits; whenever
 *  something ends, those who wait are tried in the order in which they came, and whoever fits goes first.
 */
export class FleetRun implements ScoreKeeper<Leaving> {
  readonly used = new Float64Array(TRACK_POINTS)
  readonly queued = new Float64Array(TRACK_POINTS)
  usedPeak = 0
  /** The most GPUs of each set that held anything at one time, each set at a time of its own. */
  readonly peaks: number[]
  /** For how long each GPU of each set held anything, seconds. */
  readonly heldFor: readonly Float64Array[]
  /** Whether anyone had to wait who would have gone to this set first. */
  readonly hasWaited: boolean[]
  queuedPeak = 0
  /** GPU-seconds of known work, of held time with known work, and of all held time. */
  worked = 0
  knownSeconds = 0
  heldSeconds = 0
  stranded = 0
  readonly waits: number[] = []
  started = 0
  private readonly plan: RunPlan
  private readonly line: WaitingLine
  private readonly replay: Replay<Leaving>
  private readonly holding: Int32Array[]
  private usedNow = 0
  private readonly usedBySet: number[]
  private now = 0

  constructor(plan: RunPlan) {
    this.plan = plan
    this.line = new WaitingLine(plan.shapes)
    this.holding = plan.gpuSets.map(({ gpus }) => new Int32Array(gpus))
    this.heldFor = plan.gpuSets.map(({ gpus }) => new Float64Array(gpus))
    this.usedBySet = plan.gpuSets.map(() => 0)
    this.peaks = plan.gpuSets.map(() => 0)
    this.hasWaited = plan.gpuSets.map(() => false)
    const { order, at, length } = plan
    const comesAt = (entry: number): number | undefined => at[order[entry] ?? -1]
    this.replay = new Replay({ comesAt, until: length }, this)
  }

  /** Goes on by at most so many events; false when it has ended. */
  advance = (events: number): boolean => this.replay.advance(events)

  came(entry: number): void {
    const job = this.plan.order[entry] ?? 0
    if (!this.start(job)) this.wait(job)
    this.queuedPeak = Math.max(this.queuedPeak, this.line.length)
  }

  /** Pods that end at one moment end together, before anybody takes their room. */
  ended(pods: readonly Leaving[]): void {
    for (const { gpuSet, held } of pods) {
      this.plan.gpuSets[gpuSet]?.release(held)
      for (const gpu of held.gpus) this.hold(gpuSet, gpu, -1)
    }
    this.line.try((job) => this.start(job))
  }

  private wait(job: number): void {
    this.line.add(job, this.shapeOf(job))
    const [first] = this.plan.choices[this.shapeOf(job)] ?? []
    if (first !== undefined) this.hasWaited[first.gpuSet] = true
  }

  private shapeOf(job: number): number {
    return this.plan.shape[job] ?? 0
  }

  private hold(gpuSet: number, gpu: number, by: 1 | -1): void {
    const counts = this.holding[gpuSet]
    if (counts === undefined) return
    const before = counts[gpu] ?? 0
    counts[gpu] = before + by
    const change = before === 0 && by === 1 ? 1 : before === 1 && by === -1 ? -1 : 0
    if (change !== 0) this.use(gpuSet, gpu, change)
  }

  /** Counts a GPU as used from now on, or until now. */
  private use(gpuSet: number, gpu: number, change: 1 | -1): void {
    const used = (this.usedBySet[gpuSet] ?? 0) + change
    this.usedBySet[gpuSet] = used
    this.peaks[gpuSet] = Math.max(this.peaks[gpuSet] ?? 0, used)
    this.usedNow += change
    this.usedPeak = Math.max(this.usedPeak, this.usedNow)
    const held = this.heldFor[gpuSet]
    if (held !== undefined) held[gpu] = (held[gpu] ?? 0) - change * this.now
  }

  private start(job: number): boolean {
    for (const choice of this.plan.choices[this.shapeOf(job)] ?? []) {
      const held = this.plan.gpuSets[choice.gpuSet]?.take(choice.need, this.plan.tenant[job] ?? 0)
      if (held === undefined) continue
      this.begin(job, choice.gpuSet, held)
      return true
    }
    return false
  }

  private begin(job: number, gpuSet: number, held: GpuSetHeld): void {
    const { at, stays, work, length } = this.plan
    for (const gpu of held.gpus) this.hold(gpuSet, gpu, 1)
    const end = this.now + (stays[job] ?? Infinity)
    this.replay.willEnd({ at: end, gpuSet, held })
    this.started += 1
    this.waits.push(this.now - (at[job] ?? 0))
    const seconds = Math.min(end, length) - this.now
    const busy = work[job]
    this.heldSeconds += seconds * held.gpus.length
    if (busy !== undefined && busy !== null) {
      this.worked += busy * seconds
      this.knownSeconds += seconds * held.gpus.length
    }
  }

  pass(to: number): void {
    const step = this.plan.length / TRACK_POINTS
    const waiting = this.line.length
    this.stranded += this.strandedGpus() * (to - this.now)
    // A moment on the edge of two stretches belongs to the later one, whichever way the division rounds.
    let point = Math.min(TRACK_POINTS - 1, Math.floor(this.now / step + 1e-9))
    for (let from = this.now; from < to; point += 1) {
      const end = point >= TRACK_POINTS - 1 ? to : Math.max(from, Math.min(to, (point + 1) * step))
      const part = (end - from) / step
      this.used[point] = (this.used[point] ?? 0) + this.usedNow * part
      this.queued[point] = (this.queued[point] ?? 0) + waiting * part
      from = end
    }
    this.now = to
  }

  private strandedGpus(): number {
    return this.plan.gpuSets.reduce((sum, gpuSet) => sum + gpuSet.stranded(), 0)
  }

  over(): void {
    for (const [gpuSet, counts] of this.holding.entries())
      for (const [gpu, count] of counts.entries()) if (count > 0) this.use(gpuSet, gpu, -1)
    for (const job of this.line.rest()) this.waits.push(this.plan.length - (this.plan.at[job] ?? 0))
  }
}

type Leaving = { readonly at: number; readonly gpuSet: number; readonly held: GpuSetHeld }

/** Pods that wait, in the order in which they came. Of equal ones only the first is tried: where it fits nowhere, none does. */
class WaitingLine {
  length = 0
  private readonly byShape: { jobs: number[]; head: number }[]
  private readonly arrived = new Map<number, number>()
  private count = 0

  constructor(shapes: number) {
    this.byShape = Array.from({ length: shapes }, () => ({ jobs: [], head: 0 }))
  }

  add(job: number, shape: number): void {
    this.byShape[shape]?.jobs.push(job)
    this.arrived.set(job, this.count)
    this.count += 1
    this.length += 1
  }

  /** Tries everybody in turn; those for whom it says true have left. */
  try(start: (job: number) => boolean): void {
    if (this.length === 0) return
    const stuck = new Set<number>()
    for (let shape = this.first(stuck); shape !== undefined; shape = this.first(stuck)) {
      const line = this.byShape[shape]
      const job = line?.jobs[line.head]
      if (line === undefined || job === undefined || !start(job)) {
        stuck.add(shape)
        continue
      }
      line.head += 1
      this.length -= 1
      this.arrived.delete(job)
    }
  }

  /** Who still waits. */
  rest(): readonly number[] {
    return this.byShape.flatMap(({ jobs, head }) => jobs.slice(head))
  }

  private first(stuck: ReadonlySet<number>): number | undefined {
    let best: number | undefined
    let earliest = Infinity
    for (let shape = 0; shape < this.byShape.length; shape += 1) {
      const line = this.byShape[shape]
      const job = line?.jobs[line.head]
      if (job === undefined || stuck.has(shape)) continue
      const arrived = this.arrived.get(job) ?? 0
      if (arrived >= earliest) continue
      earliest = arrived
      best = shape
    }
    return best
  }
}
