import { mib } from '../../units.ts'
import { GPU_MILLI, type Demand } from '../../plan/place/demand.ts'
import { place, shareFleet, undo, type Spot } from '../../plan/place/fleet.ts'
import type { Policy } from '../../plan/policy/policy.ts'
import { seededChance } from '../../plan/simulate/seeded-chance.ts'
import type { GpuSet, GpuSetHeld, GpuSetNodes } from './gpu-set.ts'
import type { ScenarioNeed } from './needs.ts'

/** `replicas`: equal shares of each GPU in software; 1: a GPU is held whole. */
type ShareGpuSetOptions = { readonly nodes: GpuSetNodes; readonly policy: Policy; readonly replicas: number }

/** GPUs without MIG, held whole or shared by pods of one namespace, on the nodes that the policy chooses. */
export function shareGpuSet({ nodes, policy, replicas }: ShareGpuSetOptions): GpuSet {
  const fleet = shareFleet(nodes.map((gpus, node) => ({ ...NO_LIMITS, id: String(node).padStart(6, '0'), gpus })))
  const chooser = policy.start({ fleet, typical: [], random: seededChance(0) })
  const taken = new Map<number, { readonly demand: Demand; readonly spot: Spot }>()
  let token = 0
  return {
    gpus: fleet.milliFree.length,
    take(need, tenant): GpuSetHeld | undefined {
      const demand = demandOf(need, replicas, tenant)
      const spot = chooser.choose(demand)
      if (spot === undefined) return undefined
      place(fleet, demand, spot)
      token += 1
      taken.set(token, { demand, spot })
      return { gpus: spot.gpus, token }
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

/** A replay knows no CPU and memory, and opens the GPUs of one model at a time. */
const NO_LIMITS = { cpuMilli: 1e12, memory: mib(1e12), model: '', pool: '' }

/** A need as whole GPUs or as replicas of one. */
function demandOf(need: ScenarioNeed, replicas: number, tenant: number): Demand {
  const parts = need.kind === 'part' ? Math.ceil((need.milli * replicas) / GPU_MILLI - 1e-9) : replicas
  const count = need.kind === 'whole' ? need.gpus : 1
  const gpu: Demand['gpu'] =
    parts >= replicas ? { kind: 'whole', count } : { kind: 'share', milli: Math.floor(GPU_MILLI / replicas) * parts }
  return { id: '', cpuMilli: 0, memory: mib(0), gpu, models: [], tenant: String(tenant) }
}
