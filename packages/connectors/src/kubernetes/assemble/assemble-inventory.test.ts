import { instant, type Inventory } from '@septet/domain'
import { describe, expect, test } from 'vitest'
import { assembleInventory } from './assemble-inventory.ts'
import { node, ownedBy, pod } from '../watch/cluster-objects.fixture.ts'
import { followOwners } from '../read/owner-chain.ts'
import { parseBudget } from '../read/parse-budget.ts'
import { parseClaim } from '../read/parse-claim.ts'
import { parseResourceSlice, readDynamicName } from '../read/parse-device.ts'
import { parseClusterQueue, parseFlavor, parseKueueWorkload, parseLocalQueue } from '../read/parse-kueue.ts'
import { menuByGpu, parseMigConfig } from '../read/parse-mig-config.ts'
import { parseNode } from '../read/parse-node.ts'
import { parsePod } from '../read/parse-pod.ts'
import { parseQuota } from '../read/queue-limits.ts'

const NOW = instant(Date.parse('2026-11-21T12:00:00Z'))
const CREATED = '2026-11-01T08:00:00Z'

type Objects = Partial<
  Record<
    | 'nodes'
    | 'pods'
    | 'menus'
    | 'slices'
    | 'claims'
    | 'kueue'
    | 'queues'
    | 'localQueues'
    | 'flavors'
    | 'budgets'
    | 'quotas',
    unknown[]
  >
>
const read = <T>(raw: unknown[] | undefined, parse: (each: unknown) => T | undefined): T[] =>
  (raw ?? []).flatMap((each) => parse(each) ?? [])

function assemble(objects: Objects): Inventory {
  const pods = read(objects.pods, parsePod)
  return assembleInventory({
    nodes: read(objects.nodes, parseNode),
    pods,
    menus: read(objects.menus, parseMigConfig),
    slices: read(objects.slices, parseResourceSlice),
    claims: read(objects.claims, parseClaim),
    queuedWork: read(objects.kueue, parseKueueWorkload),
    clusterQueues: read(objects.queues, parseClusterQueue),
    localQueues: read(objects.localQueues, parseLocalQueue),
    flavors: read(objects.flavors, parseFlavor),
    budgets: read(objects.budgets, parseBudget),
    quotas: read(objects.quotas, parseQuota),
    chainOf: (facts) =>
      followOwners(facts, { owner: () => undefined, podByUid: (uid) => pods.find((each) => each.uid === uid) }).chain,
    pendingSince: () => undefined,
    now: NOW,
    takenAt: NOW,
    serverVersion: 'v1.34.1',
    problems: [],
  })
}

const ofRay = (name: string, labels: object, spec: object = {}) =>
  pod('lab', name, { metadata: { labels, ...ownedBy('RayCluster', 'ray', 'ray.io/v1') }, spec })

test('a workload knows what its pods are made from, a part at a time, and which containers ask for GPUs', () => {
  const gpu = { resources: { limits: { cpu: 4, 'nvidia.com/gpu': 1 }, requests: { cpu: '4', 'nvidia.com/gpu': '1' } } }
  const spec = {
    containers: [{ name: 'logs' }, { name: 'ray', ...gpu }],
    initContainers: [{ name: 'proxy', restartPolicy: 'Always', ...gpu }],
  }
  const { workloads } = assemble({
    nodes: [node('gpu-0')],
    pods: [
      ofRay('ray-a', { 'ray.io/group': 'big' }, spec),
      ofRay('ray-b', { 'ray.io/group': 'big' }, spec),
      ofRay('ray-head', { 'ray.io/group': 'headgroup' }),
    ],
  })
  const asks = { limits: { cpu: '4', 'nvidia.com/gpu': '1' }, requests: { cpu: '4', 'nvidia.com/gpu': '1' } }
  expect(workloads[0]?.templates).toMatchObject([
    {
      part: 'big',
      containers: [
        { list: 'containers', index: 1, name: 'ray', isSidecar: false, ...asks },
        { list: 'initContainers', index: 0, name: 'proxy', isSidecar: true, ...asks },
      ],
    },
    { part: 'headgroup', containers: [{ name: 'main' }] },
  ])
  const partOf = (labels: object) =>
    assemble({ nodes: [node('gpu-0')], pods: [pod('lab', 'one', { metadata: { labels } })] }).workloads[0]
      ?.templates?.[0]?.part
  expect(partOf({ 'training.kubeflow.org/replica-type': 'worker' })).toBe('worker')
  expect(partOf({ 'leaderworkerset.sigs.k8s.io/worker-index': '0' })).toBe('leader')
  expect(partOf({ 'leaderworkerset.sigs.k8s.io/worker-index': '3' })).toBe('worker')
  expect(partOf({ 'serving.kserve.io/inferenceservice': 'x', component: 'predictor' })).toBe('predictor')
  expect(partOf({ component: 'predictor' })).toBe('')
})

