import type { ClusterSnapshot } from '../cluster/inventory.ts'
import type { Pod, PodId } from '../cluster/workload.ts'
import type { Action, PlanStep } from '../plan/words/action.ts'
import type { ActionRun, RecordedWrite } from './action-run.ts'
import { reachedStep } from './run-states.ts'
import { isSameCut } from '../fleet/gpu-state.ts'
import { geometryOf } from '../gpu/layout.ts'

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

/**
 * What takes one step back on the cluster as it is now. Work that has moved onto GPUs which are cut back is evicted first,
 * within its disruption budgets: mig-manager cuts no GPU that somebody holds, and the device plugin would give a held one out
 * again.
 */
export function undoActions(step: PlanStep, snapshot: ClusterSnapshot): readonly Action[] {
  return step.inverse.flatMap((action) => {
    if (action.kind === 'repartition') {
      const replaces = step.action.kind === 'repartition' ? { replaces: step.action.config } : {}
      const holders = holdersOf(action, snapshot)
      const pods = snapshot.pods.filter(({ id }) => holders.has(id))
      return [...evictionsOf(pods, action.node), { ...action, ...replaces }]
    }
    if (action.kind !== 'share') return [action]
    return [
      ...evictionsOf(
        snapshot.pods.filter(({ node }) => node === action.node),
        action.node,
      ),
      action,
    ]
  })
}

/** Who holds what a cut takes away. */
function holdersOf(
  action: Extract<Action, { readonly kind: 'repartition' }>,
  { nodes, allocations }: Pick<ClusterSnapshot, 'nodes' | 'allocations'>,
): ReadonlySet<PodId> {
  const node = nodes.find(({ name }) => name === action.node)
  const changing = new Set(
    action.gpus.flatMap(({ gpu: id, from, to }) => {
      const gpu = node?.gpus.find((each) => each.id === id)
      const now = { migEnabled: from.migEnabled, geometry: geometryOf(from.layout) }
      return gpu !== undefined && !isSameCut(gpu, now, to) ? gpu.partitions.map((partition) => partition.id) : []
    }),
  )
  return new Set(allocations.flatMap(({ partition, pod }) => (changing.has(partition) ? [pod] : [])))
}

/** Whether a live pod is known by a reading, and by it holds only what a cut leaves as it is. */
export function holdsBeside(
  action: Action,
  { id, uid }: Pick<Pod, 'id' | 'uid'>,
  snapshot: Pick<ClusterSnapshot, 'nodes' | 'allocations' | 'pods'>,
): boolean {
  const isKnown = snapshot.pods.some((pod) => pod.id === id && pod.uid === uid)
  const holds = snapshot.allocations.some(({ pod }) => pod === id)
  return isKnown && holds && action.kind === 'repartition' && !holdersOf(action, snapshot).has(id)
}

const evictionsOf = (pods: readonly Pod[], node: string): readonly Action[] =>
  pods.map(({ id, uid, workload }) => ({
    kind: 'evict',
    pod: id,
    uid,
    workload,
    because: `GPUs of ${node} change back`,
  }))
