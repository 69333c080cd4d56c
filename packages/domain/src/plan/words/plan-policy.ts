import type { PodId } from '../../cluster/workload.ts'
import type { Action, DurationEstimate } from './action.ts'

/** What a person allows a plan to do. */
export type PlanPolicy = {
  /** The most pods that one plan may displace. */
  readonly maxDisplaced: number
  /** Whether a pod may be displaced although no room is kept for it, so that it waits in the queue. */
  readonly mayWait: boolean
  /** Pods without a controller whose loss a person agreed to, by name: nothing makes them again. */
  readonly evictUnmanaged: readonly PodId[]
  /** Namespaces whose pods stay where they are; `team-*` is every one that begins so. */
  readonly protectedNamespaces?: readonly string[]
  /** How long steps took on this cluster, where that was measured. */
  readonly measured: Readonly<Partial<Record<Action['kind'], DurationEstimate>>>
}

/** Moves up to ten pods, keeps room for each, and leaves pods without a controller alone. */
export const CAREFUL_POLICY: PlanPolicy = { maxDisplaced: 10, mayWait: false, evictUnmanaged: [], measured: {} }
