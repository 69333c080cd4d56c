import { describe, expect, test } from 'vitest'

import { draw, DRAWN_AT } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuNode } from '../../cluster/node.ts'
import { instant } from '../../units.ts'
import { waitersOf } from './waiters.ts'

const judge = () => ({ cause: 'capacity', change: undefined }) as const
const waiters = (snapshot: ClusterSnapshot, known: readonly string[] = []) =>
  waitersOf({ snapshot, judge, isKnown: (waiter) => known.includes(waiter) })
const later = (seconds: number) => instant(DRAWN_AT + seconds * 1000)

const drawn = draw`
  a  T4  [lab/runs]
  ?  lab/waits  gpu`

describe('who waits', () => {
  test('is each pod that waits, and each that has waited until it was bound', () => {
    expect(
      waiters(drawn).map(({ waiter, endedAt, toldAt, verdict }) => [waiter, endedAt, toldAt, verdict().cause]),
    ).toEqual([
      ['lab/runs', DRAWN_AT, undefined, 'capacity'],
      ['lab/waits', undefined, undefined, 'capacity'],
    ])
  })
  test('is told to wait since the scheduler refused it', () => {
    const pods = drawn.pods.map((pod) => ({ ...pod, refusedAt: later(5) }))
    expect(waiters({ ...drawn, pods }).map(({ toldAt }) => toldAt)).toEqual([later(5), later(5)])
  })
  test('is no pod that has failed before it was bound, and none whose workload is not known', () => {
    const failed = drawn.pods.map((pod) => ({ ...pod, phase: 'Failed' as const }))
    expect(waiters({ ...drawn, pods: failed }).map(({ waiter }) => waiter)).toEqual(['lab/runs'])
    expect(waiters({ ...drawn, workloads: [] })).toEqual([])
  })
  test('is a pod that has finished, for what nobody has watched', () => {
    const [pod] = drawn.pods
    const finished = pod === undefined ? [] : [{ ...pod, uid: 'old', phase: 'Succeeded' as const }]
    const old = waiters({ ...drawn, finished }).find(({ waiter }) => waiter === 'old')
    expect(old?.verdict()).toEqual({ cause: 'not-watched', change: undefined })
  })
})

describe('work that its queue holds back before it has pods', () => {
  const held = { ...drawn, pods: [], workloads: drawn.workloads.map((each) => ({ ...each, pods: [] })) }
  const waiter = 'workload/lab/Pod/waits'
  test('waits as a whole since it was made', () => {
    expect(waiters(held).map((each) => [each.waiter, each.endedAt, each.toldAt])).toContainEqual([
      waiter,
      undefined,
      DRAWN_AT,
    ])
  })
  test('has waited until its first pod was made, where it was seen to wait; else its pods alone have', () => {
    const pods = drawn.pods.map((pod) => ({ ...pod, createdAt: later(60) }))
    const begun = { ...drawn, pods }
    expect(waiters(begun, [waiter]).find((each) => each.waiter === waiter)?.endedAt).toBe(later(60))
    expect(waiters(begun).map((each) => each.waiter)).not.toContain(waiter)
  })
})

const one = (resource: string, count = 1) => [{ resource, count }]

const offering = (name: string, resource: string) => (node: GpuNode) =>
  node.name === name ? { ...node, allocatable: { [resource]: 2 } } : node

const sharing = (replicas: number) => ({ kind: 'time-slicing' as const, replicas })

const renamed = (node: GpuNode) => ({
  ...node,
  sharing: { kind: 'mps' as const, replicas: 2 },
  allocatable: { 'nvidia.com/gpu': 2 },
})

const single = (node: GpuNode) => ({ ...node, mig: { ...node.mig, strategy: 'single' as const } })

const mixed = (node: GpuNode): GpuNode =>
  node.name === 'a'
    ? { ...node, sharing: { kind: 'mps', replicas: 2 }, allocatable: { 'nvidia.com/gpu': 2 } }
    : { ...node, allocatable: { 'nvidia.com/gpu': 1 } }

