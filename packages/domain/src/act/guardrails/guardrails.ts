import type { PlanRefusal } from '../../plan/guardrail/guardrail.ts'
import { actContext, type ActQuestion, type ActRule } from './act-context.ts'
import { obeysStopOrders } from './obeys-stop-orders.ts'
import { followsMode } from './follows-mode.ts'
import { approvesItselfOnlyOnAuto } from './approves-itself-only-on-auto.ts'
import { waitsForApproval } from './waits-for-approval.ts'
import { keepsAgentsFromApprovingThemselves } from './keeps-agents-from-approving-themselves.ts'
import { asksWhoHasTheRight } from './asks-who-has-the-right.ts'
import { carriesOutWhatWasApproved } from './carries-out-what-was-approved.ts'
import { letsApprovalsExpire } from './lets-approvals-expire.ts'
import { actsOnItsOwnCluster } from './acts-on-its-own-cluster.ts'
import { readsTheClusterAnew } from './reads-the-cluster-anew.ts'
import { makesOldPlansAnew } from './makes-old-plans-anew.ts'
import { holdsPlan } from './holds-plan.ts'
import { keepsWhatOwnersKeep } from './keeps-what-owners-keep.ts'
import { leavesForeignObjects } from './leaves-foreign-objects.ts'
import { leavesAutoscaledWork } from './leaves-autoscaled-work.ts'
import { keepsProtectedNamespaces } from './keeps-protected-namespaces.ts'
import { keepsProtectedLabels } from './keeps-protected-labels.ts'
import { keepsUndisturbedPods } from './keeps-undisturbed-pods.ts'
import { keepsBarePods } from './keeps-bare-pods.ts'
import { removesOnlyMovableWork } from './removes-only-movable-work.ts'
import { respectsDisruptionBudgets } from './respects-disruption-budgets.ts'
import { respectsQuotas } from './respects-quotas.ts'
import { isolatesTenants } from './isolates-tenants.ts'
import { keepsOthersOffSharedNodes } from './keeps-others-off-shared-nodes.ts'
import { keepsJoinedNodesWhole } from './keeps-joined-nodes-whole.ts'
import { touchesHealthyNodesOnly } from './touches-healthy-nodes-only.ts'
import { sparesGpusInUse } from './spares-gpus-in-use.ts'
import { seesWhatItTouches } from './sees-what-it-touches.ts'
import { stopsByItselfOnlyWhatRests } from './stops-by-itself-only-what-rests.ts'
import { waitsAfterFailures } from './waits-after-failures.ts'
import { changesOneThingAtATime } from './changes-one-thing-at-a-time.ts'
import { keepsAppointments } from './keeps-appointments.ts'
import { letsObjectsCoolDown } from './lets-objects-cool-down.ts'
import { avoidsFlapping } from './avoids-flapping.ts'
import { keepsToMaintenanceWindows } from './keeps-to-maintenance-windows.ts'
import { isWorthIt } from './is-worth-it.ts'
import { isSureEnough } from './is-sure-enough.ts'
import { stopsRolloutAtSetbacks } from './stops-rollout-at-setbacks.ts'
import { spreadsStepByStep } from './spreads-step-by-step.ts'
import {
  staysWithinAutoDay,
  staysWithinAutoHour,
  staysWithinDay,
  staysWithinHour,
  staysWithinRun,
} from './stays-within-blast-radius.ts'

/** Every rule that a run has to pass, in the order in which their reasons are told. */
const GUARDRAILS: readonly ActRule[] = [
  obeysStopOrders,
  followsMode,
  approvesItselfOnlyOnAuto,
  waitsForApproval,
  keepsAgentsFromApprovingThemselves,
  asksWhoHasTheRight,
  carriesOutWhatWasApproved,
  letsApprovalsExpire,
  actsOnItsOwnCluster,
  readsTheClusterAnew,
  makesOldPlansAnew,
  holdsPlan,
  keepsWhatOwnersKeep,
  leavesForeignObjects,
  leavesAutoscaledWork,
  keepsProtectedNamespaces,
  keepsProtectedLabels,
  keepsUndisturbedPods,
  keepsBarePods,
  removesOnlyMovableWork,
  respectsDisruptionBudgets,
  respectsQuotas,
  isolatesTenants,
  keepsOthersOffSharedNodes,
  keepsJoinedNodesWhole,
  touchesHealthyNodesOnly,
  sparesGpusInUse,
  seesWhatItTouches,
  stopsByItselfOnlyWhatRests,
  waitsAfterFailures,
  changesOneThingAtATime,
  keepsAppointments,
  letsObjectsCoolDown,
  avoidsFlapping,
  keepsToMaintenanceWindows,
  isWorthIt,
  isSureEnough,
  staysWithinRun,
  staysWithinHour,
  staysWithinDay,
  staysWithinAutoHour,
  staysWithinAutoDay,
  stopsRolloutAtSetbacks,
  spreadsStepByStep,
]

/**
 * All reasons why a run is not approved, or its first step not begun, now; none: it may be. A run that has begun is judged by
 * its next step alone, as its own changes are no reason against it.
 */
export function judgeRun(question: ActQuestion): readonly PlanRefusal[] {
  const context = actContext(question)
  return GUARDRAILS.flatMap((rule) => rule(context) ?? [])
}
