import { changeFlow, freeOn, openOf, seatedOf, type DraftLayout } from './draft-layout.ts'
import type { LayoutModel } from './layout-model.ts'

/**
 * Gives instances that are cut and free to workloads without a place, moving others aside where that helps: augmenting
 * paths, the groups with the largest share of a GPU first. What can be seated at once is a matroid, so this order places
 * as much as any.
 */
export function seatWorkloads(model: LayoutModel, draft: DraftLayout): void {
  const order = [...model.groups.keys()]
    .filter((group) => openOf(draft, group) > 0)
    .toSorted((a, b) => (model.groups[b]?.share ?? 0) - (model.groups[a]?.share ?? 0) || a - b)
  for (const group of order) {
    while (openOf(draft, group) > 0 && augment(model, draft, group)) continue
  }
}

/** Takes off workloads where more sit on a cell than are cut. */
export function unseatExcess(model: LayoutModel, draft: DraftLayout): void {
  for (const [group, { cells }] of model.groups.entries()) {
    for (const [rank, cell] of cells.entries()) {
      const by = Math.min(-freeOn(draft, cell), seatedOf(draft, group, rank))
      if (by > 0) changeFlow(model, draft, { group, rank, by: -by })
    }
  }
}

/** How a cell was reached: by a group that would sit down there, which came from another cell, or from having no place. */
type Arrival = { readonly group: number; readonly rank: number; readonly from: number | undefined }

function augment(model: LayoutModel, draft: DraftLayout, start: number): boolean {
  const arrivals = new Map<number, Arrival>()
  const queue: number[] = []
  reach(start, undefined)
  for (const cell of queue) {
    if (freeOn(draft, cell) > 0) {
      shift(model, draft, { arrivals, end: cell, start })
      return true
    }
    for (const { group, rank } of model.seats[cell] ?? []) {
      if (seatedOf(draft, group, rank) > 0) reach(group, cell)
    }
  }
  return false

  function reach(group: number, from: number | undefined): void {
    for (const [rank, cell] of (model.groups[group]?.cells ?? []).entries()) {
      if (arrivals.has(cell)) continue
      arrivals.set(cell, { group, rank, from })
      queue.push(cell)
    }
  }
}

type Path = { readonly arrivals: ReadonlyMap<number, Arrival>; readonly end: number; readonly start: number }

/** Moves as many workloads along the path as it allows. */
function shift(model: LayoutModel, draft: DraftLayout, path: Path): void {
  const steps = stepsOf(model, path)
  const by = Math.min(
    freeOn(draft, path.end),
    openOf(draft, path.start),
    ...steps.map(({ group, from }) => (from === undefined ? Infinity : seatedOf(draft, group, from))),
  )
  for (const { group, to, from } of steps) {
    if (from !== undefined) changeFlow(model, draft, { group, rank: from, by: -by })
    changeFlow(model, draft, { group, rank: to, by })
  }
}

type Step = { readonly group: number; readonly to: number; readonly from: number | undefined }

function stepsOf(model: LayoutModel, { arrivals, end }: Path): readonly Step[] {
  const steps: Step[] = []
  for (let arrival = arrivals.get(end); arrival !== undefined;) {
    const { group, rank, from } = arrival
    if (from === undefined) return [...steps, { group, to: rank, from }]
    steps.push({ group, to: rank, from: model.groups[group]?.cells.indexOf(from) })
    arrival = arrivals.get(from)
  }
  return steps
}
