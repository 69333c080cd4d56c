import type { GpuId, Problem } from '../../cluster/node.ts'
import type { AppointmentAnswer, AppointmentAsk } from '../appointment/appointment.ts'
import type { PlannedGpu } from '../steps/planned-gpus.ts'
import type { GpuTarget, Plan } from '../words/action.ts'
import type { PlanPolicy } from '../words/plan-policy.ts'
import type { Wish } from '../words/wish.ts'
import type { ProfileName } from '../../gpu/geometry.ts'
import type { StartedWorkload, UnblockAnswer } from '../repack/unblock.ts'

/** What a plan is to bring about: all that a person can ask the planner for. */
export type FleetGoal =
  /** Starts as much waiting work as possible. */
  | { readonly kind: 'fit' }
  /** Starts what waits, then uses as few GPUs as possible. */
  | { readonly kind: 'cost' }
  /** A node without GPU pods, so that it can be removed; the one with fewest moves where none is named. */
  | { readonly kind: 'free-node'; readonly node?: string; readonly pool?: string }
  /** Room for one more instance. */
  | { readonly kind: 'room-for'; readonly profile: ProfileName; readonly node?: string; readonly model?: string }
  /** These GPUs become these layouts; the others of their nodes stay as they are. */
  | { readonly kind: 'layout'; readonly targets: readonly GpuTarget[] }
  /** GPUs that are free at an instant. Who is evicted for it may wait; where there is room is said. */
  | { readonly kind: 'appointment'; readonly ask: AppointmentAsk }

/** A plan for a cluster with what it brings and how good it is. */
export type FleetPlan = FleetAnswer & {
  readonly goal: FleetGoal['kind']
  readonly plan: Plan
  /** Under which the plan was made; `checkPlan` wants the same. */
  readonly policy: PlanPolicy
  /** GPUs that it changes, now and after its last step. */
  readonly gpus: readonly PlannedGpu[]
  /** What an appointment sets aside, or how many GPUs can be had. */
  readonly appointment?: AppointmentAnswer
}

export type FleetAnswer = {
  /** There is no such plan; the reason is for people. */
  readonly because?: string
  readonly starts: readonly StartedWorkload[]
  readonly waits: UnblockAnswer['waits']
  /** Whether it is proven that no plan does better; undefined where no bound applies. */
  readonly isBest: boolean | undefined
  /** Undefined where the goal is about no number of GPUs. */
  readonly use: FleetUse | undefined
  readonly saving: FleetSaving | undefined
  /** GPUs that stay as they are, with the reason. */
  readonly leftOut: readonly Problem[]
  /** What a reader must know beside the figures, a sentence each. */
  readonly notes: readonly string[]
}

export const NO_FIGURES = {
  starts: [],
  waits: [],
  isBest: undefined,
  use: undefined,
  saving: undefined,
  leftOut: [],
  notes: [],
} satisfies FleetAnswer

/** GPUs in use, of those that a layout can change; those held whole are counted apart. */
export type FleetUse = {
  readonly gpus: number
  readonly before: number
  readonly after: number
  readonly heldWhole: number
  readonly freed: readonly GpuId[]
  /** No layout holds the same work on fewer. Undefined: not computed. */
  readonly bound: number | undefined
}

/** What GPUs that the plan frees cost per month at the price used. Not saved before the node is gone or has other work. */
export type FleetSaving = {
  readonly gpus: number
  /** Undefined where a price is missing. */
  readonly usdPerMonth: number | undefined
  /** Prices used, or which are missing; a sentence each. */
  readonly prices: readonly string[]
}

export type FleetDraft = {
  readonly answer: FleetAnswer
  readonly wishes: readonly Wish[]
  readonly title: string
  readonly bound: string | undefined
}
