import { expect, test } from 'vitest'
import { draw } from '../../cluster/draw.fixture.ts'
import { queuePatch } from './queue-patch.ts'

const path = '/spec/resourceGroups/0/flavors/0'
const quota = {
  id: 'clusterqueue/batch/nvidia.com/gpu',
  namespace: '',
  queue: 'batch',
  resource: 'nvidia.com/gpu',
  hard: 4,
  used: 3,
  flavors: [{ name: 'l40s', path, resourcePath: '/resources/1', nominal: '4' }],
}
const workload = { id: 'lab/Job/train' }
const room = { available: 1, unlimited: 1, borrowing: undefined }
const free = draw`
  node-a  T4  [-]
  node-a  T4  [-]
  node-a  T4  [web/x]`

test('raises the quota by what the work lacks, and fails where somebody has changed it since', () => {
  const { name, text } = queuePatch({ quota, asked: 2, workload, room }, free) ?? { name: '', text: '' }
  expect(name).toBe('clusterqueue-batch.yaml')
  expect(text.split('\n').filter((line) => !line.startsWith('#'))).toEqual([
    '- op: test',
    `  path: ${path}/name`,
    '  value: "l40s"',
    '- op: test',
    `  path: ${path}/resources/1/name`,
    '  value: "nvidia.com/gpu"',
    '- op: test',
    `  path: ${path}/resources/1/nominalQuota`,
    '  value: "4"',
    '- op: replace',
    `  path: ${path}/resources/1/nominalQuota`,
    '  value: "5"',
    '',
  ])
  expect(text).toContain('# lab/Job/train may start, which asks for 2. 2 are free in the cluster now')
})

test('is not offered where it would not help, or where it is not known which flavor the work gets', () => {
  expect(queuePatch({ quota, asked: 3, workload, room }, free)).toBeUndefined()
  const cordoned = { ...free, nodes: free.nodes.map((node) => ({ ...node, schedulable: false })) }
  expect(queuePatch({ quota, asked: 2, workload, room }, cordoned)).toBeUndefined()
  expect(
    queuePatch({ quota: { ...quota, flavors: [...quota.flavors, ...quota.flavors] }, asked: 2, workload, room }, free),
  ).toBe(undefined)
  const { flavors: _, queue: __, ...ofNamespace } = quota
  expect(queuePatch({ quota: ofNamespace, asked: 2, workload, room }, free)).toBeUndefined()
})
