import { adviceOf, type ActionRun, type GpuId, type WorkloadId } from '@septet/domain'
import { classRow } from '@septet/domain/action-classes'

/** What a run changes, as far as its GPU-hours can be counted before and after. */
export type SavingSubject =
  /** `gpus`: those that it holds where the plan begins. */
  | { readonly kind: 'workload'; readonly workload: WorkloadId; readonly gpus: readonly GpuId[] }
  /** What is held on the GPUs of a node. */
  | { readonly kind: 'node'; readonly node: string; readonly gpus: readonly GpuId[] }
  /** All GPU-hours of a node, held or not: while it is there its bill comes. */
  | {
      readonly kind: 'removed-node'
      readonly node: string
      readonly gpus: readonly GpuId[]
      readonly pool: string | undefined
      /** Models of its GPUs. */
      readonly models: readonly string[]
    }

/** Undefined for what starts or moves waiting work: it is worth something else than GPU-hours. */
export function subjectOf(run: ActionRun): SavingSubject | undefined {
  const { object } = run
  const { effect } = classRow(run.class)
  if (effect === undefined) return undefined
  const touched = gpusOf(run)
  const gpus = touched.map(({ before }) => before.gpu.id)
  if (object.startsWith('workload/')) return { kind: 'workload', workload: object.slice('workload/'.length), gpus }
  if (!object.startsWith('node/')) return undefined
  const node = object.slice('node/'.length)
  const there = touched.filter((each) => each.node === node).map(({ before }) => before.gpu)
  const own = { node, gpus: there.map(({ id }) => id) }
  if (effect === 'capacity-freed') return { kind: 'node', ...own }
  const pool = adviceOf(run)?.evidence.figures.pool
  const models = [...new Set(there.flatMap(({ model }) => model ?? []))]
  return { kind: 'removed-node', ...own, models, pool: typeof pool === 'string' ? pool : undefined }
}

type Touching = { readonly run: ActionRun; readonly subject: SavingSubject }

/**
 * What the GPU-hours of each of these runs are of. A node and a workload that gave up its GPUs there claim the same hours; two
 * workloads, or two nodes, do not because of the third.
 */
export function touchesOf(all: readonly Touching[]): ReadonlyMap<string, readonly string[]> {
  const given = all.flatMap(({ run, subject }) => (subject.kind === 'workload' ? givenUp(run, subject.workload) : []))
  return new Map(
    all.map(({ run, subject }) => {
      if (subject.kind === 'workload') {
        return [run.id, [run.object, ...givenUp(run, subject.workload).map(({ touch }) => touch)]]
      }
      return [run.id, [run.object, ...given.filter(({ node }) => node === subject.node).map(({ touch }) => touch)]]
    }),
  )
}

const gpusOf = (run: ActionRun) => adviceOf(run)?.gpus ?? []

const givenUp = (run: ActionRun, workload: WorkloadId) =>
  [...new Set(gpusOf(run).map(({ node }) => node))].map((node) => ({
    node,
    touch: `workload/${workload} on node/${node}`,
  }))
