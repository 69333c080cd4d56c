import type { Pod } from '../../cluster/workload.ts'
import type { MigProfile } from '../../gpu/board.ts'
import { placeableTogether } from '../../gpu/occupancy.ts'
import { nodesTaking, profileByResource } from '../../fleet/find-rooms.ts'
import type { IndexedFleet } from '../../fleet/indexed-fleet.ts'
import type { GpuSlot, GpuSpace } from '../../fleet/gpu-space.ts'

/** A pod that needs room: each partition that it asks for, all on one node. */
export type Seeker = {
  readonly pod: Pod
  readonly resources: readonly string[]
  readonly model: string | undefined
}

/**
 * How many pods like this one each node can take at most, counted without a search: never too few. `alone`: nobody who
 * asks for anything else comes too.
 */
export function podsPerNode(fleet: IndexedFleet, { pod, resources, model }: Seeker, alone: boolean): Int32Array {
  const fits = new Int32Array(fleet.frame.nodes.length).fill(MANY)
  for (const [resource, own] of Map.groupBy(resources, (each) => each)) {
    const rooms = fleet.capacities(`${resource} ${model} ${alone}`, (like) =>
      model === undefined || like.gpu.model === model ? capacityOf(like, resource, alone) : 0,
    )
    for (let node = 0; node < fits.length; node += 1) {
      fits[node] = Math.min(fits[node] ?? 0, Math.floor((rooms[node] ?? 0) / own.length))
    }
  }
  const takes = nodesTaking(fleet, pod)
  const { cpuMilli, memory } = pod.scheduling
  for (let node = 0; node < fits.length; node += 1) {
    const most = fits[node] ?? 0
    if (most === 0) continue
    const left = fleet.hostAt(node)
    const byHost = Math.min(times(left.cpuMilli, cpuMilli), times(left.memory, memory))
    fits[node] = takes(node) ? Math.min(most, byHost) : 0
  }
  return fits
}

const MANY = 1_000_000

const times = (left: number, asked: number): number => (asked === 0 ? MANY : Math.min(MANY, Math.floor(left / asked)))

/** How many more partitions of a resource one GPU can give at most. */
function capacityOf(space: GpuSpace, resource: string, alone: boolean): number {
  const { open, slots, board, node, actuator } = space
  if (!open) return 0
  const idle = slots.filter((slot) => slot.resource === resource && slot.pods.length === 0)
  const profile = board === undefined ? undefined : profileByResource(board, resource)
  if (profile === undefined || node.mig.strategy !== 'mixed') return idle.length
  if (actuator === 'dra') return besideOthers(space, profile, idle)
  // A GPU is cut again only while nobody holds a partition that is there now; an idle one is taken first.
  const held = slots.filter(({ pods }) => pods.length > 0)
  const isFixed = [...held, ...(alone ? idle : [])].some(({ partition }) => partition !== undefined)
  return isFixed ? idle.length : Math.max(idle.length, profile.max)
}

function besideOthers({ board, gpu, slots }: GpuSpace, profile: MigProfile, idle: readonly GpuSlot[]): number {
  if (board === undefined || !gpu.migEnabled) return idle.length
  const held = slots.flatMap(({ pods, profile: name, placement }) =>
    pods.length === 0 || placement === undefined ? [] : [{ profile: name, placement }],
  )
  const fresh = placeableTogether(board, held, profile)
  const isKnown = idle.every(({ placement }) => placement !== undefined)
  return isKnown ? Math.max(idle.length, fresh) : idle.length + fresh
}
