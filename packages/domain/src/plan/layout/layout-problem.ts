import type { Board } from '../../gpu/board.ts'
import type { ProfileName } from '../../gpu/geometry.ts'
import type { UsdPerGpuHour } from '../../units.ts'

/** Who changes the layout of a GPU, which decides what a change disturbs. */
export type Actuator =
  /** Re-cuts whole GPUs: everything on a changed GPU is displaced, and the driver chooses where instances start. */
  | 'mig-manager'
  /** Creates and removes single instances at chosen placements beside running neighbors. */
  | 'dra'

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

/** The name that stands for a whole GPU that is not in MIG mode, where a profile is asked for. */
export const WHOLE_GPU: ProfileName = ''

/** A place that satisfies a demand: one instance of a profile (or `WHOLE_GPU`) on a GPU of a class. */
export type Fit = { readonly supplyClass: string; readonly profile: ProfileName }

/** Workloads with equal needs, each of which wants one of `fits`. */
export type DemandClass = { readonly id: string; readonly count: number; readonly fits: readonly Fit[] }

/** The question of a whole fleet: which layouts serve these demands at least cost. */
export type LayoutProblem = {
  readonly classes: readonly SupplyClass[]
  readonly demands: readonly DemandClass[]
}
