import { describe, expect, test } from 'vitest'

import { draw } from '../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../cluster/inventory.ts'
import type { Repulsion } from '../cluster/neighbors.ts'
import { type PodScheduling, UNCONSTRAINED } from '../cluster/scheduling.ts'
import { mib } from '../units.ts'
import { servedByDra } from '../plan/steps/drawn-wishes.fixture.ts'
import type { AskedPods } from '../plan/start/asked-job.ts'
import { asking, counted } from '../plan/start/asked.fixture.ts'
import { countedFleet } from './counted-fleet.ts'
import { fits } from './fits.ts'

const slotsOf = (snapshot: ClusterSnapshot, pods: AskedPods) => fits(countedFleet(snapshot), pods, 'lab')
const told = (snapshot: ClusterSnapshot, pods: AskedPods) =>
  slotsOf(snapshot, pods).map(({ count, because, unsure }) => because?.words ?? unsure ?? count)
const kinds = (snapshot: ClusterSnapshot, pods: AskedPods) =>
  slotsOf(snapshot, pods).map(({ because }) => because?.kind)
const ruled = (rules: Partial<PodScheduling>) => asking({ scheduling: { ...UNCONSTRAINED, ...rules } })
const gpus = (count: number) => [{ resource: 'nvidia.com/gpu', count }]

const otherHost = (name: string) => `node selector kubernetes.io/hostname=${name} does not match`

describe('what keeps pods off a node', () => {
  test.for<[string, string, AskedPods, string, string]>([
    ['a taint', 'T4 !team=red:NoSchedule [-]', asking(), 'taint', 'untolerated taint team=red:NoSchedule'],
    ['a cordon', 'T4 down [-]', asking(), 'closed', 'the node is cordoned'],
    [
      'its node selector, before a cordon',
      'T4 down zone=a [-]',
      ruled({ nodeSelector: { zone: 'b' } }),
      'rules',
      'node selector zone=b does not match',
    ],
    [
      'its affinity',
      'T4 zone=a [-]',
      ruled({ nodeTerms: [[{ key: 'zone', operator: 'NotIn', values: ['a'] }]] }),
      'rules',
      'no term of the required node affinity matches',
    ],
    ['no device', 'T4 [lab/x]', asking(), 'device', 'no nvidia.com/gpu is free'],
    [
      'too few of several',
      'T4 [-]',
      asking({ requests: gpus(2) }),
      'device',
      'fewer than 2 nvidia.com/gpu are free together',
    ],
    ['none of several', 'T4 [lab/x]', asking({ requests: gpus(2) }), 'device', 'no nvidia.com/gpu is free'],
    ['CPU', 'T4 cpu=4 [-]', ruled({ cpuMilli: 4001 }), 'cpu', 'too little CPU is left beside free GPUs'],
    ['memory', 'T4 memory=4 [-]', ruled({ memory: mib(4097) }), 'memory', 'too little memory is left beside free GPUs'],
  ])('%s', ([, node, pods, kind, words]) => {
    const cluster = counted(draw`a  ${node}`)
    expect(kinds(cluster, pods)).toEqual([kind])
    expect(told(cluster, pods)).toEqual([words])
  })
  test('not a cordon or a failure that it tolerates, though nobody knows whether it holds', () => {
    const all = { key: '', operator: 'Exists' as const, value: '', effect: '' }
    expect(told(counted(draw`a  T4  down  [-]`), ruled({ tolerations: [all] }))).toEqual(['a is not ready'])
  })
  test('a node that is not ready is closed by its taint', () => {
    const cordoned = counted(draw`a  T4  down !node.kubernetes.io/not-ready:NoExecute  [-]`)
    const cluster = { ...cordoned, nodes: cordoned.nodes.map((node) => ({ ...node, schedulable: true })) }
    expect(told(cluster, asking())).toEqual(['the node is not ready'])
  })
  test('it may name a node by its host name or by the field, whichever labels were read', () => {
    const cluster = counted(draw`
      a  T4  [-]
      b  T4  [-]`)
    const field = [[{ key: 'metadata.name', operator: 'In' as const, values: ['b'] }]]
    expect(told(cluster, ruled({ nodeSelector: { 'kubernetes.io/hostname': 'b' } }))).toEqual([otherHost('b'), 1])
    expect(told(cluster, ruled({ nodeTerms: field }))).toEqual(['no term of the required node affinity matches', 1])
  })
})

describe('what is not sure of a node', () => {
  test('a label that Septet does not keep may be on it', () => {
    const key = 'feature.node.kubernetes.io/cpu-model.vendor_id'
    const cluster = counted(draw`a  T4  zone=a  [-]`)
    const words = `Septet does not keep the node label ${key}`
    expect(told(cluster, ruled({ nodeSelector: { [key]: 'Intel' } }))).toEqual([words])
    expect(told(cluster, ruled({ nodeTerms: [[{ key, operator: 'Exists', values: [] }]] }))).toEqual([words])
    // A rule that was read and rules the node out is sure all the same.
    expect(told(cluster, ruled({ nodeSelector: { [key]: 'Intel', zone: 'b' } }))).toEqual([
      'node selector zone=b does not match',
    ])
  })
  test('how much is left where its CPU or memory was not read, and only where it matters', () => {
    const drawn = draw`a  T4  [-]`
    const cluster = counted(drawn)
    expect(told(cluster, asking())).toEqual([1])
    const words = 'how much CPU and memory is left on a is unknown'
    expect(told(cluster, ruled({ cpuMilli: 1 }))).toEqual([words])
    expect(told(cluster, ruled({ memory: mib(1) }))).toEqual([words])
  })
  test.for(['pending', 'rebooting'] as const)('a MIG change that is %s', (state) => {
    const cluster = counted(draw`a  T4  [-]`)
    const nodes = cluster.nodes.map((node) => ({ ...node, mig: { ...node.mig, state } }))
    expect(told({ ...cluster, nodes }, asking())).toEqual(['a is being repartitioned'])
  })
})

