import { type fleetGpu, type InputOf, type OutputOf, notFound } from '@septet/contract'
import { instant, theLast, type Gpu, type GpuNode, type Store } from '@septet/domain'

import type { ClusterFacts, ClusterPicture } from '../../facts.ts'
import { partitionViews } from './fleet-gpu-partitions.ts'
import { readingView } from './fleet-gpu-reading.ts'
import { dayOfGpu, type GpuNeeds } from './fleet-gpu-day.ts'
import { barContext, gpuView } from './gpu-view.ts'
import { answeredFrom, answeredOver, notRead, unlessAway } from '../answering/source.ts'

type FleetGpu = OutputOf<typeof fleetGpu>

/** One GPU of a cluster with its last day. What of it others hold is told as theirs and no further. */
export async function liveGpu(
  facts: ClusterFacts,
  { gpu: id }: InputOf<typeof fleetGpu>,
  needs: GpuNeeds,
): Promise<FleetGpu> {
  const { picture, node, gpu } = findGpu(facts, id)
  const view = gpuView(gpu, barContext(facts, picture))
  const samples = facts.samples()
  const hidden = gpu.partitions.some((partition) => picture.heldByOthers?.has(partition.id) === true)
  const day = await unlessAway(dayOfGpu({ facts, gpu, picture }, needs))
  return {
    ...(day === undefined
      ? answeredFrom(facts, undefined)
      : answeredOver(facts, { range: theLast('24h'), window: day.window, madeAt: instant(needs.now) })),
    gpu: view,
    node: nodeView(node),
    identified: gpu.identified,
    reading: readingView(gpu, samples, hidden),
    partitions: partitionViews({ gpu, picture, samples }, { view, rules: needs.rules }),
    faults: await faultsOf(facts, gpu, needs.store),
    day: day?.series ?? null,
  }
}

type Found = { readonly picture: ClusterPicture; readonly node: GpuNode; readonly gpu: Gpu }

function findGpu(facts: ClusterFacts, id: string): Found {
  const picture = facts.picture()
  if (picture === undefined) throw notRead(facts)
  for (const node of picture.nodes) {
    const gpu = node.gpus.find((each) => each.id === id || `${node.name}#${each.index}` === id)
    if (gpu !== undefined) return { picture, node, gpu }
  }
  throw notFound(
    `${facts.record.name} has no GPU "${id}" now, or none that you may see.`,
    'Its node may have left the cluster, or the GPU is no longer reported. Close this card; the map shows current GPUs.',
  )
}

const nodeView = ({ name, pool, ready, schedulable, mig, problems }: GpuNode): FleetGpu['node'] => ({
  name,
  pool,
  ready,
  schedulable,
  mig: { strategy: mig.strategy, config: mig.config ?? null, state: mig.state ?? null },
  problems: [...problems],
})

const MOST_EVENTS = 50

/** Errors that the GPU reported, newest first; only whether it has one now while the database is away. */
async function faultsOf(facts: ClusterFacts, gpu: Gpu, store: Store): Promise<FleetGpu['faults']> {
  const events = await unlessAway(
    store.events.list({
      cluster: facts.record.id,
      objects: [`gpu/${gpu.id}`],
      kinds: ['xid', 'xid-cleared'],
      limit: MOST_EVENTS,
    }),
  )
  return {
    complete: events !== undefined,
    events: (events ?? []).map(({ at, message, figures }) => ({
      at: new Date(at).toISOString(),
      code: typeof figures['xid'] === 'number' ? figures['xid'] : null,
      message,
    })),
  }
}
