import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Gpu } from '../../cluster/node.ts'
import { onceFor } from '../../once-for.ts'
import { refuse, type Verdict } from '../guardrail/guardrail.ts'
import type { Action, Plan, PlanStep } from '../words/action.ts'
import { applyAction } from './apply-action.ts'
import { clusterFaults } from '../../fleet/cluster-faults.ts'
import { whyConditionFails } from './conditions.ts'
import { CAREFUL_POLICY, type PlanPolicy } from '../words/plan-policy.ts'
import { openFleet, rollBack, snapshotOf, type Fleet } from '../../fleet/fleet.ts'

export type StepOutcome =
  | { readonly kind: 'applied'; readonly snapshot: ClusterSnapshot }
  | { readonly kind: 'refused'; readonly code: string; readonly because: string }

export type PlanVerdict =
  | { readonly kind: 'executable'; readonly snapshot: ClusterSnapshot }
  /** The step that cannot be done; the steps before it can. */
  | { readonly kind: 'refused'; readonly step: number; readonly code: string; readonly because: string }

/**
 * Whether the whole plan can be carried out on this snapshot, step after step, and what the cluster is afterwards. Budgets,
 * quotas and the limit of displaced pods are used up along the way. It changes nothing but its own copy.
 */
export function checkPlan(snapshot: ClusterSnapshot, plan: Plan, policy: PlanPolicy = CAREFUL_POLICY): PlanVerdict {
  const state = begun(snapshot)
  try {
    for (const step of plan.steps) {
      const verdict = tryStep(state, step, policy)
      if (verdict.kind === 'refuse') return { ...verdict, kind: 'refused', step: step.number }
    }
    const after = snapshotOf(state)
    const fault = newFault(snapshot, after)
    if (fault !== undefined) return { kind: 'refused', step: plan.steps.length, code: 'illegal', because: fault }
    return { kind: 'executable', snapshot: after }
  } finally {
    rollBack(state, 0)
  }
}

/** Many plans are tried out on one snapshot, each on what the one before has taken back. */
const begun = onceFor(openFleet)

/** What was not impossible before. A plan takes pods away and binds none, so that only nodes which it changes can hold it. */
function newFault(before: ClusterSnapshot, after: ClusterSnapshot): string | undefined {
  const now = new Map(after.nodes.map((node) => [node.name, node]))
  const changed = new Set(before.nodes.flatMap((node) => (now.get(node.name) === node ? [] : node.name)))
  if (changed.size === 0) return undefined
  const held = new Set(before.nodes.flatMap((node) => (changed.has(node.name) ? node.gpus.flatMap(idsOf) : [])))
  const there = (snapshot: ClusterSnapshot): ClusterSnapshot => ({
    ...snapshot,
    nodes: snapshot.nodes.filter(({ name }) => changed.has(name)),
    pods: snapshot.pods.filter(({ node }) => node !== undefined && changed.has(node)),
    allocations: snapshot.allocations.filter(({ partition }) => held.has(partition)),
  })
  const known = new Set(clusterFaults(there(before)))
  return clusterFaults(there(after)).find((sentence) => !known.has(sentence))
}

const idsOf = ({ partitions }: Gpu) => partitions.map(({ id }) => id)

/** One step on a snapshot: the snapshot afterwards, or why the step is refused. */
export function applyStep(
  snapshot: ClusterSnapshot,
  step: Pick<PlanStep, 'action' | 'preconditions'>,
  policy: PlanPolicy = CAREFUL_POLICY,
): StepOutcome {
  const state = openFleet(snapshot)
  const verdict = tryStep(state, step, policy)
  if (verdict.kind === 'refuse') return { ...verdict, kind: 'refused' }
  return { kind: 'applied', snapshot: snapshotOf(state) }
}

/**
 * What takes back the steps done so far, in order: the inverses of the last step first. What a step cannot give back is
 * in `lost`, in sentences.
 */
export function wayBack(steps: readonly PlanStep[]): {
  readonly actions: readonly Action[]
  readonly lost: readonly string[]
} {
  const removed = new Set(steps.flatMap(({ action }) => (action.kind === 'remove-node' ? action.node : [])))
  const actions = steps
    .toReversed()
    .flatMap(({ inverse }) => inverse)
    .filter((action) => !('node' in action) || !removed.has(action.node))
  return { actions, lost: steps.flatMap(({ action }) => lossOf(action) ?? []) }
}

function lossOf(action: Action): string | undefined {
  if (action.kind === 'evict') {
    return `${action.pod} was evicted: its controller makes a new pod, which starts from its last checkpoint or from the beginning.`
  }
  if (action.kind === 'remove-node') return `${action.node} was removed: a new node has to be added, under a new name.`
  if (action.kind === 'resize') {
    return `The pods of ${action.workload} were replaced: their requests can be restored, what they had in memory cannot.`
  }
  return action.kind === 'scale' && action.to < action.from
    ? `${action.workload} was scaled down: the number of pods can be restored, what they had in memory cannot.`
    : undefined
}

function tryStep(state: Fleet, step: Pick<PlanStep, 'action' | 'preconditions'>, policy: PlanPolicy): Verdict {
  for (const condition of step.preconditions) {
    const because = whyConditionFails(condition, state)
    if (because !== undefined) return refuse('precondition', because)
  }
  return applyAction(state, step.action, policy)
}
