import type { PlaceIndex } from './place-index.ts'
import type { GpuId } from '../../cluster/node.ts'
import type { PlacedInstance } from '../../gpu/layout.ts'
import type { PlaceNode } from './place-index-ask.ts'
import type { PlaceFleet } from './place-index-fleet.ts'

/** A node and its GPUs at one moment, as the index knows them. */
export type IndexedNode = {
  readonly node: PlaceNode
  /** Thousandths of a core and MiB that are free; `Infinity` where the node does not say what it has. */
  readonly cpuFree: number
  readonly memoryFree: number
  readonly gpus: readonly IndexedGpu[]
}

export type IndexedGpu =
  /** One pod holds all of it. */
  | { readonly kind: 'held'; readonly id: GpuId }
  /** `holder` undefined: nobody holds a part of it. */
  | {
      readonly kind: 'shared'
      readonly id: GpuId
      readonly freeMilli: number
      readonly holder: { readonly tenant: string } | undefined
    }
  | { readonly kind: 'cut'; readonly id: GpuId; readonly instances: readonly InstanceView[] }
  | { readonly kind: 'dynamic'; readonly id: GpuId; readonly instances: readonly InstanceView[] }

export type InstanceView = { readonly instance: PlacedInstance; readonly held: boolean }

/** Every node of an index as it is now. */
export const nodesOf = ({ fleet }: PlaceIndex): readonly IndexedNode[] =>
  fleet.nodes.map((_, node) => viewNode(fleet, node))

function viewNode(fleet: PlaceFleet, node: number): IndexedNode {
  const found = fleet.nodes[node]
  if (found === undefined) throw new Error(`no node ${node}`)
  return {
    node: found,
    cpuFree: fleet.cpuFree[node] ?? 0,
    memoryFree: fleet.memoryFree[node] ?? 0,
    gpus: fleet.gpusOfNode(node).map((gpu) => viewGpu(fleet, gpu)),
  }
}

function viewGpu(fleet: PlaceFleet, gpu: number): IndexedGpu {
  const { key } = fleet.state(gpu)
  const id = fleet.gpuId(gpu)
  if (key.kind === 'held') return { kind: 'held', id }
  if (key.kind === 'shared') {
    const holder = key.tenant < 0 ? undefined : { tenant: fleet.tenantName(key.tenant) }
    return { kind: 'shared', id, freeMilli: key.milli, holder }
  }
  const instances = (fleet.instances[gpu] ?? []).map(({ instance, held }) => ({ instance, held }))
  return { kind: key.kind, id, instances }
}
