import { agree, plural } from '../../words.ts'
import type { GpuId } from '../../cluster/node.ts'
import { inferPlacements } from '../../gpu/infer-placements.ts'
import { geometryOf, type Geometry, type Layout } from '../../gpu/layout.ts'
import { enumerateLayouts } from '../../gpu/enumerate-layouts.ts'
import { profileOf, type Board } from '../../gpu/board.ts'
import { compareText } from '../../units.ts'
import type { GpuTarget } from '../words/action.ts'
import { WHOLE_GPU } from '../../gpu/whole-gpu.ts'
import type { LinearRow } from '../linear/linear-program.ts'
import { solveBySimplex } from '../linear/simplex.ts'
import type { GpuNow } from './reconfigure-problem.ts'

/** So many GPUs of a class are to have a geometry; `{ [WHOLE_GPU]: 1 }` is a GPU that is not cut. */
export type WantedLayout = { readonly supplyClass: string; readonly geometry: Geometry; readonly gpus: number }

export type MatchedLayouts =
  | {
      readonly kind: 'matched'
      /** Every GPU that changes, by id. GPUs that no layout is wanted for stay as they are. */
      readonly targets: readonly GpuTarget[]
      /** Held instances that do not stay where they are. */
      readonly displaced: number
      /** Whether no other matching displaces fewer. */
      readonly proven: boolean
    }
  | { readonly kind: 'impossible'; readonly because: string }

/**
 * Gives concrete GPUs the geometries that a layout plan counted, so that most running instances stay where they are: a
 * transportation problem between the states that GPUs are in and the geometries wanted. Its relaxation has whole corners,
 * so the simplex method solves it exactly.
 */
export function matchLayouts(gpus: readonly GpuNow[], wanted: readonly WantedLayout[]): MatchedLayouts {
  const targets: GpuTarget[] = []
  let displaced = 0
  let proven = true
  for (const [supplyClass, own] of Map.groupBy(wanted, (each) => each.supplyClass)) {
    const there = gpus.filter((gpu) => gpu.supplyClass === supplyClass).toSorted((a, b) => compareText(a.gpu, b.gpu))
    const matched = matchClass(there, own)
    if (typeof matched === 'string') return { kind: 'impossible', because: `${supplyClass}: ${matched}` }
    targets.push(...matched.targets)
    displaced += matched.displaced
    proven &&= matched.proven
  }
  return { kind: 'matched', targets: targets.toSorted((a, b) => compareText(a.gpu, b.gpu)), displaced, proven }
}

type Matched = Omit<Extract<MatchedLayouts, { kind: 'matched' }>, 'kind'>

function matchClass(gpus: readonly GpuNow[], wanted: readonly WantedLayout[]): Matched | string {
  const total = wanted.reduce((sum, each) => sum + each.gpus, 0)
  if (total > gpus.length)
    return `${plural(total, 'GPU is', 'GPUs are')} laid out, and there ${agree(gpus.length, 'is', 'are')} ${gpus.length}`
  const states = [...Map.groupBy(gpus, stateKey).values()]
  const fits = states.map((state) =>
    wanted.map(({ geometry }) => (state[0] === undefined ? undefined : bestFit(state[0], geometry))),
  )
  const impossible = wanted.find(
    ({ gpus: count }, column) => count > 0 && fits.every((row) => row[column] === undefined),
  )
  if (impossible !== undefined) return `no GPU can be laid out as ${JSON.stringify(impossible.geometry)}`
  const counts = exactCounts(states, wanted, fits)
  const used = counts ?? greedyCounts(states, wanted, fits)
  return used === undefined
    ? 'pods that must stay block it'
    : concrete({ states, wanted, fits, used, proven: counts !== undefined })
}

const stateKey = ({ board, actuator, instances }: GpuNow): string =>
  [
    board.key,
    actuator,
    ...instances
      .map((each) => `${each.profile}@${each.placement.start}${each.pod === undefined ? '-' : each.movable}`)
      .toSorted(),
  ].join(' ')

/** The layout of a geometry that keeps most, and what it loses; undefined where it cannot be or a pod must not move. */
type Fit = { readonly layout: Layout; readonly lost: number; readonly whole: boolean }

function bestFit(gpu: GpuNow, geometry: Geometry): Fit | undefined {
  const held = gpu.instances.filter(({ pod }) => pod !== undefined)
  const whole = (geometry[WHOLE_GPU] ?? 0) > 0
  const layouts = whole ? [[]] : layoutsOf(gpu, geometry)
  let best: Fit | undefined
  for (const layout of layouts) {
    const lost = lostBy(gpu, layout, whole)
    if (lost.some(({ movable }) => !movable) || lost.length >= (best?.lost ?? held.length + 1)) continue
    best = { layout, lost: lost.length, whole }
  }
  return best
}

function layoutsOf({ board, actuator, instances }: GpuNow, geometry: Geometry): readonly Layout[] {
  const same = textOf(geometryOf(instances)) === textOf(geometry)
  if (actuator === 'mig-manager') {
    if (same) return [instances.map(({ profile, placement }) => ({ profile, placement }))]
    const names = Object.entries(geometry).flatMap(([name, count]) => Array.from({ length: count }, () => name))
    const layout = inferPlacements(board, names)
    return layout === undefined ? [] : [layout]
  }
  return layoutsByGeometry(board, geometry).get(textOf(geometry)) ?? []
}

