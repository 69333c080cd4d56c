import { expect, test } from 'vitest'

import { draw } from './draw.fixture.ts'

test('a drawn cluster shows who waits for what, and what nodes have beside GPUs', () => {
  const { nodes, pods, workloads, allocations } = draw`
    node-a@spot  A100-SXM4-80GB  cpu=64 memory=512 zone=a !gpu=yes:NoSchedule  [lab/train-1]
    node-b       T4              [1/2 web/chat-1] [1/2 -]
    ?            lab/train-9     4g.40gb ×2 cpu=4 memory=16 zone=a queue=gpus !gpu=yes:NoSchedule
    ?            train-10`
  const taint = { key: 'gpu', value: 'yes', effect: 'NoSchedule' }
  expect(nodes.map(({ room }) => room)).toEqual([
    { cpuMilli: 64_000, memory: 512 * 1024, labels: { zone: 'a' }, taints: [taint] },
    { cpuMilli: undefined, memory: undefined, labels: {}, taints: [] },
  ])
  expect(pods.map(({ id, node, phase }) => [id, node, phase])).toEqual([
    ['lab/train-1', 'node-a', 'Running'],
    ['web/chat-1', 'node-b', 'Running'],
    ['lab/train-9', undefined, 'Pending'],
    ['team/train-10', undefined, 'Pending'],
  ])
  expect(pods[2]?.requests).toEqual([{ resource: 'nvidia.com/mig-4g.40gb', count: 2 }])
  expect(pods[3]?.requests).toEqual([{ resource: 'nvidia.com/gpu', count: 1 }])
  expect(pods[2]?.scheduling).toMatchObject({
    cpuMilli: 4000,
    memory: 16 * 1024,
    nodeSelector: { zone: 'a' },
    tolerations: [{ ...taint, operator: 'Equal' }],
    managed: true,
    evictable: true,
  })
  expect(workloads.map(({ queue, status }) => [queue, status])).toContainEqual(['gpus', 'queued'])
  expect(allocations).toHaveLength(2)
})
