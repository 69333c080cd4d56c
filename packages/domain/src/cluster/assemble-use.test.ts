import { describe, expect, test } from 'vitest'

import { instant, mib, ratio } from '../units.ts'
import { assembleSnapshot } from './assemble.ts'
import { assemble, codes, holder, inventory, mixed, node, NOW, pod, sighting } from './drawn-inventory.fixture.ts'
import { heldBy } from './held-by.ts'
import type { ClusterSnapshot, InventoryNode } from './inventory.ts'
import { UNKNOWN_ROOM } from './scheduling.ts'
import type { Sighting } from './sighting.ts'
import type { Pod } from './workload.ts'

const shared = (config: string, sharing: InventoryNode['sharing'] = { kind: 'time-slicing', replicas: 4 }) =>
  node('a', {
    sharing,
    allocatable: { 'nvidia.com/gpu': sharing.kind === 'none' ? 2 : 8 },
    room: { ...UNKNOWN_ROOM, labels: { 'nvidia.com/device-plugin.config': config } },
  })
const said = (nodes: readonly InventoryNode[], pods: readonly Pod[]): readonly string[] =>
  assembleSnapshot({ cluster: 'c', inventory: inventory(nodes, pods), samples: [], now: NOW }).nodes.flatMap(
    ({ problems }) => problems.filter(({ code }) => code === 'shared-by-namespaces').map(({ message }) => message),
  )

const later = (seconds: number) => instant(NOW + seconds * 1000)
const since = ({ nodes }: ClusterSnapshot) => nodes[0]?.gpus[0]?.unrequestedSince
const at = (seconds: number, more: Partial<Sighting> = {}) => sighting('GPU-0', 0, { at: later(seconds), ...more })

describe('use that nobody requested', () => {
  const busy = { busy: ratio(0.97), memoryUsed: mib(71_000) }
  const one = inventory([node('a', { gpuCount: 1 })])
  const held = inventory([node('a', { gpuCount: 1 })], [pod('x', 'a')])

  test('is marked, and told with what to do', () => {
    const snapshot = assemble(one, [at(5, busy)])
    expect(since(snapshot)).toBe(later(5))
    expect(snapshot.nodes[0]?.problems[0]?.message).toMatch(
      /^Something uses GPU 0 of a outside Kubernetes’ requests: .* Look on a for processes on it/u,
    )
    expect(since(assemble(one, [at(5, { memoryUsed: mib(1025) })]))).toBe(later(5))
  })

  test('is none where a pod holds the GPU, or where what is seen is the driver’s own', () => {
    expect(since(assemble(held, [at(5, busy)]))).toBeUndefined()
    expect(since(assemble(one, [at(5, { busy: ratio(0.004), memoryUsed: mib(600) })]))).toBeUndefined()
  })

  test('is told of a holder who has just left only if a later reading says so, too; it is planned with at no time', () => {
    const before = assemble(held, [at(5, busy)])
    const left = assemble(one, [at(5, busy)], before)
    expect([since(left), codes(left)]).toEqual([later(5), []])
    const again = assemble(one, [at(20, busy)], left)
    expect([since(again), codes(again)]).toEqual([later(5), ['used-without-request']])
    expect(since(assemble(one, [at(20)], left))).toBeUndefined()
  })

  test('lasts while telemetry is silent, until somebody holds the GPU', () => {
    const used = assemble(one, [at(5, busy)])
    expect(since(assemble(one, [], used))).toBe(later(5))
    expect(since(assemble(held, [], used))).toBeUndefined()
  })

  test('is of one instance; the board that is told beside them is used by whoever holds any', () => {
    const cut = inventory([mixed({ 'nvidia.com/mig-3g.40gb': 2 }, 1)], [pod('x', 'a', { 'nvidia.com/mig-3g.40gb': 1 })])
    const instance = (id: string, more: Partial<Sighting> = {}) =>
      at(5, { instance: { id, profile: '3g.40gb' }, ...more })
    const own = instance('1', { holder: holder('x'), ...busy })
    expect(since(assemble(cut, [own, instance('2'), at(5, busy)]))).toBeUndefined()
    expect(since(assemble(cut, [own, instance('2', busy)]))).toBe(later(5))
  })

  test('says so to nobody who is limited to namespaces', () => {
    const cut = inventory([mixed({ 'nvidia.com/mig-3g.40gb': 2 }, 1)], [pod('x', 'a', { 'nvidia.com/mig-3g.40gb': 1 })])
    const seen = ['1', '2'].map((id) => at(5, { instance: { id, profile: '3g.40gb' }, ...busy }))
    const snapshot = assemble(cut, seen)
    expect(codes(snapshot)).toEqual(['holders-inferred', 'used-without-request'])
    expect(codes(heldBy(snapshot, new Set(['team'])))).toEqual([])
  })
})

describe('a node whose GPUs Septet shares for one namespace', () => {
  const other: Pod = { ...pod('guest', 'a'), id: 'sandbox/guest', namespace: 'sandbox', workload: 'sandbox/Pod/guest' }

  test('has a problem once pods of another one hold them, too', () => {
    expect(said([shared('septet-12ab')], [pod('own', 'a'), pod('mate', 'a')])).toEqual([])
    expect(said([shared('septet-12ab')], [pod('own', 'a'), other])).toEqual([
      'Pods of sandbox and team share the GPUs of a (time-slicing), which Septet shares for one namespace: they can slow each other down, and are not isolated from each other’s faults and memory. Take the toleration for the node’s taint away from those that do not belong there, or undo the sharing under Actions.',
    ])
  })

  test('says so to nobody who is limited to namespaces, as it tells what others do', () => {
    const pods = [pod('own', 'a'), other]
    const snapshot = assembleSnapshot({
      cluster: 'c',
      inventory: inventory([shared('septet-12ab')], pods),
      samples: [],
      now: NOW,
    })
    expect(JSON.stringify(snapshot.nodes)).toContain('sandbox')
    expect(JSON.stringify(heldBy(snapshot, new Set(['team'])))).not.toContain('sandbox')
    const past = { ...snapshot, finished: [pod('done', 'a'), other] }
    expect(heldBy(past, new Set(['team'])).finished?.map(({ namespace }) => namespace)).toEqual(['team'])
  })

  test('has none where others share it, where it is not shared, or where who comes asks for no GPU', () => {
    expect(said([shared('team-config')], [pod('own', 'a'), other])).toEqual([])
    expect(said([shared('septet-12ab', { kind: 'none' })], [pod('own', 'a'), other])).toEqual([])
    expect(said([shared('septet-12ab')], [pod('own', 'a'), { ...other, requests: [] }])).toEqual([])
  })
})
