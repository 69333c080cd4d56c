import type { GpuNode } from '../../cluster/node.ts'
import type { Action } from '../words/action.ts'
import { gpuOf, type PlanState } from '../state/plan-state.ts'
import { unless, type Guardrail } from './guardrail.ts'

/** GPUs change only on nodes that are ready, whose sources agree, and where no earlier change is under way or failed. */
export const waitsForNode: Guardrail = (action, state) => {
  const node = changedNode(action, state)
  return unless('node-not-settled', node === undefined ? undefined : unsettled(node, action))
}

/** The node whose GPUs an action changes. */
export function changedNode(action: Action, state: PlanState): GpuNode | undefined {
  if (action.kind === 'repartition' || action.kind === 'share') return state.nodes.get(action.node)
  if (action.kind !== 'create-instance' && action.kind !== 'delete-instance') return undefined
  return state.nodes.get(gpuOf(state, action.gpu)?.node ?? '')
}

function unsettled(node: GpuNode, action: Action): string | undefined {
  const { name, mig } = node
  if (!node.ready) return `${name} is not ready, so what becomes of a change cannot be seen. Bring it back first.`
  if (mig.state === 'pending' || mig.state === 'rebooting') {
    return `mig-manager still works on ${name} (${mig.state}). Wait for it; if it stays so for more than ten minutes, restore the nvidia.com/gpu.deploy labels that say paused-for-mig-change and set nvidia.com/mig.config to another name.`
  }
  if (mig.state === 'failed') {
    return `The last MIG change of ${name} failed, and mig-manager does not try again by itself. Read its log on ${name}, then give the node another configuration name.`
  }
  const doubt = node.problems.find(({ code }) => code === 'label-contradicts-devices')
  if (action.kind === 'repartition' && doubt !== undefined) {
    return `What GPUs ${name} has is in doubt: ${doubt.message}`
  }
  return undefined
}
