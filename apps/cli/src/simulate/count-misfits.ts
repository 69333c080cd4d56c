import { demandKey, fitsNode, openFleet } from '@septet/domain'

import type { Trace } from './read-trace-folder.ts'

/** Pods that fit nowhere in the empty fleet: too large for every node, or limited to models that none has. */
export function countMisfits({ nodes, pods }: Trace): { count: number; first: string | undefined } {
  const kinds = new Map(nodes.map((node) => [`${node.cpuMilli} ${node.memory} ${node.gpus} ${node.model}`, node]))
  const fleet = openFleet([...kinds.values()])
  const fits = new Map<string, boolean>()
  const misfits = pods.filter((pod) => {
    const key = demandKey(pod)
    const known = fits.get(key) ?? fleet.nodes.some((_, node) => fitsNode(fleet, pod, node))
    fits.set(key, known)
    return !known
  })
  return { count: misfits.length, first: misfits[0]?.id }
}
