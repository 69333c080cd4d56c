import { describe, expect, test } from 'vitest'

import { brokenGpus } from '../analyze/broken-gpus.ts'
import { mib, ratio } from '../units.ts'
import {
  assemble,
  codes,
  holder,
  holdings,
  inventory,
  node,
  partitionIds,
  pod,
  sighting,
} from './drawn-inventory.fixture.ts'
import { unsoundNode } from './soundness.ts'
import type { ClusterSnapshot, GpuShare, InventoryDevice } from './inventory.ts'

const device = (name: string, more: Partial<InventoryDevice> = {}): InventoryDevice => ({
  name,
  kind: 'gpu',
  uuid: undefined,
  parent: undefined,
  profile: undefined,
  product: undefined,
  start: undefined,
  reservedFor: [],
  ...more,
})
const gpu = (order: number): InventoryDevice =>
  device(`gpu-${order}`, { uuid: `GPU-${order}`, product: 'NVIDIA A100-SXM4-80GB' })
/** A MIG device on GPU 0, by the name of its parent. */
const slice = (name: string, profile: string, more: Partial<InventoryDevice> = {}): InventoryDevice =>
  device(name, { kind: 'mig', parent: 'gpu-0', profile, ...more })
/** A pod that holds what it has by claims alone. */
const byClaim = (name: string) => pod(name, 'a', {})

const published = (devices: readonly InventoryDevice[], ...pods: string[]) =>
  inventory([node('a', { devices })], pods.map(byClaim))
const placements = ({ nodes }: ClusterSnapshot) =>
  nodes.flatMap(({ gpus }) =>
    gpus.flatMap(({ partitions }) =>
      partitions.flatMap((part) =>
        part.kind === 'mig' ? [[part.profile, part.placement?.start, part.placementSource]] : [],
      ),
    ),
  )

describe('GPUs that a DRA driver publishes', () => {
  test('are known by their UUID and model where no exporter shows them, and the node is served by DRA', () => {
    const [a] = assemble(published([gpu(1), gpu(0)])).nodes
    expect(a?.gpus.map(({ id, index, model, identified }) => [id, index, model, identified])).toEqual([
      ['GPU-0', 0, 'A100-SXM4-80GB', 'resource-slice'],
      ['GPU-1', 1, 'A100-SXM4-80GB', 'resource-slice'],
    ])
    expect(a?.servedByDra).toBe(true)
  })

  test('are not counted twice where an exporter shows them, too', () => {
    const snapshot = assemble(published([gpu(0), gpu(1)]), [sighting('GPU-0', 0)])
    expect(snapshot.nodes[0]?.gpus.map(({ id, identified }) => [id, identified])).toEqual([
      ['GPU-0', 'telemetry'],
      ['GPU-1', 'resource-slice'],
    ])
  })

  test('are held by whoever reserved them through a claim, as long as that pod is there', () => {
    const devices = [{ ...gpu(0), reservedFor: ['team/x'] }, gpu(1)]
    expect(holdings(assemble(published(devices, 'x', 'y')))).toEqual(['GPU-0 team/x claim'])
    expect(holdings(assemble(published([{ ...gpu(0), reservedFor: ['team/gone'] }, gpu(1)])))).toEqual([])
  })
})

const faults = (snapshot: ClusterSnapshot) =>
  snapshot.nodes.flatMap(({ gpus }) => gpus.map(({ id, fault }) => [id, fault?.code]))

describe('a device taint', () => {
  const TAINT = 'gpu.nvidia.com/xid=79:NoExecute'

  test('makes its GPU one that no plan and no pod counts on, for as long as it is there', () => {
    const tainted = published([{ ...gpu(0), taint: TAINT }, gpu(1)])
    const snapshot = assemble(tainted)
    expect(faults(snapshot)).toEqual([
      ['GPU-0', 'device-tainted'],
      ['GPU-1', undefined],
    ])
    expect(snapshot.nodes[0]?.gpus[0]?.fault?.message).toContain(TAINT)
    const [only] = brokenGpus(snapshot)
    expect(only?.gpu.id).toBe('GPU-0')
    // No exporter speaks of it, before and after.
    expect(faults(assemble(published([gpu(0), gpu(1)]), [], snapshot))).toEqual([
      ['GPU-0', undefined],
      ['GPU-1', undefined],
    ])
  })

  test('of a MIG device is one of its GPU', () => {
    const mig = slice('at-0', '3g.40gb', { parent: 'GPU-0', uuid: 'MIG-1', start: 0, taint: TAINT })
    expect(faults(assemble(published([gpu(0), mig])))[0]).toEqual(['GPU-0', 'device-tainted'])
  })
})

/** Two instances of GPU 0, of which an exporter says no place. */
const SEEN = [
  sighting('GPU-0', 0, { instance: { id: '2', profile: '3g.40gb' } }),
  sighting('GPU-0', 0, { instance: { id: '9', profile: '1g.10gb' } }),
]

