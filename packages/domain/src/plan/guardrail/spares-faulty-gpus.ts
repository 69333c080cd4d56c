import type { Action } from '../words/action.ts'
import { gpuOf, type PlanState } from '../state/plan-state.ts'
import { unless, type Guardrail } from './guardrail.ts'

/**
 * No GPU with a fault is cut or shared. mig-manager and the device plugin change a node as one, so there one faulty GPU
 * stops them all: the apply would end as `failed` for the node.
 */
export const sparesFaultyGpus: Guardrail = (action, state) => {
  const fault = touchedGpus(action, state).find((gpu) => gpu.fault !== undefined)?.fault
  return unless('gpu-fault', fault === undefined ? undefined : fault.message)
}

function touchedGpus(action: Action, state: PlanState): ReadonlyArray<NonNullable<ReturnType<typeof gpuOf>>> {
  if (action.kind === 'repartition' || action.kind === 'share') return state.nodes.get(action.node)?.gpus ?? []
  if (action.kind !== 'create-instance') return []
  const gpu = gpuOf(state, action.gpu)
  return gpu === undefined ? [] : [gpu]
}
