import { compareText, type Gpu, type GpuCut, type GpuNode, type Price, type ScenarioGroup } from '@septet/domain'

type PriceOf = (gpu: { readonly model: string; readonly pool: string }) => Price

/** Nodes that are ready, in groups of one model, pool and size, with how their GPUs are cut. */
export function scenarioGroups(nodes: readonly GpuNode[], priceOf: PriceOf): readonly ScenarioGroup[] {
  const ready = nodes.filter(({ ready: isReady, gpus }) => isReady && gpus.length > 0)
  const groups = Map.groupBy(ready, (node) => JSON.stringify([modelOfNode(node), node.pool, node.gpus.length]))
  return [...groups.values()]
    .flatMap((group): ScenarioGroup[] => {
      const [first] = group
      if (first === undefined) return []
      const [model, { pool, gpus }] = [modelOfNode(first), first]
      const price = priceOf({ model, pool })
      const cuts = group
        .toSorted((a, b) => compareText(a.name, b.name))
        .flatMap((node) => node.gpus.toSorted((a, b) => a.index - b.index).map(cutOf))
      return [
        {
          model,
          pool,
          nodes: group.length,
          gpusPerNode: gpus.length,
          price: price.kind === 'known' ? price.price : null,
          cuts: inRuns(cuts),
        },
      ]
    })
    .toSorted((a, b) => compareText(a.model, b.model) || compareText(a.pool, b.pool) || a.gpusPerNode - b.gpusPerNode)
}

/** The catalog name, or the product as labeled. */
export const modelOfNode = ({ model, product }: Pick<GpuNode, 'model' | 'product'>): string => model ?? product

function cutOf({ partitions, migEnabled }: Gpu): GpuCut {
  const profiles = partitions.flatMap((partition) => (partition.kind === 'mig' ? [partition.profile] : []))
  const shared = partitions.filter(({ kind }) => kind === 'shared').length
  return { gpus: 1, profiles: migEnabled ? profiles.toSorted() : [], replicas: Math.max(1, shared) }
}

/** Equal neighbors as one. */
function inRuns(cuts: readonly GpuCut[]): readonly GpuCut[] {
  const runs: GpuCut[] = []
  for (const cut of cuts) {
    const last = runs.at(-1)
    const isSame = last !== undefined && last.replicas === cut.replicas && last.profiles.join() === cut.profiles.join()
    if (isSame) runs[runs.length - 1] = { ...last, gpus: last.gpus + 1 }
    else runs.push(cut)
  }
  return runs
}