describe('MIG devices that a DRA driver publishes', () => {
  test('are the instances of their GPU where no exporter shows any, with their placement', () => {
    const devices = [
      gpu(0),
      slice('mig-b', '3g.40gb', { uuid: 'MIG-b', start: 4, reservedFor: ['team/x'] }),
      slice('mig-a', '3g.40gb', { uuid: 'MIG-a', start: 0, reservedFor: ['team/y'] }),
      gpu(1),
    ]
    const snapshot = assemble(published(devices, 'x', 'y'))
    expect(placements(snapshot)).toEqual([
      ['3g.40gb', 0, 'reported'],
      ['3g.40gb', 4, 'reported'],
    ])
    expect(holdings(snapshot)).toEqual(['GPU-0/gi-MIG-a team/y claim', 'GPU-0/gi-MIG-b team/x claim'])
    expect(snapshot.nodes[0]?.gpus.map(({ migEnabled }) => migEnabled)).toEqual([true, false])
  })

  test('are only possible ones where the driver cuts on demand, until somebody reserves them', () => {
    const devices = [
      gpu(0),
      slice('at-0', '3g.40gb', { start: 0 }),
      slice('at-4', '3g.40gb', { start: 4, reservedFor: ['team/x'] }),
      gpu(1),
    ]
    expect(placements(assemble(published(devices, 'x')))).toEqual([['3g.40gb', 4, 'reported']])
  })

  test('say where those are that an exporter shows without a place', () => {
    const devices = [
      gpu(0),
      slice('one', '3g.40gb', { uuid: 'MIG-1', start: 4, reservedFor: ['team/x'] }),
      slice('two', '1g.10gb', { uuid: 'MIG-2', start: 1, reservedFor: ['team/x'] }),
    ]
    const inside = inventory([node('a', { devices, gpuCount: 1 })])
    expect(placements(assemble(inside, SEEN))).toEqual([
      ['3g.40gb', 4, 'reported'],
      ['1g.10gb', 1, 'reported'],
    ])
  })

  test('are held by their claims, also where an exporter shows them without a pod', () => {
    const devices = [
      gpu(0),
      slice('one', '3g.40gb', { uuid: 'MIG-1', start: 4, reservedFor: ['team/x'] }),
      slice('two', '1g.10gb', { uuid: 'MIG-2', start: 1, reservedFor: ['team/x', 'team/y'] }),
      gpu(1),
    ]
    const snapshot = assemble(
      published(devices, 'x', 'y'),
      SEEN.map((each) => ({ ...each, busy: ratio(0.9) })),
    )
    expect(holdings(snapshot)).toEqual([
      'GPU-0/gi-2 team/x claim',
      'GPU-0/gi-9 team/x claim',
      'GPU-0/gi-9 team/y claim',
    ])
    expect(codes(snapshot)).not.toContain('used-without-request')
  })

  test('are known by their UUID, also where driver and exporter round the memory of a profile differently', () => {
    const devices = [gpu(0), slice('one', '3g.40gb', { uuid: 'MIG-1', start: 4, reservedFor: ['team/x'] }), gpu(1)]
    const seen = [sighting('GPU-0', 0, { instance: { id: 'MIG-1', profile: '3g.39gb' } })]
    expect(holdings(assemble(published(devices, 'x'), seen))).toEqual(['GPU-0/gi-MIG-1 team/x claim'])
  })

  test('of one profile on one GPU are not told apart by claims: whose figures would be whose is not known', () => {
    const devices = [
      gpu(0),
      slice('one', '3g.40gb', { uuid: 'MIG-1', start: 0, reservedFor: ['team/x'] }),
      slice('two', '3g.40gb', { uuid: 'MIG-2', start: 4, reservedFor: ['team/y'] }),
      gpu(1),
    ]
    const twice = ['1', '2'].map((id) => sighting('GPU-0', 0, { instance: { id, profile: '3g.40gb' } }))
    expect(holdings(assemble(published(devices, 'x', 'y'), twice))).toEqual([])
  })

  test('whose places cannot all be true are placed as the geometry allows', () => {
    const devices = [
      gpu(0),
      slice('one', '4g.40gb', { uuid: 'MIG-1', start: 0, reservedFor: ['team/x'] }),
      slice('two', '3g.40gb', { uuid: 'MIG-2', start: 0, reservedFor: ['team/x'] }),
    ]
    const sources = placements(assemble(inventory([node('a', { devices, gpuCount: 1 })]))).map(([, , source]) => source)
    expect(new Set(sources)).toEqual(new Set(['inferred']))
  })
})

const seenBy = (name: string, vgpu?: string) =>
  sighting('GPU-0', 0, { holder: holder(name), ...(vgpu === undefined ? {} : { vgpu }) })

