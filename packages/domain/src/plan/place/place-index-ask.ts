import type { GpuId } from '../../cluster/node.ts'
import type { NodeRoom, PodScheduling } from '../../cluster/scheduling.ts'
import { profileOf, sliceShare, type Board, type MigProfile } from '../../gpu/board.ts'
import type { ProfileName } from '../../gpu/geometry.ts'
import type { Layout, PlacedInstance } from '../../gpu/layout.ts'
import type { Mib, Ratio } from '../../units.ts'

/** What one pod asks of the fleet. */
export type PlaceAsk = {
  readonly wants: GpuWant
  /** GPU models that it may run on; empty: any. */
  readonly models: readonly string[]
  /** Software shares never cross tenants; MIG instances may share a GPU. Undefined is a tenant of its own. */
  readonly tenant: string | undefined
  readonly scheduling: Pick<PodScheduling, 'cpuMilli' | 'memory' | 'nodeSelector' | 'nodeTerms' | 'tolerations'>
}

export type GpuWant =
  /** So many GPUs of one node, each wholly free. */
  | { readonly kind: 'whole'; readonly count: number }
  /** Thousandths of one GPU that software divides, under 1000. */
  | { readonly kind: 'share'; readonly milli: number }
  /** `nvidia.com/mig-<profile>`: any board with a profile of that name will do. */
  | { readonly kind: 'mig'; readonly profile: ProfileName }
  /** Any one profile with so much compute and framebuffer. A profile whose framebuffer is not known is passed over. */
  | { readonly kind: 'need'; readonly compute: Ratio; readonly memory: Mib }
  /** One of these: an instance of a profile, or a whole GPU (`WHOLE_GPU`), on a GPU of a model. */
  | { readonly kind: 'any'; readonly of: ReadonlyArray<{ readonly model: string; readonly profile: ProfileName }> }

/** A node with its GPUs, and what pods that the index did not place hold of it: they stay as long as the index. */
export type PlaceNode = {
  readonly id: string
  readonly model: string
  /** Undefined: these GPUs cannot be cut. */
  readonly board: Board | undefined
  /** Allocatable CPU and memory, and what other pods use of it. */
  readonly room: NodeRoom
  readonly gpus: readonly PlaceGpu[]
  /** What one of its GPUs costs beside others, in any unit; equal where undefined. */
  readonly price?: number
}

/** `held`: what pods hold of it before the index places any. */

export type PlaceGpu =
  /** Not in MIG mode: held whole, or divided by software inside one tenant. */
  | { readonly kind: 'whole'; readonly id: GpuId; readonly held?: boolean }
  /** Cut beforehand by mig-manager: only these instances can be had, but for those of them that are held. */
  | { readonly kind: 'cut'; readonly id: GpuId; readonly layout: Layout; readonly held?: Layout }
  /** DRA: any legal start beside what is there, or the whole GPU while it is empty. */
  | { readonly kind: 'dynamic'; readonly id: GpuId; readonly held?: Layout | 'whole' }

/** Where a pod was put; hand it back to release it. */
export type PlacedPod = {
  readonly ask: PlaceAsk
  readonly node: string
  readonly gpus: readonly GpuId[]
  /** The instance that it holds on its one GPU. */
  readonly instance: PlacedInstance | undefined
  /** Expected loss: what the fleet's room was worth more before, in GPUs times price. */
  readonly loss: number
}

/** The profiles of a board, as a model has it, that satisfy a want, smallest first; none where it wants no instance. */
export function profilesFor(board: Board, wants: GpuWant, model = board.key): readonly MigProfile[] {
  if (wants.kind === 'any') {
    return wants.of.flatMap((fit) => (fit.model === model ? (profileOf(board, fit.profile) ?? []) : []))
  }
  if (wants.kind === 'mig') {
    const profile = profileOf(board, wants.profile)
    return profile === undefined ? [] : [profile]
  }
  if (wants.kind !== 'need') return []
  return board.profiles.filter(
    (profile) =>
      sliceShare(board, profile) >= wants.compute && profile.memory !== undefined && profile.memory >= wants.memory,
  )
}

/** What is wrong with an ask, in words; undefined when it can be looked up. */
export function askProblem({ wants, scheduling }: PlaceAsk): string | undefined {
  return isAmount(scheduling.cpuMilli) && isAmount(scheduling.memory)
    ? wantProblem(wants)
    : 'CPU and memory requests are 0 or more'
}

/** Whether it is a number from 0; an endless one would leave of what is left no number. */
export const isAmount = (amount: number): boolean => Number.isFinite(amount) && amount >= 0

function wantProblem(wants: GpuWant): string | undefined {
  if (wants.kind === 'whole' && !isWhole(wants.count, Number.MAX_SAFE_INTEGER)) {
    return `a pod wants a whole number of GPUs, at least 1, not ${wants.count}`
  }
  if (wants.kind === 'share' && !isWhole(wants.milli, 1000)) {
    return `a share is 1 to 1000 thousandths of a GPU, not ${wants.milli}`
  }
  return wants.kind === 'need' && !(isPart(wants.compute) && isAmount(wants.memory))
    ? `a need is a compute share from 0 to 1 and MiB from 0, not ${wants.compute} and ${wants.memory}`
    : undefined
}

const isWhole = (count: number, most: number): boolean => Number.isInteger(count) && count > 0 && count <= most
const isPart = (share: number): boolean => share >= 0 && share <= 1
