import type { BayHeld } from './bay.ts'
import type { RunPlan } from './run-plan.ts'
import type { ScenarioScore, ScoreNote } from './scenario.ts'

const GPUS = 4
const MOST_NOTES = 400

/** Writes down what the first GPUs of the largest bay hold over time. */
export class ScoreKeeper {
  private readonly plan: RunPlan
  private readonly bay: number
  private readonly open = new Map<number, Omit<ScoreNote, 'to'>[]>()
  private readonly notes: ScoreNote[] = []
  private cut = false

  constructor(plan: RunPlan) {
    this.plan = plan
    this.bay = plan.bays.reduce((best, { gpus }, bay) => (gpus > (plan.bays[best]?.gpus ?? 0) ? bay : best), 0)
  }

  begin(job: number, { bay, held }: { readonly bay: number; readonly held: BayHeld }, now: number): void {
    if (bay !== this.bay) return
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
    const bay = this.plan.bays[this.bay]
    return {
      model: this.plan.models[this.bay] ?? '',
      gpus: Math.min(GPUS, bay?.gpus ?? 0),
      slots: bay?.slots ?? 1,
      notes: this.notes,
      cut: this.cut,
    }
  }

  private write(note: ScoreNote): void {
    if (this.notes.length < MOST_NOTES) this.notes.push(note)
    else this.cut = true
  }
}
