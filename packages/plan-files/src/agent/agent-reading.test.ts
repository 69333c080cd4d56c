import { gunzipSync, gzipSync } from 'node:zlib'

import {
  instant,
  mib,
  ratio,
  SAMPLE_FIELDS,
  seconds,
  UNCONSTRAINED,
  type DeviceSample,
  type Inventory,
} from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { packReading, unpackReading, withoutInventory, type AgentReading } from './agent-reading.ts'

const AT = instant(1_790_000_000_000)
const problem = { code: 'told', message: 'Something is wrong.', object: 'node/a' }
const requests = [{ resource: 'nvidia.com/gpu', count: 1 }]
const waiting = { reason: 'Unschedulable', message: '0/3 nodes are available' }

type Of<Key extends keyof Inventory> = NonNullable<Inventory[Key]> extends readonly (infer One)[] ? One : never

// `Required`: a field that is new has to be written here, and to come back.
const node: Required<Of<'nodes'>> = {
  name: 'a',
  pool: 'pool',
  ready: false,
  notReadySince: AT,
  schedulable: true,
  createdAt: AT,
  providerId: 'aws:///zone/i-1',
  product: 'NVIDIA-A100-SXM4-80GB',
  mig: { strategy: 'mixed', config: 'all-1g.10gb', state: 'success' },
  sharing: { kind: 'time-slicing', replicas: 4 },
  allocatable: { 'nvidia.com/gpu': 8 },
  servedByDra: true,
  room: {
    cpuMilli: 1000,
    memory: mib(1024),
    cpuUsed: 10,
    memoryUsed: mib(5),
    labels: { zone: 'a' },
    taints: [{ key: 'gpu', value: 'true', effect: 'NoSchedule' }],
  },
  shares: [{ gpu: 'GPU-0', index: 0, pod: 'lab/one', share: ratio(0.25) }],
  gpuCount: 8,
  knownAs: ['10.0.0.1', 'gpu-operator/exporter-1'],
  reportedProfiles: [{ '1g.10gb': 7 }],
  devices: [
    {
      name: 'gpu-0-mig-9-0-1',
      kind: 'mig',
      uuid: 'MIG-1',
      parent: 'gpu-0',
      profile: '1g.10gb',
      product: 'NVIDIA A100',
      start: 0,
      reservedFor: ['lab/one'],
    },
  ],
  problems: [problem],
}
const pod: Required<Of<'pods'>> = {
  id: 'lab/one',
  uid: 'u',
  namespace: 'lab',
  name: 'one',
  node: 'a',
  phase: 'Running',
  requests,
  scheduling: {
    ...UNCONSTRAINED,
    nodeTerms: [[{ key: 'zone', operator: 'In', values: ['a'] }]],
    tolerations: [{ key: '', operator: 'Exists', value: '', effect: '' }],
    unread: ['podAntiAffinity'],
  },
  workload: 'lab/Job/one',
  createdAt: AT,
  startedAt: AT,
  waiting,
  refusedAt: AT,
  endsBy: AT,
  stuck: { because: 'ImagePullBackOff', since: AT },
  grace: seconds(30),
}
const workload: Required<Of<'workloads'>> = {
  id: 'lab/Job/one',
  namespace: 'lab',
  kind: 'Job',
  name: 'one',
  class: 'training',
  queue: 'queue',
  queueOwner: 'Volcano',
  status: 'running',
  requests,
  pods: ['lab/one'],
  createdAt: AT,
  startedAt: AT,
  waiting,
  templates: [
    {
      part: '',
      containers: [
        { list: 'containers', index: 0, name: 'main', isSidecar: false, requests: {}, limits: {}, gpus: requests },
      ],
    },
  ],
  labels: { team: 'a' },
  marks: { images: ['vllm/vllm-openai'], starts: ['d1'], models: ['Llama-3-8B'] },
  cache: { engine: 'vLLM', peak: ratio(0.4) },
}
const queue: Required<Of<'queues'>> = {
  name: 'queue',
  pendingWorkloads: 1,
  admittedWorkloads: 2,
  localQueues: ['lab/queue'],
  strict: true,
  mayPreempt: true,
  left: { cpu: 1, memory: 2, pods: 3 },
  unread: ['fair sharing'],
}
const quota: Required<Of<'quotas'>> = {
  id: 'clusterqueue/queue/nvidia.com/gpu',
  namespace: '',
  queue: 'queue',
  queueOwner: 'KAI',
  below: ['queue-a'],
  cohort: 'all',
  resource: 'nvidia.com/gpu',
  hard: 8,
  used: 2,
  flavors: [
    {
      name: 'a100',
      path: '/spec/0',
      resourcePath: '/1',
      nominal: '8',
      amount: 8,
      used: 2,
      borrowing: '2',
      lending: 1,
      nodeLabels: { gpu: 'a100' },
      tolerations: [{ key: 'gpu', operator: 'Exists', value: '', effect: '' }],
      chosenBy: 'the topology racks',
    },
  ],
  scoped: true,
}
const inventory: Required<Inventory> = {
  takenAt: AT,
  serverVersion: 'v1.34.1',
  nodes: [node],
  pods: [pod],
  finished: [pod],
  workloads: [workload],
  queues: [queue],
  budgets: [{ id: 'lab/budget', pods: ['lab/one'], allowed: -1 }],
  quotas: [quota],
  cohorts: [
    {
      name: 'all',
      parent: 'root',
      quotas: [{ resource: 'nvidia.com/gpu', flavors: [{ name: 'a100', amount: 2, borrowing: '1', lending: 1 }] }],
    },
  ],
  namespaces: ['lab', 'web'],
  priorityClasses: [
    { name: 'batch', priority: -100, preempts: false },
    { name: 'usual', priority: 10, preempts: true, isDefault: true },
  ],
  neighbors: {
    repulsions: [{ pod: 'lab/one', topologyKey: 'zone', domain: 'a', namespaces: ['lab'], selector: [] }],
    labels: [{ namespace: 'lab', labels: { app: 'one' }, on: { 'node-c': 2 } }],
    others: [{ name: 'node-c', labels: { zone: 'a' }, taints: [{ key: 'k', value: '', effect: 'NoSchedule' }] }],
  },
  problems: [problem],
}
const values = Object.fromEntries(SAMPLE_FIELDS.map((field, order) => [field, order / 100]))
const sample: DeviceSample = {
  ...values,
  at: AT,
  node: 'a',
  gpu: 'GPU-1',
  index: 0,
  model: 'NVIDIA A100',
  instance: { id: '1', profile: '1g.10gb' },
  holder: { namespace: 'lab', pod: 'one', container: 'main' },
  vgpu: '0',
  busy: ratio(0.5),
  unusable: { power: 'out-of-range' },
}
const reading: AgentReading = {
  at: AT,
  interval: seconds(15),
  connection: { kind: 'connected', lastContact: AT, problems: [problem] },
  inventory,
  telemetry: {
    kind: 'read',
    at: AT,
    samples: [sample],
    targets: [{ target: 'http://a', node: 'a', kind: 'up', lastSeen: AT, detail: '' }],
    problems: [problem],
  },
}

