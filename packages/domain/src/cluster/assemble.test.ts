import { assert, constantFrom, array, property, record, shuffledSubarray, boolean, nat } from 'fast-check'
import { describe, expect, test } from 'vitest'

import { boardOf } from '../fleet/gpu-state.ts'
import { instant, mib, ratio } from '../units.ts'
import { assembleSnapshot } from './assemble.ts'
import {
  assemble,
  codes,
  holder,
  holdings,
  inventory,
  mixed,
  node,
  NOW,
  partitionIds,
  pod,
  sighting,
} from './drawn-inventory.fixture.ts'
import type { ClusterSnapshot, InventoryDevice } from './inventory.ts'
import type { Sighting } from './sighting.ts'
import { unsoundNode } from './soundness.ts'
import type { Pod } from './workload.ts'

const faults = ({ nodes }: ClusterSnapshot) => nodes[0]?.gpus.map(({ id, fault }) => [id, fault?.code])

const isStuck = (snapshot: ClusterSnapshot) => snapshot.nodes[0]?.gpus[0]?.stuck

const cutOf = ({ nodes }: ClusterSnapshot) =>
  nodes[0]?.gpus.flatMap(({ index, migEnabled }) => (migEnabled ? index : []))
/** Three GPUs, of which the kubelet offers so many whole; the first is cut and told with both of its instances. */
const three = (whole: number, more: Record<string, number> = {}) =>
  inventory([mixed({ 'nvidia.com/gpu': whole, 'nvidia.com/mig-3g.40gb': 2, ...more }, 3)])
const first = ['1', '2'].map((id) => sighting('GPU-0', 0, { instance: { id, profile: '3g.40gb' } }))
const rest = (at: 1 | 2, more: Partial<Sighting>) => [
  ...first,
  sighting('GPU-1', 1, at === 1 ? more : {}),
  sighting('GPU-2', 2, at === 2 ? more : {}),
]

const offering = (resource: string) => inventory([{ ...mixed({ [resource]: 7 }, 1), product: 'NVIDIA-GB200' }])
const profileNames = ({ nodes }: ClusterSnapshot) => nodes[0]?.gpus.map(boardOf)[0]?.profiles.map(({ name }) => name)

