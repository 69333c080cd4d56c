import type { Gpu } from '../../cluster/node.ts'
import { faultyGpu } from '../../cluster/soundness.ts'
import { geometryOf } from '../../gpu/layout.ts'
import { isSameCut } from '../../fleet/gpu-state.ts'
import type { Action } from '../words/action.ts'
import { gpuOf, type Fleet } from '../../fleet/fleet.ts'
import { unless, type Guardrail } from './guardrail.ts'

/**
 * No GPU with a fault is cut or shared, and none whose use is not known. mig-manager and the device plugin change a node as
 * one, so there one faulty GPU stops them all: the apply would end as `failed` for the node. A counter that is stuck stops
 * nobody else.
 */
export const sparesFaultyGpus: Guardrail = (action, state) => {
  const touched = touchedGpus(action, state)
  const faulty = touched.find(({ gpu }) => gpu.fault !== undefined)
  const stuck = touched.find(({ gpu, changed }) => changed && gpu.stuck === true)
  const found = (faulty ?? stuck)?.gpu
  return unless('gpu-fault', found === undefined ? undefined : faultyGpu(found))
}

type Touched = { readonly gpu: Gpu; readonly changed: boolean }

function touchedGpus(action: Action, state: Fleet): readonly Touched[] {
  if (action.kind === 'repartition' || action.kind === 'share') {
    const node = state.nodes.get(action.node)
    if (node === undefined) return []
    return node.gpus.map((gpu) => ({ gpu, changed: action.kind === 'share' || isCutAnew(gpu, action) }))
  }
  if (action.kind !== 'create-instance') return []
  const gpu = gpuOf(state, action.gpu)
  return gpu === undefined ? [] : [{ gpu, changed: true }]
}

/** Whether a repartition makes something else of the GPU; the others of its node keep running. */
export function isCutAnew(gpu: Gpu, { gpus }: Extract<Action, { readonly kind: 'repartition' }>): boolean {
  const change = gpus.find((each) => each.gpu === gpu.id)
  if (change === undefined) return false
  const { from, to } = change
  return !isSameCut(gpu, { migEnabled: from.migEnabled, geometry: geometryOf(from.layout) }, to)
}
