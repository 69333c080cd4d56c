import type { Gpu, GpuNode } from '../../cluster/node.ts'
import { NO_MIG_MANAGER } from '../../cluster/node-problems.ts'
import { faultyGpu, unrequestedUse, unsoundNode } from '../../cluster/soundness.ts'
import { geometryOf } from '../../gpu/layout.ts'
import { isSameCut } from '../../fleet/gpu-state.ts'
import { gpuOf, type Fleet } from '../../fleet/fleet.ts'
import type { Action } from '../words/action.ts'
import { firstReason, type StepRule } from './guardrail.ts'

/**
 * One stack changes a node's GPUs. NVIDIA's DRA driver destroys, when it starts, every MIG device that it did not make,
 * and its documentation forbids mig-parted on the same node.
 */
export const whyOtherStack: StepRule = ({ action, state }) => {
  const node = changedNode(action, state)
  if (node === undefined) return undefined
  const byDra = action.kind === 'create-instance' || action.kind === 'delete-instance'
  if (byDra === state.servedByDra.has(node.name)) return undefined
  return byDra
    ? `${node.name} publishes no DRA devices, so single instances cannot be made there. Plan for mig-manager instead.`
    : `The GPUs of ${node.name} are served by a DRA driver, which must not be mixed with mig-manager or the device plugin. Plan for DRA instead.`
}

/** GPUs change only on sound nodes whose sources agree; a node that is not sound is not removed for its money either. */
export const whyUnsettled: StepRule = ({ action, state }) => {
  const node = touchedNode(action, state)
  return node && unsettled(node, action)
}

/** The node that an action changes or takes away. */
const touchedNode = (action: Action, state: Fleet): GpuNode | undefined =>
  action.kind === 'remove-node' ? state.nodes.get(action.node) : changedNode(action, state)

/** The node whose GPUs an action changes. */
export function changedNode(action: Action, state: Fleet): GpuNode | undefined {
  if (action.kind === 'repartition' || action.kind === 'share') return state.nodes.get(action.node)
  if (action.kind !== 'create-instance' && action.kind !== 'delete-instance') return undefined
  return state.nodes.get(gpuOf(state, action.gpu)?.node ?? '')
}

function unsettled(node: GpuNode, action: Action): string | undefined {
  const unsound = unsoundNode(node)
  if (unsound !== undefined) return unsound
  if (action.kind !== 'repartition') return undefined
  const told = (wanted: string): string | undefined => node.problems.find(({ code }) => code === wanted)?.message
  const doubt = told('label-contradicts-devices')
  return doubt === undefined ? told(NO_MIG_MANAGER) : `What GPUs ${node.name} has is in doubt: ${doubt}`
}

/**
 * No GPU with a fault is cut or shared, and none whose use is not known. mig-manager and the device plugin change a node as
 * one, so there one faulty GPU stops them all: the apply would end as `failed` for the node. A counter that is stuck stops
 * nobody else.
 */
export const whyFaulty: StepRule = ({ action, state }) => {
  const touched = touchedGpus(action, state)
  const faulty = touched.find(({ gpu }) => gpu.fault !== undefined)
  const stuck = touched.find(({ gpu, changed }) => changed && gpu.stuck === true)
  const found = (faulty ?? stuck)?.gpu
  return found && faultyGpu(found)
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
function isCutAnew(gpu: Gpu, { gpus }: Extract<Action, { readonly kind: 'repartition' }>): boolean {
  const change = gpus.find((each) => each.gpu === gpu.id)
  if (change === undefined) return false
  const { from, to } = change
  return !isSameCut(gpu, { migEnabled: from.migEnabled, geometry: geometryOf(from.layout) }, to)
}

/** No GPU is cut, shared or taken away while something uses it that no pod is known to hold: that would end it unasked. */
export const whyGpuInUse: StepRule = ({ action, state }) => {
  const node = touchedNode(action, state)
  return node && whyInUse(action, node)
}

/** What uses a GPU of a node that an action changes, in words; undefined where nothing does that is not known. */
export const whyInUse = (action: Action, { gpus }: Pick<GpuNode, 'gpus'>): string | undefined =>
  firstReason(gpus, (gpu) => (isChanged(action, gpu) ? unrequestedUse(gpu) : undefined))

function isChanged(action: Action, gpu: Gpu): boolean {
  if (action.kind === 'repartition') return isCutAnew(gpu, action)
  if (action.kind === 'create-instance' || action.kind === 'delete-instance') return action.gpu === gpu.id
  return action.kind === 'share' || action.kind === 'remove-node'
}
