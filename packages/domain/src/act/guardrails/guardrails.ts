import { displacedBy } from '../../plan/guardrail/displaced-by.ts'
import {
  firstReason,
  refuse,
  type Guardrail,
  type Moment,
  type PlanRefusal,
  type StepRule,
} from '../../plan/guardrail/guardrail.ts'
import { STEP_GUARDRAILS } from '../../plan/guardrail/guardrails.ts'
import { whyDisturbed } from '../../plan/guardrail/keeps-pods.ts'
import { quotaUse } from '../../plan/guardrail/respects-quota.ts'
import { drop, put, rollBack, type Fleet } from '../../fleet/fleet.ts'
import type { Action } from '../../plan/words/action.ts'
import { classOf } from '../policy/act-policy.ts'
import { actContext, type ActContext, type ActQuestion, type ActRule } from './act-context.ts'
import { keepsAppointments, keepsToMaintenanceWindows, obeysStopOrders, takesNoAppointment } from './has-its-time.ts'
import { actsOnItsOwnCluster, hasSteps, holdsPlan, makesOldPlansAnew, readsTheClusterAnew } from './holds-plan.ts'
import { isSureEnough, isWorthIt } from './is-worth-it.ts'
import {
  keepsJoinedNodesWhole,
  keepsOthersOffSharedNodes,
  removesOnlyMovableWork,
  touchesHealthyNodesOnly,
} from './keeps-nodes.ts'
import {
  keepsProtectedLabels,
  keepsProtectedNamespaces,
  keepsWhatOwnersKeep,
  leavesAutoscaledWork,
  leavesForeignObjects,
  leavesToGit,
} from './keeps-what-owners-keep.ts'
import {
  avoidsFlapping,
  changesOneThingAtATime,
  leavesWhatCameToNothing,
  letsObjectsCoolDown,
  waitsAfterFailures,
} from './looks-back.ts'
import { seesWhatItTouches, stopsByItselfOnlyWhatRests } from './sees-what-it-touches.ts'
import { spreadsStepByStep, stopsRolloutAtSetbacks } from './spreads-step-by-step.ts'
import { staysWithin, staysWithinAuto, staysWithinRun } from './stays-within-blast-radius.ts'
import {
  approvesItselfOnlyOnAuto,
  asksWhoHasTheRight,
  carriesOutWhatWasApproved,
  followsMode,
  hasTwoPeople,
  keepsAgentsFromApprovingThemselves,
  letsApprovalsExpire,
  waitsForApproval,
  type Approving,
} from './who-approves.ts'

/** Before somebody approves, so that nothing is offered that fails once it is approved, and again on a new reading. */
const asked = ['approval', 'start'] as const
const passes = true
export const SECOND_PERSON = 'second-person'
const GIT_KEEPS = 'gitops-object'

/** Who may approve it, whether it may be at all, and whether it is worth it: told without a look at the cluster. */
const OF_RUN: readonly Guardrail<Approving>[] = [
  { code: 'mode', asked, why: followsMode },
  { code: 'not-automatic', asked, why: approvesItselfOnlyOnAuto },
  { code: 'own-proposal', asked, why: keepsAgentsFromApprovingThemselves },
  { code: 'not-allowed-to-approve', asked, why: asksWhoHasTheRight },
  { code: SECOND_PERSON, asked, why: hasTwoPeople },
  { code: 'plan-too-old', asked, why: makesOldPlansAnew },
  { code: 'nothing-to-do', asked, why: hasSteps },
  { code: 'saving-too-small', asked, why: isWorthIt },
  { code: 'not-sure-enough', asked, why: isSureEnough },
]

