import type { PodId, WorkloadId } from '../cluster/workload.ts'
import type { Plan } from '../plan/words/action.ts'
import type { Recommendation } from '../plan/recommend/recommendation.ts'
import type { ActionClass } from '../plan/words/action-class.ts'
import type { Instant, Window } from '../units.ts'
import type { HeldWork } from './savings/same-work.ts'
import type { CountedWork } from './savings/work-reader.ts'

/**
 * Where a run stands. `checked`: the plan still holds on a fresh snapshot; `rehearsed`: the API server took every write as a
 * dry run; `handed-over`: git keeps what it changes, so that somebody else applies it and Septet looks on; `warned`: the owner was told and may still say no; `applied`: every step is done; `verified`: the cluster is as
 * the plan says; `kept`: nothing got worse while it was watched.
 */
export const RUN_STATES = [
  'proposed',
  'approved',
  'checked',
  'rehearsed',
  'handed-over',
  'warned',
  'applying',
  'applied',
  'verified',
  'kept',
  'reverting',
  'reverted',
  'rejected',
  'expired',
  'cancelled',
  'failed',
] as const
export type RunState = (typeof RUN_STATES)[number]

/**
 * What a run comes from: a rule's recommendation; or what a person asked for, of which nothing is measured, estimated or more
 * or less sure. Who asked is its proposer.
 */
export type RunCause =
  | { readonly kind: 'advice'; readonly recommendation: Recommendation }
  /** What is wanted, and what it costs others: each as it is said in a sentence. */
  | { readonly kind: 'wish'; readonly wants: string; readonly costs: string }

/** One plan on its way from a proposal to a change that was kept or taken back. */
export type ActionRun = {
  readonly id: string
  readonly cluster: string
  readonly class: ActionClass
  /** What it is about: `workload/…`, `node/…`, as the recommendation says. */
  readonly object: string
  readonly title: string
  readonly cause: RunCause
  /** The exact change that is approved. */
  readonly plan: Plan
  /** SHA-256 over the plan: an approval is of this and of nothing else. */
  readonly digest: string
  readonly proposedAt: Instant
  readonly proposedBy: string
  /** A person, an agent's token, or Septet itself where the class is on auto. */
  readonly proposer: Proposer
  /** First to last; never empty. The last one is where it stands. */
  readonly transitions: readonly [Transition, ...Transition[]]
}

export type Proposer = 'person' | 'token' | 'septet'

export type Transition = {
  /** 1, 2, … */
  readonly number: number
  readonly at: Instant
  readonly state: RunState
  /** To be read: e-mail address, `token:NAME` or `septet`. */
  readonly by: string
  /** Who that was, and for whom they acted, as callers are told apart; left out for Septet, and where it was not kept. */
  readonly caller?: string | undefined
  readonly party?: string | undefined
  /** One sentence. */
  readonly because: string
  /** The step of the plan that is done next; in `reverting` the step that is taken back next, counted from the last. */
  readonly step?: number | undefined
  /** When this state ends by itself: an approval's expiry, the end of a warning, the end of watching. */
  readonly until?: Instant | undefined
}

/** A write to the cluster, or a rehearsal of one: written down before it is sent, so that none is forgotten. */
export type RecordedWrite = {
  readonly run: string
  /** 1, 2, … within its run. */
  readonly number: number
  readonly at: Instant
  /** Step of the plan, and whether it takes the step back. */
  readonly step: number
  readonly isUndo: boolean
  /** It is sent as a dry run, to hear whether the API server would take it. */
  readonly isRehearsal?: true
  /** Same for the same write however often it is tried. */
  readonly key: string
  /** `patch nodes/gpu-h100-08`: verb and object. */
  readonly what: string
  /** One sentence for people. */
  readonly says: string
  /** Pods that run and that it stops, though it names none or another; undefined: none but one that it evicts by name. */
  readonly stops?: readonly PodId[]
  /** Undefined: it was sent, and what came of it was not written down. */
  readonly outcome: WriteResult | undefined
}

export type WriteResult = { readonly kind: 'done' | 'refused'; readonly at: Instant; readonly because: string }

/** Stops all acting: everywhere, or on one cluster. */
export type StopOrder = {
  /** Undefined: on every cluster. */
  readonly cluster: string | undefined
  readonly at: Instant
  readonly by: string
  readonly because: string
}

/** What an object held and did, hour by hour, in hours of UTC. */
export type MeasuredHours = {
  readonly window: Window
  /** GPU-hours that it held in each hour of the window, first to last; null where nothing was measured. */
  readonly heldByHour: readonly (number | null)[]
  /** What it did in each of these hours, where that is counted. */
  readonly work?: CountedWork
}

/** What was measured before, kept when the run was approved: it must not move while the saving is judged. */
export type Baseline = MeasuredHours & {
  readonly workload: WorkloadId | undefined
  readonly usdPerGpuHour: number | undefined
  readonly priceSource: string | undefined
  /** Paid for whether it runs or not, as in `Price`. */
  readonly prepaid?: true
  /** Of a node that goes: GPUs that its pool had with it, mean over the window. */
  readonly poolGpus?: number
  /** Of a node that goes: the pools that there were, so that one that is renamed is not taken for another. */
  readonly pools?: readonly string[]
  /** By what its work, or that of its node, is known again. Absent: kept by a Septet that did not look for that. */
  readonly works?: readonly HeldWork[]
  /** Workloads of other names whose pods the plan moves. */
  readonly displaced?: readonly WorkloadId[]
}

/** The recommendation that it comes from; undefined: a person asked for it. */
export const adviceOf = ({ cause }: Pick<ActionRun, 'cause'>): Recommendation | undefined =>
  cause.kind === 'advice' ? cause.recommendation : undefined

export const stateOf = ({ transitions }: Pick<ActionRun, 'transitions'>): Transition =>
  transitions.at(-1) ?? transitions[0]
