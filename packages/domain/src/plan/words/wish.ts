import type { GpuId } from '../../cluster/node.ts'
import type { GpuRequest, WorkloadId } from '../../cluster/workload.ts'
import type { Actuator } from '../../gpu/actuator.ts'
import type { Destination, GpuTarget, PodMove, SharingMode } from './action.ts'

/** What a plan is wanted to bring about. `moves` says for pods in the way where room is kept for them. */
export type Wish =
  /** GPUs become these layouts. Without an actuator each node's own is used: DRA where a DRA driver serves it. */
  | {
      readonly kind: 'layout'
      readonly targets: readonly GpuTarget[]
      readonly moves: readonly PodMove[]
      readonly actuator?: Actuator
      /** GPUs that nobody shall hold afterwards: their nodes are closed until displaced pods run elsewhere. */
      readonly keepEmpty?: readonly GpuId[]
    }
  /** Each pod of the workload asks for this instead. */
  | { readonly kind: 'resize'; readonly workload: WorkloadId; readonly to: readonly GpuRequest[] }
  /** The workload keeps so many pods; 0 releases an idle one. */
  | { readonly kind: 'scale'; readonly workload: WorkloadId; readonly to: number }
  /** All GPUs of the node are shared by pods of one namespace, or no longer shared. */
  | {
      readonly kind: 'share'
      readonly node: string
      readonly to: SharingMode
      readonly tenant: string
      readonly moves: readonly PodMove[]
    }
  | { readonly kind: 'remove-node'; readonly node: string; readonly moves: readonly PodMove[] }
  | { readonly kind: 'reschedule'; readonly workload: WorkloadId; readonly to: Destination }
