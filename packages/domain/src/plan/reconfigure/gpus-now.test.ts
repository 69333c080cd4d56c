import { expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import { gpusNow } from './gpus-now.ts'
import { reconfigure } from './reconfigure.ts'

const cluster = draw`
  node-a@lab  A100-SXM4-40GB  [3g.20gb lab/a] [3g.20gb -]
  node-b@lab  A100-SXM4-40GB  [lab/whole]
  node-c@lab  A100-SXM4-40GB  [-]
  node-d@lab  T4              [1/2 web/b] [1/2 -]
  node-e@lab  A100-SXM4-40GB  down  [1g.5gb -]`

test('reads the GPUs that can be cut', () => {
  expect(
    gpusNow(cluster).map(({ gpu, actuator, instances }) => [gpu, actuator, instances.map(({ pod }) => pod)]),
  ).toEqual([
    ['GPU-node-a-0', 'mig-manager', ['lab/a', undefined]],
    ['GPU-node-c-0', 'mig-manager', []],
  ])
})

test('a pod that must not be evicted keeps its GPU as it is', () => {
  const fixed = {
    ...cluster,
    pods: cluster.pods.map((pod) => ({ ...pod, scheduling: { ...pod.scheduling, evictable: false } })),
  }
  const gpus = gpusNow(fixed)
  expect(gpus[0]?.instances.map(({ movable }) => movable)).toEqual([false, true])
  const [{ supplyClass } = { supplyClass: '' }] = gpus
  const ask = (count: number) =>
    reconfigure(
      { gpus, demands: [{ id: 'job', count, fits: [{ supplyClass, profile: '7g.40gb' }] }] },
      { goal: 'fewest-displaced' },
    )
  expect(ask(1)).toMatchObject({ kind: 'found', displaced: 0, targets: [{ gpu: 'GPU-node-c-0' }] })
  expect(ask(2)).toMatchObject({ kind: 'impossible' })
})

test('a pod with several instances keeps its GPUs as they are, because a move of one would part them', () => {
  const both = draw`
    node-a  A100-SXM4-40GB  [3g.20gb lab/a] [3g.20gb lab/a]
    node-b  A100-SXM4-40GB  [3g.20gb lab/b]`
  const movable = new Map(gpusNow(both).map(({ gpu, instances }) => [gpu, instances.map((each) => each.movable)]))
  expect([...movable]).toEqual([
    ['GPU-node-a-0', [false, false]],
    ['GPU-node-b-0', [true]],
  ])
})

test('a pod under two disruption budgets stays, because the eviction API refuses it', () => {
  const [one, two] = ['lab/one', 'lab/two'].map((id) => ({ id, pods: ['lab/a'], allowed: 1 }))
  if (one === undefined || two === undefined) throw new Error('two budgets')
  expect(gpusNow({ ...cluster, budgets: [one, two] })[0]?.instances[0]?.movable).toBe(false)
  expect(gpusNow({ ...cluster, budgets: [one] })[0]?.instances[0]?.movable).toBe(true)
})

test('mig-manager changes a node as one, so a fault of one GPU leaves out its neighbors', () => {
  const [node, ...others] = draw`
    node-a  A100-SXM4-40GB  [3g.20gb lab/a]
    node-a  A100-SXM4-40GB  [-]
    node-b  A100-SXM4-40GB  [-]`.nodes
  if (node === undefined) throw new Error('no node')
  const fault = { code: 'xid', message: 'GPU 1 fell off the bus.', object: 'gpu/GPU-node-a-1' }
  const gpus = node.gpus.map((gpu) => (gpu.index === 1 ? { ...gpu, fault } : gpu))
  const now = gpusNow({ ...cluster, nodes: [{ ...node, gpus }, ...others], pods: [], allocations: [] })
  expect(now.map(({ gpu }) => gpu)).toEqual(['GPU-node-b-0'])
})
