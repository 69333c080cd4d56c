import { profileOf } from '../../gpu/board.ts'
import { enumerateLayouts } from '../../gpu/enumerate-layouts.ts'
import { type Geometry, geometryOf } from '../../gpu/layout.ts'
import { smallestShare } from './layout-model.ts'
import { WHOLE_GPU } from '../../gpu/whole-gpu.ts'
import type { DemandClass, LayoutProblem, SupplyClass } from './layout-problem.ts'

export type Best = { readonly unplaced: number; readonly cost: number; readonly gpus: number }

/**
 * The best of all plans, by trying every way to use every GPU and every way to seat the workloads: independent of the
 * planner's own ideas, and only for a few GPUs and workloads. `cost` is in dollars, or GPUs where a price is missing.
 */
export function bruteForce(problem: LayoutProblem): Best {
  const byId = new Map(problem.classes.map((each) => [each.id, each]))
  const priced = problem.classes.every(({ price }) => price !== undefined)
  const demands = problem.demands.filter((each) => each.count > 0 && fitsSomewhere(each, byId))
  const shares = demands.map((each) => smallestShare(each, byId))
  const gpus = problem.classes.flatMap((each) => Array.from({ length: each.supply }, () => each))
  let best: Best = { unplaced: Infinity, cost: Infinity, gpus: Infinity }
  const seen = new Set<string>()
  visit(
    0,
    demands.map(({ count }) => count),
    { cost: 0, gpus: 0 },
  )
  return best

  function visit(index: number, left: readonly number[], used: { cost: number; gpus: number }): void {
    const key = `${index} ${left.join(' ')} ${used.cost.toFixed(6)} ${used.gpus}`
    if (seen.has(key)) return
    seen.add(key)
    const gpu = gpus[index]
    if (gpu === undefined || left.every((count) => count === 0)) {
      const unplaced = left.reduce((sum, count, k) => sum + count * (shares[k] ?? 0), 0)
      if (isLess([unplaced, used.cost, used.gpus], [best.unplaced, best.cost, best.gpus])) best = { unplaced, ...used }
      return
    }
    visit(index + 1, left, used)
    const next = { cost: used.cost + (priced ? (gpu.price ?? 0) : 1), gpus: used.gpus + 1 }
    for (const rest of afterOneGpu(gpu, demands, left)) visit(index + 1, rest, next)
  }
}

function isLess(a: readonly number[], b: readonly number[]): boolean {
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? 0
    if (Math.abs(value - other) > 1e-9 || (value !== other && other === Infinity)) return value < other
  }
  return false
}

/** What can be left after one more GPU is used in some way. */
function afterOneGpu(
  gpu: SupplyClass,
  demands: readonly DemandClass[],
  left: readonly number[],
): ReadonlyArray<readonly number[]> {
  const results = new Map<string, readonly number[]>()
  for (const geometry of waysToUse(gpu)) {
    const instances = Object.entries(geometry).flatMap(([name, count]) => Array.from({ length: count }, () => name))
    seat(instances, left)
  }
  return [...results.values()]

  function seat([first, ...others]: readonly string[], rest: readonly number[]): void {
    if (first === undefined) {
      results.set(rest.join(' '), rest)
      return
    }
    let isTaken = false
    for (const [index, each] of demands.entries()) {
      if ((rest[index] ?? 0) === 0 || !accepts(each, gpu, first)) continue
      isTaken = true
      seat(others, rest.with(index, (rest[index] ?? 0) - 1))
    }
    if (!isTaken) seat(others, rest)
  }
}

const accepts = (each: DemandClass, { id, board }: SupplyClass, profile: string): boolean =>
  each.fits.some(
    (fit) =>
      fit.supplyClass === id &&
      (fit.profile === profile || (board !== undefined && profileOf(board, fit.profile)?.name === profile)),
  )

const fitsSomewhere = (each: DemandClass, classes: ReadonlyMap<string, SupplyClass>): boolean =>
  each.fits.some(({ supplyClass, profile }) => {
    const found = classes.get(supplyClass)
    if (found === undefined || found.supply === 0) return false
    return profile === WHOLE_GPU || (found.board !== undefined && profileOf(found.board, profile) !== undefined)
  })

const ways = new Map<SupplyClass['board'], readonly Geometry[]>()

/** Every geometry over every profile, variants too, and the whole GPU. */
function waysToUse({ board }: SupplyClass): readonly Geometry[] {
  const known = ways.get(board)
  if (known !== undefined) return known
  const cut = board === undefined ? [] : enumerateLayouts(board, board.profiles).map(geometryOf)
  const unique = new Map([{ [WHOLE_GPU]: 1 }, ...cut].map((geometry) => [JSON.stringify(geometry), geometry]))
  const all = [...unique.values()].filter((geometry) => Object.keys(geometry).length > 0)
  const maximal = all.filter(
    (geometry) =>
      !all.some(
        (other) =>
          other !== geometry && Object.entries(geometry).every(([profile, count]) => (other[profile] ?? 0) >= count),
      ),
  )
  ways.set(board, maximal)
  return maximal
}
