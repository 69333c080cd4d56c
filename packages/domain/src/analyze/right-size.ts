import type { ClusterSnapshot } from '../cluster/inventory.ts'
import { whyReserved } from '../cluster/reserved-cache.ts'
import type { WorkloadId } from '../cluster/workload.ts'
import { type Board, type MigProfile, plainProfiles, profileOf, sliceShare } from '../gpu/board.ts'
import { boardFor } from '../gpu/known-boards.ts'
import { type Mib, type Ratio, SECONDS_PER_HOUR } from '../units.ts'
import type { RightSizePolicy } from './policy.ts'
import { kindOf, sumUsageBy, type UsageSum } from './usage-sum.ts'
import type { UsageTotal } from './usage.ts'

/** Whether a workload would fit a smaller MIG profile of the board it runs on, from its own measured history. */
export type RightSize =
  | { readonly kind: 'oversized'; readonly profile: string; readonly share: Ratio }
  | { readonly kind: 'fits' }
  /** Not enough is known to say. The sentence is shown: "not enough history: 3 h of 24 h". */
  | { readonly kind: 'unknown'; readonly because: string }

/** The size of a workload as its whole past tells it, on the model that it holds now: this goes before any other. */
export type StudiedSize = { readonly workload: WorkloadId; readonly model: string; readonly size: RightSize }

/** What a workload needs of a board: its peaks. */
export type Need = {
  readonly memoryPeak: Mib
  /** Peak busy × share held: the compute that it used at its peak, in GPUs. */
  readonly computePeak: number
}

/**
 * The smallest profile of a board that a need fits: memory peak and margin within the profile's memory, and compute peak
 * over target utilization within its share. Profiles whose memory is not known are not considered. Undefined when none fits.
 */
export function smallestFitting(board: Board, need: Need, policy: RightSizePolicy): MigProfile | undefined {
  return plainProfiles(board)
    .filter(
      (profile) =>
        profile.memory !== undefined &&
        profile.memory >= need.memoryPeak * (1 + policy.memoryMargin) &&
        sliceShare(board, profile) >= need.computePeak / policy.targetUtilization,
    )
    .toSorted(bySize)[0]
}

/** Least compute, then least memory. */
const bySize = (a: MigProfile, b: MigProfile): number =>
  a.computeSlices - b.computeSlices || (a.memory ?? 0) - (b.memory ?? 0)

/** How one workload sits on one model and profile (an empty profile is a whole GPU). */
type Seat = { readonly workload: WorkloadId; readonly model: string; readonly profile: string }

/** The right size of every seat of the window. */
export type RightSizing = {
  /** Of the workload's seats the most oversized; unknown when it held nothing. */
  readonly of: (workload: WorkloadId) => RightSize
}

/**
 * Judges all workloads of the snapshot from held totals that are grouped by workload, model and profile (and anything
 * else). Those that ended are not judged, as nobody can change them, nor are pods that hold several devices at once: MIG
 * devices cannot reach one another, so such work does not fit into them.
 */
export function rightSizing(
  totals: Iterable<UsageTotal>,
  snapshot: Pick<ClusterSnapshot, 'pods' | 'workloads'>,
  { policy, known = [] }: { readonly policy: RightSizePolicy; readonly known?: readonly StudiedSize[] },
): RightSizing {
  const told = new Map(known.map((each) => [each.workload, each]))
  const shapes = podShapes(snapshot)
  const reserved = new Map(snapshot.workloads.map((workload) => [workload.id, whyReserved(workload)]))
  const seats = sumUsageBy(totals, (total) => (kindOf(total) === 'held' ? keyOf(total) : undefined))
  const byWorkload = new Map<WorkloadId, RightSize[]>()
  for (const [key, usage] of seats) {
    const [workload = '', model = '', profile = ''] = key.split('\u0000')
    const seat = { workload, model, profile }
    const studied = told.get(seat.workload)
    const size =
      studied?.model === seat.model
        ? studied.size
        : judge({ seat, usage, pods: shapes.get(seat.workload), reserved: reserved.get(seat.workload) }, policy)
    byWorkload.set(seat.workload, [...(byWorkload.get(seat.workload) ?? []), size])
  }
  return {
    of: (workload) => told.get(workload)?.size ?? mostTelling(byWorkload.get(workload) ?? []),
  }
}

