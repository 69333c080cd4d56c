import { grouped } from '@septet/domain/words'
import {
  compareMigPolicies,
  comparePolicies,
  mapToMig,
  migCeiling,
  migTables,
  type ArrivalRun,
  type Comparison,
  type MappedDemand,
  type MigTables,
} from '@septet/domain'

import type { Alternatives } from './alternatives.ts'
import type { Trace } from './read-trace-folder.ts'
import { countMisfits } from './count-misfits.ts'

/** What is run again and again, whichever way pods share GPUs. */
export type Contest = {
  readonly as: Alternatives['as']
  readonly gpus: number
  /** Pods of the list that take part. */
  readonly pods: number
  /** What stands for what, and who is left out: a reader must know it to use the figures. */
  readonly notes: readonly string[]
  readonly policies: readonly string[]
  /** A fresh fleet for one policy, by its name. */
  open(policy: string, run: { readonly seed: number; readonly ratio: number }): Opened
}

export type Opened = Pick<Comparison<unknown, ArrivalRun<unknown, unknown>>, 'arrivals' | 'simulations' | 'advance'> & {
  /** What no placement of these arrivals can exceed, % of the fleet; undefined where none is known. */
  readonly ceiling: number | undefined
}

/** Throws a sentence where there is nothing to compare. */
export function openContest(trace: Trace, alternatives: Alternatives): Contest {
  const gpus = trace.nodes.reduce((sum, node) => sum + node.gpus, 0)
  if (gpus === 0) throw new Error('No node of the trace has a GPU, so there is nothing to allocate.')
  if (trace.pods.every(({ gpu }) => gpu.kind === 'none'))
    throw new Error('No pod of this list asks for a GPU, so there is nothing to allocate.')
  return alternatives.as === 'mig' ? migContest(trace, alternatives, gpus) : shareContest(trace, alternatives, gpus)
}

function shareContest(trace: Trace, { as, policies }: Alternatives & { as: 'shares' }, gpus: number): Contest {
  return {
    as,
    gpus,
    pods: trace.pods.length,
    notes: misfitNotes(trace),
    policies: policies.map(({ name }) => name),
    open: (policy, run) => {
      const named = policies.filter(({ name }) => name === policy)
      return { ...comparePolicies({ ...trace, ...run, policies: named, recordAt: [100] }), ceiling: undefined }
    },
  }
}

function migContest({ pods }: Trace, { as, board, policies }: Alternatives & { as: 'mig' }, gpus: number): Contest {
  const tables = migTables(board)
  const mapped = mapToMig(pods, tables)
  if (mapped.pods.length === 0) throw new Error('No pod of this list asks for one GPU or a share of one.')
  return {
    as,
    gpus,
    pods: mapped.pods.length,
    notes: migNotes(mapped, tables),
    policies: policies.map(({ name }) => name),
    open: (policy, run) => {
      const named = policies.filter(({ name }) => name === policy)
      const opened = compareMigPolicies({ tables, gpus, pods: mapped.pods, ...run, policies: named, recordAt: [100] })
      return { ...opened, ceiling: migCeiling(tables, gpus, opened.arrivals) }
    },
  }
}

function misfitNotes(trace: Trace): string[] {
  const { count, first } = countMisfits(trace)
  if (first === undefined) return []
  return [
    `${grouped(count)} pods of the list fit on no node even where all are empty (${first} is one): always skipped.`,
  ]
}

function migNotes({ pods, withoutGpu, severalGpus }: MappedDemand, { board, profiles }: MigTables): string[] {
  const counts = profiles.flatMap(({ name }, index) => {
    const count = pods.filter(({ profile }) => profile === index).length
    return count === 0 ? [] : [`${grouped(count)} × ${name}`]
  })
  const above = board.computeSlices === 7 ? ' (above 4: 7g)' : ''
  return [
    `Supposed, not recorded: every GPU is an ${board.key}, and a pod asks for ceil(gpu_milli × ${board.computeSlices} / 1000) ` +
      `compute slices, then the smallest profile with that many${above}: ${counts.join(', ')}.`,
    'CPU, memory, nodes and model limits are not looked at.',
    `Left out: pods without a GPU (${grouped(withoutGpu)}) and with several (${grouped(severalGpus)}).`,
  ]
}
