import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { draw } from '../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../cluster/inventory.ts'
import type { Gpu, Partition } from '../cluster/node.ts'
import { drawnWishes } from '../plan/steps/drawn-wishes.fixture.ts'
import { clusterFaults } from './cluster-faults.ts'

const drawn = draw`
  a  A100-SXM4-80GB  [3g.40gb lab/x] [3g.40gb -]
  b  T4              [1/2 lab/y] [1/2 -]`
const changed = (gpu: string, change: (gpu: Gpu) => Partial<Gpu>): ClusterSnapshot => ({
  ...drawn,
  nodes: drawn.nodes.map((node) => ({
    ...node,
    gpus: node.gpus.map((each) => (each.id === gpu ? { ...each, ...change(each) } : each)),
  })),
})
const moved = (start: number | undefined) =>
  changed('GPU-a-0', ({ partitions }) => ({
    partitions: partitions.map((each, at): Partition =>
      each.kind === 'mig' && at === 1
        ? { ...each, placement: start === undefined ? undefined : { start, size: 4 } }
        : each,
    ),
  }))
const held = (partition: string, pod: string): ClusterSnapshot => {
  const [first] = drawn.allocations
  if (first === undefined) throw new Error('nobody holds anything')
  return { ...drawn, allocations: [...drawn.allocations, { ...first, partition, pod }] }
}

test('a cluster as it was drawn has none, whatever it holds', () => {
  expect(clusterFaults(drawn)).toEqual([])
  fc.assert(
    fc.property(fc.constantFrom('mig-manager' as const, 'dra' as const).chain(drawnWishes), ({ snapshot }) => {
      expect(clusterFaults(snapshot)).toEqual([])
    }),
  )
})

describe('what cannot be', () => {
  test.for<[string, ClusterSnapshot, string]>([
    [
      'instances that lie over one another',
      moved(0),
      'GPU GPU-a-0: 3g.40gb at memory slice 0 overlaps another instance.',
    ],
    [
      'instances that no layout holds, wherever they are',
      changed('GPU-a-0', ({ partitions }) => ({
        partitions: [...partitions, ...partitions].map((each, at) => ({
          ...each,
          id: `GPU-a-0/gi-${at}`,
          ...(each.kind === 'mig' ? { placement: undefined } : {}),
        })),
      })),
      'GPU GPU-a-0: 4 × 3g.40gb: A100-80GB takes at most 2.',
    ],
    [
      'a GPU that is cut and whole',
      changed('GPU-a-0', ({ id, partitions }) => ({ partitions: [...partitions, { kind: 'whole', id, gpu: id }] })),
      'GPU GPU-a-0 is partitioned and whole at the same time.',
    ],
    ['a partition with two holders', held('GPU-a-0/gi-1', 'lab/z'), 'GPU-a-0/gi-1 is held by lab/x and lab/z.'],
    ['a partition that is not there', held('GPU-z', 'lab/z'), 'lab/z holds GPU-z, which does not exist.'],
    [
      'a pod on a node that is not there',
      { ...drawn, pods: drawn.pods.map((pod) => (pod.id === 'lab/y' ? { ...pod, node: 'gone' } : pod)) },
      'lab/y runs on gone, which does not exist.',
    ],
  ])('%s', ([, snapshot, fault]) => {
    expect(clusterFaults(snapshot)).toEqual([fault])
  })
  test('replicas of one GPU that two namespaces hold', () => {
    const [, second] = drawn.nodes[1]?.gpus[0]?.partitions ?? []
    const [pod] = drawn.pods
    if (second === undefined || pod === undefined) throw new Error('nothing is drawn')
    const shared = held(second.id, 'web/z')
    const pods = (namespace: string) => [...drawn.pods, { ...pod, id: 'web/z', namespace }]
    expect(clusterFaults({ ...shared, pods: pods('web') })).toEqual([
      'GPU GPU-b-0 is shared by lab and web without isolation.',
    ])
    expect(clusterFaults({ ...shared, pods: pods('lab') })).toEqual([])
  })
  test('is not told of a board that nobody knows, nor where starts are not known and some would do', () => {
    expect(clusterFaults(changed('GPU-a-0', () => ({ model: undefined })))).toEqual([])
    expect(clusterFaults(moved(undefined))).toEqual([])
  })
})
