import { describe, expect, test } from 'vitest'

import type { InventoryNode } from '../cluster/inventory.ts'
import { UNKNOWN_ROOM } from '../cluster/scheduling.ts'
import { countInstances, expectedOf, isComplete } from './quality-expected.ts'
import type { DeviceSample } from './sample.ts'

const NODE = {
  name: 'a',
  ready: true,
  gpuCount: 2,
  product: 'NVIDIA-A100-SXM4-80GB',
  mig: { strategy: 'mixed', config: undefined, state: undefined },
  sharing: { kind: 'none' },
  allocatable: {},
  room: UNKNOWN_ROOM,
  devices: [],
} as unknown as InventoryNode
const single = (product: string): Partial<InventoryNode> => ({ product, mig: { ...NODE.mig, strategy: 'single' } })
const shared = { sharing: { kind: 'time-slicing', replicas: 4 } } as const

const expected = (change: Partial<InventoryNode>) =>
  expectedOf({ nodes: [{ ...NODE, ...change }], pods: [] }).nodes.map(({ cut, instances, replicas, gpus }) => [
    gpus,
    cut,
    Object.fromEntries(instances),
    replicas,
  ])

const forVms = (allocatable: Record<string, number>, labels = {}) =>
  expectedOf({ nodes: [{ ...NODE, allocatable, room: { ...UNKNOWN_ROOM, labels } }], pods: [] }).nodes[0]?.forVms

describe('what a node should export', () => {
  test('is nothing where virtual machines have its GPUs', () => {
    expect(forVms({ 'nvidia.com/NVIDIA_A40-24Q': 4 })).toBe(true)
    expect(forVms({ 'nvidia.com/X': 0 }, { 'nvidia.com/gpu.workload.config': 'vm-passthrough' })).toBe(true)
    expect(forVms({ 'nvidia.com/gpu': 4 }, { 'nvidia.com/gpu.workload.config': 'container' })).toBeUndefined()
  })
  test.each<[string, Partial<InventoryNode>, readonly unknown[]]>([
    ['whole GPUs', { allocatable: { 'nvidia.com/gpu': 2 } }, [2, false, {}, 1]],
    [
      'MIG devices by profile, and none of one that it offers no more of',
      { allocatable: { 'nvidia.com/mig-3g.40gb': 2, 'nvidia.com/mig-1g.10gb.me': 1, 'nvidia.com/mig-7g.80gb': 0 } },
      [2, true, { '3g.40gb': 2, '1g.10gb.me': 1 }, 1],
    ],
    [
      'each device once, however many pods may share it',
      { ...shared, allocatable: { 'nvidia.com/mig-3g.40gb.shared': 8 } },
      [2, true, { '3g.40gb': 2 }, 4],
    ],
    [
      'MIG devices that are offered as GPUs, by the product label',
      { ...single('NVIDIA-A100-SXM4-80GB-MIG-1g.10gb'), allocatable: { 'nvidia.com/gpu': 14 } },
      [2, true, { '1g.10gb': 14 }, 1],
    ],
    [
      'the same shared',
      {
        ...single('NVIDIA-A100-SXM4-80GB-MIG-1g.10gb+me-SHARED'),
        ...shared,
        allocatable: { 'nvidia.com/gpu.shared': 8 },
      },
      [2, true, { '1g.10gb.me': 2 }, 4],
    ],
    [
      'whole GPUs under the single strategy, before they are cut',
      { ...single('NVIDIA-A100-SXM4-80GB'), allocatable: { 'nvidia.com/gpu': 2 } },
      [2, false, {}, 1],
    ],
  ])('is %s', (_, change, wanted) => expect(expected(change)).toEqual([wanted]))

  test('is nothing while it is not ready', () => expect(expected({ ready: false })).toEqual([]))
})

const sample = (profile: string | undefined, more: Partial<DeviceSample> = {}): DeviceSample =>
  ({
    node: 'a',
    ...(profile === undefined ? {} : { instance: { id: '1', profile } }),
    ...more,
  }) as unknown as DeviceSample

describe('MIG devices that are told', () => {
  const told = countInstances([
    sample('3g.40gb'),
    sample('3g.40gb'),
    sample('1g.10gb+me'),
    sample(undefined),
    // A replica of a device that was counted.
    sample('3g.40gb', { vgpu: '1' }),
    sample('3g.40gb', { node: 'b' }),
  ])

  test('are counted once each, under the name that resources have', () => {
    expect([told.of('a', '3g.40gb'), told.of('a', '1g.10gb.me'), told.of('a', '7g.80gb')]).toEqual([2, 1, 0])
  })

  test('are all of them once each profile has as many as the node offers', () => {
    const [whole] = expectedOf({
      nodes: [{ ...NODE, allocatable: { 'nvidia.com/mig-3g.40gb': 2 } }],
      pods: [],
    }).nodes
    const [more] = expectedOf({
      nodes: [{ ...NODE, allocatable: { 'nvidia.com/mig-3g.40gb': 3 } }],
      pods: [],
    }).nodes
    expect([isComplete(whole, told), isComplete(more, told), isComplete(undefined, told)]).toEqual([true, false, false])
  })
})
