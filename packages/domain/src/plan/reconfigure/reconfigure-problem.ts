import type { GpuId, PartitionId } from '../../cluster/node.ts'
import type { PodId } from '../../cluster/workload.ts'
import type { Board } from '../../gpu/board.ts'
import type { PlacedInstance } from '../../gpu/layout.ts'
import type { GpuTarget, PodMove } from '../words/action.ts'
import type { Actuator } from '../../gpu/actuator.ts'
import type { DemandClass } from '../layout/layout-problem.ts'

/** Which GPUs may be cut again, what runs on them, and what should fit beside it. */
export type ReconfigureProblem = {
  readonly gpus: readonly GpuNow[]
  /** New instances wanted, beside everything that runs. */
  readonly demands: readonly DemandClass[]
}

/** A GPU in MIG mode, or an empty one that can be put into it. A GPU that is held whole does not belong here. */
export type GpuNow = {
  readonly gpu: GpuId
  /** GPUs of one class are interchangeable: a pod moves only within its class. */
  readonly supplyClass: string
  readonly board: Board
  readonly actuator: Actuator
  readonly instances: readonly InstanceNow[]
}

export type InstanceNow = PlacedInstance & {
  readonly partition: PartitionId
  /** Undefined: nobody holds it. */
  readonly pod: PodId | undefined
  /** False: its pod must stay where it is. */
  readonly movable: boolean
}

/**
 * - `fewest-displaced`: everything fits on the GPUs there are, and as few pods as possible move.
 * - `fewest-gpus`: as few GPUs as possible hold everything, whoever moves.
 * - `fewest-displaced-at-fewest-gpus`: of these answers the one that moves fewest pods.
 */
export type ReconfigureGoal = 'fewest-displaced' | 'fewest-gpus' | 'fewest-displaced-at-fewest-gpus'

export type Reconfiguration =
  | {
      readonly kind: 'found'
      /** Every GPU that changes, by id. */
      readonly targets: readonly GpuTarget[]
      /** Every pod that must move, and where there is room for it. */
      readonly moves: readonly PlannedMove[]
      /** The room made for new demand: one entry for each instance wanted. */
      readonly rooms: readonly MoveRoom[]
      /** Pods displaced. */
      readonly displaced: number
      /** GPUs that hold something afterwards. */
      readonly gpus: number
      /** No plan displaces fewer, or uses fewer GPUs, with the other goals as they stand. Undefined: not asked. */
      readonly bounds: { readonly displaced: number | undefined; readonly gpus: number | undefined }
      /** Why it is not proven best; undefined where it is. */
      readonly unproven: string | undefined
    }
  /** Proven: there is no such layout. */
  | { readonly kind: 'impossible'; readonly because: string }
  | { readonly kind: 'unknown'; readonly because: string }

/** A move with the very instance that is kept for the pod. */
export type PlannedMove = PodMove & { readonly instance: PlacedInstance; readonly to: NonNullable<PodMove['to']> }

/** An instance that new demand can have. */
export type MoveRoom = { readonly demand: string; readonly gpu: GpuId; readonly instance: PlacedInstance }