const slice = (devices: object[], changes: object = {}): object => ({
  metadata: { name: 's', uid: 's', creationTimestamp: CREATED },
  spec: {
    driver: 'gpu.nvidia.com',
    nodeName: 'gpu-0',
    pool: { name: 'gpu-0', generation: 2, resourceSliceCount: 1 },
    devices,
    ...changes,
  },
})

const claim = (
  name: string,
  device: string,
  {
    pods = [],
    request = { name: 'r', exactly: { deviceClassName: 'mig.nvidia.com' } },
  }: { pods?: string[]; request?: object } = {},
): object => ({
  metadata: { name, namespace: 'team', uid: name, creationTimestamp: CREATED },
  spec: { devices: { requests: [request] } },
  status: {
    allocation: { devices: { results: [{ driver: 'gpu.nvidia.com', pool: 'gpu-0', device, request: 'r' }] } },
    reservedFor: pods.map((each) => ({ resource: 'pods', name: each, uid: each })),
  },
})

const holding = (name: string, resourceClaimName: string): object =>
  pod('team', name, { spec: { containers: [{}], resourceClaims: [{ name: 'c', resourceClaimName }] } })

const taintOf = (device: object) =>
  assemble({ nodes: [node('gpu-0')], slices: [slice([device])] }).nodes[0]?.devices[0]?.taint

