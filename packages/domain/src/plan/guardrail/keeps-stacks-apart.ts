import { unless, type Guardrail } from './guardrail.ts'
import { changedNode } from './waits-for-node.ts'

/**
 * One stack changes a node's GPUs. NVIDIA's DRA driver destroys, when it starts, every MIG device that it did not make,
 * and its documentation forbids mig-parted on the same node.
 */
export const keepsStacksApart: Guardrail = (action, state) => {
  const node = changedNode(action, state)
  if (node === undefined) return unless('other-stack', undefined)
  const byDra = action.kind === 'create-instance' || action.kind === 'delete-instance'
  if (byDra === state.servedByDra.has(node.name)) return unless('other-stack', undefined)
  return unless(
    'other-stack',
    byDra
      ? `${node.name} publishes no DRA devices, so single instances cannot be made there. Plan for mig-manager instead.`
      : `The GPUs of ${node.name} are served by a DRA driver, which must not be mixed with mig-manager or the device plugin. Plan for DRA instead.`,
  )
}
