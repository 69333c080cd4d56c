import type { AskedPods } from './asked-job.ts'
import type { CountedFleet } from '../../fleet/counted-fleet.ts'
import type { GpuRequest } from '../../cluster/workload.ts'
import { devicesOf, fits, type Slots } from '../../fleet/fits.ts'
import { LIKE, spreadRoom, type Turns } from './spread-room.ts'

/** How many of a group's pods start, and how sure that is. */
export type Seating = {
  readonly pods: AskedPods
  readonly slots: readonly Slots[]
  readonly turns: Turns | undefined
  /** Pods that start however the scheduler seats what comes beside and before them. */
  readonly sure: number
  /** Pods that start at best. */
  readonly most: number
  /** Why the two differ. */
  readonly unsure: readonly string[]
}

/** Pods that compete for the same places. */
type Rivals = { readonly pods: readonly AskedPods[]; readonly because: string }

export type SeatQuestion = {
  readonly namespace: string
  readonly groups: readonly AskedPods[]
  readonly rivals: readonly Rivals[]
}

/** Seats the groups of a job, each for itself: what each gets at worst and at best beside the others. */
export function seatGroups(fleet: CountedFleet, { namespace, groups, rivals }: SeatQuestion): readonly Seating[] {
  return groups.map((pods) => {
    const room = spreadRoom(fleet, { pods, slots: fits(fleet, pods, namespace), namespace })
    const { slots, turns } = room
    const others: Rivals = { pods: groups.filter((other) => other !== pods), because: BESIDE }
    const losses = [others, ...rivals].map((rival) => ({
      because: rival.because,
      lost: rival.pods.reduce((sum, each) => sum + lossBy(fleet, { pods, slots }, { each, namespace }), 0),
    }))
    // A place less in one domain may be a pod less in each.
    const lost = losses.reduce((sum, each) => sum + each.lost, 0) * (turns?.domains ?? 1)
    const sure = Math.max(0, room.sure - lost)
    const most = isWithoutGpus(pods) ? pods.count : Math.min(pods.count, room.most)
    const unsure = [
      ...(isWithoutGpus(pods) ? [WITHOUT_GPUS] : []),
      ...(room.like ? [LIKE] : room.known < most ? unsureWords(slots) : []),
      ...(room.sure < Math.min(most, room.known) && !room.like ? [SPREAD] : []),
      ...losses.flatMap((each) => (each.lost > 0 && sure < most ? each.because : [])),
    ]
    return { pods, slots, turns, sure: Math.min(pods.count, sure), most, unsure }
  })
}

/** Pods that need no GPU may run on nodes that have none, which are not kept. */
const isWithoutGpus = (pods: AskedPods): boolean => devicesOf(pods).length === 0
const WITHOUT_GPUS = 'some of its pods ask for no GPU, and nodes without GPUs are not read'

const BESIDE = 'where the scheduler puts its first pods decides whether the others still fit'
const SPREAD = 'its spread rule may count nodes without GPUs, which Septet does not keep'

const unsureWords = (slots: readonly Slots[]): readonly string[] => [
  ...new Set(slots.flatMap(({ unsure }) => unsure ?? [])),
]

type Of = { readonly pods: AskedPods; readonly slots: readonly Slots[] }

/** The most places for the pods that others, all of them, can take away wherever they go. */
function lossBy(fleet: CountedFleet, { pods, slots }: Of, other: { each: AskedPods; namespace: string }): number {
  const { each, namespace } = other
  // Both in the order of the fleet's nodes.
  const theirs = fits(fleet, each, namespace)
  const room = slots.reduce((sum, { count }, at) => ((theirs[at]?.count ?? 0) > 0 ? sum + count : sum), 0)
  return room === 0 ? 0 : Math.min(room, each.count * lossByOne(pods, each))
}

/** The most places on one node that one other pod can take away. */
export function lossByOne(pods: AskedPods, other: AskedPods): number {
  const { requests, claims, either = [] } = other
  const devices = [
    ...lost(pods.requests, [...requests, ...either]),
    ...lost(pods.claims, [...claims, ...either]),
    ...lost(pods.either ?? [], devicesOf(other)),
  ]
  // Instances of another profile may lie where several of these would have been cut.
  const cut =
    pods.claims.length > 0 && claims.length > 0 ? claims.reduce((sum, { count }) => sum + count * MOST_PER_GPU, 0) : 0
  const { cpuMilli, memory } = pods.scheduling
  const cpu = cpuMilli > 0 ? Math.ceil(other.scheduling.cpuMilli / cpuMilli) : 0
  const ram = memory > 0 ? Math.ceil(other.scheduling.memory / memory) : 0
  return Math.max(0, cut, cpu, ram, ...devices)
}

const lost = (own: readonly GpuRequest[], theirs: readonly GpuRequest[]): readonly number[] =>
  own.map(({ resource, count }) => Math.ceil((theirs.find((one) => one.resource === resource)?.count ?? 0) / count))

/** Instances that one GPU can hold. */
const MOST_PER_GPU = 8
