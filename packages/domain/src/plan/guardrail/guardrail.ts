import type { Action } from '../words/action.ts'
import type { PlanPolicy } from '../words/plan-policy.ts'
import type { Fleet } from '../../fleet/fleet.ts'

/** A rule that can veto an action, in words that a person can act on. */
export type Guardrail = (action: Action, state: Fleet, policy: PlanPolicy) => Verdict

/** `code` is the stable word for machines, `because` one or two sentences for people. */
export type Verdict = { readonly kind: 'allow' } | PlanRefusal

export type PlanRefusal = { readonly kind: 'refuse'; readonly code: string; readonly because: string }

export const ALLOW: Verdict = { kind: 'allow' }

export const refuse = (code: string, because: string): PlanRefusal => ({ kind: 'refuse', code, because })

/** Allows, unless there is a reason not to. */
export const unless = (code: string, because: string | undefined): Verdict =>
  because === undefined ? ALLOW : refuse(code, because)
