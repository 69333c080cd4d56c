import type { InputOf, FiguresOf, partitionsEfficiency, partitionsList } from '@septet/contract'

import { SAMPLE_ANSWERED } from '../answering/source.ts'
import { sampleNodes } from './sample-tables.ts'
import { absent, fixed } from './sample.ts'

type Partitions = FiguresOf<typeof partitionsList>

/** The nodes of the specification's page, each with 8 partitions on one drawn GPU. */
export function samplePartitions(input: Partial<InputOf<typeof partitionsList>> = {}): Partitions {
  const { search = '', node: name, model, pool, state, offset = 0, limit = sampleNodes.length } = input
  const views = sampleNodes.map(nodeView)
  const wanted = views.filter(
    (node) =>
      node.node.toLowerCase().includes(search.trim().toLowerCase()) &&
      (name === undefined || node.node === name) &&
      (model === undefined || node.model === model) &&
      (pool === undefined || node.pool === pool) &&
      (state === undefined || node.states.includes(state)),
  )
  return {
    ...SAMPLE_ANSWERED,
    total: wanted.length,
    facets: {
      models: counted(views.map((node) => node.model)),
      pools: [],
      states: counted(views.flatMap((node) => node.states)),
    },
    nodes: wanted.slice(offset, offset + limit),
  }
}

const counted = (names: readonly string[]) =>
  [...Map.groupBy(names, (name) => name)].map(([name, all]) => ({ name, nodes: all.length }))

const nodeView = ({
  node,
  model,
  used,
  available,
  utilization,
  blocks,
}: (typeof sampleNodes)[number]): Partitions['nodes'][number] => ({
  node,
  model,
  pool: '',
  ready: true,
  schedulable: true,
  mig: { strategy: 'mixed', config: null, state: 'success' },
  actuator: 'mig-manager',
  sharing: null,
  total: used + available,
  used,
  available,
  utilization: fixed(utilization / 100, 'ratio'),
  coverage: absent('ratio'),
  allocation: absent('ratio'),
  fragmentation: absent('ratio'),
  stranded: null,
  states: [available > 0 ? 'free' : 'none-free'],
  gpus: [{ id: `${node}#0`, index: 0, model, mode: 'mig', slots: 8, blocks: [...blocks], fault: null }],
  problems: [],
})

/** Sample data names one efficiency and none of the four numbers that it would be made of. */
export const sampleEfficiency = (): FiguresOf<typeof partitionsEfficiency> => ({
  ...SAMPLE_ANSWERED,
  fleet: {
    coverage: absent('ratio'),
    allocation: absent('ratio'),
    busy: absent('ratio'),
    fragmentation: absent('ratio'),
    structural: 0,
    byPlacement: 0,
    strandedMemory: { slices: 0, gpus: 0 },
    gpus: sampleNodes.length,
  },
  boards: [],
  stranded: [],
})
