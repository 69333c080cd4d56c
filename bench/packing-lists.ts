import { BOARDS, planLayout, type Board, type LayoutPlan, type LayoutProblem } from '@septet/domain'

import { readTrace } from './trace-file.ts'

/** A list of MIG workloads in arrival order, and the fewest GPUs that hold them, proven. */
export type Packing = {
  readonly id: string
  readonly mix: string
  readonly n: number
  readonly arrivals: readonly string[]
  readonly optimum: number
}

/** The board that the lists' generic profiles stand for. */
const packingBoard = boardOf('A100-80GB')

/** The lists' generic profiles, as the board with eight memory slices calls them; in the order of the count vectors. */
const PROFILES: ReadonlyMap<string, string> = new Map([
  ['1g', '1g.10gb'],
  ['1g+m', '1g.20gb'],
  ['2g', '2g.20gb'],
  ['3g', '3g.40gb'],
  ['4g', '4g.40gb'],
  ['7g', '7g.80gb'],
])

function boardOf(key: string): Board {
  const found = BOARDS.find((candidate) => candidate.key === key)
  if (found === undefined) throw new Error(`no board ${key}`)
  return found
}

/** The shared packing lists. Throws a sentence that says what is missing. */
export function readPackings(input: string | undefined): readonly Packing[] {
  const list: unknown = JSON.parse(readTrace({ set: 'mig-packing-instances', name: 'packing.json.gz', input }))
  if (!Array.isArray(list)) throw new Error('packing.json.gz holds no list')
  return list.map(readPacking)
}

function readPacking(row: unknown, index: number): Packing {
  const fields: Record<string, unknown> = typeof row === 'object' && row !== null ? { ...row } : {}
  const { id, mix, n, arrivals, optimal_gpus: optimum } = fields
  if (
    typeof id !== 'string' ||
    typeof mix !== 'string' ||
    typeof arrivals !== 'string' ||
    typeof optimum !== 'number'
  ) {
    throw new Error(`packing.json.gz, instance ${index}: id, mix, arrivals or optimal_gpus is missing`)
  }
  const names = arrivals.split(' ')
  const unknown = names.find((name) => !PROFILES.has(name))
  if (unknown !== undefined) throw new Error(`packing.json.gz, ${id}: there is no profile ${unknown}`)
  return { id, mix, n: typeof n === 'number' ? n : names.length, arrivals: names, optimum }
}

function problemOf(arrivals: readonly string[]): LayoutProblem {
  const counts = new Map<string, number>()
  for (const name of arrivals) counts.set(name, (counts.get(name) ?? 0) + 1)
  return {
    classes: [
      {
        id: 'a100',
        model: 'A100-SXM4-80GB',
        pool: 'all',
        board: packingBoard,
        supply: arrivals.length,
        price: undefined,
        actuator: 'mig-manager',
      },
    ],
    demands: [...counts].map(([name, count]) => ({
      id: name,
      count,
      fits: [{ supplyClass: 'a100', profile: PROFILES.get(name) ?? name }],
    })),
  }
}

/** Our plan for a list, on as many GPUs as it has workloads. */
export function planPacking(arrivals: readonly string[]): LayoutPlan {
  const answer = planLayout(problemOf(arrivals))
  if (answer.totals.placed < arrivals.length) throw new Error('a workload has no place')
  return answer
}
