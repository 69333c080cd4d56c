import { describe, expect, test } from 'vitest'

import { draw as drawn } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuNode } from '../../cluster/node.ts'
import type { Waiting, Workload } from '../../cluster/workload.ts'
import { counted } from '../start/asked.fixture.ts'
import { judgeWaits } from './wait-verdict.ts'

/** A drawn cluster whose nodes offer what they are cut into. */
const draw = (text: TemplateStringsArray): ClusterSnapshot => counted(drawn(text))

const NO_DEVICE: Waiting = {
  reason: 'Unschedulable',
  message: '0/9 nodes are available: 9 Insufficient nvidia.com/gpu.',
}

type Said = {
  readonly waiting?: Waiting
  readonly workload?: Partial<Workload>
  readonly idle?: readonly string[]
  readonly withoutPod?: boolean
}

const waitsIn = ({ pods, workloads }: ClusterSnapshot) => {
  const pod = pods.find(({ node }) => node === undefined)
  const workload = workloads.find(({ id }) => id === pod?.workload)
  if (pod === undefined || workload === undefined) throw new Error('nobody waits')
  return { pod, workload }
}

/** What waiting work of a cluster is told: the cause, the kind of change, and its sentence. */
function verdict(snapshot: ClusterSnapshot, said: Said = {}) {
  const { waiting = NO_DEVICE, idle = [], withoutPod = false } = said
  const { pod, workload } = waitsIn(snapshot)
  const judge = judgeWaits(snapshot, new Set(idle))
  const asked = { ...workload, waiting: withoutPod ? waiting : undefined, ...said.workload }
  const { cause, change } = judge(withoutPod ? undefined : { ...pod, waiting }, asked)
  return [cause, change?.kind, change?.sentence]
}
const on = (snapshot: ClusterSnapshot, change: (node: GpuNode) => GpuNode): ClusterSnapshot => ({
  ...snapshot,
  nodes: snapshot.nodes.map(change),
})
const unschedulable = (message: string): Waiting => ({ reason: 'Unschedulable', message })

describe('what the scheduler says is answered in kind', () => {
  const full = draw`
    a  T4  [lab/x]
    ?  lab/waits  gpu`
  test.for<[string, Waiting, readonly string[]]>([
    [
      'its group',
      { reason: 'NotEnoughTasks', message: '' },
      ['gang', 'gang', 'Make room for the rest of its group: see why the other pods of it wait.'],
    ],
    [
      'a gate',
      { reason: 'SchedulingGated', message: '' },
      ['gate', 'gate', 'Remove its scheduling gate: its owner does that once it is ready.'],
    ],
    [
      'a volume',
      unschedulable('pod has unbound immediate PersistentVolumeClaims'),
      ['volume', 'volume', 'Provide its volume: the events of its PersistentVolumeClaim say what is missing.'],
    ],
    [
      'other pods',
      unschedulable("0/1 nodes are available: 1 node(s) didn't match pod anti-affinity rules."),
      ['spread', 'spread', 'Loosen its spread or pod affinity rules.'],
    ],
    [
      'CPU',
      unschedulable('0/1 nodes are available: 1 Insufficient cpu.'),
      ['cpu-memory', 'room', 'Ask for less CPU, or free some where it may run.'],
    ],
    [
      'memory',
      unschedulable('0/1 nodes are available: 1 Insufficient memory.'),
      ['cpu-memory', 'room', 'Ask for less memory, or free some where it may run.'],
    ],
    [
      'something else',
      unschedulable('0/1 nodes are available: 1 Insufficient example.com/licence.'),
      ['other', 'room', 'Free or add what else it asks for; the scheduler names it.'],
    ],
    [
      'its rules',
      unschedulable("0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector."),
      ['affinity', 'rules', 'Loosen its node selector or affinity, or label a node for it.'],
    ],
    [
      'a taint',
      unschedulable('0/1 nodes are available: 1 node(s) had untolerated taint {team: x}.'),
      ['affinity', 'rules', 'Add a toleration, or remove the taint from a node.'],
    ],
    [
      'a cordon',
      unschedulable('0/1 nodes are available: 1 node(s) were unschedulable.'),
      ['broken', 'mend', 'Uncordon a node that it may use.'],
    ],
    [
      'a node that is not ready',
      unschedulable('0/1 nodes are available: 1 node(s) had untolerated taint {node.kubernetes.io/not-ready: }.'),
      ['broken', 'mend', 'Bring a node back that it may use.'],
    ],
  ])('%s', ([, waiting, answer]) => {
    expect(verdict(full, { waiting })).toEqual(answer)
    expect(verdict(full, { waiting, withoutPod: true })).toEqual(answer)
  })
  test('nothing is said where nobody knows what it waits for', () => {
    expect(verdict(full, { waiting: { reason: 'Pending', message: '' } })).toEqual(['not-told', undefined, undefined])
    const nothing = { withoutPod: true, workload: { waiting: undefined } }
    expect(verdict(full, nothing)).toEqual(['not-told', undefined, undefined])
  })
  test('work without pods that lacks a device lacks capacity, and no change is known', () => {
    expect(verdict(full, { withoutPod: true })).toEqual(['capacity', undefined, undefined])
  })
})

