import * as fc from 'fast-check'
import { draw } from '../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../cluster/inventory.ts'
import type { Gpu, GpuNode } from '../cluster/node.ts'
import { enumerateLayouts } from '../gpu/enumerate-layouts.ts'
import { boardFor } from '../gpu/known-boards.ts'
import { instant, mib } from '../units.ts'
import { offering, resourceOf } from './gpu-state.ts'

/** Whole numbers from 0 below a limit, drawn one after the other. */
type Next = (below: number) => number

/** A drawn cluster as it may be found: with faults, cordons, taints, replicas, changes under way and tight hosts. */
export const drawnFleet = (): fc.Arbitrary<ClusterSnapshot> =>
  fc.infiniteStream(fc.nat(1_000_000)).map((stream) => fleetOf((below) => Number(stream.next().value) % below))

const MODELS = ['A100-SXM4-40GB', 'A30', 'H100-80GB-HBM3', 'T4'] as const

function fleetOf(next: Next): ClusterSnapshot {
  const lines = Array.from({ length: 1 + next(4) }, (_, node) => linesOf(node, next)).flat()
  const drawn = draw`${lines.join('\n')}`
  const nodes = drawn.nodes.map((node) => asFound(node, next))
  return {
    ...drawn,
    nodes,
    pods: drawn.pods.map((pod) => ({ ...pod, requests: requestsOf(pod.id, { ...drawn, nodes }) })),
  }
}

function linesOf(node: number, next: Next): readonly string[] {
  const model = MODELS[next(4)] ?? 'T4'
  const taint = next(6) === 0 ? ' !gpu:NoSchedule' : ''
  const host = next(3) === 0 ? ` cpu=${next(16)} memory=${8 * next(8)}` : ''
  const kind = next(5)
  return Array.from({ length: 1 + next(3) }, () => `node-${node} ${model}${host}${taint} ${boxes(model, kind, next)}`)
}

function boxes(model: string, kind: number, next: Next): string {
  const isEmpty = next(4) === 0
  const holder = (): string => (isEmpty || next(2) === 0 ? '-' : `team-${next(2)}/pod-${next(1_000_000)}`)
  if (kind === 0)
    return Array.from({ length: 2 }, () => `[1/2 ${next(2) === 0 ? '-' : `team-0/pod-${next(1_000_000)}`}]`).join(' ')
  const board = boardFor(model)
  if (board === undefined || kind === 1 || next(4) === 0) return `[${holder()}]`
  const layouts = enumerateLayouts(board)
  const layout = layouts[next(layouts.length)] ?? []
  return ['MIG', ...layout.map(({ profile }) => `[${profile} ${holder()}]`)].join(' ')
}

/** The node with what may be wrong with it, offering what it is cut into. */
function asFound(node: GpuNode, next: Next): GpuNode {
  const gpus = node.gpus.map((gpu) => gpuAsFound(gpu, next))
  const isCut = gpus.every(({ migEnabled }) => migEnabled)
  const dra = isCut && next(4) === 0
  const strategy = !gpus.some(({ migEnabled }) => migEnabled)
    ? 'none'
    : isCut && !dra && next(4) === 0
      ? 'single'
      : 'mixed'
  const state = STATES[next(STATES.length)]
  const found: GpuNode = {
    ...node,
    gpus,
    mig: { ...node.mig, strategy, state },
    ready: next(10) > 0,
    schedulable: next(8) > 0,
    room: { ...node.room, ...(next(4) === 0 ? {} : { cpuUsed: 0, memoryUsed: mib(0) }) },
    ...(dra ? { servedByDra: true } : {}),
  }
  return dra ? { ...found, allocatable: {} } : offering(found)
}

const STATES = ['success', 'success', 'success', 'success', 'pending', 'failed', undefined] as const

const gpuAsFound = (gpu: Gpu, next: Next): Gpu => ({
  ...gpu,
  fault:
    next(12) === 0
      ? { code: 'gpu-fault', message: `GPU ${gpu.id} reported XID 79.`, object: `gpu/${gpu.id}` }
      : undefined,
  ...(next(14) === 0 ? { stuck: true } : {}),
  ...(next(14) === 0 ? { unrequestedSince: instant(0) } : {}),
})

/** Pods ask for what they hold. */
function requestsOf(pod: string, { nodes, allocations }: Pick<ClusterSnapshot, 'nodes' | 'allocations'>) {
  const held = new Set(allocations.flatMap((each) => (each.pod === pod ? each.partition : [])))
  const names = nodes.flatMap((node) =>
    node.gpus.flatMap(({ partitions }) =>
      partitions.flatMap((each) => (held.has(each.id) ? resourceOf(node, each) : [])),
    ),
  )
  return [...Map.groupBy(names, (name) => name)].map(([resource, all]) => ({ resource, count: all.length }))
}
