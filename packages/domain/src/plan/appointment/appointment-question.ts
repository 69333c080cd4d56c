import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { ProfileName } from '../../gpu/geometry.ts'
import type { Instant, Seconds } from '../../units.ts'

/** GPUs, whole or instances of one MIG profile, that must be free at an instant and stay so for a while. */
export type AppointmentAsk = {
  /** Whole GPUs, or instances where a profile is named. */
  readonly gpus: number
  /** MIG instances of this profile, as GPUs are cut today. Absent: whole GPUs. */
  readonly profile?: ProfileName
  /** Those of one node that belong together, as one pod asks for them: 8 for whole nodes of eight, 1 where any will do. */
  readonly perNode: number
  /** A catalog name, or the part of one that tells which is meant: `h100`. Absent: every model. */
  readonly model?: string
  readonly pool?: string
  /** Nodes that are not to be counted on: those of another appointment that are to be closed only later look open. */
  readonly except?: readonly string[]
  /** Whose work they are for. */
  readonly namespace?: string
  readonly at: Instant
  readonly length: Seconds
  /** No work runs longer than this, its stopping included, and somebody sees to it. Absent: only what pods say of themselves. */
  readonly longest?: Seconds
}

export type AppointmentQuestion = {
  readonly snapshot: ClusterSnapshot
  readonly ask: AppointmentAsk
  /** The most pods that may be evicted. */
  readonly maxDisplaced: number
  readonly protectedNamespaces?: readonly string[]
}