const perhaps = (node: string) => `the anti-affinity of lab/alone may keep its pods away from ${node}`

describe('pods that keep others away', () => {
  const cluster = counted(draw`
    a  T4  zone=x  [-]
    b  T4  zone=y  [-]`)
  const repulsion: Repulsion = {
    pod: 'lab/alone',
    topologyKey: 'kubernetes.io/hostname',
    domain: 'a',
    namespaces: ['lab'],
    selector: [{ key: 'app', operator: 'In', values: ['train'] }],
  }
  const away = (more: Partial<Repulsion>, labels: Readonly<Record<string, string>> = { app: 'train' }) =>
    told({ ...cluster, neighbors: { repulsions: [{ ...repulsion, ...more }], labels: [] } }, asking({ labels }))
  const no = 'the anti-affinity of lab/alone keeps its pods away'

  test('close their node, or their zone', () => {
    expect(away({})).toEqual([no, 1])
    expect(away({ topologyKey: 'zone', domain: 'y' })).toEqual([1, no])
  })
  test('mean pods by label and by namespace', () => {
    expect(away({}, { app: 'other' })).toEqual([1, 1])
    expect(away({ namespaces: ['web'] })).toEqual([1, 1])
    expect(away({ namespaces: 'all' })).toEqual([no, 1])
  })
  test('may close it where a namespace is told by labels that are not kept, or a controller sets the label', () => {
    expect(away({ namespaces: 'unread' })).toEqual([perhaps('a'), 1])
    const selector = [{ key: 'job-name', operator: 'In' as const, values: ['x'] }]
    expect(away({ selector })).toEqual([perhaps('a'), 1])
    expect(away({ namespaces: 'unread' }, {})).toEqual([1, 1])
  })
  test('may close every node where no node is known to carry the label of the zone', () => {
    expect(away({ topologyKey: 'rack', domain: 'r1' })).toEqual([perhaps('a'), perhaps('b')])
  })
  test('are told by the one that is sure where several mean it', () => {
    const repulsions = [
      { ...repulsion, pod: 'lab/maybe', namespaces: 'unread' as const },
      { ...repulsion, pod: 'lab/sure' },
    ]
    expect(told({ ...cluster, neighbors: { repulsions, labels: [] } }, asking({ labels: { app: 'train' } }))).toEqual([
      'the anti-affinity of lab/sure keeps its pods away',
      1,
    ])
  })
})

const noDevice = (resource: string) => `no device for a claim like ${resource} is free`
const claiming = (resource: string, count = 1) => asking({ requests: [], claims: [{ resource, count }] })

describe('claims of DRA', () => {
  const mig = 'nvidia.com/mig-3g.40gb'
  const cluster = counted(
    servedByDra(draw`
    a  A100-SXM4-80GB  [3g.40gb lab/x]
    b  A100-SXM4-80GB  [3g.40gb -] [1g.10gb lab/y]
    c  A100-SXM4-80GB  [lab/z]
    d  A100-SXM4-80GB  [-]
    d  A100-SXM4-80GB  [-]`),
  )
  test('get instances that are there and those that fit beside them', () => {
    const none = `no device for a claim like ${mig} is free`
    expect(told(cluster, claiming(mig))).toEqual([1, 1, none, 4])
    expect(told(cluster, claiming(mig, 3))).toEqual([none, none, none, 1])
  })
  test('get whole GPUs only where nothing is cut', () => {
    const none = 'no device for a claim like nvidia.com/gpu is free'
    expect(told(cluster, claiming('nvidia.com/gpu'))).toEqual([none, none, none, 2])
  })
  test('get no device of a kind that the GPUs cannot be, and none of a GPU with a fault', () => {
    for (const resource of ['nvidia.com/mig-9g.90gb', 'example.com/card'])
      expect(told(cluster, claiming(resource))).toEqual(Array(4).fill(noDevice(resource)))
    const fault = { code: 'gpu-fault', message: 'XID 79', object: 'gpu' }
    const nodes = cluster.nodes.map((node) => ({ ...node, gpus: node.gpus.map((gpu) => ({ ...gpu, fault })) }))
    expect(told({ ...cluster, nodes }, claiming(mig))).toEqual(Array(4).fill(noDevice(mig)))
  })
  test('get nothing of a node that a device plugin serves', () => {
    expect(kinds(counted(draw`a  A100-SXM4-80GB  [3g.40gb -]`), claiming(mig))).toEqual(['device'])
  })
  test('get nothing where it is not known how a GPU is cut', () => {
    const odd = servedByDra(draw`a  A100-SXM4-80GB  [4g.40gb -] [4g.40gb -]`)
    expect(kinds(odd, claiming(mig))).toEqual(['device'])
  })
})
