import type { Mib } from '../units.ts'

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
  readonly labels: Readonly<Record<string, string>>
  readonly taints: readonly Taint[]
}

/** A PodDisruptionBudget, with the pods that it covers. */
export type DisruptionBudget = {
  /** `namespace/name`. */
  readonly id: string
  /** Pod ids. */
  readonly pods: readonly string[]
  /** How many of them may be evicted now (`status.disruptionsAllowed`). */
  readonly allowed: number
}

/** One limited resource of one namespace: a ResourceQuota, or a Kueue cluster queue's nominal quota. */
export type Quota = {
  readonly id: string
  readonly namespace: string
  readonly resource: string
  readonly hard: number
  readonly used: number
}
