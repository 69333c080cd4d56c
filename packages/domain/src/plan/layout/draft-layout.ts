import type { LayoutModel } from './layout-model.ts'

/** A layout in the making, changed in place: how many GPUs have each pattern, and who is on which cell. */
export type DraftLayout = {
  /** By class and pattern. */
  readonly gpus: readonly Int32Array[]
  /** Workloads by group, in the order of its cells. */
  readonly flow: readonly Int32Array[]
  /** Instances that are cut, and that are taken, by cell. */
  readonly cut: Int32Array
  readonly taken: Int32Array
  /** Workloads of each group without a place. */
  readonly open: Int32Array
}

export const emptyDraft = (model: LayoutModel): DraftLayout => ({
  gpus: model.classes.map(({ patterns }) => new Int32Array(patterns.length)),
  flow: model.groups.map(({ cells }) => new Int32Array(cells.length)),
  cut: new Int32Array(model.cells.length),
  taken: new Int32Array(model.cells.length),
  open: Int32Array.from(model.groups, ({ count }) => count),
})

export const copyDraft = (draft: DraftLayout): DraftLayout => ({
  gpus: draft.gpus.map((each) => each.slice()),
  flow: draft.flow.map((each) => each.slice()),
  cut: draft.cut.slice(),
  taken: draft.taken.slice(),
  open: draft.open.slice(),
})

export type DraftedGpu = { readonly classIndex: number; readonly pattern: number; readonly by: number }

/** Cuts more GPUs of a class with a pattern, or fewer. */
export function changeGpus(model: LayoutModel, draft: DraftLayout, { classIndex, pattern, by }: DraftedGpu): void {
  const each = model.classes[classIndex]
  const gpus = draft.gpus[classIndex]
  if (each === undefined || gpus === undefined) return
  gpus[pattern] = (gpus[pattern] ?? 0) + by
  const counts = each.patterns[pattern]?.counts ?? []
  for (const [rank, cell] of each.cells.entries()) draft.cut[cell] = (draft.cut[cell] ?? 0) + by * (counts[rank] ?? 0)
}

/** GPUs of the class that have no pattern yet. */
export const spareGpus = (model: LayoutModel, draft: DraftLayout, classIndex: number): number =>
  (model.classes[classIndex]?.supplyClass.supply ?? 0) - sum(draft.gpus[classIndex] ?? [])

/** Instances on a cell that are cut and that nobody takes. */
export const freeOn = (draft: DraftLayout, cell: number): number => (draft.cut[cell] ?? 0) - (draft.taken[cell] ?? 0)

/** How many of a group sit on the cell with this rank. */
export const seatedOf = (draft: DraftLayout, group: number, rank: number): number => draft.flow[group]?.[rank] ?? 0

/** How many of a group have no place. */
export const openOf = (draft: DraftLayout, group: number): number => draft.open[group] ?? 0

export const sum = (values: Iterable<number>): number => {
  let total = 0
  for (const value of values) total += value
  return total
}

/** Puts workloads on a cell, or takes them off. */
export function changeFlow(
  model: LayoutModel,
  draft: DraftLayout,
  change: { group: number; rank: number; by: number },
): void {
  const { group, rank, by } = change
  const cell = model.groups[group]?.cells[rank]
  const flow = draft.flow[group]
  if (cell === undefined || flow === undefined) return
  flow[rank] = (flow[rank] ?? 0) + by
  draft.taken[cell] = (draft.taken[cell] ?? 0) + by
  draft.open[group] = (draft.open[group] ?? 0) - by
}

/** What is left without a place, in GPUs. */
export const openShare = (model: LayoutModel, draft: DraftLayout): number =>
  sum(model.groups.map(({ share }, group) => share * (draft.open[group] ?? 0)))

/** What the GPUs in use come to, in the goal's measure. */
export const draftCost = (model: LayoutModel, draft: DraftLayout): number =>
  sum(model.classes.map(({ weight }, classIndex) => weight * sum(draft.gpus[classIndex] ?? [])))
