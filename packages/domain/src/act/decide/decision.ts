import type { Action } from '../../plan/words/action.ts'
import type { PodId } from '../../cluster/workload.ts'
import type { Instant } from '../../units.ts'
import type { LastDue } from '../nodes/pool-budget.ts'
import type { ClusterWrite, LiveObject, ObjectRef } from '../cluster-writer.ts'

/** What has to be looked at before a decision can be made. */
export type StepAsk =
  | { readonly kind: 'object'; readonly object: ObjectRef }
  | {
      readonly kind: 'objects'
      readonly objects: Omit<ObjectRef, 'name'>
      readonly labelSelector?: string
      readonly fieldSelector?: string
    }

/** What is there; an `object` that is not there is an empty list. */
export type Ruled = readonly LiveObject[]

/** What to do about a step, as the cluster is now. */
export type StepDecision =
  | { readonly kind: 'done'; readonly because: string }
  /** `key` names the write within its step, so that it can be counted how often it was tried. */
  | {
      readonly kind: 'write'
      readonly key: string
      readonly write: ClusterWrite
      readonly says: string
      /** As in `RecordedWrite`. */
      readonly stops?: readonly PodId[]
    }
  /** Nothing to write: the cluster works on it. After `atMostMs` since the last write it is given up. */
  | { readonly kind: 'wait'; readonly because: string; readonly atMostMs: number }
  | { readonly kind: 'failed'; readonly because: string }

export type StepContext = {
  /** The run that acts: what it has cordoned carries its name. */
  readonly run: string
  readonly isUndo: boolean
  /** Nothing of the plan is carried out yet: what would have to be waited for half-way is rather refused now. */
  readonly isRehearsal: boolean
  readonly now: Instant
  /** How often each key of this step was written, as far as the API server said so. */
  readonly written: ReadonlyMap<string, number>
  readonly operatorNamespace: string
  /** How long mig-manager and the device plugin may take. */
  readonly patience: Patience
  readonly isProtected: (namespace: string) => boolean
  /** So many pods may leave a node that is removed, those without a GPU among them; undefined: there is no limit. */
  readonly mostPods: number | undefined
  readonly lastDue: LastDue
  /** Why an action would end what no pod is known to hold, by the newest reading; undefined where nothing is seen. */
  readonly inUse: (action: Action) => string | undefined
  /** Whether the newest reading knows a live pod as one that a cut leaves alone: what it holds is on other GPUs. */
  readonly isBeside: (action: Action, pod: LiveObject) => boolean
  /** When the plan was made, where others carry it out: what they made is younger. */
  readonly plannedAt?: Instant
}

/** Milliseconds. */
export type Patience = {
  readonly reconfigure: number
  readonly reboot: number
  readonly settle: number
  readonly leave: number
  /** Until a machine that is no longer needed is gone; Cluster Autoscaler waits ten minutes by itself. */
  readonly remove: number
  /** For a workload to make its next pod again and run it, which may load a large model. */
  readonly rollout: number
}

/** No source tells how long a change takes at most; it fails loudly and is taken back rather than waited for all day. */
export const DEFAULT_PATIENCE: Patience = {
  reconfigure: 600_000,
  reboot: 1_800_000,
  settle: 300_000,
  leave: 600_000,
  remove: 1_800_000,
  rollout: 1_800_000,
}

/**
 * Decides one step from what the cluster says now, and from nothing that was remembered: whoever takes over half-way comes
 * to the same decision. Asks for what it has to see, one question after the other.
 */
export type Deciding = Generator<StepAsk, StepDecision, Ruled>

export function* seeing(object: ObjectRef): Generator<StepAsk, LiveObject | undefined, Ruled> {
  const [found] = yield { kind: 'object', object }
  return found
}

export const done = (because: string): StepDecision => ({ kind: 'done', because })
export const failed = (because: string): StepDecision => ({ kind: 'failed', because })
export const waiting = (because: string, atMostMs: number): StepDecision => ({ kind: 'wait', because, atMostMs })
