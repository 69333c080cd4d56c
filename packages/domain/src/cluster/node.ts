import type { Placement, ProfileName } from '../gpu/geometry.ts'
import type { Instant, Ratio } from '../units.ts'
import type { NodeRoom } from './scheduling.ts'

/** NVML UUID (`GPU-…`); `node-name#index` where only a count is known. */
export type GpuId = string
/** `gpu` for a whole GPU, `gpu/gi-<GPU instance id>` for a MIG device, `gpu/replica-<n>` for a shared replica. */
export type PartitionId = string

/** The id of a MIG device: what telemetry, allocations and stored usage must all spell alike. */
export const migPartitionId = (gpu: GpuId, instance: string): PartitionId => `${gpu}/gi-${instance}`

/** How a GPU came to be known: measured by an exporter, published by a DRA driver, or only counted by a label. */
export type Identified = 'telemetry' | 'resource-slice' | 'label'

/** What one workload can hold. */
export type Partition =
  | { readonly kind: 'whole'; readonly id: PartitionId; readonly gpu: GpuId }
  | {
      readonly kind: 'mig'
      readonly id: PartitionId
      readonly gpu: GpuId
      readonly profile: ProfileName
      /** NVML's GPU instance id (label GPU_I_ID); reused after a reconfiguration, and not a placement. */
      readonly instance: string
      readonly placement: Placement | undefined
      /** DRA reports placements. Labels and exporters do not: there we infer one that the geometry allows. */
      readonly placementSource: 'reported' | 'inferred' | 'unknown'
    }
  | {
      readonly kind: 'shared'
      readonly id: PartitionId
      readonly gpu: GpuId
      readonly replica: number
      /** Replicas of this GPU in all. */
      readonly replicas: number
      /** Which part of the GPU it is, where shares differ. Absent: as large as the others. */
      readonly share?: Ratio
    }

/** Something found wrong, in words a person can act on. Never used for data that is merely absent. */
export type Problem = {
  /** Stable word for machines: `label-contradicts-devices`, `unknown-board`, `gpu-fault`, `mig-failed`, … */
  readonly code: string
  /** One sentence: what failed, what still works, what to do. */
  readonly message: string
  /** The object it is about: `node/gpu-a100-03`, `resourceslices`, `target/10.0.0.7:9400`. */
  readonly object: string
}

export type Gpu = {
  readonly id: GpuId
  readonly node: string
  readonly index: number
  /** Catalog name, or undefined for a board we do not know. */
  readonly model: string | undefined
  readonly identified: Identified
  readonly migEnabled: boolean
  readonly partitions: readonly Partition[]
  /** Last XID that is a fault of this GPU, while it is fresh. `xid` absent: it is not known. */
  readonly fault: (Problem & { readonly xid?: number }) | undefined
  /** Its driver names MIG profiles as older ones did, where the board has two sets of names. Absent: no. */
  readonly olderNames?: boolean
  /** Its profiling counter stays at 0 while it visibly works, so what is said of its use is not believed. Absent: no. */
  readonly stuck?: boolean
  /** Since when something is seen to use it, or a part of it, that no pod is known to hold. Absent: nothing does. */
  readonly unrequestedSince?: Instant
}

export type MigState = {
  readonly strategy: 'none' | 'single' | 'mixed'
  /** `nvidia.com/mig.config` as wished, and what mig-manager says came of it. */
  readonly config: string | undefined
  readonly state: 'pending' | 'rebooting' | 'success' | 'failed' | undefined
}

export type Sharing =
  | { readonly kind: 'none' }
  | { readonly kind: 'time-slicing'; readonly replicas: number }
  | { readonly kind: 'mps'; readonly replicas: number }
  /** A scheduler gives pods shares of any size (HAMi), at most so many of a GPU. */
  | { readonly kind: 'fractions'; readonly replicas: number }
  /** Compute partitions of AMD, or NVIDIA's vGPUs for virtual machines. */
  | { readonly kind: 'partitions'; readonly replicas: number }

export type GpuNode = {
  readonly name: string
  /** Node pool by the cloud's or Karpenter's label; empty where there is none. */
  readonly pool: string
  readonly ready: boolean
  /** Since when it is not; absent where it is, or nothing tells. */
  readonly notReadySince?: Instant
  /** False when cordoned. */
  readonly schedulable: boolean
  readonly createdAt: Instant
  /** `spec.providerID`: the machine as its cloud names it, `aws:///us-east-1a/i-0abc`. Absent where nothing says it. */
  readonly providerId?: string
  /** Catalog name; undefined for a board we do not know. */
  readonly model: string | undefined
  /** `nvidia.com/gpu.product` as the label spells it. */
  readonly product: string
  readonly mig: MigState
  readonly sharing: Sharing
  /** Extended GPU resources that the kubelet offers: `nvidia.com/gpu`, `nvidia.com/mig-1g.10gb`, … */
  readonly allocatable: Readonly<Record<string, number>>
  /** Whether a DRA driver publishes devices of this node; mig-manager must not touch its GPUs then. Absent: no. */
  readonly servedByDra?: boolean
  /** CPU, memory, labels and taints: what decides beside GPUs which pods may run here. */
  readonly room: NodeRoom
  readonly gpus: readonly Gpu[]
  readonly problems: readonly Problem[]
}
