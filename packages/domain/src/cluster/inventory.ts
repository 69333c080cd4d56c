import type { Instant, Mib, Ratio } from '../units.ts'
import type { GpuId, GpuNode, PartitionId, Problem } from './node.ts'
import type { Neighbors } from './neighbors.ts'
import type { Cohort, DisruptionBudget, PriorityClass, Quota } from './scheduling.ts'
import type { Pod, PodId, Workload, WorkloadId } from './workload.ts'

/** A node as the Kubernetes API tells it, before any device was seen. Only GPU nodes are kept. */
export type InventoryNode = Omit<GpuNode, 'gpus' | 'model'> & {
  /**
   * Physical GPUs by label `nvidia.com/gpu.count`, by capacity, or by cloud label; 0 when nothing says so. Under the
   * single MIG strategy, whose labels count MIG devices instead, as many GPUs as these take.
   */
  readonly gpuCount: number
  /**
   * What else than its name leads to it: its addresses and host names, and of each pod of an exporter on it the id and the
   * address. Absent: not read.
   */
  readonly knownAs?: readonly string[]
  /** From `<node>-mig-config` (GPU Operator 26.3 and newer): profile name → how many fit, by GPU index. */
  readonly reportedProfiles: ReadonlyArray<Readonly<Record<string, number>>> | undefined
  /** From DRA ResourceSlices of driver gpu.nvidia.com. */
  readonly devices: readonly InventoryDevice[]
  /** Which share of which GPU a scheduler gave to which pod, in order of GPU and pod. Absent: it gives whole ones. */
  readonly shares?: readonly GpuShare[]
}

/** A share of a GPU that a scheduler gave to a pod, as its annotations say (HAMi, Volcano, KAI). */
export type GpuShare = {
  readonly gpu: GpuId
  /** Its index on the node, where that is told. */
  readonly index: number | undefined
  readonly pod: PodId
  readonly share: Ratio
  /** It is a MIG instance that the scheduler made there, of so much memory. Absent: a share of the GPU's time. */
  readonly instance?: { readonly memory: Mib }
}

/** A device that a DRA driver published. */
export type InventoryDevice = {
  readonly name: string
  readonly kind: 'gpu' | 'mig'
  readonly uuid: string | undefined
  readonly parent: string | undefined
  readonly profile: string | undefined
  readonly product: string | undefined
  /** Placement start, from the device name of a dynamic MIG device. */
  readonly start: number | undefined
  /** Pods that reserved it through a claim. */
  readonly reservedFor: readonly PodId[]
  /** A taint by which its driver or an administrator keeps claims away, `key=value:NoSchedule`. Absent: none. */
  readonly taint?: string
}

export type Queue = {
  readonly name: string
  readonly pendingWorkloads: number
  readonly admittedWorkloads: number
  /** Local queues that stand before it, `namespace/name`. Absent: not read. */
  readonly localQueues?: readonly string[]
  /** Whether it starts work strictly in order. Absent: no, or not read. */
  readonly strict?: boolean
  /** Whether it may evict admitted work for other work. Absent: no, or not read. */
  readonly mayPreempt?: boolean
  /** What is left of CPU (cores), memory (bytes) and pods, of those that it limits. Absent: it limits none of them. */
  readonly left?: Readonly<Partial<Record<'cpu' | 'memory' | 'pods', number>>>
  /** What else decides whether it lets work in and is not judged here, in sentences. Absent: nothing. */
  readonly unread?: readonly string[]
}

/** What the Kubernetes API says at one moment, without telemetry. */
export type Inventory = {
  readonly takenAt: Instant
  readonly serverVersion: string
  readonly nodes: readonly InventoryNode[]
  /** Pods that ask for a GPU and have not finished. */
  readonly pods: readonly Pod[]
  /** Pods that held GPUs and have finished, as long as the API lists them: for how long they had waited. */
  readonly finished?: readonly Pod[]
  readonly workloads: readonly Workload[]
  readonly queues: readonly Queue[]
  /** PodDisruptionBudgets that cover a pod of this list; empty also where they may not be read, which is a problem. */
  readonly budgets: readonly DisruptionBudget[]
  /** Limits on GPU resources. */
  readonly quotas: readonly Quota[]
  /** Kueue's. Absent: none, or not read; then a cohort has no parent and no quota of its own. */
  readonly cohorts?: readonly Cohort[]
  /** Names of namespaces that take new objects, in order. Absent: not read; every cluster has some. */
  readonly namespaces?: readonly string[]
  /** In order of name. Absent: not read; every cluster has some. */
  readonly priorityClasses?: readonly PriorityClass[]
  /** Absent: not read. */
  readonly neighbors?: Neighbors
  /** What could not be read: "cannot list resourceslices: …". The rest is still good. */
  readonly problems: readonly Problem[]
}

export const HOLDER_EVIDENCE = ['label', 'claim', 'arithmetic', 'guess'] as const

/** A partition held by a pod. */
export type Allocation = {
  readonly partition: PartitionId
  readonly pod: PodId
  readonly workload: WorkloadId
  readonly since: Instant
  /**
   * How it is known: the exporter's pod label, a DRA claim or a scheduler's annotation, or the counts of requests on the
   * node, where they leave one possibility (`arithmetic`) or several (`guess`). A guess is never measured.
   */
  readonly evidence: (typeof HOLDER_EVIDENCE)[number]
}

/** The whole cluster at one instant; immutable. Made by `assembleSnapshot` from an inventory and device samples. */
export type ClusterSnapshot = Omit<Inventory, 'nodes'> & {
  readonly cluster: string
  readonly nodes: readonly GpuNode[]
  readonly allocations: readonly Allocation[]
  /** Nodes that were removed so recently that samples of theirs may still arrive, and when. Absent: none. */
  readonly removed?: ReadonlyArray<{ readonly name: string; readonly at: Instant }>
}
