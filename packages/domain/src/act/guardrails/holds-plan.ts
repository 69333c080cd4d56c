import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { onceFor } from '../../once-for.ts'
import { checkPlan } from '../../plan/steps/check-plan.ts'
import type { PlanPolicy } from '../../plan/words/plan-policy.ts'
import { duration } from '../../words.ts'
import { firstDue } from '../policy/run-times.ts'
import type { ActContext, ActRule } from './act-context.ts'
import { asHealthy } from './as-healthy.ts'
import type { Approving } from './who-approves.ts'

/** A plan is carried out on the cluster that it was made for. */
export const actsOnItsOwnCluster: ActRule = ({ snapshot, run }) =>
  snapshot.cluster === run.cluster && run.plan.cluster === run.cluster
    ? undefined
    : 'The plan was made for another cluster. Create a new one for this cluster.'

/** A reading older than this is not acted on, milliseconds. */
const FRESH_MS = 60_000

/** What is not seen now is not changed: the reading is new, and newer than the plan. */
export const readsTheClusterAnew: ActRule = ({ snapshot, run, now }) => {
  if (snapshot.takenAt < run.plan.madeFrom) {
    return 'The plan was made from a newer reading of the cluster than the one at hand. Wait for the next reading.'
  }
  const age = now - snapshot.takenAt
  return age <= FRESH_MS
    ? undefined
    : `The cluster was last read ${duration(age / 1000)} ago. Check its connection; acting resumes with the next reading.`
}

/** A plan older than this is made again, seconds: what it was concluded from lies too far back. */
const HOLDS = 7 * 86_400

/** A plan is carried out while the reading that it was made from still tells something. */
export function makesOldPlansAnew({ run, now }: Approving): string | undefined {
  const age = (now - Math.max(run.plan.madeFrom, firstDue(run.plan) ?? 0)) / 1000
  return age <= HOLDS
    ? undefined
    : `The plan was made ${duration(age)} ago from cluster data that is now outdated. Propose it again.`
}

/** There is something that Septet can do. */
export const hasSteps = ({ run: { plan } }: Approving): string | undefined =>
  plan.steps.length === 0 ? (plan.refused[0]?.message ?? 'The plan has no step that Septet can apply.') : undefined

/** Every step of the plan can be done on the cluster as it is now. */
export const holdsPlan: ActRule = (context) => changedPod(context) ?? whyNotExecutable(context)

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
const withoutOthersConcerns = onceFor((snapshot: ClusterSnapshot): Bare => {
  const bare = {
    ...snapshot,
    budgets: [],
    quotas: [],
    pods: snapshot.pods.map((pod) => ({ ...pod, scheduling: { ...pod.scheduling, evictable: true } })),
    nodes: snapshot.nodes.map(asHealthy),
  }
  const evictUnmanaged = snapshot.pods.map(({ id }) => id)
  return { bare, policy: { maxDisplaced: Infinity, mayWait: true, evictUnmanaged, measured: {} } }
})
