import type { Instant, Ratio, Seconds } from '../units.ts'
import type { PodScheduling, QueueOwner } from './scheduling.ts'

/** `namespace/name` of a pod. */
export type PodId = string
/** `namespace/Kind/name` of the topmost owner; a bare pod owns itself: `namespace/Pod/name`. */
export type WorkloadId = string

/** What kind of work it is, from labels where they say so, else from its owner's kind. */
export type WorkloadClass = 'training' | 'inference' | 'analytics' | 'notebook' | 'unknown'

/** What a pod asked for: `count` of an extended resource such as `nvidia.com/gpu` or `nvidia.com/mig-1g.10gb`. */
export type GpuRequest = {
  readonly resource: string
  readonly count: number
}

/** Why a pod does not run yet, in the scheduler's or its queue's own words. */
export type Waiting = {
  readonly reason: string
  readonly message: string
}

export type Pod = {
  readonly id: PodId
  readonly uid: string
  readonly namespace: string
  readonly name: string
  /** Undefined until the scheduler has bound it. */
  readonly node: string | undefined
  readonly phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown'
  readonly requests: readonly GpuRequest[]
  /** What it asks for beside GPUs, and where it may run. */
  readonly scheduling: PodScheduling
  readonly workload: WorkloadId
  readonly createdAt: Instant
  /** When it was bound or started; undefined while it waits. */
  readonly startedAt: Instant | undefined
  readonly waiting: Waiting | undefined
  /** Since when the scheduler has found no place for it, as its condition says. Absent: it has, or that is not known. */
  readonly refusedAt?: Instant
  /**
   * Gone by then whatever it does: the kubelet ends it after its `activeDeadlineSeconds` and waits no longer than its grace
   * period. Absent: nothing says when it ends.
   */
  readonly endsBy?: Instant
  /** It was bound and cannot start, or is to end and does not: in a word, and since when. Absent: neither. */
  readonly stuck?: { readonly because: string; readonly since: Instant }
  /** How long it may take to stop once it is told to (`terminationGracePeriodSeconds`). Absent: not known. */
  readonly grace?: Seconds
}

/** A container that asks for GPUs, as a running pod has it; quantities by resource as they are written. */
export type GpuContainer = {
  readonly list: 'containers' | 'initContainers'
  /** Its place in that list. */
  readonly index: number
  readonly name: string
  /** An init container that stays beside the others (restartPolicy Always). */
  readonly isSidecar: boolean
  readonly requests: Readonly<Record<string, string>>
  readonly limits: Readonly<Record<string, string>>
  /** Of these the ones that stand for GPUs. */
  readonly gpus: readonly GpuRequest[]
}

/** What the pods of one part of a workload are made from, as far as it asks for GPUs. */
export type PodTemplate = {
  /** The part of its owner that makes them: a Ray group, a replica type, a component; empty where it has one part only. */
  readonly part: string
  readonly containers: readonly GpuContainer[]
}

/**
 * By what work is known again where it runs under another name. Of what starts it only a digest is kept, since arguments may hold
 * secrets.
 */
export type WorkMarks = {
  /** Images of its containers with GPUs, or of all where none asks for any, without registry, tag and digest. */
  readonly images: readonly string[]
  /** Digests of commands and arguments; empty where the images start by themselves. */
  readonly starts: readonly string[]
  /** Models that its arguments or environment name. */
  readonly models: readonly string[]
}

/** A cache that an inference engine has reserved GPU memory for when it started, and how much of it was ever in use. */
export type ReservedCache = {
  /** As people call it: `vLLM`. */
  readonly engine: string
  /** Highest share of the cache that was in use in the last week. */
  readonly peak: Ratio
}

/** Pods that live and die together. */
export type Workload = {
  readonly id: WorkloadId
  readonly namespace: string
  readonly kind: string
  readonly name: string
  readonly class: WorkloadClass
  /** The queue of Kueue, Volcano or KAI, where there is one. */
  readonly queue: string | undefined
  /** Absent: Kueue's, or none. */
  readonly queueOwner?: QueueOwner
  readonly status: 'running' | 'queued'
  /** Sum over its pods, by resource. */
  readonly requests: readonly GpuRequest[]
  readonly pods: readonly PodId[]
  readonly createdAt: Instant
  readonly startedAt: Instant | undefined
  readonly waiting: Waiting | undefined
  /** What its pods are made from, one for each part. Absent: not known. */
  readonly templates?: readonly PodTemplate[]
  /** Labels that all its pods carry with the same value. Absent: not known. */
  readonly labels?: Readonly<Record<string, string>>
  /** By what it is known again. Absent: not known. */
  readonly marks?: WorkMarks
  /** The cache that an inference engine reserved memory for. Absent: none, or not known. */
  readonly cache?: ReservedCache
}