describe('what is asked for, in GPUs', () => {
  const offered = draw`
    a@big   A100-SXM4-80GB  [-]
    b@big   A30             MIG
    c@new   H100-80GB-HBM3  zone=x  [-]
    ?  lab/waits  gpu`
  const fleet = { ...offered, nodes: offered.nodes.map((node) => ({ ...node, allocatable: {} })) }
  const asks = (
    requests: readonly { readonly resource: string; readonly count: number }[],
    change: (node: GpuNode) => GpuNode = (node) => node,
    nodeSelector: Readonly<Record<string, string>> = {},
  ) => {
    const pods = fleet.pods.map((pod) => ({ ...pod, requests, scheduling: { ...pod.scheduling, nodeSelector } }))
    const ask = waiters({ ...fleet, pods, nodes: fleet.nodes.map(change) })[0]?.ask()
    return [ask?.gpus, ask?.kinds.map(({ model }) => model)]
  }

  test('is told in words as it was asked', () => {
    const requests = [...one('nvidia.com/gpu', 2), ...one('nvidia.com/mig-3g.40gb')]
    const pods = fleet.pods.map((pod) => ({ ...pod, requests }))
    expect(waiters({ ...fleet, pods })[0]?.ask().asks).toBe('2 × nvidia.com/gpu, 1 × nvidia.com/mig-3g.40gb')
  })
  test('whole GPUs count as so many, of any model where no node offers them yet', () => {
    expect(asks(one('nvidia.com/gpu', 3))).toEqual([3, ['A100-SXM4-80GB', 'A30', 'H100-80GB-HBM3']])
  })
  test('nodes that offer them come before nodes that could', () => {
    expect(asks(one('nvidia.com/gpu'), offering('c', 'nvidia.com/gpu'))).toEqual([1, ['H100-80GB-HBM3']])
  })
  test('nodes that it may use come before nodes that it may not; where none has such devices all count', () => {
    expect(asks(one('nvidia.com/gpu'), undefined, { zone: 'x' })).toEqual([1, ['H100-80GB-HBM3']])
    expect(asks(one('nvidia.com/gpu'), undefined, { zone: 'nowhere' })).toEqual([
      1,
      ['A100-SXM4-80GB', 'A30', 'H100-80GB-HBM3'],
    ])
  })
  test('a MIG device counts as its share of compute, where its boards agree', () => {
    expect(asks(one('nvidia.com/mig-3g.40gb'))).toEqual([3 / 7, ['A100-SXM4-80GB', 'H100-80GB-HBM3']])
    expect(asks(one('nvidia.com/mig-2g.12gb', 2))).toEqual([1, ['A30']])
    expect(asks(one('nvidia.com/mig-9g.90gb'))).toEqual([undefined, []])
  })
  test('a replica counts as a part where its node says how many there are, and is unknown where nodes differ', () => {
    const shared = 'nvidia.com/gpu.shared'
    const sliced = (node: GpuNode) => ({ ...node, sharing: sharing(4), allocatable: { [shared]: 4 } })
    expect(asks(one(shared, 2), sliced)).toEqual([0.5, ['A100-SXM4-80GB', 'A30', 'H100-80GB-HBM3']])
    expect(asks(one(shared))).toEqual([undefined, []])
    const odd = (node: GpuNode) => ({ ...sliced(node), sharing: sharing(node.name === 'a' ? 2 : 4) })
    expect(asks(one(shared), odd)[0]).toBeUndefined()
  })
  test('what is called a GPU is a part where software divides them, and no one knows what under the strategy single', () => {
    expect(asks(one('nvidia.com/gpu'), renamed)[0]).toBe(0.5)
    expect(asks(one('nvidia.com/gpu'), single)).toEqual([1, ['A100-SXM4-80GB', 'H100-80GB-HBM3']])
    const [first] = fleet.nodes
    const alone = (node: GpuNode) => ({ ...single(node), gpus: node.gpus.map((gpu) => ({ ...gpu, migEnabled: true })) })
    expect(first === undefined ? undefined : asks(one('nvidia.com/gpu'), alone)[0]).toBeUndefined()
  })
  test('a GPU is a whole one where some node gives whole ones under that name, though others give parts', () => {
    expect(asks(one('nvidia.com/gpu'), mixed)).toEqual([1, ['A30', 'H100-80GB-HBM3']])
  })
})
