import { POLICIES } from '@septet/domain'

import { numberOf, parseOptions, UsageError } from '../options/command-options.ts'
import { MIG_EXAMPLES, readAlternatives, type Alternatives } from './alternatives.ts'

export type SimulateOptions = {
  /** Folder of the trace. */
  readonly trace: string
  readonly alternatives: Alternatives
  readonly list: string
  readonly arrivals: number
  readonly seeds: number
  readonly format: 'text' | 'json'
  /** Name of a pod to explain. */
  readonly explain: string | undefined
}

const FIRST_SEED = 42
const MOST_SEEDS = 1000
const MOST_ARRIVALS = 10

export const SIMULATE_HELP = `septet simulate --trace DIR [--as shares|mig] [--policy NAME,NAME] [--list default] [--arrivals 1.3] [--seeds 10] [--json] [--explain POD]

Compares how much of a fleet's GPUs each placement policy can allocate. Pods from the trace arrive in random order, are
placed one by one and never moved; a pod that fits nowhere is skipped (protocol of Weng et al., USENIX ATC 2023).

  --trace DIR        holds openb_node_list_gpu_node.csv and openb_pod_list_<list>.csv (Alibaba cluster-trace-gpu-v2023)
  --as shares        what a pod gets: GPU shares and whole GPUs as recorded, or MIG instances (mig)
  --board A100-80GB  with --as mig: what every GPU of the fleet is taken to be
  --policy a,b       which policies (below); the others are compared with the first
  --list default     which list of pods: default, gpuspec33, gpushare100, or any other that DIR has
  --arrivals 1.3     GPU request of all arrivals over the fleet's GPUs
  --seeds 10         orders of arrival to try, named ${FIRST_SEED}, ${FIRST_SEED + 1}, …
  --json             print JSON instead of a table
  --explain POD      show where this pod went, and which spots were nearly as good, for the first seed

Policies, --as shares:
${policyLines(POLICIES)}

Policies, --as mig (on an A100-80GB; static layouts are named for the board's profiles):
${policyLines(MIG_EXAMPLES)}`

/** Reads the options of `septet simulate`. Throws a `UsageError`. */
export function readSimulateOptions(args: readonly string[]): SimulateOptions {
  const values = parseOptions(args, OPTIONS)
  if (values.trace === undefined) throw new UsageError('Name the folder of the trace: --trace DIR.')
  if (!/^[\w-]+$/u.test(values.list))
    throw new UsageError(`--list is "${values.list}" but must be a list's name, such as default.`)
  return {
    trace: values.trace,
    alternatives: readAlternatives(values),
    list: values.list,
    arrivals: numberOf('--arrivals', values.arrivals, { least: 0.01, most: MOST_ARRIVALS, whole: false }),
    seeds: numberOf('--seeds', values.seeds, { least: 1, most: MOST_SEEDS, whole: true }),
    format: values.json ? 'json' : 'text',
    explain: values.explain,
  }
}

/** The seeds of so many orders of arrival. */
export const seedsOf = (count: number): number[] => Array.from({ length: count }, (_, index) => FIRST_SEED + index)

const OPTIONS = {
  trace: { type: 'string' },
  as: { type: 'string', default: 'shares' },
  board: { type: 'string' },
  policy: { type: 'string' },
  list: { type: 'string', default: 'default' },
  arrivals: { type: 'string', default: '1.3' },
  seeds: { type: 'string', default: '10' },
  json: { type: 'boolean', default: false },
  explain: { type: 'string' },
} as const

function policyLines(policies: ReadonlyArray<{ readonly name: string; readonly description: string }>): string {
  return policies.map(({ name, description }) => `  ${name.padEnd(16)}  ${description}`).join('\n')
}
