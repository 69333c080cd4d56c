import type { Problem } from '../../cluster/node.ts'
import type { Taint } from '../../cluster/scheduling.ts'
import type { PodId } from '../../cluster/workload.ts'
import type { GpuHours, Instant, Seconds } from '../../units.ts'
import type { Plan } from '../words/action.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { ProfileName } from '../../gpu/geometry.ts'

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

/** One node that is set aside, and when. */
export type AppointedNode = {
  readonly node: string
  /** GPUs, or instances, of it that are kept for the appointment. */
  readonly gpus: number
  /** From then on nothing new starts there but who is let in. */
  readonly closesAt: Instant
  /** When what still runs in the way is evicted; undefined: nothing is. */
  readonly evictsAt: Instant | undefined
  readonly evicted: readonly PodId[]
  /** Pods that are surely gone before the instant, and by when. */
  readonly ending: ReadonlyArray<{ readonly pod: PodId; readonly by: Instant }>
  /** GPU-hours that stand idle there behind the fence, until it is opened, when nothing short is started. */
  readonly idle: GpuHours
  /** GPUs that nobody holds now: what surely ends before the instant may use them. */
  readonly idleNow: number
  /** What keeps pods off it beside the fence. */
  readonly taints: readonly Taint[]
}

export type Appointment = {
  readonly kind: 'found'
  readonly ask: AppointmentAsk
  /** The fence as steps, each with the time at which it is due. */
  readonly plan: Plan
  readonly nodes: readonly AppointedNode[]
  readonly endsAt: Instant
  readonly moves: number
  /** No plan evicts fewer pods, disruption budgets or not. Equal to `moves`: proven best. */
  readonly bound: number
  /** GPU-hours that stand idle behind the fence when nothing short is started there. */
  readonly idle: GpuHours
  /** Whether no plan with as few moves leaves fewer GPU-hours idle. */
  readonly idleProven: boolean
  /** What must be known beside the steps, a sentence each. */
  readonly notes: readonly string[]
  /** Nodes that were not counted on, with the reason. */
  readonly leftOut: readonly Problem[]
}

export type NoAppointment = {
  readonly kind: 'none'
  readonly ask: AppointmentAsk
  readonly because: string
  /** Of instances: what has to be cut again before the others can be had. */
  readonly cutFirst: readonly CutFirst[]
  /** GPUs, or instances, that can be had at that instant. */
  readonly possible: number
  /** From when on all of them can be had, by what is known today; undefined: at no time that is known. */
  readonly from: Instant | undefined
  readonly leftOut: readonly Problem[]
}

export type AppointmentAnswer = Appointment | NoAppointment

/** GPUs of one node that nobody holds and that mig-manager could cut into more of what is wanted. */
export type CutFirst = {
  readonly node: string
  /** Their places on the node. */
  readonly gpus: readonly number[]
  /** Instances of the profile that one of them holds then. */
  readonly each: number
  /** How many more there are then. */
  readonly gives: number
}
