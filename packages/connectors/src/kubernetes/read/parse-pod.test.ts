import { isGpuResource, readCount } from '@septet/domain'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { recordedAnswer } from '../../../../../test/system-tools.ts'
import { pod } from '../watch/cluster-objects.fixture.ts'
import { parsePod } from './parse-pod.ts'
import { workloadClass } from './workload-class.ts'

const gpus = (count: number | string, resource = 'nvidia.com/gpu'): object => ({
  resources: { limits: { [resource]: String(count) } },
})

const created = recordedAnswer('pod_created.json')
const list = recordedAnswer('list_limit1.json')
test.skipIf(created === undefined || list === undefined)(
  'a pod as a real API server returns it, alone and in a list',
  () => {
    const { items } = z.object({ items: z.array(z.unknown()) }).parse(JSON.parse(list ?? ''))
    const expected = {
      namespace: 'demo',
      name: 'train',
      node: 'gpu-0',
      phase: 'Pending',
      requests: [{ resource: 'nvidia.com/gpu', count: 1 }],
      owner: undefined,
      waiting: undefined,
    }
    expect(parsePod(JSON.parse(created ?? ''))).toMatchObject(expected)
    expect(parsePod(items[0])).toMatchObject(expected)
  },
)

const asked = (spec: object): unknown => parsePod(pod('t', 'p', { spec }))?.requests

describe('what a pod asks for', () => {
  test('containers add up, by resource', () =>
    expect(asked({ containers: [gpus(1), gpus(2), gpus(1, 'nvidia.com/mig-1g.10gb')] })).toEqual([
      { resource: 'nvidia.com/gpu', count: 3 },
      { resource: 'nvidia.com/mig-1g.10gb', count: 1 },
    ]))
  test('init containers run before, so only the largest counts', () =>
    expect(asked({ containers: [gpus(1)], initContainers: [gpus(2), gpus(4)] })).toEqual([
      { resource: 'nvidia.com/gpu', count: 4 },
    ]))
  test('init containers that stay add to the others', () =>
    expect(asked({ containers: [gpus(1)], initContainers: [{ ...gpus(2), restartPolicy: 'Always' }] })).toEqual([
      { resource: 'nvidia.com/gpu', count: 3 },
    ]))
  test('an init container alone makes it a GPU pod', () =>
    expect(asked({ containers: [{}], initContainers: [gpus(1)] })).toEqual([{ resource: 'nvidia.com/gpu', count: 1 }]))
  test('zero, nothing, or only monitoring is no GPU pod', () => {
    expect(asked({ containers: [gpus(0)] })).toBeUndefined()
    expect(asked({ containers: [{}] })).toBeUndefined()
    expect(asked({ containers: [gpus(1, 'gpu.intel.com/i915_monitoring')] })).toBeUndefined()
  })
  test('a finished pod holds nothing', () => {
    expect(parsePod(pod('t', 'p', { status: { phase: 'Succeeded' } }))).toBeUndefined()
    expect(parsePod(pod('t', 'p', { status: { phase: 'Failed' } }))).toBeUndefined()
  })
  test('a claim keeps the pod, under its own or its generated name', () => {
    const spec = {
      containers: [{}],
      resourceClaims: [
        { name: 'a', resourceClaimName: 'shared' },
        { name: 'b', resourceClaimTemplateName: 'template' },
      ],
    }
    const status = { resourceClaimStatuses: [{ name: 'b', resourceClaimName: 'p-b-x7k' }] }
    expect(parsePod(pod('t', 'p', { spec, status }))).toMatchObject({ requests: [], claims: ['shared', 'p-b-x7k'] })
  })
})

const unbound = (conditions: object[]): unknown =>
  parsePod(pod('t', 'p', { spec: { nodeName: undefined }, status: { phase: 'Pending', conditions } }))

