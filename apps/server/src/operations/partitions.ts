import type { InputOf, OutputOf, partitionsList } from '@septet/contract'
import { compareText, type ClusterAnalysis, type Figure, type GpuNode, unknown } from '@septet/domain'

import type { ClusterFacts } from '../facts.ts'
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
  const utilization = new Map(analysis?.migNodes.map((node) => [node.node, node.utilization]))
  return {
    ...answeredFrom(facts, analysis?.window),
    total: wanted.length,
    nodes:
      context === undefined
        ? []
        : wanted.slice(input.offset, input.offset + input.limit).map((node) => ({
            ...nodeView(node, context),
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

type NodeView = Omit<Partitions['nodes'][number], 'utilization'>

function nodeView(node: GpuNode, context: BarContext): NodeView {
  const partitions = node.gpus.flatMap((gpu) => gpu.partitions)
  const used = partitions.filter((partition) => context.holders.has(partition.id)).length
  return {
    node: node.name,
    model: node.model ?? node.product,
    pool: node.pool,
    ready: node.ready,
    mig: { strategy: node.mig.strategy, config: node.mig.config ?? null, state: node.mig.state ?? null },
    total: partitions.length,
    used,
    available: partitions.length - used,
    gpus: node.gpus.toSorted((a, b) => a.index - b.index).map((gpu) => gpuView(gpu, context)),
    problems: [...node.problems],
  }
}