describe('its queue', () => {
  const free = draw`
    a  T4  [-]
    ?  lab/waits  gpu`
  const full = draw`
    a  T4  [lab/x]
    ?  lab/waits  gpu`
  const quotaUsed: Waiting = { reason: 'Pending', message: 'insufficient unused quota for nvidia.com/gpu' }
  const notLetIn: Waiting = { reason: 'PodGroupPending', message: '' }
  const volcano = {
    id: 'Volcano/deep/nvidia.com/gpu',
    namespace: '',
    queue: 'deep',
    queueOwner: 'Volcano' as const,
    resource: 'nvidia.com/gpu',
    hard: 4,
    used: 4,
  }
  const inQueue = { queue: 'deep', queueOwner: 'Volcano' as const, waiting: notLetIn }

  test('has a quota that was not read', () => {
    expect(verdict(free, { waiting: quotaUsed })).toEqual([
      'quota',
      'queue',
      'Raise its quota, or end other work of it.',
    ])
  })
  test('has too little left, whatever is free', () => {
    expect(verdict({ ...full, quotas: [volcano] }, { workload: inQueue })).toEqual([
      'quota',
      'queue',
      'Raise the Volcano queue deep from 4 to 5 nvidia.com/gpu.',
    ])
  })
  test('is what keeps it out where the cluster has room', () => {
    expect(verdict(free, { workload: inQueue })[0]).toBe('quota')
  })
  test('does not matter where the cluster has no room', () => {
    expect(verdict(full, { workload: inQueue })).toEqual(['capacity', 'add-node', 'Add one node like a (1 × T4).'])
    expect(verdict(full, { workload: inQueue, withoutPod: true })).toEqual(['capacity', undefined, undefined])
  })
  test('speaks for a pod that says only that it is gated, and not for one that says why it waits', () => {
    const gated = { reason: 'SchedulingGated', message: '' }
    expect(verdict(free, { waiting: gated, workload: { waiting: quotaUsed } })[0]).toBe('quota')
    expect(verdict(full, { waiting: NO_DEVICE, workload: { waiting: quotaUsed } })[0]).toBe('capacity')
  })
})

describe('GPUs that are there', () => {
  test('take it now: there is nothing to change', () => {
    const free = draw`
      a  T4  [-]
      ?  lab/waits  gpu`
    expect(verdict(free)).toEqual([
      'not-tried',
      'wait',
      'Nothing to change: a could take it now, and the scheduler has not looked since.',
    ])
  })
  test('take it whole after a change of MIG mode', () => {
    const cut = draw`
      a  A100-SXM4-80GB  MIG
      ?  lab/waits  gpu`
    expect(verdict(cut)).toEqual([
      'shape',
      'switch',
      'Change the MIG mode of GPU 0 of a, which is unallocated: then it can provide a whole GPU.',
    ])
  })
  test('take it once they are cut, as a start would name them', () => {
    const cut = draw`
      a  A100-SXM4-80GB  [-]
      ?  lab/waits  3g.40gb`
    expect(verdict(cut)).toEqual([
      'shape',
      'recut',
      'Repartition GPU 0 of a for 3g.40gb: no workload holds what changes, so nothing moves.',
    ])
  })
  test('are free beside too little CPU', () => {
    const tight = draw`
      a  T4  cpu=2  [-]
      ?  lab/waits  gpu cpu=4`
    expect(verdict(tight)).toEqual(['cpu-memory', 'room', 'Free CPU or memory on a, or ask for less: its GPU is free.'])
  })
  test('are no help to what is no GPU and no MIG device, or for several kinds at once', () => {
    const shared = draw`
      a  T4  [-]
      ?  lab/waits  gpu.shared`
    expect(verdict(shared)).toEqual(['capacity', undefined, undefined])
  })
})

