import type { Gpu, GpuNode } from '../../cluster/node.ts'
import { unrequestedUse } from '../../cluster/soundness.ts'
import type { Action } from '../words/action.ts'
import { unless, type Guardrail } from './guardrail.ts'
import { isCutAnew } from './spares-faulty-gpus.ts'
import { changedNode } from './waits-for-node.ts'

/** No GPU is cut, shared or taken away while something uses it that no pod is known to hold: that would end it unasked. */
export const planSparesGpusInUse: Guardrail = (action, state) => {
  const node = action.kind === 'remove-node' ? state.nodes.get(action.node) : changedNode(action, state)
  return unless('gpu-in-use', node && whyInUse(action, node))
}

/** What uses a GPU of a node that an action changes, in words; undefined where nothing does that is not known. */
export const whyInUse = (action: Action, { gpus }: Pick<GpuNode, 'gpus'>): string | undefined =>
  gpus
    .filter((gpu) => isChanged(action, gpu))
    .map(unrequestedUse)
    .find((because) => because !== undefined)

function isChanged(action: Action, gpu: Gpu): boolean {
  if (action.kind === 'repartition') return isCutAnew(gpu, action)
  if (action.kind === 'create-instance' || action.kind === 'delete-instance') return action.gpu === gpu.id
  return action.kind === 'share' || action.kind === 'remove-node'
}