describe('the GPUs of a node', () => {
  test('are those that telemetry sees, by UUID', () => {
    const snapshot = assemble(inventory([node('a')]), [sighting('GPU-1', 1), sighting('GPU-0', 0)])
    expect(
      snapshot.nodes[0]?.gpus.map(({ id, index, model, identified }) => ({ id, index, model, identified })),
    ).toEqual([
      { id: 'GPU-0', index: 0, model: 'A100-SXM4-80GB', identified: 'telemetry' },
      { id: 'GPU-1', index: 1, model: 'A100-SXM4-80GB', identified: 'telemetry' },
    ])
    expect(codes(snapshot)).toEqual([])
  })

  test('are counted where no exporter answers', () => {
    expect(partitionIds(assemble(inventory([node('a')])))).toEqual(['a#0', 'a#1'])
  })

  test('come from a DRA driver before they are counted', () => {
    const device: InventoryDevice = {
      name: 'gpu-0',
      kind: 'gpu',
      uuid: 'GPU-0',
      parent: undefined,
      profile: undefined,
      product: 'NVIDIA A100-SXM4-80GB',
      start: undefined,
      reservedFor: ['team/x'],
    }
    const claims = inventory([node('a', { devices: [device], allocatable: {} })], [pod('x', 'a', {})])
    expect(holdings(assemble(claims))).toEqual(['GPU-0 team/x claim'])
    expect(assemble(claims).nodes[0]?.servedByDra).toBe(true)
    expect(assemble(inventory([node('a')], [])).nodes[0]?.servedByDra).toBeUndefined()
  })

  test('keep their identity while telemetry is silent', () => {
    const source = inventory([node('a')], [pod('x', 'a')])
    const before = assemble(source, [sighting('GPU-0', 0), sighting('GPU-1', 1, { holder: holder('x') })])
    const after = assemble(source, [], before)
    expect(partitionIds(after)).toEqual(['GPU-0', 'GPU-1'])
    expect(holdings(after)).toEqual(['GPU-1 team/x label'])
  })

  test('that telemetry does not see stay, and the contradiction is told', () => {
    const snapshot = assemble(inventory([node('a', { gpuCount: 3 })]), [sighting('GPU-0', 0), sighting('GPU-2', 2)])
    expect(partitionIds(snapshot)).toEqual(['GPU-0', 'a#1', 'GPU-2'])
    expect(snapshot.nodes[0]?.problems[0]?.message).toBe(
      'The labels of a say 3 GPUs, its exporter sees 2. The 1 without telemetry stays in the count, its ' +
        'utilization is unknown. Look for them with nvidia-smi on the node.',
    )
  })

  test('are believed more than a label that names another model', () => {
    const snapshot = assemble(inventory([node('a', { product: 'Tesla-T4' })]), [
      sighting('GPU-0', 0),
      sighting('GPU-1', 1),
    ])
    expect(snapshot.nodes[0]?.gpus[0]?.model).toBe('A100-SXM4-80GB')
    expect(codes(snapshot)).toEqual(['label-contradicts-devices'])
  })

  test('of a board we do not know are kept as whole GPUs', () => {
    const snapshot = assemble(inventory([node('a', { product: 'NVIDIA-X9000', gpuCount: 1 })]))
    expect(snapshot.nodes[0]).toMatchObject({ model: undefined, product: 'NVIDIA-X9000' })
    expect(partitionIds(snapshot)).toEqual(['a#0'])
    expect(codes(snapshot)).toEqual(['unknown-board'])
    expect(snapshot.nodes[0]?.problems[0]?.message).toBe(
      'a has the GPU "NVIDIA-X9000", which the catalog does not know. Its GPU-hours and utilization are counted, each GPU as a whole; MIG geometry is not. Set a price for this model in Settings → Prices to see its cost.',
    )
  })

  test('keep a fault while telemetry is silent, until an exporter says that it is over', () => {
    const source = inventory([node('a', { gpuCount: 1 })])
    const broken = assemble(source, [sighting('GPU-0', 0, { xid: 79 })])
    const next = (previous: ClusterSnapshot, samples: readonly Sighting[]) =>
      assembleSnapshot({ cluster: 'c', inventory: source, samples, previous, now: NOW })
    // A GPU that fell off the bus is not exported any more, or only without its values.
    const silent = next(broken, [])
    expect(faults(silent)).toEqual([['GPU-0', 'gpu-lost']])
    expect(faults(next(silent, [sighting('GPU-0', 0)]))).toEqual([['GPU-0', 'gpu-lost']])
    expect(faults(next(silent, [sighting('GPU-0', 0, { xid: 0 })]))).toEqual([['GPU-0', undefined]])
  })

  test('are stuck while their counter stays at 0 and they work, and while they are silent after that', () => {
    const source = inventory([node('a', { gpuCount: 1 })])
    const next = (previous: ClusterSnapshot | undefined, samples: readonly Sighting[]) =>
      assembleSnapshot({ cluster: 'c', inventory: source, samples, previous, now: NOW })
    const suspect = { kind: 'suspect', reason: 'stuck-at-zero' } as const
    const fine = next(undefined, [sighting('GPU-0', 0, { xid: 0, quality: { kind: 'measured' } })])
    expect(isStuck(fine)).toBeUndefined()
    const stuck = next(fine, [sighting('GPU-0', 0, { xid: 0, quality: suspect })])
    expect(isStuck(stuck)).toBe(true)
    expect(isStuck(next(stuck, []))).toBe(true)
    expect(isStuck(next(stuck, [sighting('GPU-0', 0, { xid: 0, quality: { kind: 'measured' } })]))).toBeUndefined()
  })

  test('have a fault while the exporter reports an XID that blames the GPU', () => {
    const [broken, fine] = [sighting('GPU-0', 0, { xid: 79 }), sighting('GPU-1', 1, { xid: 31 })]
    const gpus = assemble(inventory([node('a')]), [broken, fine]).nodes[0]?.gpus
    expect(gpus?.map(({ fault }) => fault?.code)).toEqual(['gpu-lost', undefined])
  })

  test('are matched by the short host name', () => {
    const snapshot = assemble(inventory([node('a', { gpuCount: 1 })]), [
      sighting('GPU-0', 0, { node: 'a.example.com' }),
    ])
    expect(partitionIds(snapshot)).toEqual(['GPU-0'])
  })

  test('of another cluster are left out and told', () => {
    const snapshot = assemble(inventory([node('a', { gpuCount: 1 })]), [sighting('GPU-9', 0, { node: 'stranger' })])
    expect(partitionIds(snapshot)).toEqual(['a#0'])
    expect(codes(snapshot)).toEqual(['telemetry-of-unknown-node'])
  })

  test('of a node that was removed are no stranger’s while they may still arrive', () => {
    const late = [sighting('GPU-0', 0, { node: 'a.example.com' })]
    const at = (minutes: number, previous: ClusterSnapshot) =>
      assembleSnapshot({
        cluster: 'c',
        inventory: inventory([node('b')]),
        samples: late,
        previous,
        now: instant(NOW + minutes * 60_000),
      })
    const gone = at(1, assemble(inventory([node('a'), node('b')]), late))
    expect(codes(gone)).toEqual([])
    const later = at(6, gone)
    expect(codes(later)).toEqual([])
    expect(codes(at(12, later))).toEqual(['telemetry-of-unknown-node'])
  })
})

