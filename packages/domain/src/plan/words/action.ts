import type { Problem, GpuId, PartitionId } from '../../cluster/node.ts'
import type { GpuRequest, PodId, WorkloadId } from '../../cluster/workload.ts'
import type { ProfileName } from '../../gpu/geometry.ts'
import type { Geometry, Layout, PlacedInstance } from '../../gpu/layout.ts'
import type { Instant, Seconds } from '../../units.ts'

/** One change to a cluster. Nothing here carries it out: only `act` does, under guardrails, after an approval. */
export type Action =
  | { readonly kind: 'cordon'; readonly node: string }
  /** `landed`: only once these workloads run again elsewhere, so that their evicted pods do not come here. */
  | { readonly kind: 'uncordon'; readonly node: string; readonly landed?: readonly Landing[] }
  /**
   * Through the eviction API, so that disruption budgets hold. `uid` says which pod of that name: a StatefulSet makes
   * another one at once.
   */
  | {
      readonly kind: 'evict'
      readonly pod: PodId
      readonly uid: string
      readonly workload: WorkloadId
      readonly because: string
    }
  /**
   * mig-manager: one configuration for all GPUs of a node, by device index; those whose `to` equals their `from` keep
   * running. `config` is its content-addressed name: the manager reacts to a change of the label's value only.
   */
  | {
      readonly kind: 'repartition'
      readonly node: string
      readonly config: string
      readonly gpus: readonly GpuChange[]
      /** Where it is carried out: what the label says as long as nobody else has set it. */
      readonly replaces?: string
    }
  /** DRA: one instance beside running neighbors. */
  | { readonly kind: 'create-instance'; readonly gpu: GpuId; readonly instance: PlacedInstance }
  | { readonly kind: 'delete-instance'; readonly gpu: GpuId; readonly instance: PlacedInstance }
  /** New requests for each pod of a workload; its controller replaces the pods. */
  | {
      readonly kind: 'resize'
      readonly workload: WorkloadId
      readonly from: readonly GpuRequest[]
      readonly to: readonly GpuRequest[]
    }
  | { readonly kind: 'scale'; readonly workload: WorkloadId; readonly from: number; readonly to: number }
  /**
   * Time-slicing or MPS for all GPUs of a node, through the device plugin's configuration. Replicas are not isolated from
   * one another, so they are for one tenant: a namespace, empty where sharing ends.
   */
  | {
      readonly kind: 'share'
      readonly node: string
      readonly from: SharingMode
      readonly to: SharingMode
      readonly tenant: string
    }
  /** `landed`: only once these workloads run again elsewhere: what is gone cannot be had back. */
  | { readonly kind: 'remove-node'; readonly node: string; readonly landed?: readonly Landing[] }
  /** GPUs of closed nodes that an appointment keeps: whoever is in the way is gone at the instant. */
  | KeepFree
  /** Moves pending work to where it can start, by its node affinity or queue. */
  | {
      readonly kind: 'reschedule'
      readonly workload: WorkloadId
      /** Where its pods say they may run before the plan: what the patch takes out, and what the way back sets again. */
      readonly rules: PlaceRules
      readonly from: Destination
      readonly to: Destination
    }

/** What an appointment promises, and until when. */
export type KeepFree = {
  readonly kind: 'keep-free'
  readonly nodes: ReadonlyArray<{ readonly node: string; readonly gpus: number }>
  readonly at: Instant
  readonly until: Instant
  /** Instances of this MIG profile are kept. Absent: whole GPUs. */
  readonly profile?: ProfileName
  /** Part of a model's name. Absent: GPUs of any. */
  readonly model?: string
  /** Whose work they are for: its pods are not in the way once they tolerate the cordon. Absent: of any namespace. */
  readonly namespace?: string
  /** No work runs longer, as whoever asked has said. */
  readonly longest?: Seconds
}

/** A workload, and how many of its pods must run. */
export type Landing = { readonly workload: WorkloadId; readonly pods: number }

