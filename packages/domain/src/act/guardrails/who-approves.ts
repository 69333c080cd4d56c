import { areApart } from '../../access/caller.ts'
import { mayActAs, type Role } from '../../access/role.ts'
import type { Guardrail } from '../../plan/guardrail/guardrail.ts'
import { CLASSES, classRow } from '../../plan/words/action-class.ts'
import { duration } from '../../words.ts'
import { stateOf, type ActionRun, type RunState, type Transition } from '../action-run.ts'
import { modeOf } from '../policy/act-policy.ts'
import { firstDue } from '../policy/run-times.ts'
import { WHERE_POLICIES_ARE } from '../policy/where-policies-are.ts'
import type { ActContext, ActRule, Approval } from './act-context.ts'

/** An approval and what it is of, without the cluster. */
export type Approving = Pick<ActContext, 'run' | 'policy' | 'kind' | 'approval' | 'now'>
type ApprovalRule = Guardrail<Approving>['why']

/** A class of change is made only where a person let Septet make it. */
export const followsMode: ApprovalRule = ({ policy, kind }) => {
  const mode = modeOf(policy, kind)
  if (mode === 'approve' || mode === 'auto') return undefined
  const only = mode === 'observe' ? 'observe-only' : 'suggest-only'
  return `${CLASSES[kind].doing} is ${only} on this cluster. An admin can set it to approve in ${WHERE_POLICIES_ARE}.`
}

/** Septet approves a change itself only where its class is on auto, and only what it proposed itself. */
export const approvesItselfOnlyOnAuto: ApprovalRule = ({ policy, kind, approval, run }) => {
  if (approval?.kind !== 'septet') return undefined
  if (modeOf(policy, kind) !== 'auto') {
    return `${CLASSES[kind].doing} is not on auto on this cluster, so Septet may not approve it itself. A person has to approve it.`
  }
  return run.proposer === 'septet'
    ? undefined
    : `${run.proposedBy} proposed this, and Septet approves only what it proposed itself. A person has to approve it.`
}

/** Nothing is changed that nobody has approved. */
export const waitsForApproval: ActRule = (context) =>
  context.approval === undefined ? `This is not approved yet. An ${neededRole(context)} has to approve it.` : undefined

/** What an agent proposed, no program approves that may act for the same person or service. */
export const keepsAgentsFromApprovingThemselves: ApprovalRule = ({ run, approval }) =>
  approval !== undefined && isOwnProposal(run, approval)
    ? `${run.proposedBy} proposed this, and ${approval.name} is not known to act for anyone else: programs cannot approve their own proposals. A person has to approve it.`
    : undefined

/** Whether a program would approve what it, or another one that may act for the same party, proposed. */
const isOwnProposal = (
  { proposer, transitions: [proposed] }: Pick<ActionRun, 'proposer' | 'transitions'>,
  { kind, party }: Pick<Approval, 'kind' | 'party'>,
): boolean => proposer === 'token' && kind === 'token' && !areApart(proposed.party, party)

/** Where a class needs two people, a change is made only once two have said yes who are known to be different people. */
export const hasTwoPeople: ApprovalRule = ({ policy, kind, run, approval }) => {
  if (approval === undefined || !policy.twoPeople.includes(kind)) return undefined
  const needs = `${CLASSES[kind].doing} needs two people on this cluster`
  if (approval.kind !== 'person') return `${needs}. A person has to approve it.`
  const said = yesesOf(run)
  const [first] = said
  if (first === undefined) return `${needs}. After ${approval.name}, another person has to approve it too.`
  return said.some(({ party }) => areApart(party, approval.party))
    ? undefined
    : `${needs}, and ${first.by} is one of them already. Another person has to approve it.`
}

/** People who have said yes to a run that is not approved yet: who proposed it, and who approved it first. */
export const yesesOf = ({
  proposer,
  transitions,
}: Pick<ActionRun, 'proposer' | 'transitions'>): readonly Transition[] =>
  transitions.filter(({ state }, order) => state === 'proposed' && (order > 0 || proposer === 'person'))

/** Who approves has, still, the right to. */
export const asksWhoHasTheRight: ApprovalRule = (context) => {
  const { approval, kind } = context
  if (approval === undefined || approval.kind === 'septet') return undefined
  const needed = neededRole(context)
  return approval.role !== undefined && mayActAs(approval.role, needed)
    ? undefined
    : `${approval.name} may not approve this. ${CLASSES[kind].doing} needs an ${needed}’s approval: ask one.`
}

/** Who may approve a run: a removed node does not come back, whatever class removes it. */
export function neededRole({ kind, run }: Pick<ActContext, 'kind' | 'run'>): Role {
  const removes = run.plan.steps.some(({ action }) => action.kind === 'remove-node')
  return removes ? 'admin' : (classRow(kind).approver ?? 'operator')
}

/** An approval is of one exact plan. */
export const carriesOutWhatWasApproved: ActRule = ({ approval, run }) =>
  approval === undefined || approval.digest === run.digest
    ? undefined
    : `${approval.name} approved a different plan. Review the current plan and approve it again.`

/** An approval holds for a limited time, until the change begins or its owner is warned of it. */
export const letsApprovalsExpire: ActRule = ({ approval, run, policy, now }) => {
  if (approval === undefined || !EXPIRES.has(stateOf(run).state)) return undefined
  // What has a time of its own is approved before that, however long.
  const age = (now - Math.max(approval.at, firstDue(run.plan) ?? 0)) / 1000
  return age <= policy.approvalHolds
    ? undefined
    : `${approval.name} approved this ${duration(age)} ago, and an approval holds for ${duration(policy.approvalHolds)}. Approve it again.`
}

const EXPIRES: ReadonlySet<RunState> = new Set(['proposed', 'approved', 'checked', 'rehearsed'])
