import { instant } from '../units.ts'
import { assembleSnapshot } from './assemble.ts'
import type { ClusterSnapshot, Inventory, InventoryNode } from './inventory.ts'
import { UNCONSTRAINED, UNKNOWN_ROOM } from './scheduling.ts'
import type { Sighting } from './sighting.ts'
import type { Pod } from './workload.ts'

export const NOW = instant(1_767_225_600_000)

/** A node of two whole GPUs, unless said otherwise. */
export const node = (name: string, more: Partial<InventoryNode> = {}): InventoryNode => ({
  name,
  pool: '',
  ready: true,
  schedulable: true,
  createdAt: NOW,
  product: 'NVIDIA-A100-SXM4-80GB',
  mig: { strategy: 'none', config: undefined, state: undefined },
  sharing: { kind: 'none' },
  allocatable: { 'nvidia.com/gpu': more.gpuCount ?? 2 },
  room: UNKNOWN_ROOM,
  gpuCount: 2,
  reportedProfiles: undefined,
  devices: [],
  problems: [],
  ...more,
})

export const pod = (
  name: string,
  on: string | undefined,
  requests: Record<string, number> = { 'nvidia.com/gpu': 1 },
): Pod => ({
  id: `team/${name}`,
  uid: name,
  namespace: 'team',
  name,
  node: on,
  phase: on === undefined ? 'Pending' : 'Running',
  requests: Object.entries(requests).map(([resource, count]) => ({ resource, count })),
  scheduling: UNCONSTRAINED,
  workload: `team/Pod/${name}`,
  createdAt: NOW,
  startedAt: on === undefined ? undefined : NOW,
  waiting: undefined,
})

export const inventory = (nodes: readonly InventoryNode[], pods: readonly Pod[] = []): Inventory => ({
  takenAt: NOW,
  serverVersion: 'v1.34.0',
  nodes,
  pods,
  workloads: [],
  queues: [],
  budgets: [],
  quotas: [],
  problems: [],
})

export const sighting = (gpu: string, index: number, more: Partial<Sighting> = {}): Sighting => ({
  node: 'a',
  gpu,
  index,
  model: 'NVIDIA A100-SXM4-80GB',
  ...more,
})

export const assemble = (
  source: Inventory,
  samples: readonly Sighting[] = [],
  previous?: ClusterSnapshot,
): ClusterSnapshot => assembleSnapshot({ cluster: 'c', inventory: source, samples, previous, now: NOW })

export const partitionIds = (snapshot: ClusterSnapshot): string[] =>
  snapshot.nodes.flatMap(({ gpus }) => gpus.flatMap(({ partitions }) => partitions.map(({ id }) => id)))
export const holdings = (snapshot: ClusterSnapshot): string[] =>
  snapshot.allocations.map(({ partition, pod: id, evidence }) => `${partition} ${id} ${evidence}`)
export const codes = (snapshot: ClusterSnapshot): string[] =>
  [...snapshot.problems, ...snapshot.nodes.flatMap(({ problems }) => problems)].map(({ code }) => code)
export const holder = (name: string): NonNullable<Sighting['holder']> => ({ namespace: 'team', pod: name })

/** A node whose GPUs are cut under the mixed strategy, as the kubelet offers them. */
export const mixed = (allocatable: Record<string, number>, gpuCount = 2): InventoryNode =>
  node('a', { gpuCount, allocatable, mig: { strategy: 'mixed', config: 'all-balanced', state: 'success' } })
