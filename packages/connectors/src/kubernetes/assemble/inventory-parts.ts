import type { Cohort, Instant, PriorityClass, Problem, Quota } from '@septet/domain'
import type { OwnerChain } from '../read/owner-chain.ts'
import type { BudgetFacts } from '../read/parse-budget.ts'
import type { ClaimFacts } from '../read/parse-claim.ts'
import type { SliceFacts } from '../read/parse-device.ts'
import type { ClusterQueueFacts, FlavorFacts, LocalQueueFacts } from '../read/parse-kueue.ts'
import type { QueuedFacts } from '../read/queued-facts.ts'
import type { QueueLimits } from '../read/queue-limits.ts'
import type { MigMenu } from '../read/parse-mig-config.ts'
import type { NodeFacts } from '../read/parse-node.ts'
import type { Bystanders, HostUse } from './host-use.ts'
import type { PodFacts } from '../read/parse-pod.ts'

/** Everything that the mirrors hold, and what is known beside. */
export type InventoryParts = {
  readonly nodes: Iterable<NodeFacts>
  readonly pods: Iterable<PodFacts>
  /** Pods that held GPUs and have finished. Absent: not known. */
  readonly finishedPods?: Iterable<PodFacts>
  /** What pods without GPUs ask for, by node. Absent: not known. */
  readonly hostUse?: ReadonlyMap<string, HostUse>
  /** What pods have to do with where others may go. Absent: not known. */
  readonly bystanders?: Bystanders
  readonly menus: Iterable<MigMenu>
  readonly slices: Iterable<SliceFacts>
  readonly claims: Iterable<ClaimFacts>
  /** Of one owner the last counts. */
  readonly queuedWork: Iterable<QueuedFacts>
  readonly clusterQueues: Iterable<ClusterQueueFacts>
  readonly localQueues: Iterable<LocalQueueFacts>
  readonly flavors: Iterable<FlavorFacts>
  /** Absent: none. */
  readonly cohorts?: Iterable<Cohort>
  /** Queues of Volcano and KAI. Absent: none. */
  readonly limitedQueues?: Iterable<QueueLimits>
  readonly budgets: Iterable<BudgetFacts>
  readonly quotas: Iterable<readonly Quota[]>
  /** Names of those that take new objects. Absent, or none: not read. */
  readonly namespaces?: Iterable<string>
  /** Absent, or none: not read. */
  readonly priorityClasses?: Iterable<PriorityClass>
  readonly chainOf: (pod: PodFacts) => OwnerChain
  readonly pendingSince: (node: string) => Instant | undefined
  readonly now: Instant
  readonly takenAt: Instant
  readonly serverVersion: string
  readonly problems: readonly Problem[]
}
