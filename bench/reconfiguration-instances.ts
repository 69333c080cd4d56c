import { errorText } from '@septet/domain/words'
import { type Board, boardFor, type GpuNow, type Layout, type ReconfigureProblem } from '@septet/domain'

import { readTrace } from './trace-file.ts'

/** A reconfiguration, and the optima that another solver proved: displaced on the fleet as it is, GPUs, displaced at so few GPUs. */
export type ReferenceInstance = {
  readonly id: string
  readonly problem: ReconfigureProblem
  readonly optima: readonly [number, number, number]
}

/** The shared reconfigurations, or a sentence that says what is missing. */
export function readInstances(input: string | undefined): readonly ReferenceInstance[] {
  const file = 'reconfiguration.json'
  const parsed: unknown = JSON.parse(readTrace({ set: 'mig-packing-instances', name: file, input }))
  if (!Array.isArray(parsed)) throw new Error(`${file} is not a list of instances`)
  return parsed.map((raw: RawInstance, index) => {
    try {
      return referenceOf(raw)
    } catch (error) {
      throw new Error(`${file}, instance ${index}: ${errorText(error)}`, {
        cause: error,
      })
    }
  })
}

type RawInstance = {
  readonly id: string
  readonly states: ReadonlyArray<{ readonly count: number; readonly running: string }>
  readonly new_demand: Readonly<Record<string, number>>
  readonly min_displaced_keep_fleet: { readonly displaced: number }
  readonly min_gpus_full_repack: { readonly gpus: number }
  readonly min_displaced_at_min_gpus: { readonly displaced: number }
}

/** The board of the instances: `1g+m` is the double-memory profile, which an A100-40GB calls 1g.10gb. */
const BOARD = boardOf('A100-SXM4-40GB')
const NAMES: Readonly<Record<string, string>> = {
  '1g': '1g.5gb',
  '1g+m': '1g.10gb',
  '2g': '2g.10gb',
  '3g': '3g.20gb',
  '4g': '4g.20gb',
  '7g': '7g.40gb',
}

function boardOf(model: string): Board {
  const board = boardFor(model)
  if (board === undefined) throw new Error(`no board ${model}`)
  return board
}

function referenceOf(raw: RawInstance): ReferenceInstance {
  const states = raw.states.map(({ count, running }) => ({
    count,
    layout: running.split(' ').filter(Boolean).map(placed),
  }))
  return {
    id: raw.id,
    problem: problemOf(
      states,
      Object.entries(raw.new_demand).map(([name, count]) => [nameOf(name), count] as const),
    ),
    optima: [
      raw.min_displaced_keep_fleet.displaced,
      raw.min_gpus_full_repack.gpus,
      raw.min_displaced_at_min_gpus.displaced,
    ],
  }
}

function nameOf(name: string): string {
  const profile = NAMES[name]
  if (profile === undefined) throw new Error(`unknown profile ${name}`)
  return profile
}

function placed(text: string): Layout[number] {
  const [name = '', start] = text.split('@')
  const profile = nameOf(name)
  const size = BOARD.profiles.find((each) => each.name === profile)?.size ?? 0
  return { profile, placement: { start: Number(start), size } }
}

function problemOf(
  states: ReadonlyArray<{ readonly count: number; readonly layout: Layout }>,
  demand: ReadonlyArray<readonly [profile: string, count: number]>,
): ReconfigureProblem {
  const gpus = states.flatMap(({ count, layout }, state) =>
    Array.from({ length: count }, (_, order): GpuNow => {
      const gpu = `gpu-${String(state).padStart(2, '0')}-${String(order).padStart(4, '0')}`
      return {
        gpu,
        supplyClass: 'a100',
        board: BOARD,
        actuator: 'dra',
        instances: layout.map((instance) => ({
          ...instance,
          partition: `${gpu}/${instance.placement.start}`,
          pod: `team/${gpu}-${instance.placement.start}`,
          movable: true,
        })),
      }
    }),
  )
  const demands = demand
    .filter(([, count]) => count > 0)
    .map(([profile, count]) => ({ id: profile, count, fits: [{ supplyClass: 'a100', profile }] }))
  return { gpus, demands }
}