describe('MIG devices', () => {
  test('are those that the exporter shows, with placements that the geometry allows', () => {
    const seen = [
      sighting('GPU-0', 0, { instance: { id: '2', profile: '3g.40gb' }, holder: holder('x') }),
      sighting('GPU-0', 0, { instance: { id: '1', profile: '4g.40gb' } }),
    ]
    const source = inventory(
      [mixed({ 'nvidia.com/mig-3g.40gb': 1, 'nvidia.com/mig-4g.40gb': 1 }, 1)],
      [pod('x', 'a', { 'nvidia.com/mig-3g.40gb': 1 })],
    )
    const snapshot = assemble(source, seen)
    expect(snapshot.nodes[0]?.gpus[0]?.partitions).toMatchObject([
      { id: 'GPU-0/gi-1', profile: '4g.40gb', placement: { start: 0, size: 4 }, placementSource: 'inferred' },
      { id: 'GPU-0/gi-2', profile: '3g.40gb', placement: { start: 4, size: 4 }, placementSource: 'inferred' },
    ])
    expect(holdings(snapshot)).toEqual(['GPU-0/gi-2 team/x label'])
  })

  test('tell which of two sets of names the driver takes, also while the node has none for a time', () => {
    const older = assemble(offering('nvidia.com/mig-1g.24gb'))
    const olderNames = ['1g.24gb', '1g.24gb+me', '1g.47gb', '2g.47gb', '3g.95gb', '4g.95gb', '7g.189gb']
    expect(profileNames(older)).toEqual(olderNames)
    expect(profileNames(assemble(offering('nvidia.com/mig-1g.23gb')))?.slice(4)).toEqual([
      '3g.93gb',
      '4g.93gb',
      '7g.186gb',
    ])
    expect(profileNames(assemble(offering('nvidia.com/gpu'), [], older))).toEqual(olderNames)
  })

  test('are counted alike on all GPUs where only the kubelet speaks', () => {
    const snapshot = assemble(inventory([mixed({ 'nvidia.com/mig-1g.10gb': 4, 'nvidia.com/mig-2g.20gb': 2 })]))
    expect(
      snapshot.nodes[0]?.gpus.map(({ partitions }) => partitions.map((part) => part.kind === 'mig' && part.profile)),
    ).toEqual([
      ['2g.20gb', '1g.10gb', '1g.10gb'],
      ['2g.20gb', '1g.10gb', '1g.10gb'],
    ])
    expect(codes(snapshot)).toEqual([])
  })

  test('leave the GPUs whole that the kubelet offers whole', () => {
    const snapshot = assemble(inventory([mixed({ 'nvidia.com/gpu': 1, 'nvidia.com/mig-7g.80gb': 1 })]))
    expect(snapshot.nodes[0]?.gpus.map(({ partitions }) => partitions[0]?.kind)).toEqual(['whole', 'mig'])
  })

  test('that the exporter does not show are added where there is room', () => {
    const seen = [sighting('GPU-0', 0, { instance: { id: '1', profile: '3g.40gb' } })]
    const snapshot = assemble(inventory([mixed({ 'nvidia.com/mig-3g.40gb': 2 }, 1)]), seen)
    expect(partitionIds(snapshot)).toEqual(['GPU-0/gi-1', 'GPU-0/gi-3g.40gb-0'])
  })

  test.each([
    ['is held', { holder: holder('x') }],
    ['is busy', { busy: ratio(0.4) }],
    ['runs a kernel', { kernelTime: ratio(0.4) }],
    ['has memory in use', { memoryUsed: mib(3000) }],
  ])('are not looked for on a GPU that %s: the unused one is in MIG mode', (_, more) => {
    expect(cutOf(assemble(three(1), rest(1, more)))).toEqual([0, 2])
    expect(cutOf(assemble(three(1), rest(2, more)))).toEqual([0, 1])
    expect(codes(assemble(three(1), rest(2, more)))).not.toContain('mig-mode-unclear')
  })

  test('may be on several of which nobody knows which is meant: one is taken, it stays so, and nothing is planned there', () => {
    const guessed = assemble(three(1), rest(1, { memoryUsed: mib(400), busy: ratio(0) }))
    expect([cutOf(guessed), codes(guessed)]).toEqual([[0, 2], ['mig-mode-unclear']])
    const evident = assemble(three(1), rest(2, { holder: holder('x') }))
    expect(cutOf(assemble(three(1), rest(1, {}), evident))).toEqual([0, 1])
    const [node_] = guessed.nodes
    expect(node_ && unsoundNode(node_)).toContain('Which GPUs of a are in MIG mode is not evident')
  })

  test('are evident where all GPUs that are not cut are offered whole, or none is', () => {
    expect(codes(assemble(three(2), rest(1, {})))).toEqual([])
    expect([cutOf(assemble(three(0), rest(1, {}))), codes(assemble(three(0), rest(1, {})))]).toEqual([[0, 1, 2], []])
    // More are in use than are offered: what is left need not be in MIG mode.
    expect(codes(assemble(three(0), rest(1, { busy: ratio(0.5) })))).toEqual([
      'mig-mode-unclear',
      'used-without-request',
    ])
  })

  test('that nobody shows may be what a GPU is used by: one that is held whole is all the same not cut', () => {
    const hidden = three(1, { 'nvidia.com/mig-7g.80gb': 1 })
    expect(cutOf(assemble(hidden, rest(1, { holder: holder('x') })))).toEqual([0, 2])
    expect(codes(assemble(hidden, rest(1, { holder: holder('x') })))).toEqual([])
    expect(cutOf(assemble(hidden, rest(1, { busy: ratio(0.5) })))).toEqual([0, 2])
  })

  test('that fit on no GPU are left out and told', () => {
    const snapshot = assemble(inventory([mixed({ 'nvidia.com/mig-7g.80gb': 3 })]))
    expect(partitionIds(snapshot)).toHaveLength(2)
    expect(codes(snapshot)).toEqual(['label-contradicts-devices'])
  })

  test('of the single strategy are offered as if they were GPUs', () => {
    const single = node('a', {
      product: 'NVIDIA-A100-SXM4-80GB-MIG-1g.10gb',
      gpuCount: 2,
      allocatable: { 'nvidia.com/gpu': 14 },
      mig: { strategy: 'single', config: 'all-1g.10gb', state: 'success' },
    })
    const snapshot = assemble(inventory([single], [pod('x', 'a', { 'nvidia.com/gpu': 3 })]))
    expect(snapshot.nodes[0]?.gpus.map(({ partitions }) => partitions.length)).toEqual([7, 7])
    expect(snapshot.nodes[0]?.model).toBe('A100-SXM4-80GB')
    expect(snapshot.allocations).toHaveLength(3)
  })
})

