import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { PriceBook } from '../../cost/price.ts'
import type { Actuator } from '../../gpu/actuator.ts'
import type { FleetGoal } from './plan-fleet-answer.ts'

export type FleetQuestion = {
  readonly snapshot: ClusterSnapshot
  readonly goal: FleetGoal
  readonly prices: PriceBook
  /** The most pods that the plan may displace. */
  readonly maxDisplaced: number
  /** Whether a pod may be displaced although no room is kept for it. */
  readonly mayWait?: boolean
  /** Only GPUs that this actuator cuts may change. Undefined: each node's own. */
  readonly actuator?: Actuator
}

/** A question with the snapshot to search: nodes of refused parts are closed in it. */
export type FleetSearch = FleetQuestion & { readonly searched: ClusterSnapshot }
