import {
  maximalGeometries,
  WHOLE_GPU,
  type Fit,
  type Geometry,
  type LayoutProblem,
  type LinearProgram,
  type LinearRow,
  type SupplyClass,
} from '@septet/domain'

/**
 * The layout problem with one variable for each GPU and geometry, and for each GPU, profile and demand, as published
 * formulations have it. What `planLayout` must not do: the model grows with the fleet, and equal GPUs can be swapped.
 */
export function gpuByGpuProgram(problem: LayoutProblem): LinearProgram {
  const draft: Draft = { cost: [], rows: [], ofDemand: problem.demands.map(() => []) }
  for (const supplyClass of problem.classes) {
    for (let gpu = 0; gpu < supplyClass.supply; gpu += 1) addGpu(draft, problem, supplyClass)
  }
  const covered = draft.ofDemand.map((terms, rank): LinearRow => ({
    kind: 'at-least',
    bound: problem.demands[rank]?.count ?? 0,
    terms,
  }))
  const { cost, rows } = draft
  return { cost, upper: cost.map(() => 7), whole: true, rows: [...rows, ...covered] }
}

type Term = readonly [variable: number, coefficient: number]
type Draft = { readonly cost: number[]; readonly rows: LinearRow[]; readonly ofDemand: readonly Term[][] }

/** One GPU: at most one geometry, and on each of its profiles no more workloads than that has instances. */
function addGpu({ cost, rows, ofDemand }: Draft, { demands }: LayoutProblem, { id, board, price }: SupplyClass): void {
  const cuts: readonly Geometry[] = [{ [WHOLE_GPU]: 1 }, ...(board === undefined ? [] : maximalGeometries(board))]
  const states = cuts.map((geometry) => ({ geometry, index: cost.push(price ?? 1) - 1 }))
  rows.push({ kind: 'at-most', bound: 1, terms: states.map(({ index }): Term => [index, 1]) })
  for (const profile of [WHOLE_GPU, ...(board?.profiles ?? []).map(({ name }) => name)]) {
    const takers = [...demands.keys()].filter((rank) => demands[rank]?.fits.some(isFit({ supplyClass: id, profile })))
    const seats = takers.map((rank): Term => [cost.push(0) - 1, rank])
    for (const [index, rank] of seats) ofDemand[rank]?.push([index, 1])
    const cut = states.map(({ geometry, index }): Term => [index, -(geometry[profile] ?? 0)])
    const terms = [...seats.map(([index]): Term => [index, 1]), ...cut.filter(([, count]) => count < 0)]
    if (seats.length > 0) rows.push({ kind: 'at-most', bound: 0, terms })
  }
}

const isFit =
  ({ supplyClass, profile }: Fit) =>
  (fit: Fit): boolean =>
    fit.supplyClass === supplyClass && fit.profile === profile