/** Every rule that a run has to pass, in the order in which their reasons are told. */
export const GUARDRAILS: readonly Guardrail<ActContext>[] = [
  { code: 'stopped', asked, passes, why: obeysStopOrders },
  { code: 'not-approved', asked: ['start'], why: waitsForApproval },
  ...OF_RUN,
  { code: 'other-plan-approved', asked, why: carriesOutWhatWasApproved },
  { code: 'approval-expired', asked, why: letsApprovalsExpire },
  { code: 'other-cluster', asked, why: actsOnItsOwnCluster },
  { code: 'reading-too-old', asked, passes, why: readsTheClusterAnew },
  { code: 'plan-outdated', asked, why: holdsPlan },
  { code: 'kept', asked, why: keepsWhatOwnersKeep },
  { code: 'foreign-object', asked, why: leavesForeignObjects },
  { code: GIT_KEEPS, asked, why: leavesToGit },
  { code: 'autoscaled', asked, why: leavesAutoscaledWork },
  { code: 'protected-namespace', asked, why: keepsProtectedNamespaces },
  { code: 'protected-label', asked, why: keepsProtectedLabels },
  { code: 'do-not-disrupt', asked, why: ({ touched, state }) => whyDisturbed({ displaced: touched.pods, state }) },
  { code: 'unmovable', asked, why: removesOnlyMovableWork },
  ...STEP_GUARDRAILS.map((row) => ({ ...row, why: alongSteps(row.why) })),
  { code: 'open-to-others', asked, why: keepsOthersOffSharedNodes },
  { code: 'wanted-whole', asked, why: keepsJoinedNodesWhole },
  { code: 'node-not-healthy', asked, passes, why: touchesHealthyNodesOnly },
  { code: 'telemetry-unknown', asked, passes, why: seesWhatItTouches },
  { code: 'works-now', asked, passes, why: stopsByItselfOnlyWhatRests },
  { code: 'earlier-change-failed', asked, why: waitsAfterFailures },
  { code: 'other-run', asked, passes, why: changesOneThingAtATime },
  { code: 'kept-for-appointment', asked, passes, why: keepsAppointments },
  { code: 'appointment-taken', asked, why: takesNoAppointment },
  { code: 'cool-down', asked, passes, why: letsObjectsCoolDown },
  { code: 'came-to-nothing', asked, passes, why: leavesWhatCameToNothing },
  { code: 'flapping', asked, why: avoidsFlapping },
  { code: 'maintenance-window', asked, passes, why: keepsToMaintenanceWindows },
  { code: 'blast-radius', asked, why: staysWithinRun },
  { code: 'blast-radius-hour', asked, passes, why: staysWithin('hour') },
  { code: 'blast-radius-day', asked, passes, why: staysWithin('day') },
  { code: 'auto-budget-hour', asked, passes, why: staysWithinAuto('hour') },
  { code: 'auto-budget-day', asked, passes, why: staysWithinAuto('day') },
  { code: 'rollout-halted', asked, why: stopsRolloutAtSetbacks },
  { code: 'rollout-stage', asked, passes, why: spreadsStepByStep },
]

/**
 * All reasons why a run is not approved, or its first step not begun, now; none: it may be. A run that has begun is judged by
 * its next step alone, as its own changes are no reason against it.
 */
export function judgeRun(question: ActQuestion, moment: Moment = 'start'): readonly PlanRefusal[] {
  const context = actContext(question)
  return reasonsOf(
    GUARDRAILS.filter((row) => row.asked.includes(moment)),
    context,
  )
}

/** Why a run is not approved, whatever the cluster is like. */
export const judgeApproval = (approving: Omit<Approving, 'kind'>): readonly PlanRefusal[] =>
  reasonsOf(OF_RUN, { ...approving, kind: classOf(approving.run) })

const reasonsOf = <Question>(rows: readonly Guardrail<Question>[], question: Question): readonly PlanRefusal[] =>
  rows.flatMap(({ code, why }) => {
    const because = why(question)
    return because === undefined ? [] : refuse(code, because)
  })

const PASSING: ReadonlySet<string> = new Set(GUARDRAILS.flatMap((row) => (row.passes ? row.code : [])))

/** Whether a reason goes away without anybody doing something: a run waits for that, for as long as its approval holds. */
export const passesByItself = ({ code }: Pick<PlanRefusal, 'code'>): boolean => PASSING.has(code)

/** What is told of a run before anybody approves it. */
export type Outlook = {
  /** Why it would fail when it begins; undefined: nothing known speaks against it. */
  readonly refused: string | undefined
  /** What it would wait for, for as long as the approval holds; undefined: for nothing. */
  readonly waits: string | undefined
}

/** What comes of a run by what speaks against it; `git`: it is left to whoever keeps its object there, and why. */
export function outlookOf(refusals: readonly PlanRefusal[]): Outlook & { readonly git: string | undefined } {
  const [waits, lasting] = [refusals.filter(passesByItself), refusals.filter((refusal) => !passesByItself(refusal))]
  const isForGit = lasting.every(({ code }) => code === GIT_KEEPS)
  return {
    refused: isForGit ? undefined : wordsOf(lasting),
    waits: wordsOf(waits),
    git: isForGit ? wordsOf(lasting) : undefined,
  }
}

const wordsOf = (refusals: readonly PlanRefusal[]): string | undefined =>
  refusals.length === 0 ? undefined : refusals.map(({ because }) => because).join(' ')

/**
 * A guardrail of planning as one of a whole plan: asked about each step on the cluster as it is now, as if all steps before
 * had been done. Nothing else can refuse on the way, so that each guardrail says what it has to say.
 */
function alongSteps(why: StepRule): ActRule {
  return ({ run, state, plans }) => {
    const began = state.journal.length
    const because = firstReason(run.plan.steps, ({ action }) => {
      const reason = why({ action, state, policy: plans, displaced: displacedBy(action, state) })
      if (reason === undefined) assumeDone(action, state)
      return reason
    })
    rollBack(state, began)
    return because
  }
}

/** What a step uses up and who it takes away, done without asking. */
function assumeDone(action: Action, state: Fleet): void {
  for (const { quota, by } of quotaUse(action, state)) {
    put(state, state.quotas, [quota.id, { ...quota, used: quota.used + by }])
  }
  if (action.kind !== 'evict') return
  for (const id of state.budgetsOf.get(action.pod) ?? []) {
    const budget = state.budgets.get(id)
    if (budget !== undefined) put(state, state.budgets, [id, { ...budget, allowed: budget.allowed - 1 }])
  }
  drop(state, state.pods, action.pod)
}