describe('a reading', () => {
  test('comes back as it was packed, to the last field', async () => {
    expect(await unpackReading(await packReading(reading))).toEqual({ kind: 'read', reading })
    const failed: AgentReading = {
      ...reading,
      connection: { kind: 'disconnected', lastContact: undefined, problems: [] },
      telemetry: { kind: 'failed', message: 'No exporter answered.' },
    }
    expect(await unpackReading(await packReading(failed))).toEqual({ kind: 'read', reading: failed })
  })

  test('goes without its inventory where a later one has another', async () => {
    const { inventory: _, ...rest } = reading
    const thinned = await withoutInventory(await packReading(reading))
    expect(await unpackReading(thinned)).toEqual({ kind: 'read', reading: rest })
  })

  test.each([
    ['text', Buffer.from('no gzip'), /incorrect header check/u],
    ['no JSON', gzipSync('{'), /JSON/u],
    ['another format', gzipSync('{"format":"septet-agent/2"}'), /^format: .* \(and \d more\)$/u],
  ])('that is %s is refused with the reason', async (_, packed, because) => {
    expect(await unpackReading(packed)).toEqual({ kind: 'refused', because: expect.stringMatching(because) })
  })

  test.each<[string, (given: AgentReading) => unknown, RegExp]>([
    [
      'a GPU count that no node has',
      (given) => withNode(given, { gpuCount: 1e6 }),
      /^inventory\.nodes\.0\.gpuCount: /u,
    ],
    ['a time before all times', (given) => ({ ...given, at: -1 }), /^at: /u],
    [
      'one node twice',
      (given) => ({ ...given, inventory: { ...inventory, nodes: [node, node] } }),
      /^The node a is there twice\.$/u,
    ],
    ['a value that is text', (given) => withSample(given, { busy: '1' }), /^telemetry\.samples\.0\.busy: /u],
  ])('with %s is refused', async (_, changed, because) => {
    const told = JSON.parse(gunzipSync(await packReading(reading)).toString()) as AgentReading
    const packed = gzipSync(JSON.stringify(changed(told)))
    expect(await unpackReading(packed)).toEqual({ kind: 'refused', because: expect.stringMatching(because) })
  })
})

const withNode = (given: AgentReading, more: object): unknown => ({
  ...given,
  inventory: { ...inventory, nodes: [{ ...node, ...more }] },
})
const withSample = (given: AgentReading, more: object): unknown => ({
  ...given,
  telemetry: { ...given.telemetry, samples: [{ ...sample, ...more }] },
})
