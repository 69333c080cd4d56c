import type { Progress } from '../progress.ts'
import { openContest } from './contest.ts'
import { explainPod } from './explain-pod.ts'
import { formatExplanation } from './format-explanation.ts'
import { formatSimulation } from './format-simulation.ts'
import { readTraceFolder } from './read-trace-folder.ts'
import { readSimulateOptions, SIMULATE_HELP } from './simulate-options.ts'
import { simulateTrace } from './simulate-trace.ts'

/** `septet simulate`: what it prints. Throws with a sentence where it cannot. */
export function runSimulate(args: readonly string[], progress: Progress): string {
  if (args.includes('--help')) return `${SIMULATE_HELP}\n`
  const options = readSimulateOptions(args)
  const trace = readTraceFolder(options.trace, options.list)
  const contest = openContest(trace, options.alternatives)
  if (options.explain !== undefined) {
    const explanation = explainPod(trace, options, options.explain)
    return options.format === 'json' ? json(explanation) : formatExplanation(explanation)
  }
  const report = simulateTrace(contest, options, progress)
  return options.format === 'json' ? json(report) : formatSimulation(report)
}

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`
