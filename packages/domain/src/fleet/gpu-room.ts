import { unsoundNode } from '../cluster/soundness.ts'
import type { Allocation } from '../cluster/inventory.ts'
import type { Gpu, GpuNode, PartitionId } from '../cluster/node.ts'
import type { WorkloadId } from '../cluster/workload.ts'
import { profileOf, type Board, type MigProfile } from '../gpu/board.ts'
import type { ProfileName } from '../gpu/geometry.ts'
import { placementMask, type PlacedInstance } from '../gpu/layout.ts'
import { migSupport } from '../gpu/mig-support.ts'
import { placeable, placeableTogether } from '../gpu/occupancy.ts'
import { boardOf, cutOf, isServedByDra, whyNoCuts } from './gpu-state.ts'
import { whyNot, type CutGpu } from './why-not.ts'

export type Room = {
  readonly kind: 'room'
  /** Instances of the profile that fit with nothing changed. */
  readonly now: number
  /** Memory slices where one may begin now. */
  readonly starts: readonly number[]
  /** Further ones once what nobody holds is cut again. */
  readonly recut: number
  /** Instances that nobody holds and that cutting again would replace. */
  readonly replaces: number
}

export type Blocked = {
  readonly kind: 'blocked'
  readonly because: string
  /** Who must leave before one fits; where there are several ways, one with the fewest. */
  readonly inTheWay: readonly InTheWay[]
  /** Whether the GPU must be cut again once they are gone. */
  readonly cutAnew: boolean
}

/** A held partition; `workload` undefined: its holder is not shown. */
type InTheWay = {
  readonly partition: PartitionId
  readonly instance: PlacedInstance | undefined
  readonly workload: WorkloadId | undefined
}

export type RoomAsked = {
  readonly profile: ProfileName
  /** Held partitions with what is known of their holders. */
  readonly holders: Pick<ReadonlyMap<PartitionId, readonly Allocation[]>, 'has' | 'get'>
}

/** What one GPU has for a profile: room, room once somebody leaves, or none whoever leaves, with the reason. */
export function roomOnGpu(
  gpu: Gpu,
  node: GpuNode,
  asked: RoomAsked,
): Room | Blocked | { readonly kind: 'refused'; readonly because: string } {
  const closed = whyClosed(gpu, node)
  if (closed !== undefined) return { kind: 'refused', because: closed }
  const board = boardOf(gpu)
  if (board === undefined) return { kind: 'refused', because: whyNoBoard(gpu) }
  const profile = profileOf(board, asked.profile)
  if (profile === undefined) return { kind: 'refused', because: `${gpu.model} has no profile ${asked.profile}` }
  const cut = instancesOf(gpu, asked.holders)
  if (cut === undefined) return { kind: 'refused', because: 'its MIG layout is unknown' }
  const ground: Ground = { gpu, node, board, profile, asked, ...cut, dra: isServedByDra(node) }
  const now = roomNow(ground)
  const recut = Math.max(0, afterRecut(ground, now.now) - now.now)
  if (now.now + recut > 0) {
    const replaces = recut === 0 ? 0 : ground.instances.filter(({ held }) => !held).length
    return { kind: 'room', ...now, recut, replaces }
  }
  return blockedOn(ground)
}

type Held = PlacedInstance & { readonly partition: PartitionId; readonly held: boolean }
type Cut = { readonly instances: readonly Held[]; readonly wholeHeld: PartitionId | undefined }
type Ground = Cut & {
  readonly gpu: Gpu
  readonly node: GpuNode
  readonly board: Board
  readonly profile: MigProfile
  readonly asked: RoomAsked
  readonly dra: boolean
}

const whyClosed = (gpu: Gpu, node: GpuNode): string | undefined => whyNodeClosed(node) ?? whyGpuClosed(gpu)

function whyNodeClosed(node: GpuNode): string | undefined {
  const { ready, schedulable, mig } = node
  if (mig.strategy === 'single' && !isServedByDra(node))
    return 'its node has MIG strategy single: pods ask for its devices as nvidia.com/gpu'
  if (!ready) return 'its node is not ready'
  if (!schedulable) return 'its node is cordoned'
  return mig.state === 'pending' || mig.state === 'rebooting' ? 'a MIG change of its node is under way' : undefined
}

function whyGpuClosed({ fault, stuck, unrequestedSince, partitions }: Gpu): string | undefined {
  if (fault !== undefined) return 'the GPU has a fault'
  if (stuck === true) return 'whether the GPU is used is unknown'
  if (unrequestedSince !== undefined) return 'something uses the GPU that no pod is known to hold'
  return partitions.some(({ kind }) => kind === 'shared') ? 'shared by time, not by MIG' : undefined
}

function whyNoBoard({ model }: Gpu): string {
  if (model === undefined) return 'the catalog does not know its board'
  const support = migSupport(model)
  return support.kind === 'ask-node' ? support.because : `${model} has no MIG`
}

