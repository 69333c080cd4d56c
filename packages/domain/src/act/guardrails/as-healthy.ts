import type { GpuNode } from '../../cluster/node.ts'
import { SAID_OF_NODE } from '../../cluster/soundness.ts'

/** The node without what the rules about health and use look at, so that another rule says its own and is not hidden by them. */
export const asHealthy = (node: GpuNode): GpuNode => ({
  ...node,
  ready: true,
  mig: { ...node.mig, state: 'success' },
  allocatable: {},
  problems: node.problems.filter(({ code }) => !SAID_OF_NODE.has(code)),
  gpus: node.gpus.map((gpu) => {
    const { unrequestedSince: _, ...rest } = gpu
    return { ...rest, fault: undefined, stuck: false }
  }),
})
