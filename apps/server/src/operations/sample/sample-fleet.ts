import { type BlockView, type fleetGpu, type fleetMap, type InputOf, type OutputOf, notFound } from '@septet/contract'

import { SAMPLE_ANSWERED } from '../answering/source.ts'
import { fleetColumns } from '../fleet/fleet-columns.ts'
import { readingView } from '../fleet/fleet-gpu-reading.ts'
import { told } from '../fleet/fleet-map.ts'
import { absent, fixed } from './sample.ts'
import { samplePartitions } from './sample-partitions.ts'

type FleetGpu = OutputOf<typeof fleetGpu>

/** The nodes of the specification's sample data as a map. */
export const sampleFleet = (known: InputOf<typeof fleetMap>['known']): OutputOf<typeof fleetMap> => ({
  ...SAMPLE_ANSWERED,
  ...told(
    fleetColumns(
      samplePartitions().nodes.map(({ node, pool, ready, gpus }) => ({ name: node, pool, ready, gpus })),
      () => undefined,
    ),
    known,
  ),
})

/** A GPU of the specification's sample data: its bar, and that nothing more is known of it. */
export function sampleGpu({ gpu: id }: InputOf<typeof fleetGpu>): FleetGpu {
  const node = samplePartitions().nodes.find(({ gpus }) => gpus.some((gpu) => gpu.id === id))
  const gpu = node?.gpus.find((each) => each.id === id)
  if (node === undefined || gpu === undefined) {
    throw notFound(`The sample data has no GPU "${id}".`, 'Close this card; the map shows current GPUs.')
  }
  return {
    ...SAMPLE_ANSWERED,
    gpu,
    node: { name: node.node, pool: node.pool, ready: true, schedulable: true, mig: node.mig, problems: [] },
    identified: 'label',
    reading: readingView(undefined, new Map(), false),
    partitions: gpu.blocks.flatMap((block, order) => samplePartition(block, order)),
    faults: { complete: true, events: [] },
    day: null,
  }
}

function samplePartition(block: BlockView, order: number): FleetGpu['partitions'] {
  if (block.kind === 'free' || block.kind === 'uncut' || block.kind === 'stranded') return []
  return [
    {
      id: `sample-${order}`,
      name: `slices ${block.start} to ${block.start + block.size - 1}`,
      kind: block.kind,
      profile: block.profile,
      busy: block.busy === null ? absent('ratio') : fixed(block.busy, 'ratio'),
      memoryUsed: absent('MiB'),
      holders: [],
    },
  ]
}
