import type { GpuNode } from '../../cluster/node.ts'
import { SAID_OF_NODE } from '../../cluster/soundness.ts'

/** The node without what the rule about health looks at, so that another rule says its own and is not hidden by it. */
export const asHealthy = (node: GpuNode): GpuNode => ({
  ...node,
  ready: true,
  mig: { ...node.mig, state: 'success' },
  allocatable: {},
  problems: node.problems.filter(({ code }) => !SAID_OF_NODE.has(code)),
  gpus: node.gpus.map((gpu) => ({ ...gpu, fault: undefined, stuck: false })),
})