describe('devices that DRA publishes', () => {
  const gpu = {
    name: 'gpu-0',
    attributes: {
      type: { string: 'gpu' },
      uuid: { string: 'GPU-a' },
      productName: { string: 'NVIDIA H100 80GB HBM3' },
    },
    capacity: { memory: { value: '80Gi' } },
  }
  const staticMig = {
    name: 'gpu-0-mig-3g40gb-9-4',
    attributes: {
      type: { string: 'mig' },
      uuid: { string: 'MIG-b' },
      parentUUID: { string: 'GPU-a' },
      profile: { string: '3g.40gb' },
    },
    capacity: {
      memorySlice4: { value: '1' },
      memorySlice5: { value: '1' },
      memorySlice6: { value: '1' },
      memorySlice7: { value: '1' },
    },
  }
  const possible = {
    name: 'gpu-0-mig-1g10gb-19-2',
    attributes: { type: { string: 'mig' }, parentUUID: { string: 'GPU-a' }, profile: { string: '1g.10gb' } },
  }

  test('whole GPUs and static MIG devices with their places; merely possible placements are left out', () => {
    const [only] = assemble({ nodes: [node('gpu-0')], slices: [slice([gpu, staticMig, possible])] }).nodes
    expect(only?.devices).toEqual([
      {
        name: 'gpu-0',
        kind: 'gpu',
        uuid: 'GPU-a',
        parent: undefined,
        profile: undefined,
        product: 'NVIDIA H100 80GB HBM3',
        start: undefined,
        reservedFor: [],
      },
      {
        name: 'gpu-0-mig-3g40gb-9-4',
        kind: 'mig',
        uuid: 'MIG-b',
        parent: 'GPU-a',
        profile: '3g.40gb',
        product: undefined,
        start: 4,
        reservedFor: [],
      },
    ])
  })

  test('a taint that keeps claims away is read; one that only informs is not', () => {
    const tainted = (...effects: readonly string[]) => ({
      ...gpu,
      taints: effects.map((effect) => ({ key: 'gpu.nvidia.com/xid', value: '79', effect })),
    })
    expect(taintOf(tainted('None', 'NoSchedule'))).toBe('gpu.nvidia.com/xid=79:NoSchedule')
    expect(taintOf({ ...gpu, taints: [{ key: 'maintenance', effect: 'NoExecute' }] })).toBe('maintenance:NoExecute')
    expect(taintOf(tainted('None'))).toBeUndefined()
    const { name, ...basic } = tainted('NoExecute')
    expect(taintOf({ name, basic })).toBe('gpu.nvidia.com/xid=79:NoExecute')
  })

  test('v1beta1 wraps the same facts in basic', () => {
    const old = [gpu, staticMig].map(({ name, ...basic }) => ({ name, basic }))
    expect(assemble({ nodes: [node('gpu-0')], slices: [slice(old)] }).nodes[0]?.devices).toEqual(
      assemble({ nodes: [node('gpu-0')], slices: [slice([gpu, staticMig])] }).nodes[0]?.devices,
    )
  })

  test('a dynamic MIG device exists through its claim: profile and place come from its name, the holder from reservedFor', () => {
    const { nodes } = assemble({
      nodes: [node('gpu-0')],
      slices: [slice([gpu, possible])],
      claims: [claim('c', 'gpu-0-mig-1g10gb-19-2', { pods: ['p'] })],
    })
    expect(nodes[0]?.devices[1]).toEqual({
      name: 'gpu-0-mig-1g10gb-19-2',
      kind: 'mig',
      uuid: undefined,
      parent: 'GPU-a',
      profile: '1g.10gb',
      product: 'NVIDIA H100 80GB HBM3',
      start: 2,
      reservedFor: ['team/p'],
    })
  })

  test('only the newest generation of a pool counts, and other drivers not at all', () => {
    const stale = slice([{ ...gpu, name: 'gpu-9' }], { pool: { name: 'gpu-0', generation: 1, resourceSliceCount: 1 } })
    const network = slice([gpu], { driver: 'dra.net' })
    const [only] = assemble({ nodes: [node('gpu-0')], slices: [stale, slice([gpu]), network] }).nodes
    expect(only?.devices.map(({ name }) => name)).toEqual(['gpu-0'])
  })

  test('a node known only by its devices is a GPU node with that many GPUs', () => {
    const none = {
      'nvidia.com/gpu.present': undefined,
      'nvidia.com/gpu.product': undefined,
      'nvidia.com/gpu.count': undefined,
    }
    const [only] = assemble({
      nodes: [node('gpu-0', { labels: none, capacity: { cpu: '1' } })],
      slices: [slice([gpu])],
    }).nodes
    expect(only).toMatchObject({ gpuCount: 1, product: 'NVIDIA H100 80GB HBM3', problems: [] })
  })

  test('a claim counts as the resource that it stands for; a claim for something else makes no GPU pod', () => {
    const celled = {
      name: 'r',
      exactly: {
        deviceClassName: 'mig.nvidia.com',
        count: 2,
        selectors: [{ cel: { expression: "device.attributes['gpu.nvidia.com'].profile == '1g.10gb+me'" } }],
      },
    }
    const waiting = { ...claim('asked', '', { request: celled }), status: {} }
    const network = {
      ...claim('nic', '', { request: { name: 'r', exactly: { deviceClassName: 'rdma.example.com' } } }),
      status: {},
    }
    const { pods } = assemble({
      pods: [holding('a', 'mig'), holding('b', 'asked'), holding('c', 'nic'), holding('d', 'whole')],
      slices: [slice([gpu, staticMig])],
      claims: [
        claim('mig', 'gpu-0-mig-3g40gb-9-4', { pods: ['a'] }),
        waiting,
        network,
        claim('whole', 'gpu-0', { pods: ['d'] }),
      ],
    })
    expect(pods.map(({ name, requests }) => [name, requests])).toEqual([
      ['a', [{ resource: 'nvidia.com/mig-3g.40gb', count: 1 }]],
      ['b', [{ resource: 'nvidia.com/mig-1g.10gb.me', count: 2 }]],
      ['d', [{ resource: 'nvidia.com/gpu', count: 1 }]],
    ])
  })

  test('names of dynamic devices', () => {
    expect(readDynamicName('gpu-3-mig-1g10gb-19-6')).toEqual({ profile: '1g.10gb', start: 6, gpu: 'gpu-3' })
    expect(readDynamicName('gpu-0-mig-1g10gb-me-20-0')?.profile).toBe('1g.10gb+me')
    expect(readDynamicName('gpu-0')).toBeUndefined()
  })
})

const menu = (text: string): object => ({
  metadata: { name: 'gpu-0-mig-config', labels: { 'nvidia.com/node-name': 'gpu-0' } },
  data: { 'config.yaml': text },
})