describe('replicas of a shared GPU', () => {
  const sharing = { kind: 'time-slicing', replicas: 2 } as const
  const shared = (...pods: string[]) =>
    inventory(
      [node('a', { sharing, gpuCount: 1, allocatable: { 'nvidia.com/gpu': 2 } })],
      pods.map((name) => pod(name, 'a')),
    )

  test('are held as the exporter names them, else one after the other', () => {
    expect(holdings(assemble(shared('x', 'y'), [seenBy('x', '1'), seenBy('y', '0')]))).toEqual([
      'GPU-0/replica-0 team/y label',
      'GPU-0/replica-1 team/x label',
    ])
    expect(holdings(assemble(shared('x', 'y'), [seenBy('x'), seenBy('y')]))).toEqual([
      'GPU-0/replica-0 team/x label',
      'GPU-0/replica-1 team/y label',
    ])
  })

  test('stay with who had them, so that usage is not told of another each time', () => {
    const before = assemble(shared('x', 'y'), [seenBy('x'), seenBy('y')])
    expect(holdings(assemble(shared('y'), [seenBy('y')], before))).toEqual(['GPU-0/replica-1 team/y label'])
  })

  test('are never held by more pods than there are', () => {
    const snapshot = assemble(shared('x', 'y', 'z'), [seenBy('x'), seenBy('y'), seenBy('z')])
    expect(holdings(snapshot)).toHaveLength(2)
    expect(codes(snapshot)).toEqual(['more-held-than-exists'])
  })
})

const given = (name: string, share: number): GpuShare => ({
  gpu: 'GPU-0',
  index: 0,
  pod: `team/${name}`,
  share: ratio(share),
})

const made = (name: string, memory: number): GpuShare => ({ ...given(name, 0.25), instance: { memory: mib(memory) } })
const cut = (instances: readonly (readonly [id: string, profile: string])[], ...shares: readonly GpuShare[]) => {
  const hami = node('a', {
    shares,
    sharing: { kind: 'fractions', replicas: 10 },
    allocatable: { 'nvidia.com/gpu': 14 },
  })
  const pods = shares.map(({ pod: id }) => pod(id.slice('team/'.length), 'a'))
  const seen = instances.map(([id, profile]) => sighting('GPU-0', 0, { instance: { id, profile } }))
  return assemble(inventory([hami], pods), [...seen, sighting('GPU-1', 1)])
}

describe('shares that a scheduler gave', () => {
  test('are held by their pods, and what is left is free', () => {
    const shares = [given('x', 0.5), given('y', 0.25), given('gone', 0.125)]
    const sharing = { kind: 'fractions', replicas: 10 } as const
    const hami = node('a', { shares, sharing, gpuCount: 1, allocatable: { 'nvidia.com/gpu': 10 } })
    const snapshot = assemble(inventory([hami], [pod('x', 'a'), pod('y', 'a')]), [sighting('GPU-0', 0)])
    expect(partitionIds(snapshot)).toHaveLength(4)
    expect(holdings(snapshot)).toEqual(['GPU-0/replica-0 team/x claim', 'GPU-0/replica-1 team/y claim'])
  })

  test('as MIG instances are held by memory, and by who is alone of that size', () => {
    const mixed = [
      ['3', '2g.10gb'],
      ['9', '1g.5gb'],
    ] as const
    expect(holdings(cut(mixed, made('x', 10_240)))).toEqual(['GPU-0/gi-3 team/x claim'])
    expect(holdings(cut(mixed, made('x', 5120)))).toEqual(['GPU-0/gi-9 team/x claim'])
    expect(holdings(cut([...mixed, ['5', '2g.10gb']], made('x', 10_240)))).toEqual(['GPU-0/gi-3 team/x guess'])
  })
  test('as MIG instances that nobody sees are of no other GPU', () => {
    const snapshot = cut([], { ...made('x', 10_240), gpu: 'GPU-lost', index: undefined })
    expect(holdings(snapshot)).toEqual([])
    expect(codes(snapshot)).not.toContain('more-held-than-exists')
  })
})

describe('a kubelet that offers whole GPUs from before they were cut', () => {
  const seen = [0, 1].map((index) => sighting(`GPU-${index}`, index, { instance: { id: '9', profile: '1g.10gb' } }))
  const offering = (whole: number, strategy: 'mixed' | 'single' = 'mixed') =>
    codes(
      assemble(
        inventory([
          node('a', {
            mig: { strategy, config: 'custom', state: 'success' },
            allocatable: { 'nvidia.com/gpu': whole, 'nvidia.com/mig-1g.10gb': 2 },
          }),
        ]),
        seen,
      ),
    )
  test('is told, for a pod would be bound there and fail', () => {
    expect(offering(2)).toContain('stale-capacity')
    expect(offering(1)).toContain('stale-capacity')
    expect(offering(0)).not.toContain('stale-capacity')
    expect(offering(2, 'single')).not.toContain('stale-capacity')
  })
})

describe('a node that gives its GPUs to virtual machines', () => {
  test('is told, and nothing is planned there', () => {
    const host = node('a', { allocatable: { 'nvidia.com/GH100_H100_PCIE': 2 } })
    const [a] = assemble(inventory([host], [pod('vm', 'a', { 'nvidia.com/GH100_H100_PCIE': 1 })])).nodes
    expect(a?.problems.map(({ code }) => code)).toEqual(['devices-for-virtual-machines'])
    expect(a && unsoundNode(a)).toContain('virtual machines')
  })
})
