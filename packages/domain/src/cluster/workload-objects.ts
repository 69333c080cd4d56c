import type { Instant } from '../units.ts'
import type { PodId } from './workload.ts'

/** What the Kubernetes API tells of one workload beside the snapshot, read when somebody asks. */
export type WorkloadObjects = {
  /** For each of its pods the objects above it, from its own owner up to the topmost. */
  readonly owners: ReadonlyMap<PodId, readonly OwnerLink[]>
  /** Events of its pods and of what owns them, newest first; a pod that has gone keeps its events while the API does. */
  readonly events: readonly KubernetesEvent[]
  /** Why there may be more events than these, in a sentence; undefined when all were read. */
  readonly eventsMissing: string | undefined
}

/** One object above a pod. */
export type OwnerLink = {
  readonly kind: string
  readonly name: string
  /** Undefined where the object itself was not read. */
  readonly createdAt: Instant | undefined
  /** Whether its name was told from a naming rule, as the object below could not be read. */
  readonly byRule: boolean
}

/** A Kubernetes event, in the words of whoever reported it. */
export type KubernetesEvent = {
  /** When it was seen last, and first. */
  readonly at: Instant
  readonly firstAt: Instant
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
  /** How often it was seen. */
  readonly count: number
  readonly object: { readonly kind: string; readonly name: string }
  /** Who reported it: `default-scheduler`, `kubelet`, …; empty when it does not say. */
  readonly source: string
}
