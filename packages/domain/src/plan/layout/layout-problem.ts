import type { Actuator } from '../../gpu/actuator.ts'
import type { Board } from '../../gpu/board.ts'
import type { ProfileName } from '../../gpu/geometry.ts'
import type { UsdPerGpuHour } from '../../units.ts'

/** GPUs that are equal for planning. */
export type SupplyClass = {
  readonly id: string
  /** Catalog name. */
  readonly model: string
  readonly pool: string
  /** Undefined: this GPU cannot be cut; it is held whole. */
  readonly board: Board | undefined
  /** How many there are. */
  readonly supply: number
  readonly price: UsdPerGpuHour | undefined
  readonly actuator: Actuator
}

/** A place that satisfies a demand: one instance of a profile (or `WHOLE_GPU`) on a GPU of a class. */
export type Fit = { readonly supplyClass: string; readonly profile: ProfileName }

/** Workloads with equal needs, each of which wants one of `fits`. */
export type DemandClass = { readonly id: string; readonly count: number; readonly fits: readonly Fit[] }

/** The question of a whole fleet: which layouts serve these demands at least cost. */
export type LayoutProblem = {
  readonly classes: readonly SupplyClass[]
  readonly demands: readonly DemandClass[]
}
