import { mib, type Mib } from '../units.ts'

/** What a pod asks for beside GPUs, and where it may run: the part of its spec that the scheduler filters by. */
export type PodScheduling = {
  /** Thousandths of a core, summed over containers. */
  readonly cpuMilli: number
  readonly memory: Mib
  readonly nodeSelector: Readonly<Record<string, string>>
  /** Required node affinity: a node must match one of the terms; empty: any node. */
  readonly nodeTerms: ReadonlyArray<readonly NodeRequirement[]>
  readonly tolerations: readonly Toleration[]
  readonly priority: number
  /** Whether a controller makes it again after an eviction. A bare pod is gone for good. */
  readonly managed: boolean
  /** False when the pod says that it must not be evicted (`karpenter.sh/do-not-disrupt`, `cluster-autoscaler…/safe-to-evict`). */
  readonly evictable: boolean
  /**
   * Rules of the pod that this type does not hold (`podAntiAffinity`, `topologySpreadConstraints`, …), by the name of
   * their field: where it may run is then known only in part. Absent: none.
   */
  readonly unread?: readonly string[]
  /** Why neither a yes nor a no is known of a place for it, in words: another scheduler decides, or rules not judged. */
  readonly elsewhere?: string
  /** Some of its devices it asks for by resource claims. Absent: none. */
  readonly claims?: true
}

/** A managed pod that asks for nothing but GPUs and may run on every node without taints. */
export const UNCONSTRAINED: PodScheduling = {
  cpuMilli: 0,
  memory: mib(0),
  nodeSelector: {},
  nodeTerms: [],
  tolerations: [],
  priority: 0,
  managed: true,
  evictable: true,
}

export type NodeRequirement = {
  readonly key: string
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt'
  readonly values: readonly string[]
}

export type Toleration = {
  /** Empty with `Exists` tolerates every taint. */
  readonly key: string
  readonly operator: 'Equal' | 'Exists'
  readonly value: string
  /** Empty: every effect. */
  readonly effect: string
}

export type Taint = { readonly key: string; readonly value: string; readonly effect: string }

/** What a node has beside GPUs. */
export type NodeRoom = {
  /** Allocatable, thousandths of a core. Undefined: not known, so it cannot bind. */
  readonly cpuMilli: number | undefined
  readonly memory: Mib | undefined
  /** What pods of this node that ask for no GPU take of it, by their requests. Absent: not known. */
  readonly cpuUsed?: number
  readonly memoryUsed?: Mib
  /** Those labels that some pod names, and all others but those by which machines tell their features (`isKeptLabel`). */
  readonly labels: Readonly<Record<string, string>>
  readonly taints: readonly Taint[]
}

/** Nothing is known of the node but its GPUs. */
export const UNKNOWN_ROOM: NodeRoom = { cpuMilli: undefined, memory: undefined, labels: {}, taints: [] }

/** A PriorityClass: what the API server makes of the name that a pod gives. */
export type PriorityClass = {
  readonly name: string
  readonly priority: number
  /** False: its pods never push others out. */
  readonly preempts: boolean
  /** It is that of pods which name none. Absent: no. */
  readonly isDefault?: true
}

/** A PodDisruptionBudget, with the pods that it covers. */
export type DisruptionBudget = {
  /** `namespace/name`. */
  readonly id: string
  /** Pod ids. */
  readonly pods: readonly string[]
  /** How many of them may be evicted now (`status.disruptionsAllowed`). */
  readonly allowed: number
  /** How many of them have to be available, where that is a number (`spec.minAvailable`). */
  readonly floor?: number
}

/** Whose queues have quotas beside Kueue's cluster queues. */
export type QueueOwner = 'Volcano' | 'KAI'

/**
 * One limited resource of one namespace (a ResourceQuota), of one Kueue cluster queue (its nominal quota), or of one queue of
 * Volcano or KAI (the most that it may use).
 */
export type Quota = {
  /** `namespace/name/resource`, `clusterqueue/name/resource`, or `Volcano/name/resource`. */
  readonly id: string
  /** Empty for a queue. */
  readonly namespace: string
  /** The queue that it limits, as `Workload.queue` names it. Absent for a ResourceQuota. */
  readonly queue?: string
  /** Absent: a cluster queue of Kueue, or a ResourceQuota. */
  readonly queueOwner?: QueueOwner
  /** Queues below that one, whose work it limits too. Absent: none. */
  readonly below?: readonly string[]
  /** Queues of one cohort, and of cohorts under one parent, lend one another what they do not use. Absent: none. */
  readonly cohort?: string
  /** As pods ask for it: `nvidia.com/gpu`, `nvidia.com/mig-1g.10gb`, … */
  readonly resource: string
  readonly hard: number
  readonly used: number
  /** What a cluster queue is promised of it, flavor by flavor. Absent for a ResourceQuota. */
  readonly flavors?: readonly QuotaFlavor[]
  /** It counts some pods of its namespace only, and which those are is not read. Absent: all of them. */
  readonly scoped?: true
}

/** One line of a cluster queue's manifest. */
export type QuotaFlavor = {
  readonly name: string
  /** JSON pointers to it and, from there, to the resource. */
  readonly path: string
  readonly resourcePath: string
  /** The nominal quota, as it is written. */
  readonly nominal: string
  /** The same as a number, and what is reserved of it, borrowed or not. Absent in snapshots of an older Septet. */
  readonly amount?: number
  readonly used?: number
  /** How much it may borrow from its cohort, as it is written; absent: as much as there is. */
  readonly borrowing?: string
  /** How much of its quota others may borrow; absent: all. */
  readonly lending?: number
  /** Labels of the nodes that it stands for, as its ResourceFlavor says. Absent: not read. */
  readonly nodeLabels?: Readonly<Record<string, string>>
  /** What it adds to the tolerations of pods. Absent: nothing, or not read. */
  readonly tolerations?: readonly Toleration[]
  /** What else decides which of those nodes its work goes to, in words. Absent: nothing, or not read. */
  readonly chosenBy?: string
}

/** A Cohort of Kueue: what it has to lend beside its queues, and where its queues may borrow besides. */
export type Cohort = {
  readonly name: string
  readonly parent?: string
  /** By resource; empty where its queues alone have quota. */
  readonly quotas: readonly CohortQuota[]
}
export type CohortQuota = {
  readonly resource: string
  readonly flavors: ReadonlyArray<Pick<QuotaFlavor, 'name' | 'amount' | 'borrowing' | 'lending'>>
}

/** What a cordon adds: the scheduler passes the node over unless a pod tolerates it (plugin NodeUnschedulable). */
export const CORDON_TAINT = 'node.kubernetes.io/unschedulable'