describe('allocations', () => {
  test('of shared GPUs go to the emptiest one', () => {
    const shared = node('a', {
      sharing: { kind: 'time-slicing', replicas: 4 },
      allocatable: { 'nvidia.com/gpu': 8 },
      product: 'NVIDIA-A100-SXM4-80GB-SHARED',
    })
    const snapshot = assemble(
      inventory(
        [shared],
        ['x', 'y', 'z'].map((name) => pod(name, 'a')),
      ),
    )
    expect(snapshot.allocations.map(({ partition }) => partition)).toEqual([
      'a#0/replica-0',
      'a#0/replica-1',
      'a#1/replica-0',
    ])
  })

  test('never exceed what was asked for, whatever the exporter says', () => {
    const seen = [sighting('GPU-0', 0, { holder: holder('x') }), sighting('GPU-1', 1, { holder: holder('x') })]
    expect(holdings(assemble(inventory([node('a')], [pod('x', 'a')]), seen))).toEqual(['GPU-0 team/x label'])
  })

  test('that exceed the devices are told, and the others stand', () => {
    const snapshot = assemble(inventory([node('a')], [pod('x', 'a', { 'nvidia.com/gpu': 2 }), pod('y', 'a')]))
    expect(snapshot.allocations).toHaveLength(2)
    expect(snapshot.nodes[0]?.problems[0]).toMatchObject({
      code: 'more-held-than-exists',
      message: expect.stringContaining('1 × nvidia.com/gpu'),
    })
  })

  test('keep when they began', () => {
    const source = inventory([node('a')], [pod('x', 'a')])
    const before = assemble(source)
    const after = assembleSnapshot({
      cluster: 'c',
      inventory: source,
      samples: [],
      previous: before,
      now: instant(NOW + 60_000),
    })
    expect(after.allocations).toEqual(before.allocations)
  })

  test('do not exist for pods that wait or have finished', () => {
    const done: Pod = { ...pod('y', 'a'), phase: 'Succeeded' }
    expect(assemble(inventory([node('a')], [pod('x', undefined), done])).allocations).toEqual([])
  })
})

