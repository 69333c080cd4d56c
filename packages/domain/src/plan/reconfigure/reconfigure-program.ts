import type { ProfileName } from '../../gpu/geometry.ts'
import type { LinearProgram, LinearRow } from '../linear/linear-program.ts'
import type { GpuState, StateOption } from './gpu-states.ts'
import type { ReconfigureProblem } from './reconfigure-problem.ts'

/** How many GPUs of each state become each option, and which demand goes where: whole numbers, with the rows that bind. */
export type ReconfigureModel = {
  readonly choices: readonly Choice[]
  /** New demand by demand, class and profile; after the choices in the order of variables. */
  readonly rooms: readonly RoomChoice[]
  readonly upper: readonly number[]
  readonly rows: readonly LinearRow[]
}

type Choice = { readonly state: GpuState; readonly option: StateOption }
type RoomChoice = { readonly demand: string; readonly supplyClass: string; readonly profile: ProfileName }

/** The model of a problem over its states: its size does not grow with the number of equal GPUs. */
export function reconfigureModel(problem: ReconfigureProblem, states: readonly GpuState[]): ReconfigureModel {
  const choices = states.flatMap((state) =>
    state.options.filter(({ displaced }) => displaced < Infinity).map((option) => ({ state, option })),
  )
  const rooms = problem.demands.flatMap(({ id, fits }) =>
    fits.map(({ supplyClass, profile }) => ({ demand: id, supplyClass, profile })),
  )
  const byDemand = new Map(problem.demands.map(({ id, count }) => [id, count]))
  return {
    choices,
    rooms,
    upper: [...choices.map(({ state }) => state.gpus.length), ...rooms.map(({ demand }) => byDemand.get(demand) ?? 0)],
    rows: [
      ...supplyRows(states, choices),
      ...demandRows(problem, rooms, choices.length),
      ...fitRows(problem, choices, rooms),
    ],
  }
}

/** Fewest pods displaced. */
export const displacedCost = (model: ReconfigureModel): number[] => costOf(model, ({ displaced }) => displaced)

/** Fewest GPUs that hold something. */
export const gpuCost = (model: ReconfigureModel): number[] => costOf(model, ({ used }) => used)

/** The program for one goal, with what earlier goals have fixed. */
export const programFor = (
  model: ReconfigureModel,
  cost: readonly number[],
  fixed: readonly LinearRow[],
): LinearProgram => ({
  cost,
  upper: model.upper,
  rows: [...model.rows, ...fixed],
})

/** Keeps a goal at what was reached. */
export const atMost = (cost: readonly number[], bound: number): LinearRow => ({
  kind: 'at-most',
  bound,
  terms: cost.flatMap((each, variable) => (each === 0 ? [] : [[variable, each] as const])),
})

const costOf = ({ choices, rooms }: ReconfigureModel, price: (option: StateOption) => number): number[] => [
  ...choices.map(({ option }) => price(option)),
  ...rooms.map(() => 0),
]

/** Every GPU of a state becomes one thing. */
function supplyRows(states: readonly GpuState[], choices: readonly Choice[]): LinearRow[] {
  const variables = Map.groupBy(choices.keys(), (variable) => choices[variable]?.state)
  return states.map((state) => ({
    kind: 'equal',
    bound: state.gpus.length,
    terms: (variables.get(state) ?? []).map((variable) => [variable, 1] as const),
  }))
}

/** Every demand is met. */
const demandRows = ({ demands }: ReconfigureProblem, rooms: readonly RoomChoice[], offset: number): LinearRow[] =>
  demands.map(({ id, count }) => ({
    kind: 'equal',
    bound: count,
    terms: rooms.flatMap(({ demand }, index) => (demand === id ? [[offset + index, 1] as const] : [])),
  }))

/** In each class there is an instance for everything that runs there now and for the demand sent there. */
function fitRows(problem: ReconfigureProblem, choices: readonly Choice[], rooms: readonly RoomChoice[]): LinearRow[] {
  return runningAndWanted(problem).map(({ supplyClass, profile, running }) => ({
    kind: 'at-least',
    bound: running,
    terms: [
      ...choices.flatMap(({ state, option }, variable) => {
        const count = state.supplyClass === supplyClass ? (option.geometry[profile] ?? 0) : 0
        return count === 0 || option.used === 0 ? [] : [[variable, count] as const]
      }),
      ...rooms.flatMap((room, index) =>
        room.supplyClass === supplyClass && room.profile === profile ? [[choices.length + index, -1] as const] : [],
      ),
    ],
  }))
}

/** Each (class, profile) that matters, with the instances that run there. */
function runningAndWanted({ gpus, demands }: ReconfigureProblem): Need[] {
  const needs = new Map<string, Need>()
  const add = (supplyClass: string, profile: ProfileName, running: number): void => {
    const key = `${supplyClass}\n${profile}`
    const before = needs.get(key)?.running ?? 0
    needs.set(key, { supplyClass, profile, running: before + running })
  }
  for (const { supplyClass, instances } of gpus) {
    for (const { profile, pod } of instances) if (pod !== undefined) add(supplyClass, profile, 1)
  }
  for (const { supplyClass, profile } of demands.flatMap(({ fits }) => fits)) add(supplyClass, profile, 0)
  return [...needs.values()]
}

type Need = { readonly supplyClass: string; readonly profile: ProfileName; readonly running: number }