describe('holders that are idle', () => {
  const held = draw`
    a  T4  [lab/x]
    a  T4  [web/y]
    a  T4  [-]
    b  T4  [lab/z]
    ?  lab/waits  gpu ×3`
  test('have to go all where several GPUs of a node are missing', () => {
    expect(verdict(held, { idle: ['GPU-a-0', 'GPU-a-1'] })).toEqual([
      'capacity',
      'evict',
      'Stop lab/x and web/y, which hold 2 GPUs of a idle.',
    ])
    expect(verdict(held, { idle: ['GPU-a-0'] })[1]).toBe('add-node')
  })
  test('of a MIG device of the profile are named with it', () => {
    const cut = draw`
      a  A100-SXM4-80GB  [3g.40gb lab/x] [3g.40gb lab/y]
      ?  lab/waits  3g.40gb`
    expect(verdict(cut, { idle: ['GPU-a-0/gi-2'] })).toEqual([
      'capacity',
      'evict',
      'Stop lab/y, which holds a 3g.40gb on GPU 0 of a idle.',
    ])
  })
})

describe('nodes and GPUs that are broken', () => {
  const two = draw`
    a  T4  [lab/x]
    b  T4  [-]
    b  T4  [-]
    ?  lab/waits  gpu ×2`
  const fault = { code: 'gpu-fault', message: 'XID 79', object: 'gpu' }
  test('are mended where that gives enough GPUs of one node', () => {
    const faulty = on(two, (node) => ({
      ...node,
      gpus: node.gpus.map((gpu) => (node.name === 'b' && gpu.index === 1 ? { ...gpu, fault } : gpu)),
    }))
    expect(verdict(faulty)).toEqual(['broken', 'mend', 'Fix GPU 1 of b: it has a fault.'])
    const both = on(two, (node) => ({ ...node, ready: node.name !== 'b' }))
    expect(verdict(both)).toEqual(['broken', 'mend', 'Bring b back: it is not ready.'])
  })
  test('are mended where their device plugin offers too few', () => {
    const withheld = on(two, (node) => (node.name === 'b' ? { ...node, allocatable: { 'nvidia.com/gpu': 1 } } : node))
    expect(verdict(withheld)).toEqual(['broken', 'mend', 'Fix b: its device plugin does not offer all of its GPUs.'])
  })
  test('are no way out where the work may not run there', () => {
    const barred = draw`
      a  T4  [lab/x]
      b  T4  down !team=red:NoSchedule  [-]
      ?  lab/waits  gpu`
    expect(verdict(barred)[1]).toBe('add-node')
  })
})

describe('one node more', () => {
  test('is the smallest that could take it, and the first of equal ones', () => {
    const held = draw`
      c  T4  [lab/1]
      c  T4  [lab/2]
      b  T4  [lab/3]
      a  T4  [lab/4]
      ?  lab/waits  gpu`
    expect(verdict(held)[2]).toBe('Add one node like a (1 × T4).')
  })
  test('is of another kind where none has so many GPUs', () => {
    const held = draw`
      a  T4  [lab/1]
      ?  lab/waits  gpu ×8`
    expect(verdict(held)[2]).toBe('Add a node that can give 8 GPUs: none that it may use can.')
  })
  test('is what is left in a cluster of no nodes', () => {
    const held = draw`
      a  T4  [lab/1]
      ?  lab/waits  gpu`
    expect(verdict({ ...held, nodes: [], allocations: [] })).toEqual([
      'shape',
      'add-node',
      'Add a node that can give 1 GPU: none that it may use can.',
    ])
  })
})