const known = new WeakMap<Board, Map<string, ReadonlyMap<string, readonly Layout[]>>>()

function layoutsByGeometry(board: Board, geometry: Geometry): ReadonlyMap<string, readonly Layout[]> {
  const names = Object.keys(geometry).toSorted()
  const ofBoard = known.get(board) ?? new Map<string, ReadonlyMap<string, readonly Layout[]>>()
  known.set(board, ofBoard)
  const before = ofBoard.get(names.join(' '))
  if (before !== undefined) return before
  const profiles = names.map((name) => profileOf(board, name)).filter((profile) => profile !== undefined)
  const found = Map.groupBy(enumerateLayouts(board, profiles), (layout) => textOf(geometryOf(layout)))
  ofBoard.set(names.join(' '), found)
  return found
}

const textOf = (geometry: Geometry): string =>
  JSON.stringify(
    Object.entries(geometry)
      .filter(([, count]) => count > 0)
      .toSorted(([a], [b]) => compareText(a, b)),
  )

function lostBy(gpu: GpuNow, layout: Layout, whole: boolean) {
  const held = gpu.instances.filter(({ pod }) => pod !== undefined)
  if (whole) return held
  if (gpu.actuator === 'mig-manager')
    return textOf(geometryOf(gpu.instances)) === textOf(geometryOf(layout)) ? [] : held
  const places = new Set(layout.map(({ profile, placement }) => `${profile}@${placement.start}`))
  return held.filter(({ profile, placement }) => !places.has(`${profile}@${placement.start}`))
}

type Table = ReadonlyArray<ReadonlyArray<Fit | undefined>>
type States = ReadonlyArray<readonly GpuNow[]>

/** How many GPUs of each state get each geometry; undefined where the simplex method gave no whole answer. */
function exactCounts(states: States, wanted: readonly WantedLayout[], fits: Table): number[][] | undefined {
  const cells = fits.flatMap((row, state) =>
    row.flatMap((fit, column) => (fit === undefined ? [] : [{ state, column, lost: fit.lost }])),
  )
  const row = (kind: LinearRow['kind'], bound: number, of: (cell: (typeof cells)[number]) => boolean): LinearRow => ({
    kind,
    bound,
    terms: cells.flatMap((cell, variable) => (of(cell) ? [[variable, 1] as const] : [])),
  })
  const answer = solveBySimplex({
    cost: cells.map(({ lost }) => lost),
    upper: cells.map(() => Infinity),
    rows: [
      ...states.map((state, index) => row('at-most', state.length, (cell) => cell.state === index)),
      ...wanted.map(({ gpus }, index) => row('equal', gpus, (cell) => cell.column === index)),
    ],
  })
  if (answer.kind !== 'optimal' || answer.values.some((value) => Math.abs(value - Math.round(value)) > 1e-6))
    return undefined
  const counts = states.map(() => wanted.map(() => 0))
  for (const [variable, { state, column }] of cells.entries()) {
    const line = counts[state]
    if (line !== undefined) line[column] = Math.round(answer.values[variable] ?? 0)
  }
  return counts
}

/** Cheapest pairs first. */
function greedyCounts(states: States, wanted: readonly WantedLayout[], fits: Table): number[][] | undefined {
  const left = states.map((state) => state.length)
  const need = wanted.map(({ gpus }) => gpus)
  const counts = states.map(() => wanted.map(() => 0))
  const pairs = fits.flatMap((row, state) =>
    row.flatMap((fit, column) => (fit === undefined ? [] : [{ state, column, lost: fit.lost }])),
  )
  for (const { state, column } of pairs.toSorted(
    (a, b) => a.lost - b.lost || a.state - b.state || a.column - b.column,
  )) {
    const count = Math.min(left[state] ?? 0, need[column] ?? 0)
    left[state] = (left[state] ?? 0) - count
    need[column] = (need[column] ?? 0) - count
    const line = counts[state]
    if (line !== undefined) line[column] = count
  }
  return need.every((each) => each === 0) ? counts : undefined
}

type Choice = {
  readonly states: States
  readonly wanted: readonly WantedLayout[]
  readonly fits: Table
  readonly used: readonly (readonly number[])[]
  readonly proven: boolean
}

function concrete({ states, wanted, fits, used, proven }: Choice): Matched {
  const targets: GpuTarget[] = []
  let displaced = 0
  for (const [index, state] of states.entries()) {
    let next = 0
    for (const column of wanted.keys()) {
      const fit = fits[index]?.[column]
      const count = used[index]?.[column] ?? 0
      if (fit === undefined) continue
      displaced += fit.lost * count
      const changing = state.slice(next, next + count).filter((gpu) => differs(gpu, fit))
      targets.push(...changing.map(({ gpu }): GpuTarget => targetOf(gpu, fit)))
      next += count
    }
  }
  return { targets, displaced, proven }
}

const targetOf = (gpu: GpuId, { layout, whole }: Fit): GpuTarget => ({ gpu, migEnabled: !whole, layout })

function differs({ actuator, instances }: GpuNow, { layout, whole }: Fit): boolean {
  if (whole) return instances.length > 0
  if (actuator === 'mig-manager') return textOf(geometryOf(instances)) !== textOf(geometryOf(layout))
  return places(instances) !== places(layout)
}

const places = (layout: Layout): string =>
  layout
    .map(({ profile, placement }) => `${profile}@${placement.start}`)
    .toSorted()
    .join(' ')
