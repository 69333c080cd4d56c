import { describe, expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { openFleet } from '../../fleet/fleet.ts'
import type { Action, Condition, GpuChange } from '../words/action.ts'
import { preconditionsOf, whyConditionFails } from './conditions.ts'
import { servedByDra } from './drawn-wishes.fixture.ts'

const drawn = draw`
  a  A100-SXM4-80GB  [3g.40gb lab/web] [3g.40gb -]
  a  A100-SXM4-80GB  [-]
  b  T4  down        [lab/other]`
const gpus = (count: number) => [{ resource: 'nvidia.com/gpu', count }]
const fails = (condition: Condition, snapshot: ClusterSnapshot = drawn) =>
  whyConditionFails(condition, openFleet(snapshot))

const withState = (state: 'pending' | 'rebooting' | 'failed' | 'success') =>
  fails(
    { kind: 'mig-settled', node: 'a' },
    { ...drawn, nodes: drawn.nodes.map((node) => ({ ...node, mig: { ...node.mig, state } })) },
  )

describe('a condition', () => {
  test.for<[Condition, string | undefined]>([
    [{ kind: 'node-schedulable', node: 'a', schedulable: true }, undefined],
    [{ kind: 'node-schedulable', node: 'a', schedulable: false }, 'a is not cordoned.'],
    [{ kind: 'node-schedulable', node: 'b', schedulable: true }, 'b is cordoned already.'],
    [{ kind: 'node-schedulable', node: 'c', schedulable: true }, 'The cluster has no node c.'],
    [{ kind: 'node-empty', node: 'c' }, 'The cluster has no node c.'],
    [{ kind: 'node-empty', node: 'a' }, 'lab/web still runs on a.'],
    [{ kind: 'mig-settled', node: 'a' }, undefined],
    [{ kind: 'gpu-free', gpu: 'GPU-a-0' }, 'lab/web holds a part of GPU GPU-a-0.'],
    [{ kind: 'gpu-free', gpu: 'GPU-a-1' }, undefined],
    [{ kind: 'gpu-free', gpu: 'GPU-z' }, 'The cluster has no GPU GPU-z.'],
    [{ kind: 'gpu-layout', gpu: 'GPU-z', geometry: {} }, 'The cluster has no GPU GPU-z.'],
    [{ kind: 'gpu-layout', gpu: 'GPU-a-0', geometry: { '3g.40gb': 2 } }, undefined],
    [
      { kind: 'gpu-layout', gpu: 'GPU-a-0', geometry: { '3g.40gb': 1 } },
      'GPU GPU-a-0 no longer has the layout that the plan assumed.',
    ],
    [{ kind: 'gpu-layout', gpu: 'GPU-a-1', geometry: {} }, undefined],
    [{ kind: 'partition-free', partition: 'GPU-a-0/gi-1' }, 'lab/web holds GPU-a-0/gi-1.'],
    [{ kind: 'partition-free', partition: 'GPU-a-0/gi-2' }, undefined],
    [{ kind: 'partition-free', partition: 'gone' }, undefined],
    [{ kind: 'pod-on-node', pod: 'lab/web', node: 'a' }, undefined],
    [{ kind: 'pod-on-node', pod: 'lab/web', node: 'b' }, 'lab/web no longer runs on b.'],
    [{ kind: 'pod-on-node', pod: 'lab/gone', node: 'a' }, 'lab/gone no longer runs on a.'],
    [{ kind: 'disruption-allowed', pod: 'lab/web' }, undefined],
    [{ kind: 'disruption-allowed', pod: 'lab/gone' }, 'lab/gone no longer exists.'],
    [
      {
        kind: 'workload-requests',
        workload: 'lab/Pod/web',
        requests: [{ resource: 'nvidia.com/mig-3g.40gb', count: 1 }],
      },
      undefined,
    ],
    [
      { kind: 'workload-requests', workload: 'lab/Pod/web', requests: gpus(2) },
      'lab/Pod/web no longer asks for what the plan assumed.',
    ],
    [{ kind: 'workload-requests', workload: 'lab/Pod/gone', requests: gpus(2) }, undefined],
  ])('%j: %s', ([condition, because]) => {
    expect(fails(condition)).toBe(because)
  })

  test('that MIG has settled fails while mig-manager works and after it failed', () => {
    expect(withState('pending')).toBe('The MIG state of a is pending.')
    expect(withState('rebooting')).toBe('The MIG state of a is rebooting.')
    expect(withState('failed')).toBe('The MIG state of a is failed.')
    expect(withState('success')).toBeUndefined()
  })
  test('that a pod may be disrupted is asked of its budget, and of nothing that a plan alone forbids', () => {
    const budgets = [{ id: 'lab/keep', pods: ['lab/web'], allowed: 0 }]
    const evictable = { kind: 'disruption-allowed', pod: 'lab/web' } as const
    expect(fails(evictable, { ...drawn, budgets })).toContain('The disruption budget lab/keep allows no')
    const bare = drawn.pods.map((pod) => ({ ...pod, scheduling: { ...pod.scheduling, managed: false } }))
    expect(fails(evictable, { ...drawn, pods: bare })).toBeUndefined()
  })
  test('of a layout knows profiles by the names of older drivers', () => {
    const old = draw`a  A100-SXM4-80GB  [7g.79gb -]`
    expect(fails({ kind: 'gpu-layout', gpu: 'GPU-a-0', geometry: { '7g.80gb': 1 } }, old)).toBeUndefined()
  })
  test('that a layout is as it was fails where nobody knows how the GPU is cut', () => {
    const odd = draw`a  A100-SXM4-80GB  [4g.40gb -] [4g.40gb -]`
    expect(fails({ kind: 'gpu-layout', gpu: 'GPU-a-0', geometry: { '4g.40gb': 2 } }, odd)).toContain('no longer has')
  })
})

const closed = (node: string): Condition => ({ kind: 'node-schedulable', node, schedulable: false })

const settled = (node: string): Condition => ({ kind: 'mig-settled', node })

const repartition = (...changes: readonly GpuChange[]): Action => ({
  kind: 'repartition',
  node: 'a',
  config: 'c',
  gpus: changes,
})

const at = (start: number) => ({ profile: '3g.40gb', placement: { start, size: 4 } })

describe('what must hold before', () => {
  const before = (action: Action, snapshot: ClusterSnapshot = drawn) => preconditionsOf(action, openFleet(snapshot))
  const none = { pool: '', model: '' }
  test.for<[Action, readonly Condition[]]>([
    [{ kind: 'cordon', node: 'a' }, [{ kind: 'node-schedulable', node: 'a', schedulable: true }]],
    [{ kind: 'uncordon', node: 'a' }, [closed('a')]],
    [{ kind: 'remove-node', node: 'a' }, [closed('a'), { kind: 'node-empty', node: 'a' }]],
    [
      { kind: 'evict', pod: 'lab/web', uid: '', workload: 'lab/Pod/web', because: '' },
      [
        { kind: 'pod-on-node', pod: 'lab/web', node: 'a' },
        { kind: 'disruption-allowed', pod: 'lab/web' },
      ],
    ],
    [
      { kind: 'evict', pod: 'lab/gone', uid: '', workload: 'lab/Pod/gone', because: '' },
      [
        { kind: 'pod-on-node', pod: 'lab/gone', node: '' },
        { kind: 'disruption-allowed', pod: 'lab/gone' },
      ],
    ],
    [
      { kind: 'resize', workload: 'w', from: gpus(2), to: gpus(1) },
      [{ kind: 'workload-requests', workload: 'w', requests: gpus(2) }],
    ],
    [
      {
        kind: 'reschedule',
        workload: 'w',
        rules: { nodeSelector: {}, hasAffinity: false },
        from: { ...none, requests: gpus(3) },
        to: { ...none, requests: gpus(1) },
      },
      [{ kind: 'workload-requests', workload: 'w', requests: gpus(3) }],
    ],
    [{ kind: 'scale', workload: 'w', from: 1, to: 0 }, []],
    [
      {
        kind: 'keep-free',
        nodes: ['a', 'b'].map((node) => ({ node, gpus: 1 })),
        at: drawn.takenAt,
        until: drawn.takenAt,
      },
      [closed('a'), closed('b')],
    ],
    [
      { kind: 'share', node: 'a', from: { kind: 'none' }, to: { kind: 'mps', replicas: 2 }, tenant: 'lab' },
      [settled('a'), closed('a'), { kind: 'node-empty', node: 'a' }],
    ],
    [{ kind: 'share', node: 'gone', from: { kind: 'none' }, to: { kind: 'none' }, tenant: '' }, []],
  ])('%j', ([action, conditions]) => {
    expect(before(action)).toEqual(conditions)
  })

  test('a new partition: those GPUs are free that change, and all are as the plan assumed', () => {
    const now: GpuChange = {
      gpu: 'GPU-a-0',
      index: 0,
      from: { migEnabled: true, layout: [] },
      to: { migEnabled: true, geometry: { '3g.40gb': 2 } },
    }
    const whole: GpuChange = {
      gpu: 'GPU-a-1',
      index: 1,
      from: { migEnabled: false, layout: [] },
      to: { migEnabled: true, geometry: { '7g.80gb': 1 } },
    }
    const layouts: readonly Condition[] = [
      { kind: 'gpu-layout', gpu: 'GPU-a-0', geometry: { '3g.40gb': 2 } },
      { kind: 'gpu-layout', gpu: 'GPU-a-1', geometry: {} },
    ]
    expect(before(repartition(now, whole))).toEqual([
      settled('a'),
      closed('a'),
      ...layouts,
      { kind: 'gpu-free', gpu: 'GPU-a-1' },
    ])
    const same = { ...whole, to: { migEnabled: false, geometry: {} } }
    expect(before(repartition(now, same))).toEqual([settled('a'), ...layouts])
  })

  test('an instance of DRA that goes is free; one that comes needs nothing but a settled node', () => {
    const dra = servedByDra(draw`a  A100-SXM4-80GB  [3g.40gb lab/web] [3g.40gb -]`)
    const [first] = dra.nodes[0]?.gpus[0]?.partitions ?? []
    const start = first?.kind === 'mig' ? (first.placement?.start ?? -1) : -1
    expect(before({ kind: 'create-instance', gpu: 'GPU-a-0', instance: at(start) }, dra)).toEqual([settled('a')])
    expect(before({ kind: 'delete-instance', gpu: 'GPU-a-0', instance: at(start) }, dra)).toEqual([
      settled('a'),
      { kind: 'partition-free', partition: 'GPU-a-0/gi-1' },
    ])
    expect(before({ kind: 'delete-instance', gpu: 'GPU-a-0', instance: at(2) }, dra)).toEqual([settled('a')])
  })
})
