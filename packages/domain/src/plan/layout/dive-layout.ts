import { solveBySimplex } from '../linear/simplex.ts'
import type { LinearProgram } from '../linear/linear-program.ts'
import { changeGpus, emptyDraft, spareGpus, type DraftLayout } from './draft-layout.ts'
import type { LayoutModel } from './layout-model.ts'
import { improveDraft, type Relaxed } from './round-layout.ts'
import { seatWorkloads } from './seat-workloads.ts'

/**
 * Rounds a linear answer step by step: keeps the whole part, rounds the pattern up that is nearest to its next whole GPU,
 * and solves for the rest again. Dearer than rounding at once, and better where the fleet is small.
 */
export function diveLayout(model: LayoutModel, relaxed: Relaxed): DraftLayout {
  const gpus = dive(relaxed)
  const draft = emptyDraft(model)
  for (const [index, { classIndex, pattern }] of relaxed.counting.patterns.entries()) {
    const by = Math.min(gpus[index] ?? 0, spareGpus(model, draft, classIndex))
    if (by > 0) changeGpus(model, draft, { classIndex, pattern, by })
  }
  seatWorkloads(model, draft)
  return improveDraft(model, draft, relaxed.prices)
}

/** Whole GPUs by pattern; short of the demand where it ends early. */
function dive({ counting, values }: Relaxed): readonly number[] {
  let gpus = counting.patterns.map(() => 0)
  let rest: readonly number[] = values
  for (let solved = 0; solved < MOST_SOLVED; solved += 1) {
    gpus = gpus.map((count, index) => count + Math.floor((rest[index] ?? 0) + ALMOST))
    const next = nearestToWhole(rest.slice(0, gpus.length))
    if (next === undefined) return gpus
    gpus[next] = (gpus[next] ?? 0) + 1
    const answer = solveBySimplex(without(counting.program, gpus))
    if (answer.kind !== 'optimal') return gpus
    rest = answer.values
  }
  return gpus
}

const MOST_SOLVED = 40
const ALMOST = 1e-6

/** The value with the largest fraction; undefined when all are whole. */
function nearestToWhole(values: readonly number[]): number | undefined {
  let best: number | undefined
  let most = ALMOST
  for (const [index, value] of values.entries()) {
    const fraction = value - Math.floor(value + ALMOST)
    if (fraction <= most) continue
    most = fraction
    best = index
  }
  return best
}

/** What is left of the program when so many GPUs have their pattern. */
function without(program: LinearProgram, gpus: readonly number[]): LinearProgram {
  return {
    ...program,
    rows: program.rows.map((row) => ({
      ...row,
      bound: row.terms.reduce((left, [variable, value]) => left - value * (gpus[variable] ?? 0), row.bound),
    })),
  }
}
