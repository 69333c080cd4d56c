import { arrange } from '../../gpu/infer-placements.ts'
import type { LaidOut } from './laid-out.fixture.ts'
import { WHOLE_GPU } from '../../gpu/whole-gpu.ts'
import type { LayoutProblem, SupplyClass } from './layout-problem.ts'

/** Every way in which a plan breaks the rules of its problem, in words. */
export function unlawful(problem: LayoutProblem, plan: LaidOut): readonly string[] {
  const { layouts, assignments, unplaced } = plan
  const cut = new Tally()
  const used = new Tally()
  for (const { supplyClass, geometry, gpus } of layouts) {
    for (const [profile, count] of Object.entries(geometry)) cut.add(`${supplyClass} ${profile}`, gpus * count)
    used.add(supplyClass, gpus)
  }
  const seated = new Tally()
  const taken = new Tally()
  for (const { demand, supplyClass, profile, count } of assignments) {
    seated.add(demand, count)
    taken.add(`${supplyClass} ${profile}`, count)
  }
  for (const { demand, count } of unplaced) seated.add(demand, count)
  return [
    ...wrongLayouts(problem, plan),
    ...misfits(problem, plan),
    ...problem.classes.filter(({ id, supply }) => used.of(id) > supply).map(({ id }) => `too many GPUs of ${id}`),
    ...taken
      .keys()
      .filter((key) => taken.of(key) > cut.of(key))
      .map((key) => `too many on ${key}`),
    ...problem.demands
      .filter(({ id, count }) => seated.of(id) !== count)
      .map(({ id }) => `${id} is not seated exactly`),
  ]
}

class Tally {
  readonly #counts = new Map<string, number>()
  add(key: string, count: number): void {
    this.#counts.set(key, this.of(key) + count)
  }
  of(key: string): number {
    return this.#counts.get(key) ?? 0
  }
  keys(): readonly string[] {
    return [...this.#counts.keys()]
  }
}

function wrongLayouts(problem: LayoutProblem, { layouts }: LaidOut): readonly string[] {
  return layouts.flatMap(({ supplyClass, geometry }) => {
    const names = Object.entries(geometry).flatMap(([name, count]) => Array.from({ length: count }, () => name))
    const own = problem.classes.find(({ id }) => id === supplyClass)
    return isLegal(own, names) ? [] : [`${supplyClass} cannot hold ${names.join(' + ')}`]
  })
}

function isLegal(own: SupplyClass | undefined, names: readonly string[]): boolean {
  if (names.length === 1 && names[0] === WHOLE_GPU) return true
  return own?.board !== undefined && arrange(own.board, names).kind === 'feasible'
}

const misfits = (problem: LayoutProblem, { assignments }: LaidOut): readonly string[] =>
  assignments.flatMap(({ demand, supplyClass, profile }) => {
    const fits = problem.demands.find(({ id }) => id === demand)?.fits ?? []
    const isFit = fits.some((fit) => fit.supplyClass === supplyClass && fit.profile === profile)
    return isFit ? [] : [`${demand} does not fit ${profile} on ${supplyClass}`]
  })
