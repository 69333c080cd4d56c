import { mib } from '../../units.ts'
import { GPU_MILLI, type Demand } from '../place/demand.ts'
import { openFleet, place, undo, type Spot } from '../place/fleet.ts'
import type { Policy, TypicalDemand } from '../policy/policy.ts'
import type { GpuSet, GpuSetHeld, GpuSetNodes } from './gpu-set.ts'
import type { Need } from './needs.ts'

export type ShareGpuSetOptions = {
  readonly nodes: GpuSetNodes
  readonly policy: Policy
  readonly random: () => number
  /** Equal shares of a GPU; 1: a GPU is held whole. */
  readonly replicas: number
  readonly typical: readonly TypicalDemand[]
}

/** GPUs that are held whole, or shared in software by pods of one namespace. */
export function shareGpuSet({ nodes, policy, random, replicas, typical }: ShareGpuSetOptions): GpuSet {
  const fleet = openFleet(
    nodes.map((gpus, node) => ({
      id: String(node).padStart(6, '0'),
      cpuMilli: 1e12,
      memory: mib(1e12),
      model: '',
      pool: '',
      gpus,
    })),
  )
  const chooser = policy.start({ fleet, typical, random })
  const taken = new Map<number, { readonly demand: Demand; readonly spot: Spot }>()
  let token = 0
  return {
    gpus: fleet.milliFree.length,
    slots: replicas,
    take(need, tenant): GpuSetHeld | undefined {
      const demand = shareDemand(need, replicas, tenant)
      const spot = chooser.choose(demand)
      if (spot === undefined) return undefined
      const before = GPU_MILLI - (fleet.milliFree[spot.gpus[0] ?? 0] ?? 0)
      place(fleet, demand, spot)
      token += 1
      taken.set(token, { demand, spot })
      const part = GPU_MILLI / replicas
      const size = demand.gpu.kind === 'share' ? Math.round(demand.gpu.milli / part) : replicas
      return { gpus: spot.gpus, start: demand.gpu.kind === 'share' ? Math.round(before / part) : 0, size, token }
    },
    release(held) {
      const known = taken.get(held.token)
      if (known !== undefined) undo(fleet, known.demand, known.spot)
      taken.delete(held.token)
    },
    // A share is any part of a GPU, so nothing that is free has a shape that nobody could use.
    stranded: () => 0,
  }
}

/** A need as whole GPUs or as replicas of one. */
export function shareDemand(need: Need, replicas: number, tenant: number): Demand {
  const parts = need.kind === 'part' ? Math.ceil((need.milli * replicas) / GPU_MILLI - 1e-9) : replicas
  const gpu: Demand['gpu'] =
    need.kind === 'whole'
      ? { kind: 'whole', count: need.gpus }
      : parts >= replicas
        ? { kind: 'whole', count: 1 }
        : { kind: 'share', milli: Math.floor(GPU_MILLI / replicas) * parts }
  return { id: '', cpuMilli: 0, memory: mib(0), gpu, models: [], tenant: String(tenant) }
}
