import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { checkPlan } from '../../plan/steps/check-plan.ts'
import type { PlanPolicy } from '../../plan/words/plan-policy.ts'
import { type ActContext, type ActRule, refusing } from './act-context.ts'
import { asHealthy } from './as-healthy.ts'

/** Every step of the plan can be done on the cluster as it is now. */
export const holdsPlan: ActRule = (context) => {
  const { steps, refused } = context.run.plan
  if (steps.length === 0) {
    return refusing('nothing-to-do', refused[0]?.message ?? 'The plan has no step that Septet can apply.')
  }
  return refusing('plan-outdated', changedPod(context) ?? whyNotExecutable(context))
}

/** A pod that was made again under the name of one that the plan evicts. */
function changedPod({ run, state }: ActContext): string | undefined {
  for (const { action } of run.plan.steps) {
    if (action.kind !== 'evict') continue
    const pod = state.pods.get(action.pod)
    if (pod !== undefined && pod.uid !== action.uid) {
      return `${action.pod} is another pod than the one that the plan evicts: it has been recreated since. Propose it again.`
    }
  }
  return undefined
}

/** Pods, namespaces and numbers have rules of their own here. */
function whyNotExecutable({ run, snapshot }: ActContext): string | undefined {
  const { bare, policy } = withoutOthersConcerns(snapshot)
  const verdict = checkPlan(bare, run.plan, policy)
  return verdict.kind === 'executable'
    ? undefined
    : `Step ${verdict.step} of the plan no longer holds: ${verdict.because} Propose it again.`
}

type Bare = { readonly bare: ClusterSnapshot; readonly policy: PlanPolicy }

/** The cluster without what other rules look at, so that each says its own and none hides another. */
function withoutOthersConcerns(snapshot: ClusterSnapshot): Bare {
  const known = BARE.get(snapshot)
  if (known !== undefined) return known
  const bare = {
    ...snapshot,
    budgets: [],
    quotas: [],
    pods: snapshot.pods.map((pod) => ({ ...pod, scheduling: { ...pod.scheduling, evictable: true } })),
    nodes: snapshot.nodes.map(asHealthy),
  }
  const evictUnmanaged = snapshot.pods.map(({ id }) => id)
  const made = { bare, policy: { maxDisplaced: Infinity, mayWait: true, evictUnmanaged, measured: {} } }
  BARE.set(snapshot, made)
  return made
}
/** Many plans are judged on one snapshot. */
const BARE = new WeakMap<ClusterSnapshot, Bare>()
