import { describe, expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { UNCONSTRAINED } from '../../cluster/scheduling.ts'
import { servedByDra } from '../steps/drawn-wishes.fixture.ts'
import type { AskedPods } from './asked-job.ts'
import { askedJob, asking, counted } from './asked.fixture.ts'
import { checkStart } from './check-start.ts'

const waysOf = (cluster: ClusterSnapshot, ...groups: readonly AskedPods[]) =>
  checkStart(cluster, [askedJob(groups)])[0]?.ways ?? []
const told = (cluster: ClusterSnapshot, ...groups: readonly AskedPods[]) =>
  waysOf(cluster, ...groups).map(({ kind, sentence }) => `${kind}: ${sentence}`)
const mig = (profile: string, more: Partial<AskedPods> = {}) =>
  asking({ requests: [{ resource: `nvidia.com/mig-${profile}`, count: 1 }], ...more })
const cores = (count: number) => ({ ...UNCONSTRAINED, cpuMilli: count * 1000 })

const whole = (count: number) => [{ resource: 'nvidia.com/mig-7g.80gb', count }]

describe('GPUs that nobody holds', () => {
  const cluster = counted(draw`
    a  A100-SXM4-80GB  cpu=64  [3g.40gb -] [3g.40gb -]
    a  A100-SXM4-80GB  cpu=64  [1g.10gb -]
    b  A100-SXM4-80GB  cpu=64  [1g.10gb -]`)
  test('are cut again, as few as are enough', () => {
    expect(told(cluster, mig('1g.10gb', { count: 9 }))).toEqual([
      'recut: Repartition GPU 0 of a for 1g.10gb: no workload holds what changes, so nothing moves.',
    ])
    expect(told(cluster, mig('7g.80gb', { count: 3 }))).toEqual([
      'recut: Repartition GPU 0 of a, GPU 1 of a, GPU 0 of b for 7g.80gb: no workload holds what changes, so nothing moves.',
    ])
    expect(told(cluster, mig('7g.80gb', { count: 4 }))).toEqual([])
  })
  test('are not cut for more pods than their node has CPU for', () => {
    expect(told(cluster, mig('7g.80gb', { count: 3, scheduling: cores(40) }))).toEqual([])
    expect(told(cluster, mig('7g.80gb', { count: 2, scheduling: cores(40) }))).toEqual([
      'recut: Repartition GPU 0 of a, GPU 0 of b for 7g.80gb: no workload holds what changes, so nothing moves.',
    ])
  })
  test('and that are partly held are cut again beside their holders where a DRA driver serves them', () => {
    const held = draw`a  A100-SXM4-80GB  [1g.10gb lab/x] [1g.10gb -] [1g.10gb -] [1g.10gb -] [1g.10gb -]`
    // mig-manager cuts a GPU as a whole: the holder comes back to the same GPU, to another instance.
    expect(told(counted(held), mig('3g.40gb'))).toEqual([
      'move: Move 1 pod (lab/x) to another place: that makes room on a.',
    ])
    const claiming = asking({ requests: [], claims: [{ resource: 'nvidia.com/mig-3g.40gb', count: 1 }] })
    expect(told(counted(servedByDra(held)), claiming)).toEqual([
      'recut: Repartition GPU 0 of a for 3g.40gb: no workload holds what changes, so nothing moves.',
    ])
  })
  test('are not cut again where a pod asks for several devices, its pods are spread, or two parts lack room', () => {
    expect(told(cluster, asking({ requests: whole(2) }))).toEqual([])
    const spread = [{ topologyKey: 'kubernetes.io/hostname', most: 'apart' as const, selector: [], own: true }]
    expect(told(cluster, mig('7g.80gb', { spread }))).toEqual([])
    expect(told(cluster, mig('7g.80gb', { part: 'a' }), mig('4g.40gb', { part: 'b' }))).toEqual([])
  })
})

describe('a node that is closed', () => {
  test.for<[string, boolean, string]>([
    ['and ready is uncordoned', true, 'repair: Uncordon a: what it needs is free there.'],
    ['and not ready is brought back', false, 'repair: Bring a back, which is not ready: what it needs is free there.'],
  ])('%s', ([, ready, sentence]) => {
    const cluster = counted(draw`a  T4  down  [-]`)
    const nodes = cluster.nodes.map((node) => ({ ...node, ready }))
    expect(told({ ...cluster, nodes }, asking())).toEqual([sentence])
  })
  test('is no way out where it has too few devices, or serves claims', () => {
    const cluster = counted(draw`a  T4  down  [-]`)
    expect(told(cluster, asking({ requests: [{ resource: 'nvidia.com/gpu', count: 2 }] }))).toEqual([])
    expect(told(cluster, asking({ requests: [], claims: [{ resource: 'nvidia.com/gpu', count: 1 }] }))).toEqual([])
  })
})

describe('quotas that hold it back', () => {
  const quota = { namespace: 'lab', resource: 'nvidia.com/gpu', hard: 1, used: 1 }
  test('are named, and what else is needed is named beside them', () => {
    const cluster = counted(draw`a  A100-SXM4-80GB  [1g.10gb -]`)
    const quotas = [{ ...quota, id: 'lab/team/nvidia.com/mig-7g.80gb', resource: 'nvidia.com/mig-7g.80gb' }]
    expect(waysOf({ ...cluster, quotas }, mig('7g.80gb')).map(({ kind, sentence }) => [kind, sentence])).toEqual([
      ['quota', 'Raise the ResourceQuota lab/team for nvidia.com/mig-7g.80gb, or wait until other work of it ends.'],
      ['recut', 'Repartition GPU 0 of a for 7g.80gb: no workload holds what changes, so nothing moves.'],
    ])
  })
  test('of a queue are called by its owner', () => {
    const cluster = counted(draw`a  T4  [-]`)
    const quotas = [
      { ...quota, id: 'KAI/deep/nvidia.com/gpu', namespace: '', queue: 'deep', queueOwner: 'KAI' as const },
    ]
    const job = askedJob([asking()], { schedulerQueue: { owner: 'KAI', name: 'deep' } })
    expect(checkStart({ ...cluster, quotas }, [job])[0]?.ways.map(({ sentence }) => sentence)).toEqual([
      'Raise the KAI queue deep for nvidia.com/gpu, or wait until other work of it ends.',
    ])
  })
})

describe('work that moves', () => {
  test('frees a whole GPU, without a room that a plan would be made for', () => {
    const cluster = counted(draw`
      a  A100-SXM4-80GB  [3g.40gb lab/x] [3g.40gb -]
      b  A100-SXM4-80GB  [3g.40gb -] [3g.40gb lab/y]`)
    expect(waysOf(cluster, asking())).toEqual([
      { kind: 'move', sentence: 'Move 1 pod (lab/x) to another place: that makes room on a.', room: undefined },
    ])
  })
  test('is not looked for where several pods lack a place, or for what is neither a GPU nor a MIG device', () => {
    const cluster = counted(draw`
      a  A100-SXM4-80GB  [3g.40gb lab/x] [3g.40gb -]
      b  A100-SXM4-80GB  [3g.40gb -] [3g.40gb lab/y]`)
    expect(told(cluster, asking({ count: 2 }))).toEqual([])
    expect(told(cluster, asking({ requests: [{ resource: 'example.com/card', count: 1 }] }))).toEqual([])
  })
  test('is no way out where the node would lack the CPU all the same', () => {
    const cluster = counted(draw`
      a  A100-SXM4-80GB  cpu=2  [3g.40gb lab/x] [3g.40gb -]
      b  A100-SXM4-80GB  cpu=2  [3g.40gb -] [3g.40gb lab/y]`)
    expect(told(cluster, asking({ scheduling: cores(4) }))).toEqual([])
  })
})
