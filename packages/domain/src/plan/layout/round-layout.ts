import type { CountingProgram } from './counting-program.ts'
import {
  changeFlow,
  changeGpus,
  copyDraft,
  draftCost,
  emptyDraft,
  freeOn,
  openOf,
  openShare,
  spareGpus,
  sum,
  type DraftLayout,
} from './draft-layout.ts'
import type { LayoutModel } from './layout-model.ts'
import { seatWorkloads, unseatExcess } from './seat-workloads.ts'

/** A linear answer to a counting program: its values, and by cell what an instance is worth. */
export type Relaxed = {
  readonly counting: CountingProgram
  readonly values: readonly number[]
  readonly prices: readonly number[]
}

/**
 * Whole numbers from a linear answer: rounds down, seats whom it can, lays out more GPUs for the rest, one by one, and gives
 * back GPUs that it can do without. Always a legal layout.
 */
export function roundLayout(model: LayoutModel, relaxed: Relaxed | undefined): DraftLayout {
  const draft = emptyDraft(model)
  if (relaxed !== undefined) roundDown(model, draft, relaxed)
  seatWorkloads(model, draft)
  serveOpen(model, draft, relaxed?.prices ?? [])
  return giveBack(model, draft)
}

/** More placed, or as much at less cost. */
export function isBetter(model: LayoutModel, a: DraftLayout, b: DraftLayout): boolean {
  const placed = openShare(model, b) - openShare(model, a)
  return placed > 1e-9 || (placed > -1e-9 && draftCost(model, a) < draftCost(model, b) - 1e-9)
}

/** So much above a whole number counts as rounding of the solver. */
const ALMOST = 1e-6

function roundDown(model: LayoutModel, draft: DraftLayout, { counting, values }: Relaxed): void {
  const wanted = values.map((value) => Math.floor(value + ALMOST))
  for (const [variable, { classIndex, pattern }] of counting.patterns.entries()) {
    const by = Math.min(wanted[variable] ?? 0, spareGpus(model, draft, classIndex))
    if (by > 0) changeGpus(model, draft, { classIndex, pattern, by })
  }
  for (const [index, { group, cell }] of counting.choices.entries()) {
    const rank = model.groups[group]?.cells.indexOf(cell) ?? 0
    const by = Math.min(wanted[counting.patterns.length + index] ?? 0, freeOn(draft, cell), openOf(draft, group))
    if (by > 0) changeFlow(model, draft, { group, rank, by })
  }
}

/** Lays out one GPU after the other for those without a place: the one that serves most worth for its cost. */
function serveOpen(model: LayoutModel, draft: DraftLayout, prices: readonly number[]): void {
  for (;;) {
    if (sum(draft.open) === 0) return
    const best = bestGpu(model, draft, prices)
    if (best === undefined) return
    changeGpus(model, draft, { ...best, by: 1 })
    const before = sum(draft.open)
    seatWorkloads(model, draft)
    if (sum(draft.open) >= before) {
      changeGpus(model, draft, { ...best, by: -1 })
      return
    }
  }
}

type Candidate = { readonly classIndex: number; readonly pattern: number }

function bestGpu(model: LayoutModel, draft: DraftLayout, prices: readonly number[]): Candidate | undefined {
  const worthOfGroup = model.groups.map(({ cells, share }) =>
    Math.max(1e-6 * share, Math.min(...cells.map((cell) => prices[cell] ?? share))),
  )
  const rest = draft.open.slice()
  let best: Candidate | undefined
  let most = 0
  for (const [classIndex, { cells, patterns, weight }] of model.classes.entries()) {
    if (spareGpus(model, draft, classIndex) <= 0) continue
    for (const [pattern, { counts }] of patterns.entries()) {
      const worth = servedWorth({ model, open: draft.open, rest, worthOfGroup }, cells, counts)
      const value = worth / Math.max(weight, 1e-9)
      if (value <= most + 1e-12) continue
      most = value
      best = { classIndex, pattern }
    }
  }
  return best
}

type Serving = {
  readonly model: LayoutModel
  readonly open: Int32Array
  /** Room to reckon in, so that no candidate needs a list of its own. */
  readonly rest: Int32Array
  readonly worthOfGroup: readonly number[]
}

function servedWorth(
  { model, open, rest, worthOfGroup }: Serving,
  cells: readonly number[],
  counts: readonly number[],
): number {
  rest.set(open)
  let worth = 0
  for (const [rank, cell] of cells.entries()) {
    let free = counts[rank] ?? 0
    for (const { group } of free > 0 ? (model.seats[cell] ?? []) : []) {
      const waiting = rest[group] ?? 0
      if (waiting === 0) continue
      const by = Math.min(free, waiting)
      rest[group] = waiting - by
      free -= by
      worth += by * (worthOfGroup[group] ?? 0)
    }
  }
  return worth
}

/** Takes away GPUs, dearest class first, whose workloads find a place on what is left. */
function giveBack(model: LayoutModel, start: DraftLayout): DraftLayout {
  const candidates = model.classes
    .flatMap(({ patterns, weight }, classIndex) => patterns.map((_, pattern) => ({ classIndex, pattern, weight })))
    .toSorted((a, b) => b.weight - a.weight || a.classIndex - b.classIndex || a.pattern - b.pattern)
  let best = start
  for (const candidate of candidates) {
    for (let next = without(model, best, candidate); next !== undefined; next = without(model, next, candidate)) {
      best = next
    }
  }
  return best
}

/** The draft with one GPU fewer and as much placed; undefined when there is none. */
function without(model: LayoutModel, draft: DraftLayout, candidate: Candidate): DraftLayout | undefined {
  const { classIndex, pattern } = candidate
  if ((draft.gpus[classIndex]?.[pattern] ?? 0) === 0 || !mayDoWithout(model, draft, candidate)) return undefined
  const trial = copyDraft(draft)
  changeGpus(model, trial, { classIndex, pattern, by: -1 })
  unseatExcess(model, trial)
  seatWorkloads(model, trial)
  return openShare(model, trial) > openShare(model, draft) + 1e-9 ? undefined : trial
}

/** Whether as many instances are free as the GPU's workloads would need at least. */
function mayDoWithout(model: LayoutModel, draft: DraftLayout, { classIndex, pattern }: Candidate): boolean {
  const { cells = [], patterns = [] } = model.classes[classIndex] ?? {}
  const counts = patterns[pattern]?.counts ?? []
  const seated = cells.map((cell, rank) => Math.max(0, (counts[rank] ?? 0) - freeOn(draft, cell)))
  return sum(seated) <= sum(draft.cut) - sum(draft.taken)
}
