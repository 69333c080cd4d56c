import { agree, listed } from '../words.ts'
import type { ClusterSnapshot } from '../cluster/inventory.ts'
import type { Gpu } from '../cluster/node.ts'
import { arrange } from '../gpu/infer-placements.ts'
import { isFeasible } from '../gpu/layout.ts'
import { compareText } from '../units.ts'
import { boardOf } from './gpu-state.ts'

/**
 * What is impossible or forbidden in a snapshot, each in one sentence: instances that overlap or do not fit their board,
 * a partition held twice or not there, pods on nodes that are gone, GPUs shared between namespaces without isolation.
 */
export function clusterFaults(snapshot: ClusterSnapshot): readonly string[] {
  const namespaceOf = new Map(snapshot.pods.map(({ id, namespace }) => [id, namespace]))
  const holders = new Map<string, string[]>()
  for (const { partition, pod } of snapshot.allocations)
    holders.set(partition, [...(holders.get(partition) ?? []), pod])
  const gpus = snapshot.nodes.flatMap((node) => node.gpus)
  return [
    ...gpus.flatMap((gpu) => layoutFault(gpu) ?? []),
    ...gpus.flatMap((gpu) => tenantFault(gpu, holders, namespaceOf) ?? []),
    ...holderFaults(snapshot, holders),
    ...strayPods(snapshot),
  ]
}

function layoutFault(gpu: Gpu): string | undefined {
  const instances = gpu.partitions.flatMap((partition) => (partition.kind === 'mig' ? [partition] : []))
  if (instances.length === 0) return undefined
  if (instances.length < gpu.partitions.length) return `GPU ${gpu.id} is partitioned and whole at the same time.`
  const board = boardOf(gpu)
  if (board === undefined) return undefined
  const layout = instances.flatMap(({ profile, placement }) => (placement === undefined ? [] : { profile, placement }))
  const verdict =
    layout.length === instances.length
      ? isFeasible(board, layout)
      : arrange(
          board,
          instances.map(({ profile }) => profile),
        )
  return verdict.kind === 'feasible' ? undefined : `GPU ${gpu.id}: ${verdict.because}.`
}

function tenantFault(
  gpu: Gpu,
  holders: ReadonlyMap<string, readonly string[]>,
  namespaceOf: ReadonlyMap<string, string>,
): string | undefined {
  const shared = gpu.partitions.filter(({ kind }) => kind === 'shared')
  const tenants = new Set(shared.flatMap(({ id }) => holders.get(id) ?? []).map((pod) => namespaceOf.get(pod) ?? ''))
  return tenants.size > 1
    ? `GPU ${gpu.id} is shared by ${listed([...tenants].toSorted(compareText))} without isolation.`
    : undefined
}

function holderFaults(snapshot: ClusterSnapshot, holders: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const partitions = new Set(
    snapshot.nodes.flatMap(({ gpus }) => gpus.flatMap((gpu) => gpu.partitions.map(({ id }) => id))),
  )
  return [...holders].flatMap(([partition, pods]) => {
    if (pods.length > 0 && !partitions.has(partition))
      return `${listed(pods)} ${agree(pods.length, 'holds', 'hold')} ${partition}, which does not exist.`
    return pods.length > 1 ? `${partition} is held by ${listed(pods)}.` : []
  })
}

function strayPods({ nodes, pods }: ClusterSnapshot): readonly string[] {
  const names = new Set(nodes.map(({ name }) => name))
  return pods.flatMap(({ id, node }) =>
    node !== undefined && !names.has(node) ? `${id} runs on ${node}, which does not exist.` : [],
  )
}
