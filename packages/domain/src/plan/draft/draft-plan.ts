import { plural } from '../../words.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuTarget, Plan, PodMove } from '../words/action.ts'
import type { Appointment, AppointmentAsk, NoAppointment } from '../appointment/appointment.ts'
import { planAppointment } from '../appointment/plan-appointment.ts'
import { makePlan } from '../steps/make-plan.ts'
import { CAREFUL_POLICY } from '../words/plan-policy.ts'
import { plannedGpus, type PlannedGpu } from '../recommend/planned-gpus.ts'
import { repack } from '../repack/repack.ts'
import type { RepackGoal } from '../repack/repack-regions.ts'

/** What a person asks the planner for without carrying anything out. */
export type DraftQuestion = {
  readonly wanted:
    /** These GPUs become these layouts; the others of their nodes stay as they are. */
    | { readonly kind: 'layout'; readonly targets: readonly GpuTarget[] }
    /** Room for one more instance, by the fewest moves. */
    | { readonly kind: 'room'; readonly goal: Extract<RepackGoal, { readonly kind: 'room-for' }> }
    /** GPUs that are free at an instant. Who is evicted for it may wait; where there is room is said. */
    | { readonly kind: 'appointment'; readonly ask: AppointmentAsk }
  readonly title: string
  /** Whether a pod may be displaced although no room is kept for it. */
  readonly mayWait: boolean
  /** The most pods that may be displaced. */
  readonly maxDisplaced: number
}

export type PlanDraft =
  /** `gpus`: those that it changes, now and after its last step. */
  | {
      readonly kind: 'plan'
      readonly plan: Plan
      readonly gpus: readonly PlannedGpu[]
      readonly appointment?: Appointment
    }
  /** There is no such plan; the reason is for people. */
  | { readonly kind: 'none'; readonly because: string; readonly appointment?: NoAppointment }

/** The plan that would bring it about, tried step by step on a copy of the snapshot under all guardrails. */
export function draftPlan(snapshot: ClusterSnapshot, question: DraftQuestion): PlanDraft {
  const { wanted, title, mayWait, maxDisplaced } = question
  if (wanted.kind === 'appointment') {
    const appointment = planAppointment({ snapshot, ask: wanted.ask, maxDisplaced })
    return appointment.kind === 'found'
      ? { kind: 'plan', plan: appointment.plan, gpus: [], appointment }
      : { kind: 'none', because: appointment.because, appointment }
  }
  const found = wanted.kind === 'layout' ? layoutOf(wanted) : roomFor(snapshot, wanted.goal, maxDisplaced)
  if (typeof found === 'string') return { kind: 'none', because: found }
  const { targets, moves, bound } = found
  const policy = { ...CAREFUL_POLICY, mayWait, maxDisplaced }
  const wishes = [{ kind: 'layout' as const, targets, moves }]
  const plan = makePlan({ snapshot, wishes, title, policy, ...(bound && { bound }) })
  return { kind: 'plan', plan, gpus: plannedGpus(plan, snapshot, policy) }
}

type Found = {
  readonly targets: readonly GpuTarget[]
  readonly moves: readonly PodMove[]
  readonly bound: string | undefined
}

const layoutOf = ({ targets }: { readonly targets: readonly GpuTarget[] }): Found => ({
  targets,
  moves: [],
  bound: undefined,
})

function roomFor(snapshot: ClusterSnapshot, goal: RepackGoal, limit: number): Found | string {
  const answer = repack(snapshot, goal, limit)
  if (answer.kind === 'refused') return answer.because
  const { targets, moves, bound, displaced } = answer
  const proven = bound === displaced.length
  return {
    targets,
    moves,
    bound: `${plural(displaced.length, 'pod moves', 'pods move')}; ${
      proven ? 'no plan moves fewer' : `no plan moves fewer than ${bound}`
    }.`,
  }
}