test('the order of the input does not matter, and no pod holds more than it asked for nor a device twice', () => {
  const nodes = ['a', 'b', 'c'].map((name) => node(name))
  const names = ['p', 'q', 'r', 's', 't', 'u']
  const anyPod = record({ on: constantFrom('a', 'b', 'c', undefined), count: nat(3) })
  const seen = record({ held: boolean(), by: constantFrom(...names) })
  assert(
    property(
      array(anyPod, { minLength: 6, maxLength: 6 }),
      array(seen, { minLength: 6, maxLength: 6 }),
      shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 }),
      (pods, sights, order) => {
        const list = pods.map(({ on, count }, index) => pod(names[index] ?? '', on, { 'nvidia.com/gpu': count }))
        const samples = sights.map(({ held, by }, index) =>
          sighting(`GPU-${index}`, index % 2, {
            node: ['a', 'b', 'c'][index >> 1] ?? '',
            ...(held ? { holder: { namespace: 'team', pod: by } } : {}),
          }),
        )
        const straight = assemble(inventory(nodes, list), samples)
        const shuffledPods = order.flatMap((index) => list[index] ?? [])
        expect(assemble(inventory(nodes.toReversed(), shuffledPods), samples)).toEqual(straight)
        const held = straight.allocations.map(({ partition }) => partition)
        expect(new Set(held).size).toBe(held.length)
        for (const { id, node: on, requests } of list) {
          const own = straight.allocations.filter((allocation) => allocation.pod === id)
          expect(own.length).toBeLessThanOrEqual(on === undefined ? 0 : (requests[0]?.count ?? 0))
        }
        const isShort = codes(straight).includes('more-held-than-exists')
        const asked = list.reduce(
          (sum, each) => sum + (each.node === undefined ? 0 : (each.requests[0]?.count ?? 0)),
          0,
        )
        expect(isShort).toBe(held.length < asked)
      },
    ),
  )
})
