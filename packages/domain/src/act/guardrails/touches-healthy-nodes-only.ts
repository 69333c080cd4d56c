import { faultyGpu, unsoundNode } from '../../cluster/soundness.ts'
import { type ActRule, refusing } from './act-context.ts'

/** Every node that a change touches is there, ready and settled, and none of its devices is withheld or broken. */
export const touchesHealthyNodesOnly: ActRule = ({ touched, state }) => {
  for (const name of touched.nodes) {
    const node = state.nodes.get(name)
    const because =
      node === undefined
        ? `${name} is no longer in the cluster. Propose it again.`
        : (unsoundNode(node) ?? node.gpus.map(faultyGpu).find((reason) => reason !== undefined))
    if (because !== undefined) return refusing('node-not-healthy', because)
  }
  return undefined
}
