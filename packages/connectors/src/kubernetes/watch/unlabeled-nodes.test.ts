import { assembleSnapshot, instant, type ClusterSnapshot } from '@septet/domain'
import { describe, expect, test } from 'vitest'
import { assembleInventory } from '../assemble/assemble-inventory.ts'
import { followOwners } from '../read/owner-chain.ts'
import { parseNode } from '../read/parse-node.ts'

const NOW = instant(Date.parse('2026-11-21T12:00:00Z'))

/** What Septet shows of one node of which only the Kubernetes API speaks: no exporter, no operator's ConfigMap. */
function shown(labels: Readonly<Record<string, string>>, resources: Readonly<Record<string, string>>) {
  const raw = {
    metadata: { name: 'n', uid: 'n', creationTimestamp: '2026-11-01T08:00:00Z', labels },
    status: { capacity: resources, allocatable: resources, conditions: [{ type: 'Ready', status: 'True' }] },
  }
  const inventory = assembleInventory({
    nodes: [parseNode(raw)],
    pods: [],
    menus: [],
    slices: [],
    claims: [],
    queuedWork: [],
    clusterQueues: [],
    localQueues: [],
    flavors: [],
    budgets: [],
    quotas: [],
    chainOf: (facts) => followOwners(facts, { owner: () => undefined, podByUid: () => undefined }).chain,
    pendingSince: () => undefined,
    now: NOW,
    takenAt: NOW,
    serverVersion: 'v1.34.1',
    problems: [],
  })
  return pictureOf(assembleSnapshot({ cluster: 'c', inventory, samples: [], now: NOW }))
}

function pictureOf({ nodes }: ClusterSnapshot) {
  const [node] = nodes
  return {
    model: node?.model,
    gpus: node?.gpus.map(({ partitions }) => partitions.map((each) => ('profile' in each ? each.profile : each.kind))),
    problems: node?.problems.map(({ code }) => code),
  }
}

const whole = (gpus: number): string[][] => Array.from({ length: gpus }, () => ['whole'])
const cut = (gpus: number, profile: string, each: number): string[][] =>
  Array.from({ length: gpus }, () => Array.from({ length: each }, () => profile))

describe('the single MIG strategy', () => {
  const labels = {
    'nvidia.com/gpu.present': 'true',
    'nvidia.com/gpu.product': 'NVIDIA-H100-80GB-HBM3-MIG-1g.10gb',
    'nvidia.com/gpu.count': '14',
    'nvidia.com/mig.strategy': 'single',
  }
  test('14 MIG devices of a seventh each are two GPUs', () => {
    const two = { model: 'H100-80GB-HBM3', gpus: cut(2, '1g.10gb', 7), problems: [] }
    expect(shown(labels, { 'nvidia.com/gpu': '14' })).toEqual(two)
  })
  test('of which each may be shared: the kubelet counts replicas, the label does not', () => {
    const shared = { ...labels, 'nvidia.com/gpu.sharing-strategy': 'time-slicing', 'nvidia.com/gpu.replicas': '2' }
    const two = { model: 'H100-80GB-HBM3', gpus: cut(2, '1g.10gb', 7), problems: [] }
    expect(
      shown(
        { ...shared, 'nvidia.com/gpu.product': `${labels['nvidia.com/gpu.product']}-SHARED` },
        { 'nvidia.com/gpu': '28' },
      ),
    ).toEqual(two)
  })
})

describe('nodes without GPU feature discovery', () => {
  test('GKE: the accelerator label names the model', () => {
    const labels = { 'cloud.google.com/gke-accelerator': 'nvidia-l4', 'cloud.google.com/gke-accelerator-count': '2' }
    expect(shown(labels, { 'nvidia.com/gpu': '2' })).toEqual({ model: 'L4', gpus: whole(2), problems: [] })
    const [accelerator] = Object.entries(labels)
    expect(shown(Object.fromEntries([accelerator ?? []]), { 'nvidia.com/gpu': '2' })).toMatchObject({ gpus: whole(2) })
  })
  test.each([{ 'cloud.google.com/gke-accelerator-count': '2' }, {}])(
    'GKE: a partition size is the single MIG strategy (%o)',
    (count) => {
      const labels = {
        'cloud.google.com/gke-accelerator': 'nvidia-tesla-a100',
        'cloud.google.com/gke-gpu-partition-size': '1g.5gb',
        ...count,
      }
      const two = { model: 'A100-SXM4-40GB', gpus: cut(2, '1g.5gb', 7), problems: [] }
      expect(shown(labels, { 'nvidia.com/gpu': '14' })).toEqual(two)
    },
  )
  test.each(['time-sharing', 'mps'])('GKE: %s gives each GPU to several', (strategy) => {
    const labels = {
      'cloud.google.com/gke-accelerator': 'nvidia-tesla-t4',
      'cloud.google.com/gke-gpu-sharing-strategy': strategy,
      'cloud.google.com/gke-max-shared-clients-per-gpu': '3',
    }
    const two = { model: 'T4', gpus: [Array(3).fill('shared'), Array(3).fill('shared')], problems: [] }
    expect(shown(labels, { 'nvidia.com/gpu': '6' })).toEqual(two)
  })
  test.each(['karpenter.k8s.aws', 'eks.amazonaws.com'])('EKS: the labels of %s', (prefix) => {
    const labels = {
      [`${prefix}/instance-gpu-name`]: 'a100',
      [`${prefix}/instance-gpu-count`]: '8',
      [`${prefix}/instance-gpu-memory`]: '81920',
    }
    const eight = { model: 'A100-SXM4-80GB', gpus: whole(8), problems: [] }
    expect(shown(labels, { 'nvidia.com/gpu': '8' })).toEqual(eight)
  })
  test.each([
    ['p4d.24xlarge', 'A100-SXM4-40GB'],
    ['p5en.48xlarge', 'H200'],
    ['p6-b200.48xlarge', 'B200'],
    ['g6e.12xlarge', 'L40S'],
    ['Standard_NC96ads_A100_v4', 'A100-80GB-PCIe'],
    ['Standard_ND96isr_H100_v5', 'H100-80GB-HBM3'],
  ])('EKS and AKS: the machine type %s', (machineType, model) => {
    const labels = { 'node.kubernetes.io/instance-type': machineType }
    expect(shown(labels, { 'nvidia.com/gpu': '4' })).toEqual({ model, gpus: whole(4), problems: [] })
  })
  test('a machine type alone makes no GPU node: no device plugin runs there', () => {
    const labels = { 'node.kubernetes.io/instance-type': 'g5.xlarge' }
    expect(shown(labels, { cpu: '4' })).toEqual({ model: undefined, gpus: undefined, problems: undefined })
  })
  test('a machine type that nobody listed leaves the board unknown, and says so', () => {
    const labels = { 'node.kubernetes.io/instance-type': 'x9.huge' }
    const unknown = { model: undefined, gpus: whole(4), problems: ['unknown-board'] }
    expect(shown(labels, { 'nvidia.com/gpu': '4' })).toEqual(unknown)
  })
})
