import {
  comparePolicies,
  meanInterval,
  type Demand,
  type FleetNode,
  type MeanInterval,
  type Simulation,
} from '@septet/domain'

import type { Progress } from '../progress.ts'
import { seedsOf, type SimulateOptions } from './simulate-options.ts'

export type PolicyResult = {
  readonly policy: string
  /** Shares of all GPUs, %: when arrivals had asked for all of them, and after the last arrival. */
  readonly allocatedAt100: MeanInterval | undefined
  readonly allocated: MeanInterval
  readonly fragmented: MeanInterval
  readonly skippedPods: MeanInterval
  readonly secondsPerRun: number
}

export type SimulationReport = {
  readonly list: string
  readonly gpus: number
  readonly pods: number
  readonly arrivals: number
  readonly seeds: readonly number[]
  readonly results: readonly PolicyResult[]
}

type Runs = { readonly ends: Simulation[]; seconds: number }

/** Runs every policy with every seed; the clock is read only to say how long it took. */
export function simulateTrace(
  trace: { readonly nodes: readonly FleetNode[]; readonly pods: readonly Demand[] },
  options: SimulateOptions,
  progress: Progress,
): SimulationReport {
  const seeds = seedsOf(options.seeds)
  const runs = new Map<string, Runs>(options.policies.map(({ name }) => [name, { ends: [], seconds: 0 }]))
  let done = 0
  for (const seed of seeds) {
    for (const policy of options.policies) {
      progress.step(done, seeds.length * options.policies.length, `${policy.name}, seed ${seed}`)
      const begun = performance.now()
      const comparison = comparePolicies({
        ...trace,
        policies: [policy],
        seed,
        ratio: options.arrivals,
        recordAt: [100],
      })
      comparison.advance(comparison.arrivals.length)
      const kept = runs.get(policy.name)
      kept?.ends.push(...comparison.simulations)
      if (kept !== undefined) kept.seconds += (performance.now() - begun) / 1000
      done += 1
    }
  }
  progress.end()
  return {
    list: options.list,
    gpus: trace.nodes.reduce((sum, { gpus }) => sum + gpus, 0),
    pods: trace.pods.length,
    arrivals: options.arrivals,
    seeds,
    results: [...runs].map(([policy, { ends, seconds }]) => resultOf(policy, ends, seconds)),
  }
}

function resultOf(policy: string, ends: readonly Simulation[], seconds: number): PolicyResult {
  const last = ends.map((end) => end.now())
  const at100 = ends.flatMap((end) => end.marks().map(({ allocated }) => allocated))
  return {
    policy,
    allocatedAt100: at100.length === ends.length ? meanInterval(at100) : undefined,
    allocated: meanInterval(last.map(({ allocated }) => allocated)),
    fragmented: meanInterval(last.map(({ fragmented }) => fragmented)),
    skippedPods: meanInterval(last.map(({ skipped }) => skipped)),
    secondsPerRun: seconds / ends.length,
  }
}
