import type { PodId } from '../../cluster/workload.ts'
import type { Action } from '../words/action.ts'
import type { PlanPolicy } from '../words/plan-policy.ts'
import type { Fleet } from '../../fleet/fleet.ts'

/** When a guardrail is asked: of a step while plans are made, before anybody approves a plan, before its first step. */
export type Moment = 'planning' | 'approval' | 'start'

/** A rule that can veto: a row of the one list of them. */
export type Guardrail<Question> = {
  /** The stable word for machines. */
  readonly code: string
  readonly asked: readonly Moment[]
  /** Its reason goes away without anybody doing something: what is approved waits for that, as long as the approval holds. */
  readonly passes?: true
  /** The reason, in one or two sentences that a person can act on; undefined: there is none. */
  readonly why: (question: Question) => string | undefined
}

/** A step, on the cluster as it is when the step begins. */
export type StepQuestion = {
  readonly action: Action
  readonly state: Fleet
  readonly policy: PlanPolicy
  /** Pods that it stops. */
  readonly displaced: readonly PodId[]
}
export type StepRule = Guardrail<StepQuestion>['why']

/** The first reason that some of these give; the others are not looked at. */
export function firstReason<Item>(items: Iterable<Item>, why: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const because = why(item)
    if (because !== undefined) return because
  }
  return undefined
}

/** `code` is the stable word for machines, `because` one or two sentences for people. */
export type Verdict = { readonly kind: 'allow' } | PlanRefusal

export type PlanRefusal = { readonly kind: 'refuse'; readonly code: string; readonly because: string }

export const ALLOW: Verdict = { kind: 'allow' }

export const refuse = (code: string, because: string): PlanRefusal => ({ kind: 'refuse', code, because })

/** Why a node's GPUs are not touched while pods may still start on it. */
export const notCordoned = (node: string): Verdict =>
  refuse('not-cordoned', `${node} is not cordoned, so new pods could start on it meanwhile. Cordon it first.`)

export const unknownObject = (kind: 'node' | 'workload' | 'GPU', name: string): Verdict =>
  refuse('unknown-object', `The cluster has no ${kind} ${name}.`)
