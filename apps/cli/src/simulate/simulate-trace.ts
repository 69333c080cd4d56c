import { meanInterval, type Mark, type MeanInterval } from '@septet/domain'

import type { Progress } from '../progress.ts'
import type { Contest, Opened } from './contest.ts'
import { seedsOf, type SimulateOptions } from './simulate-options.ts'

export type PolicyResult = {
  readonly policy: string
  /** Shares of all GPUs, %: when arrivals had asked for all of them, and after the last arrival. */
  readonly allocatedAt100: MeanInterval | undefined
  readonly allocated: MeanInterval
  /** Points more than the first policy after the last arrival, order by order; undefined for the first itself. */
  readonly besideFirst: MeanInterval | undefined
  readonly fragmented: MeanInterval
  readonly skippedPods: MeanInterval
  readonly secondsPerRun: number
}

export type SimulationReport = {
  readonly as: Contest['as']
  readonly list: string
  readonly gpus: number
  readonly pods: number
  readonly arrivals: number
  readonly seeds: readonly number[]
  readonly notes: readonly string[]
  readonly results: readonly PolicyResult[]
  /** Who allocates most; undefined for one policy. */
  readonly lead: Lead | undefined
  /** What no placement of the same arrivals can exceed, % of the fleet; undefined where none is known. */
  readonly ceiling: MeanInterval | undefined
}

export type Lead = {
  readonly policy: string
  /** Policies that are not clearly behind it: their interval of the difference holds 0. */
  readonly alike: readonly string[]
  /** The best of the others, and how many points it is behind, order by order. */
  readonly next: { readonly policy: string; readonly points: MeanInterval } | undefined
}

/** Figures only: a thousand orders of arrival must not keep a thousand fleets. */
type Runs = {
  readonly policy: string
  readonly at100: number[]
  readonly ends: Mark[]
  readonly ceilings: number[]
  seconds: number
}

/** Runs every policy with every seed; the clock is read only to say how long it took. */
export function simulateTrace(contest: Contest, options: SimulateOptions, progress: Progress): SimulationReport {
  const seeds = seedsOf(options.seeds)
  const runs = contest.policies.map((policy): Runs => ({ policy, at100: [], ends: [], ceilings: [], seconds: 0 }))
  let done = 0
  for (const seed of seeds) {
    for (const kept of runs) {
      const step = (part: number): void =>
        progress.step(done + part, seeds.length * runs.length, `${kept.policy}, seed ${seed}`)
      step(0)
      const begun = performance.now()
      keep(kept, runToEnd(contest.open(kept.policy, { seed, ratio: options.arrivals }), step))
      kept.seconds += (performance.now() - begun) / 1000
      done += 1
    }
  }
  progress.end()
  return {
    as: contest.as,
    list: options.list,
    gpus: contest.gpus,
    pods: contest.pods,
    arrivals: options.arrivals,
    seeds,
    notes: contest.notes,
    results: runs.map((one) => resultOf(one, runs[0])),
    lead: leadOf(runs),
    ceiling: ceilingOf(runs, seeds.length),
  }
}

const PARTS = 50

function runToEnd(opened: Opened, step: (part: number) => void): Opened {
  const part = Math.ceil(opened.arrivals.length / PARTS)
  for (let parts = 1; opened.advance(part); parts += 1) step(parts / PARTS)
  return opened
}

function keep(runs: Runs, { simulations, ceiling }: Opened): void {
  if (ceiling !== undefined) runs.ceilings.push(ceiling)
  for (const simulation of simulations) {
    runs.at100.push(...simulation.marks().map(({ allocated }) => allocated))
    runs.ends.push(simulation.now())
  }
}

function resultOf(runs: Runs, first: Runs | undefined): PolicyResult {
  const { policy, at100, ends, seconds } = runs
  return {
    policy,
    allocatedAt100: at100.length === ends.length ? meanInterval(at100) : undefined,
    allocated: meanInterval(ends.map(({ allocated }) => allocated)),
    besideFirst: first === undefined || first === runs ? undefined : meanInterval(pointsAbove(runs, first)),
    fragmented: meanInterval(ends.map(({ fragmented }) => fragmented)),
    skippedPods: meanInterval(ends.map(({ skipped }) => skipped)),
    secondsPerRun: seconds / ends.length,
  }
}

/** The arrivals are the same for every policy, and so is their ceiling. */
function ceilingOf([first]: readonly Runs[], seeds: number): MeanInterval | undefined {
  return first === undefined || first.ceilings.length < seeds ? undefined : meanInterval(first.ceilings)
}

function leadOf(runs: readonly Runs[]): Lead | undefined {
  const mean = ({ ends }: Runs): number => meanInterval(ends.map(({ allocated }) => allocated)).mean
  const [best, ...others] = runs.toSorted((a, b) => mean(b) - mean(a))
  if (best === undefined || others.length === 0) return undefined
  const behind = others.map((other) => ({ policy: other.policy, points: meanInterval(pointsAbove(best, other)) }))
  const isAlike = ({ points }: (typeof behind)[number]): boolean => points.mean <= (points.halfWidth ?? 0)
  return {
    policy: best.policy,
    alike: behind.filter(isAlike).map(({ policy }) => policy),
    next: behind.find((one) => !isAlike(one)),
  }
}

/** The same seed is the same order of arrival, so differences are taken within it. */
const pointsAbove = ({ ends }: Runs, other: Runs): number[] =>
  ends.map(({ allocated }, index) => allocated - (other.ends[index]?.allocated ?? Number.NaN))
