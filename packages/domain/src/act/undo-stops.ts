import type { ClusterSnapshot } from '../cluster/inventory.ts'
import type { PodId } from '../cluster/workload.ts'
import type { Action } from '../plan/words/action.ts'
import type { ActionRun, RecordedWrite } from './action-run.ts'
import { reachedStep } from './run-states.ts'
import { holdersOf } from './undo-actions.ts'

/** Pods that an undo would stop, in text order; or why nobody knows. */
export type UndoStops = { readonly pods: readonly PodId[] } | { readonly unknown: string }

type Seen = Pick<ClusterSnapshot, 'nodes' | 'allocations'>

/**
 * Which pods taking a run back would stop on the cluster as it is now: those that hold what is taken away, whether they moved
 * there since or not, and those of workloads that get their former size back.
 */
export function undoStops(run: Pick<ActionRun, 'plan' | 'transitions'>, seen: Seen): UndoStops {
  const begun = lastBegun(run)
  const actions = run.plan.steps.flatMap(({ number, inverse }) => (number <= begun ? inverse : []))
  const unsure = actions.map((action) => whyUnknown(action, seen)).find((because) => because !== undefined)
  if (unsure !== undefined) return { unknown: unsure }
  return { pods: [...new Set(actions.flatMap((action) => stoppedBy(action, seen)))].toSorted() }
}

/** The furthest step of a run that was begun; 0: none. */
export const lastBegun = (run: Pick<ActionRun, 'plan' | 'transitions'>): number =>
  Math.min(run.plan.steps.length, reachedStep(run))

/** Pods that the undo of a run has stopped, as its writes say; one whose answer was lost counts, since the undo waits for it. */
export const stoppedByUndo = (writes: readonly RecordedWrite[]): readonly PodId[] => {
  const sent = writes.filter(({ isUndo, outcome }) => isUndo && outcome?.kind !== 'refused')
  const stopped = sent.flatMap(({ stops, what }) => stops ?? (what.startsWith(EVICT) ? [what.slice(EVICT.length)] : []))
  return [...new Set(stopped)].toSorted()
}

const EVICT = 'evict pods '

function stoppedBy(action: Action, { nodes, allocations }: Seen): readonly PodId[] {
  if (action.kind === 'repartition') return [...holdersOf(action, { nodes, allocations })]
  if (action.kind === 'share') {
    const gpus = nodes.find(({ name }) => name === action.node)?.gpus ?? []
    const partitions = new Set(gpus.flatMap((gpu) => gpu.partitions.map(({ id }) => id)))
    return allocations.flatMap(({ partition, pod }) => (partitions.has(partition) ? [pod] : []))
  }
  if (action.kind === 'resize') {
    return allocations.flatMap(({ workload, pod }) => (workload === action.workload ? [pod] : []))
  }
  return []
}

/** A pod without a device may hold any of its node's. */
function whyUnknown(action: Action, { nodes }: Seen): string | undefined {
  if (action.kind !== 'repartition' && action.kind !== 'share') return undefined
  const node = nodes.find(({ name }) => name === action.node)
  if (node === undefined) return `${action.node} is not in the last reading of the cluster.`
  return node.problems.some(({ code }) => code === 'more-held-than-exists')
    ? `${action.node} runs pods whose devices are not known yet.`
    : undefined
}
