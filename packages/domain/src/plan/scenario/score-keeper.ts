import type { GpuSetHeld } from './gpu-set.ts'
import type { RunPlan } from './run-plan.ts'
import type { ScenarioScore, ScoreNote } from './scenario.ts'

const GPUS = 4
const MOST_NOTES = 400

/** Writes down what the first GPUs of the largest GPU set hold over time. */
export class ScoreKeeper {
  private readonly plan: RunPlan
  private readonly gpuSet: number
  private readonly open = new Map<number, Omit<ScoreNote, 'to'>[]>()
  private readonly notes: ScoreNote[] = []
  private cut = false

  constructor(plan: RunPlan) {
    this.plan = plan
    this.gpuSet = plan.gpuSets.reduce(
      (best, { gpus }, gpuSet) => (gpus > (plan.gpuSets[best]?.gpus ?? 0) ? gpuSet : best),
      0,
    )
  }

  begin(job: number, { gpuSet, held }: { readonly gpuSet: number; readonly held: GpuSetHeld }, now: number): void {
    if (gpuSet !== this.gpuSet) return
    const { start, size } = held
    const shown = held.gpus.filter((gpu) => gpu < GPUS)
    if (shown.length === 0) return
    const tenant = this.plan.tenant[job] ?? 0
    this.open.set(
      job,
      shown.map((gpu) => ({ gpu, start, size, from: now, tenant })),
    )
  }

  end(job: number, now: number): void {
    for (const note of this.open.get(job) ?? []) this.write({ ...note, to: now })
    this.open.delete(job)
  }

  finish(now: number): void {
    for (const notes of this.open.values()) for (const note of notes) this.write({ ...note, to: now })
    this.open.clear()
  }

  score(): ScenarioScore {
    const gpuSet = this.plan.gpuSets[this.gpuSet]
    return {
      model: this.plan.models[this.gpuSet] ?? '',
      gpus: Math.min(GPUS, gpuSet?.gpus ?? 0),
      slots: gpuSet?.slots ?? 1,
      notes: this.notes,
      cut: this.cut,
    }
  }

  private write(note: ScoreNote): void {
    if (this.notes.length < MOST_NOTES) this.notes.push(note)
    else this.cut = true
  }
}
