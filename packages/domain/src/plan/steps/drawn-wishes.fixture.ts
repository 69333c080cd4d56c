import * as fc from 'fast-check'
import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Gpu, GpuNode } from '../../cluster/node.ts'
import { enumerateLayouts } from '../../gpu/enumerate-layouts.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import { resourceOf } from '../../fleet/gpu-state.ts'
import type { GpuTarget } from '../words/action.ts'
import { CAREFUL_POLICY, type PlanPolicy } from '../words/plan-policy.ts'
import type { Wish } from '../words/wish.ts'

/** A random cluster with wishes for it, for property tests: legal, with budgets, bare pods and pods that must stay. */
export type DrawnWishes = {
  readonly snapshot: ClusterSnapshot
  readonly wishes: readonly Wish[]
  readonly policy: PlanPolicy
}

const MODELS = ['A100-SXM4-40GB', 'A30', 'H100-80GB-HBM3', 'T4'] as const

/** `dra`: every node is served by a DRA driver and its GPUs are in MIG mode. */
export const drawnWishes = (stack: 'mig-manager' | 'dra'): fc.Arbitrary<DrawnWishes> =>
  fc.infiniteStream(fc.nat(1_000_000)).map((stream) => {
    const next = (below: number): number => Number(stream.next().value) % below
    const snapshot = drawnCluster(stack, next)
    const wishes = [layoutWish(snapshot, next), ...(stack === 'dra' ? [] : otherWishes(snapshot, next))]
    const policy = { ...CAREFUL_POLICY, maxDisplaced: next(3) === 0 ? next(4) : 50, mayWait: next(2) === 0 }
    return { snapshot, wishes, policy }
  })

type Next = (below: number) => number

function drawnCluster(stack: 'mig-manager' | 'dra', next: Next): ClusterSnapshot {
  const lines: string[] = []
  for (let node = 0; node <= next(4); node += 1) {
    const model = MODELS[next(stack === 'dra' ? 3 : 4)] ?? 'T4'
    for (let gpu = 0; gpu <= next(3); gpu += 1) lines.push(`node-${node} ${model} ${boxes(model, stack, next)}`)
  }
  const drawn = draw`${lines.join('\n')}`
  return withConstraints(stack === 'dra' ? servedByDra(drawn) : withRequests(drawn), next)
}

function boxes(model: string, stack: 'mig-manager' | 'dra', next: Next): string {
  const holder = (): string => (next(2) === 0 ? '-' : `team-${next(2)}/pod-${next(1_000_000)}`)
  const board = boardFor(model)
  if (board === undefined || (stack !== 'dra' && next(3) === 0)) return `[${holder()}]`
  const layouts = enumerateLayouts(board)
  const layout = layouts[next(layouts.length)] ?? []
  return ['MIG', ...layout.map(({ profile }) => `[${profile} ${holder()}]`)].join(' ')
}

/** Pods of a drawn cluster ask for plain GPUs; here each asks for what it holds. */
export function withRequests(snapshot: ClusterSnapshot): ClusterSnapshot {
  const resources = new Map(
    snapshot.nodes.flatMap((node) =>
      node.gpus.flatMap(({ partitions }) =>
        partitions.map((partition) => [partition.id, resourceOf(node, partition)] as const),
      ),
    ),
  )
  const held = Map.groupBy(snapshot.allocations, ({ pod }) => pod)
  const pods = snapshot.pods.map((pod) => {
    const own = held.get(pod.id)
    if (own === undefined) return pod
    const resource = resources.get(own[0]?.partition ?? '') ?? ''
    return { ...pod, requests: [{ resource, count: own.length }] }
  })
  return { ...snapshot, pods }
}

/** The same cluster as a DRA driver would publish it. */
export function servedByDra(snapshot: ClusterSnapshot): ClusterSnapshot {
  const nodes = snapshot.nodes.map((node): GpuNode => ({ ...node, gpus: node.gpus.map(published) }))
  return withRequests({ ...snapshot, nodes })
}

function withConstraints(snapshot: ClusterSnapshot, next: Next): ClusterSnapshot {
  const pods = snapshot.pods.map((pod) => ({
    ...pod,
    scheduling: { ...pod.scheduling, managed: next(8) > 0, evictable: next(8) > 0 },
  }))
  const budgets = pods.flatMap(({ id }, index) =>
    next(4) === 0
      ? [{ id: `team/budget-${index}`, pods: [id, pods[next(pods.length)]?.id ?? id], allowed: next(3) }]
      : [],
  )
  const nodes = snapshot.nodes.map((node) => ({ ...node, schedulable: next(8) > 0, ready: next(12) > 0 }))
  const quotas = [
    { id: 'team-0/gpus/nvidia.com/gpu', namespace: 'team-0', resource: 'nvidia.com/gpu', hard: 4, used: next(5) },
  ]
  return { ...snapshot, pods, budgets, nodes, quotas }
}

function layoutWish(snapshot: ClusterSnapshot, next: Next): Wish {
  const targets = snapshot.nodes.flatMap(({ gpus }) =>
    gpus.flatMap((gpu) => (next(2) === 0 ? targetFor(gpu, next) : [])),
  )
  const gpus = snapshot.nodes.flatMap((node) => node.gpus)
  const moves = snapshot.allocations.flatMap(({ pod, partition }) => {
    const gpu = gpus[next(gpus.length)]
    const target = targets.find((candidate) => candidate.gpu === gpu?.id)
    const profile = target?.layout[next(Math.max(1, target.layout.length))]?.profile ?? ''
    return gpu === undefined || next(2) === 0 ? [] : [{ pod, from: partition, to: { gpu: gpu.id, profile } }]
  })
  return { kind: 'layout', targets, moves }
}

function targetFor(gpu: Gpu, next: Next): GpuTarget {
  const board = gpu.model === undefined ? undefined : boardFor(gpu.model)
  // Now and then a target that the board cannot be: it has to be refused.
  if (board === undefined || next(10) === 0) {
    return { gpu: gpu.id, migEnabled: true, layout: [{ profile: '3g.20gb', placement: { start: 1, size: 4 } }] }
  }
  const layouts = enumerateLayouts(board)
  return { gpu: gpu.id, migEnabled: next(6) > 0, layout: layouts[next(layouts.length)] ?? [] }
}

function otherWishes(snapshot: ClusterSnapshot, next: Next): readonly Wish[] {
  const node = snapshot.nodes[next(snapshot.nodes.length)]?.name ?? ''
  const workload = snapshot.workloads[next(Math.max(1, snapshot.workloads.length))]?.id ?? ''
  const all: readonly Wish[] = [
    { kind: 'scale', workload, to: next(2) },
    { kind: 'resize', workload, to: [{ resource: 'nvidia.com/gpu', count: 1 }] },
    { kind: 'share', node, to: { kind: 'time-slicing', replicas: 2 + next(3) }, tenant: `team-${next(2)}`, moves: [] },
    { kind: 'remove-node', node, moves: [] },
    { kind: 'reschedule', workload, to: { pool: '', model: '', requests: [{ resource: 'nvidia.com/gpu', count: 1 }] } },
  ]
  return all.filter(() => next(3) === 0)
}

const published = (gpu: Gpu): Gpu => ({
  ...gpu,
  identified: 'resource-slice',
  partitions: gpu.partitions.map((partition) =>
    partition.kind === 'mig' ? { ...partition, placementSource: 'reported' } : partition,
  ),
})
