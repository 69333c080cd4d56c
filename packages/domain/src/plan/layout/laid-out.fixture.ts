import type { ProfileName } from '../../gpu/geometry.ts'
import type { Geometry } from '../../gpu/layout.ts'
import type { LayoutAnswering } from './answer-for.ts'
import { openShare, seatedOf, sum, type DraftLayout } from './draft-layout.ts'
import type { LayoutModel } from './layout-model.ts'
import type { Fit } from './layout-problem.ts'

/** A draft GPU by GPU and workload by workload, so that it can be checked against its problem. */
export type LaidOut = {
  /** GPUs of a class with a geometry; `{ [WHOLE_GPU]: 1 }` is a GPU that is not cut. GPUs that are not named stay empty. */
  readonly layouts: ReadonlyArray<{ readonly supplyClass: string; readonly geometry: Geometry; readonly gpus: number }>
  readonly assignments: readonly Assignment[]
  readonly unplaced: readonly Unplaced[]
  /** What is without a place, in GPUs: the share of a GPU that each workload's smallest fit takes, added up. */
  readonly unplacedGpus: number
}

/** So many workloads of a demand class run on instances of a profile, one each. */
type Assignment = {
  readonly demand: string
  readonly supplyClass: string
  readonly profile: ProfileName
  readonly count: number
}
type Unplaced = { readonly demand: string; readonly count: number; readonly kind: 'fits-nowhere' | 'supply-short' }

export function laidOut({ model, draft }: LayoutAnswering): LaidOut {
  const { assignments, left } = shareOut(model, draft)
  const hopeless = model.hopeless.map(({ id, count }) => ({ demand: id, count, kind: 'fits-nowhere' as const }))
  return {
    layouts: layoutsOf(model, draft),
    assignments,
    unplaced: [...hopeless, ...left],
    unplacedGpus: openShare(model, draft),
  }
}

const layoutsOf = (model: LayoutModel, draft: DraftLayout): LaidOut['layouts'] =>
  model.classes.flatMap(({ supplyClass, patterns }, classIndex) =>
    patterns.flatMap(({ geometry }, pattern) => {
      const gpus = draft.gpus[classIndex]?.[pattern] ?? 0
      return gpus > 0 ? [{ supplyClass: supplyClass.id, geometry, gpus }] : []
    }),
  )

/** Gives each group's places to its members, in the order of their ids. */
function shareOut(
  model: LayoutModel,
  draft: DraftLayout,
): { readonly assignments: readonly Assignment[]; readonly left: readonly Unplaced[] } {
  const assignments: Assignment[] = []
  const left: Unplaced[] = []
  for (const [group, { members, cells }] of model.groups.entries()) {
    const places = cells.map((cell, rank) => ({ at: placeOf(model, cell), free: seatedOf(draft, group, rank) }))
    for (const { id, count } of members) {
      const taken = takeFrom(places, count)
      assignments.push(...taken.map((each) => ({ demand: id, ...each })))
      const waiting = count - sum(taken.map((each) => each.count))
      if (waiting > 0) left.push({ demand: id, count: waiting, kind: 'supply-short' })
    }
  }
  return { assignments, left }
}

type Place = { readonly at: Fit; free: number }

function takeFrom(places: readonly Place[], count: number): ReadonlyArray<Omit<Assignment, 'demand'>> {
  let waiting = count
  return places.flatMap((place) => {
    const by = Math.min(waiting, place.free)
    place.free -= by
    waiting -= by
    return by > 0 ? [{ ...place.at, count: by }] : []
  })
}

function placeOf(model: LayoutModel, cell: number): Fit {
  const { classIndex = 0, profile = '' } = model.cells[cell] ?? {}
  return { supplyClass: model.classes[classIndex]?.supplyClass.id ?? '', profile }
}
