import type {
  ActionStore,
  ActPolicy,
  ClusterSnapshot,
  Fence,
  Instant,
  JudgedSample,
  Log,
  Patience,
  PlanPolicy,
  PriceBook,
  Recommendation,
  Role,
  StopOrder,
  Transition,
} from '@septet/domain'

import type { Hand } from './hand.ts'
import type { WorkSetbacks } from './work-setbacks.ts'
import type { History } from './history.ts'

/** What acting on one cluster takes. */
export type ActParts = {
  readonly cluster: string
  readonly store: ActionStore
  /** The lead under which it acts; undefined as soon as another server may have it. */
  readonly lead: () => Fence | undefined
  readonly hand: Hand
  /** The newest reading; undefined before the first. */
  readonly snapshot: () => ClusterSnapshot | undefined
  readonly clock: () => Instant
  readonly log: Log
  readonly operatorNamespace: string
  /** Where Septet keeps its Lease and its stop switch in the cluster. */
  readonly namespace: string
  readonly patience: Patience
  /** The newest judged telemetry. */
  readonly samples: () => readonly JudgedSample[]
  /** What this cluster lets Septet do. */
  readonly policy: () => Promise<ActPolicy>
  /** What plans may do, as for recommendations. */
  readonly plans: () => Promise<PlanPolicy>
  readonly prices: () => Promise<PriceBook>
  /** What somebody who approved something may do now; undefined: nothing any more. */
  readonly roleOf: (approved: Transition) => Promise<Role | undefined>
  /** What the work that a change has touched does worse since; left out where no metrics engine counts it. */
  readonly workSetbacks?: WorkSetbacks | undefined
  /** What is recommended now. */
  readonly advised: () => Promise<readonly Recommendation[]>
  /** Tells faces that runs have changed. */
  readonly changed: () => void
}

/** What one turn acts under. */
export type ActingTurn = ActParts & {
  readonly fence: Fence
  readonly history: History
  /** The order that stops acting, by the newest look at store and cluster; undefined when there is none. */
  readonly stopped: () => Promise<StopOrder | undefined>
  /** One after the other, for what has to see what the one before has decided. */
  readonly inOrder: <T>(work: () => Promise<T>) => Promise<T>
  /** Whether it is time to look at a run's object again, which is asked in vain most of the time. */
  readonly mayLook: (run: string) => boolean
  /** Whether the same was said for some readings in a row; undefined: nothing is said now. */
  readonly isLasting: (run: string, because: string | undefined) => boolean
}
