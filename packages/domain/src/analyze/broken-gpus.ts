import { isLost } from '../cluster/gpu-fault.ts'
import type { Allocation, ClusterSnapshot } from '../cluster/inventory.ts'
import type { Gpu, GpuNode, Problem } from '../cluster/node.ts'
import { offersNone, withheldGpus } from '../cluster/soundness.ts'

/** A GPU that is not to be relied on, and why. */
export type BrokenGpu = { readonly gpu: Gpu; readonly node: GpuNode; readonly problem: Problem }

/**
 * GPUs with a fault, on nodes that are not ready, or withheld by their node, in the order of the snapshot. Who holds one
 * with a fault may still work on it; the others are out of use.
 */
export function brokenGpus({
  nodes,
  allocations,
}: {
  readonly nodes: ClusterSnapshot['nodes']
  readonly allocations: readonly Pick<Allocation, 'partition'>[]
}): readonly BrokenGpu[] {
  const held = new Set<string>(allocations.map(({ partition }) => partition))
  return nodes.flatMap((node) => {
    const down = downOn(node, (id) => held.has(id))
    return node.gpus.flatMap((gpu) => {
      const problem = gpu.fault ?? (down.has(gpu) ? (node.ready ? withheld(node) : notReady(node)) : undefined)
      return problem === undefined ? [] : [{ gpu, node, problem }]
    })
  })
}

/**
 * GPUs of a node that are out of use, and so no capacity: all of a node that is not ready, those that are lost, those with
 * another fault that nobody holds (work may go on beside it), and as many more that nobody holds as the kubelet does not
 * offer; all of these where its device plugin is gone.
 */
export function downOn(node: GpuNode, isHeld: (partition: string) => boolean): ReadonlySet<Gpu> {
  if (!node.ready) return new Set(node.gpus)
  const unheld = node.gpus.filter(({ partitions }) => !partitions.some(({ id }) => isHeld(id)))
  const isGone = offersNone(node)
  const down = new Set([...node.gpus.filter(isLost), ...unheld.filter(({ fault }) => isGone || fault !== undefined)])
  for (const gpu of unheld) {
    if (!gpu.migEnabled && wholeDown(down) < withheldGpus(node)) down.add(gpu)
  }
  return down
}

const wholeDown = (down: ReadonlySet<Gpu>): number => [...down].filter(({ migEnabled }) => !migEnabled).length

const notReady = ({ name }: GpuNode): Problem => ({
  code: 'node-not-ready',
  message: 'The node is not ready.',
  object: `node/${name}`,
})

/** The count says how many, not which: it is told of GPUs that nobody holds. */
const withheld = ({ name }: GpuNode): Problem => ({
  code: 'device-withheld',
  message: 'The node offers fewer GPUs than it has, and this one is free. Check the log of its device plugin.',
  object: `node/${name}`,
})