function instancesOf(gpu: Gpu, holders: RoomAsked['holders']): Cut | undefined {
  const layout = cutOf(gpu)?.layout
  const devices = gpu.partitions.filter(({ kind }) => kind === 'mig')
  if (layout === undefined || layout.length !== devices.length) return undefined
  const whole = gpu.partitions.find(({ kind, id }) => kind === 'whole' && holders.has(id))
  return {
    instances: layout.flatMap((instance, order) => {
      const partition = devices[order]?.id
      return partition === undefined ? [] : [{ ...instance, partition, held: holders.has(partition) }]
    }),
    wholeHeld: whole?.id,
  }
}

/** Instances of the profile that nobody holds; under DRA also what fits beside all that is there. */
function roomNow({ board, profile, instances, dra, wholeHeld }: Ground): Omit<Room, 'kind' | 'recut' | 'replaces'> {
  if (wholeHeld !== undefined) return { now: 0, starts: [] }
  const free = instances.filter((one) => !one.held && profileOf(board, one.profile) === profile)
  const made = dra ? placeableTogether(board, instances, profile) : 0
  const starts = [...free.map(({ placement }) => placement.start), ...(dra ? placeable(board, instances, profile) : [])]
  return { now: free.length + made, starts: starts.toSorted((a, b) => a - b) }
}

/**
 * How many fit once everything that nobody holds is cut again. mig-manager cuts a GPU as a whole, DRA beside neighbors.
 */
function afterRecut(ground: Ground, now: number): number {
  const { board, profile, instances, dra, wholeHeld } = ground
  const held = instances.filter((one) => one.held)
  if (wholeHeld !== undefined) return 0
  if (dra) return placeableTogether(board, held, profile)
  return held.length > 0 || whyNotCut(ground) !== undefined ? now : placeableTogether(board, [], profile)
}

/** Why mig-manager cannot cut this GPU into the profile even when nobody holds it. */
function whyNotCut({ node, dra }: Ground): string | undefined {
  if (dra) return undefined
  const { mig } = node
  if (mig.state === 'failed') return 'the last MIG change of its node failed'
  if (unsoundNode(node) !== undefined)
    return 'its node withholds devices, or has not said what came of its MIG change or which GPUs are in MIG mode'
  if (mig.strategy === 'none') return 'the node runs with MIG strategy none, which advertises no MIG device'
  return whyNoCuts(node)
}

function blockedOn(ground: Ground): Blocked | { readonly kind: 'refused'; readonly because: string } {
  const { board, profile, instances, gpu, dra, wholeHeld } = ground
  const same = instances.find((one) => one.held && profileOf(board, one.profile) === profile)
  const barred = whyNotCut(ground)
  // One of those that are cut already need only be given back.
  if (!dra && same !== undefined) return blocked([same], why(ground), false)
  if (barred !== undefined) return { kind: 'refused', because: barred }
  if (wholeHeld !== undefined) {
    const inTheWay = [{ partition: wholeHeld, instance: undefined, workload: workloadOf(ground, wholeHeld) }]
    return { kind: 'blocked', because: 'one pod holds the whole GPU', inTheWay, cutAnew: true }
  }
  if (!dra) {
    const held = instances.filter((one) => one.held)
    return held.length === 0
      ? { kind: 'refused', because: `${profile.name} does not fit ${gpu.model}` }
      : blocked(held, why(ground), true)
  }
  return blocked(fewestInTheWay(ground), why(ground), true)

  function blocked(held: readonly Held[], because: string, cutAnew: boolean): Blocked {
    const inTheWay = held.map(({ partition, profile: name, placement }) => ({
      partition,
      instance: { profile: name, placement },
      workload: workloadOf(ground, partition),
    }))
    return { kind: 'blocked', because, inTheWay, cutAnew }
  }
}

const why = ({ board, profile, gpu, node, asked }: Ground): string => {
  const cut = cutGpu(gpu, node, asked.holders)
  return (cut && whyNot(board, cut, profile)) ?? 'in use'
}

/** The instances of a GPU and who holds them; undefined where its layout is unknown. */
export function cutGpu(gpu: Gpu, node: GpuNode, holders: RoomAsked['holders']): CutGpu | undefined {
  const instances = instancesOf(gpu, holders)?.instances.map(({ profile, placement, held }) => ({
    instance: { profile, placement },
    held,
  }))
  return instances && { kind: isServedByDra(node) ? 'dynamic' : 'cut', instances }
}

function fewestInTheWay({ board, profile, instances }: Ground): readonly Held[] {
  const held = instances.filter((one) => one.held)
  const same = held.filter((one) => profileOf(board, one.profile) === profile)
  // All that the board takes of it are there, so one of them must go wherever there is space.
  if (same.length >= profile.max) return same.slice(0, 1)
  const ways = profile.starts.map((start) => {
    const wanted = placementMask({ start, size: profile.size })
    return held.filter(({ placement }) => (placementMask(placement) & wanted) !== 0)
  })
  return ways.toSorted((a, b) => a.length - b.length)[0] ?? []
}

const workloadOf = ({ asked }: Ground, partition: PartitionId): WorkloadId | undefined =>
  asked.holders.get(partition)?.[0]?.workload
