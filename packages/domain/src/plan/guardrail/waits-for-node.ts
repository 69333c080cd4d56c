import type { GpuNode } from '../../cluster/node.ts'
import { unsoundNode } from '../../cluster/soundness.ts'
import type { Action } from '../words/action.ts'
import { gpuOf, type Fleet } from '../../fleet/fleet.ts'
import { unless, type Guardrail } from './guardrail.ts'

/** GPUs change only on sound nodes whose sources agree; a node that is not sound is not removed for its money either. */
export const waitsForNode: Guardrail = (action, state) => {
  const node = action.kind === 'remove-node' ? state.nodes.get(action.node) : changedNode(action, state)
  return unless('node-not-settled', node === undefined ? undefined : unsettled(node, action))
}

/** The node whose GPUs an action changes. */
export function changedNode(action: Action, state: Fleet): GpuNode | undefined {
  if (action.kind === 'repartition' || action.kind === 'share') return state.nodes.get(action.node)
  if (action.kind !== 'create-instance' && action.kind !== 'delete-instance') return undefined
  return state.nodes.get(gpuOf(state, action.gpu)?.node ?? '')
}

function unsettled(node: GpuNode, action: Action): string | undefined {
  const unsound = unsoundNode(node)
  if (unsound !== undefined) return unsound
  const doubt = node.problems.find(({ code }) => code === 'label-contradicts-devices')
  if (action.kind === 'repartition' && doubt !== undefined) {
    return `What GPUs ${node.name} has is in doubt: ${doubt.message}`
  }
  return undefined
}
