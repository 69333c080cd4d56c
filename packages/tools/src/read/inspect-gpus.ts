import type { GpuView, OPERATIONS, OutputOf } from '@septet/contract'
import { z } from 'zod'

import { ABOUT, aboutOf, CLUSTER, FIGURE, offset, rows, textsOf, TOTAL } from '../answer-parts.ts'
import { tool } from '../tool.ts'

type OneGpu = OutputOf<typeof OPERATIONS.fleetGpu>

const GPU = z.object({
  id: z.string(),
  node: z.string(),
  index: z.number(),
  model: z.string(),
  mode: z.string(),
  nodeReady: z.boolean(),
  fault: z.string().nullable(),
  memoryUsed: FIGURE,
  memoryTotal: FIGURE,
  readAt: z.string().nullable(),
  partitions: z.array(
    z.object({
      name: z.string(),
      busy: FIGURE,
      holders: z.array(z.object({ workload: z.string(), pod: z.string(), since: z.string() })),
    }),
  ),
  faults: z.array(z.object({ at: z.string(), code: z.number().nullable(), message: z.string() })),
})

const ROOM = z.object({
  profile: z.string(),
  verdict: z
    .string()
    .describe('now; recut: after repartitioning what no workload holds; displacing: only if holders move; never'),
  now: z.number(),
  recut: z.number().describe('more after repartitioning'),
  placeable: z.object({ gpus: z.number(), nodes: z.number() }),
  places: z.array(
    z.object({ node: z.string(), gpu: z.object({ index: z.number() }), now: z.number(), recut: z.number() }),
  ),
})

const ALL_NODES = { mig: 'false', of: 'all nodes with GPUs' } as const
const MIG_NODES = { mig: 'true', of: 'nodes in MIG mode; mig: false has all' } as const

export const inspectGpus = tool({
  name: 'inspect_gpus',
  title: 'GPUs, MIG layouts, and where a profile fits',
  description:
    'The MIG layout of each node’s GPUs, and what of it is used, free, stranded or busy now. How utilized a node was: cost_breakdown by node. With `gpu` everything about one GPU: who holds each instance since when, memory, faults. With `profile` whether that many more instances of it fit now, after repartitioning, only by moving work, or never, and why.',
  toolset: 'read',
  operations: ['partitionsList', 'partitionsRoom', 'fleetGpu'],
  input: z.strictObject({
    ...CLUSTER,
    node: z.string().max(253).optional().describe('only this node'),
    mig: z.boolean().default(true).describe('true: without node, only nodes in MIG mode; false: all'),
    state: z.enum(['free', 'none-free', 'changing', 'failed', 'stranded']).optional().describe('only nodes like that'),
    gpu: z.string().min(1).max(300).optional().describe('one GPU: its UUID, or node#index; search finds it'),
    profile: z.string().min(1).max(60).optional().describe('as NVML prints it: 3g.40gb'),
    count: z.number().int().min(1).max(100_000).default(1).describe('instances of the profile wanted'),
    ...rows(10, 60),
    ...offset,
  }),
  output: z.object({
    ...ABOUT,
    total: TOTAL,
    of: z.string().describe('which nodes total counts'),
    nodes: z.array(
      z.object({
        node: z.string(),
        model: z.string(),
        partitions: z.number(),
        used: z.number(),
        free: z.number(),
        busy: FIGURE,
        layouts: z.array(z.string()).describe('one line a GPU: profile@memory slice, and who holds it'),
        mig: z.string().nullable().describe('configuration and its state'),
        problems: z.array(z.string()),
      }),
    ),
    room: ROOM.nullable().describe('null: no profile was asked for'),
    gpu: GPU.nullable().describe('null: no GPU was asked for'),
  }),
  answer: async ({ cluster, node, mig, state, gpu, profile, count, limit, offset: skip }, ask) => {
    const nodes = mig && [node, gpu].every((one) => one === undefined) ? MIG_NODES : ALL_NODES
    const [list, room, one] = await Promise.all([
      ask('partitionsList', { cluster, node, mig: nodes.mig, state, limit, offset: skip }),
      profile === undefined ? undefined : ask('partitionsRoom', { cluster, profile, count, limit: 5 }),
      gpu === undefined ? undefined : ask('fleetGpu', { cluster, gpu }),
    ])
    return {
      ...(one === undefined
        ? aboutOf(list, '/partitions', { node, state, view: profile && 'room', profile })
        : aboutOf(one, '/fleet', { gpu: one.gpu.id })),
      total: list.total,
      of: nodes.of,
      nodes: list.nodes.filter((each) => one === undefined || each.node === one.node.name).map(nodeOf),
      says: textsOf([list, room].flatMap((answer) => answer?.says ?? [])),
      room: room ?? null,
      gpu: one === undefined ? null : gpuOf(one),
    }
  },
})

type NodeRow = OutputOf<typeof OPERATIONS.partitionsList>['nodes'][number]

const nodeOf = ({ mig, total, available, utilization, gpus, ...each }: NodeRow) => ({
  ...each,
  partitions: total,
  free: available,
  busy: utilization,
  layouts: gpus.slice(0, 16).map(layoutWords),
  mig: mig.config === null ? null : `${mig.config}: ${mig.state ?? 'no state'}`,
  problems: each.problems.slice(0, 5).map(({ message }) => message),
})

const layoutWords = ({ index, mode, blocks, fault }: GpuView): string =>
  `GPU ${index} (${mode}${fault === null ? '' : ', faulty'}): ${blocks
    .map(({ profile, start, kind, holder }) => `${profile ?? 'unpartitioned'}@${start} ${holder ?? kind}`)
    .join('; ')}`

const gpuOf = ({ gpu, node, reading, partitions, faults }: OneGpu): z.input<typeof GPU> => ({
  ...gpu,
  node: node.name,
  nodeReady: node.ready,
  fault: gpu.fault?.message ?? null,
  memoryUsed: reading.memoryUsed,
  memoryTotal: reading.memoryTotal,
  readAt: reading.at,
  partitions: partitions.slice(0, 50).map((one) => ({ ...one, holders: one.holders.slice(0, 10) })),
  faults: faults.events.slice(0, 20),
})