describe('profiles that the GPU Operator reports', () => {
  test('for all GPUs alike', () => {
    const text = `version: v1
mig-configs:
  all-disabled: [{devices: all, mig-enabled: false}]
  all-1g.10gb: [{devices: all, mig-enabled: true, mig-devices: {"1g.10gb": 7}}]
  all-1g.10gb.me: [{devices: all, mig-enabled: true, mig-devices: {"1g.10gb+me": 1}}]
  all-balanced: [{devices: all, mig-enabled: true, mig-devices: {"1g.10gb": 2, "2g.20gb": 1, "3g.40gb": 1}}]
`
    const { nodes } = assemble({ nodes: [node('gpu-0')], menus: [menu(text)] })
    expect(nodes[0]?.reportedProfiles).toEqual(Array.from({ length: 8 }, () => ({ '1g.10gb': 7, '1g.10gb+me': 1 })))
  })
  test('for GPUs by index, where they differ', () => {
    const text = `mig-configs:
  all-1g.10gb: [{devices: [0], mig-enabled: true, mig-devices: {"1g.10gb": 7}}, {devices: [1], mig-enabled: true, mig-devices: {"1g.10gb": 4}}]`
    const facts = parseMigConfig(menu(text))
    expect(facts === undefined ? undefined : menuByGpu(facts, 2)).toEqual([{ '1g.10gb': 7 }, { '1g.10gb': 4 }])
  })
  test('what is no such ConfigMap, or no YAML', () => {
    expect(parseMigConfig({ metadata: { name: 'x' }, data: { 'config.yaml': '' } })).toBeUndefined()
    expect(() => parseMigConfig(menu('mig-configs: ['))).toThrow(/flow|end|expected/)
  })
})

describe('work that Kueue holds back', () => {
  const workload = (name: string, ownerName: string, changes: { status?: object; uid?: string } = {}): object => ({
    metadata: {
      name,
      namespace: 'team',
      uid: name,
      creationTimestamp: CREATED,
      ownerReferences: [
        {
          apiVersion: 'batch/v1',
          kind: 'Job',
          name: ownerName,
          uid: changes.uid ?? `uid-Job-${ownerName}`,
          controller: true,
        },
      ],
    },
    spec: {
      queueName: 'local',
      podSets: [
        {
          name: 'main',
          count: 3,
          template: { spec: { containers: [{ resources: { requests: { 'nvidia.com/gpu': '2' } } }] } },
        },
      ],
    },
    status: changes.status ?? {
      conditions: [
        {
          type: 'QuotaReserved',
          status: 'False',
          reason: 'WaitingForQuota',
          message: "couldn't assign flavors to pod set main",
        },
      ],
    },
  })
  const localQueue = {
    metadata: { name: 'local', namespace: 'team', uid: 'l', creationTimestamp: CREATED },
    spec: { clusterQueue: 'gpus' },
  }

  test('without pods yet: queued, with its whole request and the reason in Kueue’s words', () => {
    const { workloads } = assemble({ kueue: [workload('w', 'train')], localQueues: [localQueue] })
    expect(workloads).toEqual([
      {
        id: 'team/Job/train',
        namespace: 'team',
        kind: 'Job',
        name: 'train',
        class: 'training',
        queue: 'gpus',
        status: 'queued',
        requests: [{ resource: 'nvidia.com/gpu', count: 6 }],
        pods: [],
        createdAt: Date.parse(CREATED),
        startedAt: undefined,
        waiting: { reason: 'WaitingForQuota', message: "couldn't assign flavors to pod set main" },
      },
    ])
  })

  test('with gated pods: one workload, Kueue’s reason above the gate', () => {
    const gated = pod('team', 'train-0', {
      metadata: ownedBy('Job', 'train', 'batch/v1'),
      spec: { nodeName: undefined },
      status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] },
    })
    const { workloads } = assemble({ pods: [gated], kueue: [workload('w', 'train')] })
    expect(workloads).toMatchObject([
      {
        id: 'team/Job/train',
        queue: 'local',
        status: 'queued',
        pods: ['team/train-0'],
        waiting: { reason: 'WaitingForQuota' },
      },
    ])
  })

  test('admitted work runs in its cluster queue; finished work, and work without GPUs, is none of ours', () => {
    const admitted = {
      conditions: [
        { type: 'QuotaReserved', status: 'True' },
        { type: 'Admitted', status: 'True' },
      ],
      admission: { clusterQueue: 'gpus' },
    }
    const running = pod('team', 'train-0', { metadata: ownedBy('Job', 'train', 'batch/v1') })
    const finished = workload('f', 'old', { status: { conditions: [{ type: 'Finished', status: 'True' }] } })
    const { workloads } = assemble({ pods: [running], kueue: [workload('w', 'train', { status: admitted }), finished] })
    expect(workloads).toMatchObject([{ id: 'team/Job/train', queue: 'gpus', status: 'running', waiting: undefined }])
    expect(workloads).toHaveLength(1)
  })

  test('quota is there but a check is open: that says why', () => {
    const status = {
      conditions: [
        { type: 'QuotaReserved', status: 'True' },
        { type: 'Admitted', status: 'False', reason: 'UnsatisfiedChecks', message: 'provisioning' },
      ],
    }
    expect(assemble({ kueue: [workload('w', 'train', { status })] }).workloads[0]?.waiting).toEqual({
      reason: 'UnsatisfiedChecks',
      message: 'provisioning',
    })
  })

  test('open checks are named, also where Kueue writes no condition of them', () => {
    const status = {
      conditions: [{ type: 'QuotaReserved', status: 'True' }],
      admissionChecks: [
        { name: 'provisioning', state: 'Pending' },
        { name: 'budget', state: 'Ready' },
        { name: 'site', state: 'Retry' },
      ],
    }
    expect(assemble({ kueue: [workload('w', 'train', { status })] }).workloads[0]?.waiting).toEqual({
      reason: 'UnsatisfiedAdmissionChecks',
      message: 'The workload has not all checks ready: provisioning, site (Retry)',
    })
  })
})

