import type { InputOf, FiguresOf, partitionsList } from '@septet/contract'
import {
  compareText,
  isServedByDra,
  migEfficiency,
  NOT_OF_NAMESPACES,
  once,
  onceFor,
  strandedSlices,
  theLast,
  unheldPartitions,
  unknown,
  type ClusterAnalysis,
  type Figure,
  type GpuNode,
  type MigEfficiency,
} from '@septet/domain'

import type { ClusterFacts, ClusterPicture } from '../../facts.ts'
import { barContext, gpuView, type BarContext } from '../fleet/gpu-view.ts'
import { facetsOf, narrowed, statesOf, type NodeLine } from './partition-filter.ts'
import { nodePictures, type NodePicture } from '../answering/node-pictures.ts'
import { answeredFrom, needAnalysis } from '../answering/source.ts'
import { ratioView, type Explanation } from '../answering/view.ts'

type Partitions = FiguresOf<typeof partitionsList>
type NodeView = Partitions['nodes'][number]

/** Nodes as slice bars, MIG nodes only unless asked otherwise. */
export async function livePartitions(facts: ClusterFacts, input: InputOf<typeof partitionsList>): Promise<Partitions> {
  const { analysis, answered: head } = await lastHour(facts)
  const picture = facts.picture()
  if (picture === undefined) return { ...head, total: 0, facets: { models: [], pools: [], states: [] }, nodes: [] }
  const known = input.mig === 'false' ? nodeFactsOf(picture) : migNodeFactsOf(picture)
  const wanted = narrowed(known, input, picture)
  const shown = wanted.slice(input.offset, input.offset + input.limit)
  const view = nodeViews({ facts, picture, analysis })
  return { ...head, total: wanted.length, facets: facetsOf(known), nodes: shown.map(view) }
}

/** Without an analysis while the database is away: the bars are live and need no stored usage. */
export async function lastHour(facts: ClusterFacts): Promise<LastHour> {
  try {
    return await needAnalysis(facts, theLast('1h'))
  } catch (error) {
    if (error instanceof Error && error.name === 'StoreError' && facts.picture() !== undefined)
      return { analysis: undefined, answered: answeredFrom(facts, undefined) }
    throw error
  }
}
type LastHour = {
  readonly analysis: ClusterAnalysis | undefined
  readonly answered: ReturnType<typeof answeredFrom>
}

/** The facts of a picture's nodes, by name: many pages and agents look at the same. */
const nodeFactsOf = onceFor((picture: ClusterPicture): readonly NodeLine[] =>
  nodePictures(picture)
    .map(factsOn)
    .toSorted((a, b) => compareText(a.node.name, b.node.name)),
)

const factsOn = onceFor((one: NodePicture): NodeLine => {
  const { allocations, heldByOthers } = one
  const [node] = one.nodes
  const available = freeOn(one)
  const mig = once(() => (heldByOthers === undefined ? migEfficiency(one, []) : undefined))
  const stranded = heldByOthers === undefined ? strandedSlices(one.nodes).get(node.name) : undefined
  return { node, allocations, available, mig, states: statesOf(node, available, stranded) }
})

const migNodeFactsOf = onceFor((picture: ClusterPicture) =>
  nodeFactsOf(picture).filter(({ node }) => node.gpus.some((gpu) => gpu.migEnabled)),
)

/** Partitions that a workload could get now: held by nobody, on a GPU that is in use. */
const freeOn = (one: NodePicture): number =>
  unheldPartitions(one).filter(({ partition }) => one.heldByOthers?.has(partition.id) !== true).length

type ViewNeeds = {
  readonly facts: ClusterFacts
  readonly picture: ClusterPicture
  readonly analysis: ClusterAnalysis | undefined
}

function nodeViews({ facts, picture, analysis }: ViewNeeds): (known: NodeLine) => NodeView {
  const context = barContext(facts, picture)
  const utilization = new Map(analysis?.cost.byNode.map(({ key, busyOfAllocated }) => [key, busyOfAllocated]))
  return (known) => {
    const mig = known.mig()
    const busy = utilization.get(known.node.name) ?? (analysis === undefined ? notStored : notSeen)
    return {
      ...plainView(known.node, context),
      available: known.available,
      allocation: now(mig, 'sliceAllocation'),
      coverage: now(mig, 'sliceCoverage'),
      fragmentation: now(mig, 'fragmentation'),
      utilization: ratioView(busy, {
        formula: 'Σ share × busy over what was held and measured / Σ share of it',
        source: 'usage rows of this node',
        window: analysis?.window,
      }),
      stranded:
        mig === undefined ? null : { structural: mig.structurallyStranded, byPlacement: mig.strandedByPlacement },
      states: [...known.states],
    }
  }
}

const notSeen: Figure = unknown('No workload held anything there in this hour.')
const notStored: Figure = unknown('The database is not responding; the bars show the current state.')

/** What the figures of this moment are made of. */
export const FORMULAS = {
  sliceCoverage: 'compute slices in created instances / compute slices of GPUs in MIG mode',
  sliceAllocation: 'compute slices of held instances / compute slices of created instances',
  fragmentation:
    '1 − Σ (instances of a profile placeable now × its size) / Σ free memory slices, over the plain profiles',
} as const

const now = (mig: MigEfficiency | undefined, name: keyof typeof FORMULAS): NodeView['coverage'] => {
  const explain: Explanation = { formula: FORMULAS[name], source: 'cluster snapshot', window: undefined }
  return ratioView(mig === undefined ? unknown(NOT_OF_NAMESPACES) : mig[name], explain)
}

type PlainView = Pick<
  NodeView,
  | 'node'
  | 'model'
  | 'pool'
  | 'ready'
  | 'schedulable'
  | 'mig'
  | 'actuator'
  | 'sharing'
  | 'total'
  | 'used'
  | 'gpus'
  | 'problems'
>

function plainView(node: GpuNode, context: BarContext): PlainView {
  const partitions = node.gpus.flatMap((gpu) => gpu.partitions)
  const used = partitions.filter(({ id }) => context.holders.has(id) || context.others.has(id)).length
  return {
    node: node.name,
    model: node.model ?? node.product,
    pool: node.pool,
    ready: node.ready,
    schedulable: node.schedulable,
    mig: { strategy: node.mig.strategy, config: node.mig.config ?? null, state: node.mig.state ?? null },
    actuator: actuatorOf(node),
    sharing: node.sharing.kind === 'none' ? null : `${node.sharing.kind}, ${node.sharing.replicas} replicas`,
    total: partitions.length,
    used,
    gpus: node.gpus.toSorted((a, b) => a.index - b.index).map((gpu) => gpuView(gpu, context)),
    problems: [...node.problems],
  }
}

/** Who would cut the GPUs of a node. */
export const actuatorOf = (node: GpuNode): NodeView['actuator'] => (isServedByDra(node) ? 'dra' : 'mig-manager')