describe('waiting and starting', () => {
  test('in the scheduler’s own words', () => {
    const message = '0/3 nodes are available: 3 Insufficient nvidia.com/gpu.'
    expect(unbound([{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }])).toMatchObject({
      node: undefined,
      startedAt: undefined,
      waiting: { reason: 'Unschedulable', message },
    })
    expect(unbound([{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated', message: '' }])).toMatchObject({
      waiting: { reason: 'SchedulingGated' },
    })
    expect(unbound([])).toMatchObject({ waiting: { reason: 'Pending' } })
  })
  test('and since when they have refused it', () => {
    const refused = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '' }
    const lastTransitionTime = '2026-11-02T00:00:00Z'
    expect(unbound([{ ...refused, lastTransitionTime }])).toMatchObject({ refusedAt: Date.parse(lastTransitionTime) })
    expect(unbound([refused])).not.toHaveProperty('refusedAt')
  })
  test('it holds its GPUs from when it was bound', () => {
    const conditions = [{ type: 'PodScheduled', status: 'True', lastTransitionTime: '2026-11-02T00:00:00Z' }]
    expect(parsePod(pod('t', 'p', { status: { conditions } }))?.startedAt).toBe(Date.parse('2026-11-02T00:00:00Z'))
  })
})

test('which resources stand for GPUs', () => {
  const yes = [
    'nvidia.com/gpu',
    'nvidia.com/gpu.shared',
    'nvidia.com/mig-1g.5gb.me',
    'nvidia.com/mig-1g.10gb.shared',
    'amd.com/gpu',
    'gpu.intel.com/i915',
    'gpu.intel.com/xe',
  ]
  const no = [
    'cpu',
    'nvidia.com/gpumem',
    'nvidia.com/gpucores',
    'gpu.intel.com/xe_monitoring',
    'gpu.intel.com/memory.max',
    'example.com/gpu',
  ]
  expect(yes.filter((name) => !isGpuResource(name))).toEqual([])
  expect(no.filter((name) => isGpuResource(name))).toEqual([])
  expect(['8', 8, '1k', '2Ki', '0.5', '-1', '', undefined, '8 '].map((quantity) => readCount(quantity))).toEqual([
    8,
    8,
    1000,
    2048,
    undefined,
    undefined,
    undefined,
    undefined,
    8,
  ])
})

test('what kind of work it is', () => {
  expect(workloadClass('Job', { 'septet.io/workload-class': 'inference' })).toBe('inference')
  expect(workloadClass('Job', { 'septet.io/workload-class': 'nonsense' })).toBe('training')
  expect(workloadClass('Notebook', { 'app.kubernetes.io/component': 'training' })).toBe('notebook')
  expect(workloadClass('StatefulSet', { 'notebook-name': 'mine' })).toBe('notebook')
  expect(workloadClass('Deployment', { 'app.kubernetes.io/component': 'Training' })).toBe('training')
  expect(workloadClass('Pod', { component: 'singleuser-server' })).toBe('notebook')
  expect(['PyTorchJob', 'MPIJob', 'RayJob', 'Job'].map((kind) => workloadClass(kind, {}))).toEqual(
    Array.from({ length: 4 }, () => 'training'),
  )
  expect(['Deployment', 'StatefulSet', 'InferenceService'].map((kind) => workloadClass(kind, {}))).toEqual(
    Array.from({ length: 3 }, () => 'inference'),
  )
  expect(['CronJob', 'SparkApplication'].map((kind) => workloadClass(kind, {}))).toEqual(['analytics', 'analytics'])
  expect(workloadClass('Pod', {})).toBe('unknown')
  expect(workloadClass('toString', {})).toBe('unknown')
})

describe('when a pod ends for sure', () => {
  const START = '2026-11-23T10:00:00Z'
  const at = (seconds: number): number => Date.parse(START) + seconds * 1000
  const read = (spec: object, status: object = { startTime: START }) =>
    parsePod(pod('t', 'p', { spec: { nodeName: 'gpu-0', containers: [gpus(1)], ...spec }, status }))

  test('is after its deadline and its grace period, from when the kubelet took it on', () => {
    expect(read({ activeDeadlineSeconds: 3600, terminationGracePeriodSeconds: 120 })).toMatchObject({
      endsBy: at(3720),
      grace: 120,
    })
    expect(read({ activeDeadlineSeconds: 3600 })).toMatchObject({ endsBy: at(3630) })
  })

  test('is not known without a deadline, or before it was taken on', () => {
    expect(read({ terminationGracePeriodSeconds: 30 })).not.toHaveProperty('endsBy')
    expect(read({ activeDeadlineSeconds: 3600 }, { startTime: null })).not.toHaveProperty('endsBy')
    expect(read({ activeDeadlineSeconds: 'soon' })).not.toHaveProperty('endsBy')
  })
})
