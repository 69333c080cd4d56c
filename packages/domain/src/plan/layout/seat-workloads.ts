import { changeFlow } from './draft-layout.ts'
import type { DraftLayout } from './draft-layout.ts'
import type { LayoutModel } from './layout-model.ts'

/**
 * Gives instances that are cut and free to workloads without a place, moving others aside where that helps: augmenting
 * paths, the groups with the largest share of a GPU first. What can be seated at once is a matroid, so this order places
 * as much as any.
 */
export function seatWorkloads(model: LayoutModel, draft: DraftLayout): void {
  const order = [...model.groups.keys()]
    .filter((group) => (draft.open[group] ?? 0) > 0)
    .toSorted((a, b) => (model.groups[b]?.share ?? 0) - (model.groups[a]?.share ?? 0) || a - b)
  for (const group of order) {
    while ((draft.open[group] ?? 0) > 0 && augment(model, draft, group)) continue
  }
}

/** Takes off workloads where more sit on a cell than are cut. */
export function unseatExcess(model: LayoutModel, draft: DraftLayout): void {
  for (const [group, { cells }] of model.groups.entries()) {
    for (const [rank, cell] of cells.entries()) {
      const excess = (draft.taken[cell] ?? 0) - (draft.cut[cell] ?? 0)
      const by = Math.min(excess, draft.flow[group]?.[rank] ?? 0)
      if (by > 0) changeFlow(model, draft, { group, rank, by: -by })
    }
  }
}

/** How a cell was reached: by a group that would sit down there, which came from another cell, or from having no place. */
type Arrival = { readonly group: number; readonly rank: number; readonly from: number | undefined }

function augment(model: LayoutModel, draft: DraftLayout, start: number): boolean {
  const arrivals = new Map<number, Arrival>()
  const queue: number[] = []
  const reach = (group: number, from: number | undefined): void => {
    for (const [rank, cell] of (model.groups[group]?.cells ?? []).entries()) {
      if (arrivals.has(cell)) continue
      arrivals.set(cell, { group, rank, from })
      queue.push(cell)
    }
  }
  reach(start, undefined)
  for (let head = 0; head < queue.length; head += 1) {
    const cell = queue[head] ?? 0
    if ((draft.cut[cell] ?? 0) > (draft.taken[cell] ?? 0)) {
      shift(model, draft, { arrivals, end: cell, start })
      return true
    }
    for (const group of seatedOn(model, draft, cell)) reach(group, cell)
  }
  return false
}

function seatedOn(model: LayoutModel, draft: DraftLayout, cell: number): readonly number[] {
  return [...model.groups.keys()].filter((group) => {
    const rank = model.groups[group]?.cells.indexOf(cell) ?? -1
    return rank >= 0 && (draft.flow[group]?.[rank] ?? 0) > 0
  })
}

type Path = { readonly arrivals: ReadonlyMap<number, Arrival>; readonly end: number; readonly start: number }

/** Moves as many workloads along the path as it allows. */
function shift(model: LayoutModel, draft: DraftLayout, { arrivals, end, start }: Path): void {
  let by = Math.min((draft.cut[end] ?? 0) - (draft.taken[end] ?? 0), draft.open[start] ?? 0)
  const steps: Array<{ readonly group: number; readonly to: number; readonly from: number | undefined }> = []
  let cell: number | undefined = end
  while (cell !== undefined) {
    const arrival: Arrival | undefined = arrivals.get(cell)
    if (arrival === undefined) return
    const { group, rank, from } = arrival
    const leaves = from === undefined ? undefined : (model.groups[group]?.cells.indexOf(from) ?? 0)
    if (leaves !== undefined) by = Math.min(by, draft.flow[group]?.[leaves] ?? 0)
    steps.push({ group, to: rank, from: leaves })
    cell = from
  }
  for (const { group, to, from } of steps) {
    if (from !== undefined) changeFlow(model, draft, { group, rank: from, by: -by })
    changeFlow(model, draft, { group, rank: to, by })
  }
}