describe('owners', () => {
  test('a custom owner is kept by reference; a bare or a static pod owns itself', () => {
    const { workloads } = assemble({
      pods: [
        pod('team', 'a', { metadata: ownedBy('PyTorchJob', 'llm', 'kubeflow.org/v1') }),
        pod('team', 'b'),
        pod('team', 'c', { metadata: ownedBy('Node', 'gpu-0', 'v1') }),
      ],
    })
    expect(workloads.map(({ id, class: is }) => [id, is])).toEqual([
      ['team/Pod/b', 'unknown'],
      ['team/Pod/c', 'unknown'],
      ['team/PyTorchJob/llm', 'training'],
    ])
  })

  test('a Spark executor belongs to the work of the driver that owns it', () => {
    const driver = pod('team', 'driver', {
      metadata: { uid: 'uid-Pod-driver', ...ownedBy('SparkApplication', 'etl', 'sparkoperator.k8s.io/v1beta2') },
    })
    const executor = pod('team', 'exec-1', { metadata: ownedBy('Pod', 'driver', 'v1') })
    expect(assemble({ pods: [executor, driver] }).workloads).toMatchObject([
      {
        id: 'team/SparkApplication/etl',
        class: 'analytics',
        pods: ['team/driver', 'team/exec-1'],
        requests: [{ resource: 'nvidia.com/gpu', count: 2 }],
      },
    ])
  })

  test('owners that own each other end the chain instead of the process', () => {
    const loop = {
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'b', uid: 'pod-team-b', controller: true }],
    }
    const back = {
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'pod-team-a', controller: true }],
    }
    expect(
      assemble({ pods: [pod('team', 'a', { metadata: loop }), pod('team', 'b', { metadata: back })] }).workloads,
    ).toHaveLength(2)
  })

  test('the same facts in any order make the same inventory', () => {
    const pods = ['c', 'a', 'b'].map((name) => pod('team', name, { metadata: ownedBy('StatefulSet', 'set') }))
    const nodes = [node('n2'), node('n1')]
    expect(assemble({ nodes, pods })).toEqual(assemble({ nodes: nodes.toReversed(), pods: pods.toReversed() }))
  })
})

test('a node keeps the labels that say what machine it is and how it is paid for', () => {
  const labels = {
    'node.kubernetes.io/instance-type': 'Standard_ND96isr_H100_v5',
    'topology.kubernetes.io/region': 'eastus',
    'kubernetes.azure.com/scalesetpriority': 'spot',
  }
  const [kept] = assemble({ nodes: [node('gpu-0', { labels })] }).nodes
  expect(kept?.room.labels).toMatchObject(labels)
})
