import type { InputOf, OutputOf, partitionsList } from '@septet/contract'
import { compareText, type ClusterAnalysis, type Figure, type GpuNode, partsOfSnapshot, unknown } from '@septet/domain'

import type { ClusterFacts, ClusterPicture } from '../facts.ts'
import { barContext, gpuView, type BarContext } from './gpu-view.ts'
import { answeredFrom, needAnalysis } from './source.ts'
import { figureView } from './view.ts'

type Partitions = OutputOf<typeof partitionsList>

/** Nodes as slice bars, MIG nodes only unless asked otherwise. */
export async function livePartitions(facts: ClusterFacts, input: InputOf<typeof partitionsList>): Promise<Partitions> {
  const analysis = await lastHour(facts)
  const picture = facts.picture()
  const wanted = (picture?.nodes ?? [])
    .filter((node) => input.mig === 'false' || node.gpus.some((gpu) => gpu.migEnabled))
    .toSorted((a, b) => compareText(a.name, b.name))
  const context = picture === undefined ? undefined : barContext(facts, picture)
  const shown = wanted.slice(input.offset, input.offset + input.limit)
  const free = freeOn(shown, picture)
  const utilization = new Map(analysis?.migNodes.map((node) => [node.node, node.utilization]))
  return {
    ...answeredFrom(facts, analysis?.window),
    total: wanted.length,
    nodes:
      context === undefined
        ? []
        : shown.map((node) => ({
            ...nodeView(node, context),
            available: free.get(node.name) ?? 0,
            utilization: figureView(
              utilization.get(node.name) ?? (analysis === undefined ? notStored : notMig),
              'ratio',
              {
                formula: 'Σ share × busy over held MIG devices / Σ share over held MIG devices',
                source: 'usage rows of this node',
                window: analysis?.window,
              },
            ),
          })),
  }
}

const notMig: Figure = unknown('The node has no MIG device.')
const notStored: Figure = unknown('The database does not answer; the bars are of now.')

/** Undefined while the database is away: the bars are live and need no stored usage. */
async function lastHour(facts: ClusterFacts): Promise<ClusterAnalysis | undefined> {
  try {
    return (await needAnalysis(facts, '1h')).analysis
  } catch (error) {
    if (error instanceof Error && error.name === 'StoreError' && facts.picture() !== undefined) return undefined
    throw error
  }
}

/** Partitions that a workload could get now: held by nobody, on a GPU that is in use. */
function freeOn(nodes: readonly GpuNode[], picture: ClusterPicture | undefined): ReadonlyMap<string, number> {
  const ids = new Set(nodes.flatMap(({ gpus }) => gpus.flatMap(({ partitions }) => partitions.map(({ id }) => id))))
  const parts = partsOfSnapshot({ nodes, allocations: picture?.allocations ?? [], workloads: [] })
  const others = picture?.heldByOthers
  const free = new Map<string, number>()
  for (const { kind, node, partition } of parts) {
    if (kind === 'free' && ids.has(partition) && others?.has(partition) !== true)
      free.set(node, (free.get(node) ?? 0) + 1)
  }
  return free
}

type NodeView = Omit<Partitions['nodes'][number], 'utilization' | 'available'>

function nodeView(node: GpuNode, context: BarContext): NodeView {
  const partitions = node.gpus.flatMap((gpu) => gpu.partitions)
  const used = partitions.filter(({ id }) => context.holders.has(id) || context.others.has(id)).length
  return {
    node: node.name,
    model: node.model ?? node.product,
    pool: node.pool,
    ready: node.ready,
    mig: { strategy: node.mig.strategy, config: node.mig.config ?? null, state: node.mig.state ?? null },
    total: partitions.length,
    used,
    gpus: node.gpus.toSorted((a, b) => a.index - b.index).map((gpu) => gpuView(gpu, context)),
    problems: [...node.problems],
  }
}
