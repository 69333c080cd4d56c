import { profileOf } from '../../gpu/board.ts'
import type { ProfileName } from '../../gpu/geometry.ts'
import { compareText } from '../../units.ts'
import { neededProfiles, patternsFor, type Pattern } from './class-patterns.ts'
import { WHOLE_GPU } from '../../gpu/whole-gpu.ts'
import type { DemandClass, LayoutProblem, SupplyClass } from './layout-problem.ts'

/** A layout problem made small: only what can matter, by index. */
export type LayoutModel = {
  readonly classes: readonly ClassModel[]
  readonly cells: readonly Cell[]
  readonly groups: readonly DemandGroup[]
  /** By cell: the groups that can sit there, and the rank of the cell among each group's cells. */
  readonly seats: ReadonlyArray<readonly Seat[]>
  /** Demands that no GPU of any class can serve. */
  readonly hopeless: readonly DemandClass[]
  readonly goal: 'cost' | 'gpus'
  readonly unpriced: readonly string[]
}

export type ClassModel = {
  readonly supplyClass: SupplyClass
  /** What one GPU counts in the goal: dollars per hour, or 1. */
  readonly weight: number
  /** Its cells, in the order of the patterns' counts. */
  readonly cells: readonly number[]
  readonly patterns: readonly Pattern[]
}

/** Instances of one profile on GPUs of one class. */
type Cell = { readonly classIndex: number; readonly profile: ProfileName }

/** Demand classes that can go to the same cells and weigh the same. */
type DemandGroup = {
  readonly members: readonly DemandClass[]
  readonly count: number
  readonly cells: readonly number[]
  /** Share of a GPU that the smallest fit takes. */
  readonly share: number
}

type Seat = { readonly group: number; readonly rank: number }

export function modelOf(problem: LayoutProblem): LayoutModel {
  const classes = problem.classes.toSorted((a, b) => compareText(a.id, b.id))
  const demands = problem.demands.filter(({ count }) => count > 0).toSorted((a, b) => compareText(a.id, b.id))
  const needs = demands.map((demand) => needsOf(demand, classes))
  const cellIndex = indexCells(classes, needs)
  const cells = [...cellIndex.values()].map(({ cell }) => cell)
  const unpriced = classes.filter(({ price }) => price === undefined).map(({ id }) => id)
  const goal = unpriced.length > 0 ? 'gpus' : 'cost'
  const byId = new Map(classes.map((each) => [each.id, each]))
  const groups = groupDemands({ demands, needs, index: cellIndex, byId })
  return {
    classes: classes.map((supplyClass, classIndex): ClassModel => {
      const own = [...cells.keys()].filter((index) => cells[index]?.classIndex === classIndex)
      const asked = own.map((index) => cells[index]?.profile ?? WHOLE_GPU)
      const weight = goal === 'cost' ? (supplyClass.price ?? 1) : 1
      return { supplyClass, weight, cells: own, patterns: patternsFor(supplyClass.board, asked) }
    }),
    cells,
    groups,
    seats: seatsOf(groups, cells.length),
    hopeless: demands.filter((_, index) => needs[index]?.length === 0),
    goal,
    unpriced,
  }
}

/** The share of a GPU that the smallest of a demand's fits takes; 0 when there is none. */
export function smallestShare(demand: DemandClass, classes: ReadonlyMap<string, SupplyClass>): number {
  const shares = demand.fits.flatMap((fit) => {
    const supplyClass = classes.get(fit.supplyClass)
    if (supplyClass === undefined) return []
    if (fit.profile === WHOLE_GPU) return [1]
    const { board } = supplyClass
    const profile = board === undefined ? undefined : profileOf(board, fit.profile)
    return board === undefined || profile === undefined ? [] : [profile.computeSlices / board.computeSlices]
  })
  return shares.length === 0 ? 0 : Math.min(...shares)
}

type Need = { readonly classIndex: number; readonly profile: ProfileName }

function needsOf(demand: DemandClass, classes: readonly SupplyClass[]): readonly Need[] {
  return classes.flatMap(({ id, board, supply }, classIndex) => {
    const accepted = demand.fits.filter((fit) => fit.supplyClass === id).map(({ profile }) => profile)
    if (accepted.length === 0 || supply === 0) return []
    return neededProfiles(board, accepted).map((profile) => ({ classIndex, profile }))
  })
}

type CellIndex = ReadonlyMap<string, { readonly cell: Cell; readonly index: number }>

const keyOf = ({ classIndex, profile }: Need): string => `${classIndex} ${profile}`

function indexCells(classes: readonly SupplyClass[], needs: ReadonlyArray<readonly Need[]>): CellIndex {
  const all = new Map(needs.flat().map((need) => [keyOf(need), need]))
  const rank = ({ classIndex, profile }: Need): number =>
    classes[classIndex]?.board?.profiles.findIndex(({ name }) => name === profile) ?? 0
  const sorted = [...all.values()].toSorted((a, b) => a.classIndex - b.classIndex || rank(a) - rank(b))
  return new Map(sorted.map((cell, index) => [keyOf(cell), { cell, index }]))
}

type Grouping = {
  readonly demands: readonly DemandClass[]
  readonly needs: ReadonlyArray<readonly Need[]>
  readonly index: CellIndex
  readonly byId: ReadonlyMap<string, SupplyClass>
}

function groupDemands({ demands, needs, index, byId }: Grouping): readonly DemandGroup[] {
  const groups = new Map<string, { members: DemandClass[]; cells: readonly number[]; share: number }>()
  for (const [rank, demand] of demands.entries()) {
    const own = needs[rank] ?? []
    if (own.length === 0) continue
    const cells = own.flatMap((need) => index.get(keyOf(need))?.index ?? [])
    const share = smallestShare(demand, byId)
    const key = `${cells.join(' ')} ${share}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { members: [demand], cells, share })
    else group.members.push(demand)
  }
  return [...groups.values()].map((group) => ({
    ...group,
    count: group.members.reduce((sum, { count }) => sum + count, 0),
  }))
}

function seatsOf(groups: readonly DemandGroup[], cells: number): ReadonlyArray<readonly Seat[]> {
  const seats = Array.from({ length: cells }, (): Seat[] => [])
  for (const [group, each] of groups.entries()) {
    for (const [rank, cell] of each.cells.entries()) seats[cell]?.push({ group, rank })
  }
  return seats
}
