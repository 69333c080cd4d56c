import { nodeRefusal } from '../cluster/node-rules.ts'
import type { Gpu, GpuId } from '../cluster/node.ts'
import type { PodScheduling } from '../cluster/scheduling.ts'
import type { GpuRequest } from '../cluster/workload.ts'
import { profileOf } from '../gpu/board.ts'
import type { ProfileName } from '../gpu/geometry.ts'
import { profileOfResource } from '../gpu/profile-name.ts'
import { WHOLE_GPU_RESOURCE } from '../gpu/whole-gpu.ts'
import type { Slots } from './fits.ts'
import { boardOf } from './gpu-state.ts'
import { roomOnGpu } from './gpu-room.ts'
import { freeDevices, isClosed, type FreeDevice, type OpenNode } from './open-nodes.ts'

/** One kind of GPU device that a pod asks for. */
export type DeviceWish =
  | { readonly kind: 'whole'; readonly count: number }
  | { readonly kind: 'mig'; readonly profile: ProfileName }

/** What a pod wishes, as far as a change of GPUs could give it: several kinds at once, or several MIG devices, no. */
export function wishOf(requests: readonly GpuRequest[]): DeviceWish | undefined {
  const [request, ...more] = requests.filter(({ count }) => count > 0)
  if (request === undefined || more.length > 0) return undefined
  const { resource, count } = request
  if (resource === WHOLE_GPU_RESOURCE) return { kind: 'whole', count }
  const profile = resource.endsWith('.shared') ? undefined : profileOfResource(resource)
  return profile === undefined || count > 1 ? undefined : { kind: 'mig', profile }
}

/**
 * What one GPU would need to take a pod: nothing; to be cut again, or to change its MIG mode; that rules or a full host let
 * the pod in; that its holders leave; or it never could.
 */
export type Nearest = {
  readonly found: 'free' | 'recut' | 'switch' | 'rules' | 'room' | 'held' | 'never'
  readonly node: string
  readonly gpu: GpuId
}

/** The same for each GPU of a node that takes pods; `slots` are those of the pod there, by count alone. */
export function nearestOn({ on, count, because }: Slots, wish: DeviceWish): readonly Nearest[] {
  const { node } = on
  if (isClosed(on)) return []
  const found =
    wish.kind === 'mig' ? node.gpus.map((gpu) => forProfile(on, gpu, wish.profile)) : forWhole(on, wish.count)
  const barred = because === undefined ? undefined : BARRED[because.kind]
  return found.map((each, order) => ({
    found:
      barred !== undefined && each !== 'held' && each !== 'never'
        ? barred
        : each === 'free' && count === 0
          ? 'held'
          : each,
    node: node.name,
    gpu: node.gpus[order]?.id ?? '',
  }))
}

const BARRED = {
  rules: 'rules',
  taint: 'rules',
  repelled: 'rules',
  closed: undefined,
  device: undefined,
  cpu: 'room',
  memory: 'room',
} as const satisfies Record<NonNullable<Slots['because']>['kind'], Nearest['found'] | undefined>

/** Whether a node is one that the pod may run on, whatever is free there. */
export const mayUse = ({ node: { room } }: OpenNode, scheduling: PodScheduling): boolean =>
  nodeRefusal(scheduling, room) === undefined

function forProfile({ node, isHeld }: OpenNode, gpu: Gpu, profile: ProfileName): Nearest['found'] {
  const holders = { has: isHeld, get: () => undefined }
  const room = roomOnGpu(gpu, node, { profile, holders })
  if (room.kind === 'blocked') return 'held'
  if (room.kind === 'refused') return 'never'
  if (room.now > 0) return 'free'
  return gpu.migEnabled ? 'recut' : 'switch'
}

function forWhole(on: OpenNode, count: number): readonly Nearest['found'][] {
  const { gpus } = on.node
  const each = gpus.map((gpu) => wholeOn(on, gpu))
  const free = freeOn(on)
  // What is free on a node that has too few of them waits for its neighbors.
  if (free >= count) return each
  if (gpus.length < count) return gpus.map(() => 'never')
  const able = free + each.filter((found) => found === 'switch').length
  if (able >= count) return each.map((found) => (found === 'free' ? 'switch' : found))
  return each.map((found) => (found === 'never' ? found : 'held'))
}

function wholeOn(on: OpenNode, gpu: Gpu): Nearest['found'] {
  const { partitions, migEnabled, fault } = gpu
  if (freeAsGpu(on).some((device) => device.gpu === gpu)) return 'free'
  if (fault !== undefined || (partitions.length === 0 && !migEnabled)) return 'never'
  if (partitions.some(({ id }) => on.isHeld(id))) return 'held'
  // Its device plugin offers fewer than there are.
  if (!migEnabled) return 'never'
  return on.dra && partitions.length === 0 ? 'free' : 'switch'
}

/** Under the single MIG strategy, and where replicas share a GPU, what goes by the name of a GPU is a part of one. */
const freeAsGpu = (on: OpenNode): readonly FreeDevice[] => freeDevices(on).get(WHOLE_GPU_RESOURCE) ?? []

/** Devices of a node that a pod which asks for GPUs could get. */
export const freeOn = (on: OpenNode): number =>
  on.dra ? on.node.gpus.filter((gpu) => wholeOn(on, gpu) === 'free').length : freeAsGpu(on).length

/** Whether the node could ever give the wish, were it empty. */
export const couldGive = ({ node: { gpus } }: OpenNode, wish: DeviceWish): boolean =>
  wish.kind === 'whole'
    ? gpus.length >= wish.count
    : gpus.some((gpu) => {
        const board = boardOf(gpu)
        return board !== undefined && profileOf(board, wish.profile) !== undefined
      })
