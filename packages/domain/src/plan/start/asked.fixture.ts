import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { UNCONSTRAINED } from '../../cluster/scheduling.ts'
import { mib } from '../../units.ts'
import { resourceOf } from '../../fleet/gpu-state.ts'
import type { AskedJob, AskedPods } from './asked-job.ts'

/** A drawn cluster as the API would count it: nodes offer what they are cut into, and pods ask for what they hold. */
export function counted(snapshot: ClusterSnapshot): ClusterSnapshot {
  const resources = new Map(
    snapshot.nodes.flatMap((node) =>
      node.gpus.flatMap(({ partitions }) => partitions.map((each) => [each.id, resourceOf(node, each)] as const)),
    ),
  )
  return {
    ...snapshot,
    nodes: snapshot.nodes.map((node) => ({
      ...node,
      room: { ...node.room, cpuUsed: 0, memoryUsed: mib(0) },
      allocatable: Object.fromEntries(
        tally(node.gpus.flatMap(({ partitions }) => partitions.map(({ id }) => resources.get(id) ?? ''))).map(
          ([name, all = []]) => [name, all.length],
        ),
      ),
    })),
    pods: snapshot.pods.map((pod) => {
      const held = snapshot.allocations.flatMap((each) =>
        each.pod === pod.id ? (resources.get(each.partition) ?? '') : [],
      )
      const requests = tally(held).map(([resource, all = []]) => ({ resource, count: all.length }))
      return pod.node === undefined ? pod : { ...pod, requests }
    }),
  }
}

const tally = (names: readonly string[]) => Object.entries(Object.groupBy(names, (name) => name))

/** Pods of a job that ask for one GPU each, unless said otherwise. */
export const asking = (more: Partial<AskedPods> = {}): AskedPods => ({
  part: '',
  count: 1,
  requests: [{ resource: 'nvidia.com/gpu', count: 1 }],
  claims: [],
  scheduling: UNCONSTRAINED,
  unsaid: [],
  labels: {},
  spread: [],
  preempts: false,
  unknown: [],
  edit: {
    spec: '/spec',
    hasTolerations: false,
    count: '/spec/replicas',
    gpu: { resources: '/spec/containers/0/resources', lists: ['limits'] },
    cpu: undefined,
    memory: undefined,
  },
  ...more,
})

export const askedJob = (groups: readonly AskedPods[], more: Partial<AskedJob> = {}): AskedJob => ({
  kind: 'Job',
  namespace: 'lab',
  name: 'train',
  queue: undefined,
  gang: false,
  stopped: [],
  groups,
  unknown: [],
  edit: { document: 0, queue: undefined, suspend: undefined },
  ...more,
})