type Case = {
  readonly seat: Seat
  readonly usage: UsageSum
  readonly pods: PodShape | undefined
  readonly reserved: string | undefined
}

function judge({ seat, usage, pods, reserved }: Case, policy: RightSizePolicy): RightSize {
  if (pods === undefined) return unknownSize('it has ended')
  if (pods.devices > 1) {
    return unknownSize(`its pods hold ${pods.devices} devices each, and MIG devices cannot work together`)
  }
  const board = boardFor(seat.model)
  if (board === undefined) return { kind: 'fits' }
  if (reserved !== undefined) return unknownSize(reserved)
  const held = seat.profile === '' ? 1 : shareOf(board, seat.profile)
  if (held === undefined || usage.gpuSeconds < 0.99 * held * usage.seconds) {
    return unknownSize('it shares its device with others')
  }
  // Replicas measure side by side: ten pods for one hour are one hour of history.
  const history = usage.measuredSeconds / pods.count
  return history < policy.minimumHistory
    ? unknownSize(tooShort(history, policy))
    : sizeOn(board, { usage, held }, policy)
}

function sizeOn(
  board: Board,
  { usage, held }: { readonly usage: UsageSum; readonly held: number },
  policy: RightSizePolicy,
): RightSize {
  const { busyPeak, memoryPeak } = usage
  if (busyPeak === undefined || memoryPeak === undefined) return unknownSize('its memory was not measured')
  const fitting = smallestFitting(board, { memoryPeak, computePeak: busyPeak * held }, policy)
  if (fitting === undefined || sliceShare(board, fitting) >= held) return { kind: 'fits' }
  return { kind: 'oversized', profile: fitting.name, share: sliceShare(board, fitting) }
}

const shareOf = (board: Board, name: string): Ratio | undefined => {
  const profile = profileOf(board, name)
  return profile === undefined ? undefined : sliceShare(board, profile)
}

const tooShort = (measured: number, { minimumHistory }: RightSizePolicy): string =>
  `not enough history: ${Math.floor(measured / SECONDS_PER_HOUR)} h of ${Math.round(minimumHistory / SECONDS_PER_HOUR)} h`

const unknownSize = (because: string): RightSize => ({ kind: 'unknown', because })

/** The smallest size that one of the seats would fit, else that they fit, else why it is not known. */
function mostTelling(sizes: readonly RightSize[]): RightSize {
  const oversized = sizes.flatMap((size) => (size.kind === 'oversized' ? size : []))
  const smallest = oversized.toSorted((a, b) => a.share - b.share)[0]
  return (
    smallest ?? sizes.find(({ kind }) => kind === 'fits') ?? sizes[0] ?? unknownSize('it held no GPU in this window')
  )
}

type PodShape = {
  readonly count: number
  /** The most devices that one of the pods asks for. */
  readonly devices: number
}

function podShapes({ pods }: Pick<ClusterSnapshot, 'pods'>): ReadonlyMap<WorkloadId, PodShape> {
  const shapes = new Map<WorkloadId, PodShape>()
  for (const { workload, requests } of pods) {
    const { count, devices } = shapes.get(workload) ?? { count: 0, devices: 0 }
    const asked = requests.reduce((sum, request) => sum + request.count, 0)
    shapes.set(workload, { count: count + 1, devices: Math.max(devices, asked) })
  }
  return shapes
}

const keyOf = ({ key }: UsageTotal): string => [key.workload, key.model, key.profile].join('\u0000')