export type SharingMode =
  | { readonly kind: 'none' }
  | { readonly kind: 'time-slicing' | 'mps'; readonly replicas: number }

/** The node selector of a workload's pods, and whether they also have a required node affinity. */
export type PlaceRules = { readonly nodeSelector: Readonly<Record<string, string>>; readonly hasAffinity: boolean }

/** Where the pods of a workload may run and what each asks for. An empty pool or model leaves it open. */
export type Destination = { readonly pool: string; readonly model: string; readonly requests: readonly GpuRequest[] }

/** What one GPU of a node becomes. An empty geometry with `migEnabled` false is a whole GPU. */
export type GpuChange = {
  readonly gpu: GpuId
  readonly index: number
  readonly from: { readonly migEnabled: boolean; readonly layout: Layout }
  readonly to: { readonly migEnabled: boolean; readonly geometry: Geometry }
}

/** A fact that must hold before a step begins; checked again on a fresh snapshot. */
export type Condition =
  | { readonly kind: 'node-schedulable'; readonly node: string; readonly schedulable: boolean }
  | { readonly kind: 'gpu-layout'; readonly gpu: GpuId; readonly geometry: Geometry }
  | { readonly kind: 'partition-free'; readonly partition: PartitionId }
  | { readonly kind: 'gpu-free'; readonly gpu: GpuId }
  | { readonly kind: 'node-empty'; readonly node: string }
  | { readonly kind: 'pod-on-node'; readonly pod: PodId; readonly node: string }
  | { readonly kind: 'disruption-allowed'; readonly pod: PodId }
  | { readonly kind: 'workload-requests'; readonly workload: WorkloadId; readonly requests: readonly GpuRequest[] }
  /** `config`: what its MIG label said when the plan was made, where it is to be set. Absent: it had none, or is left alone. */
  | { readonly kind: 'mig-settled'; readonly node: string; readonly config?: string }

/** One step of a plan. A plan may be stopped after any step and leaves a legal cluster. */
export type PlanStep = {
  /** `1`, `2`, …: the order in which steps run. */
  readonly number: number
  readonly action: Action
  /** When it is due. Absent: right after the step before it. */
  readonly notBefore?: Instant
  /** One sentence for people. */
  readonly title: string
  readonly preconditions: readonly Condition[]
  /** What is true afterwards, in one sentence. */
  readonly effect: string
  /** Pods that stop running through this step. */
  readonly displaced: readonly PodId[]
  readonly duration: DurationEstimate
  /** What takes the step back; empty where nothing can or need be taken back, which the title's sentence then says. */
  readonly inverse: readonly Action[]
}

/** A range, and where it comes from: measured on this cluster, or assumed. */
export type DurationEstimate = { readonly low: Seconds; readonly high: Seconds; readonly source: string }

/** Ordered steps made from one snapshot. Data only: it can be stored, shown, exported and compared. */
export type Plan = {
  /** Made from what it does, so that equal plans have one id and a configuration's name is never reused. */
  readonly id: string
  readonly cluster: string
  /** The snapshot that it was made from. */
  readonly madeFrom: Instant
  readonly title: string
  readonly steps: readonly PlanStep[]
  /** Pods that must move, with where there is room for them. */
  readonly moves: readonly PodMove[]
  /** What was wished and refused, with the reason a person can act on. */
  readonly refused: readonly Problem[]
  /** How good the result is, with the bound: "12 GPUs; no plan uses fewer than 12". Undefined where no bound applies. */
  readonly bound: string | undefined
}

/** A pod that a plan displaces and the room kept for it; `to` undefined: it waits in the queue. */
export type PodMove = {
  readonly pod: PodId
  readonly from: PartitionId
  readonly to: { readonly gpu: GpuId; readonly profile: ProfileName } | undefined
}

/** What a plan wants one GPU to become. */
export type GpuTarget = { readonly gpu: GpuId; readonly migEnabled: boolean; readonly layout: Layout }
