import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { draw } from '../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../cluster/inventory.ts'
import { UNCONSTRAINED } from '../cluster/scheduling.ts'
import type { Pod } from '../cluster/workload.ts'
import { countedFleet } from './counted-fleet.ts'
import { mib } from '../units.ts'
import { FreeRoom, type FreePartition } from './free-room.ts'

const roomIn = (snapshot: ClusterSnapshot, ...avoid: readonly string[]): FreeRoom =>
  new FreeRoom({
    fleet: countedFleet(snapshot),
    avoid: new Set(avoid),
  })
const [drawnPod] = draw`a  T4  [lab/x]`.pods
const podOf = (namespace: string, scheduling: Partial<Pod['scheduling']> = {}): Pod => {
  if (drawnPod === undefined) throw new Error('nothing is drawn')
  return { ...drawnPod, namespace, scheduling: { ...UNCONSTRAINED, ...scheduling } }
}
const GPU = 'nvidia.com/gpu'
const asking = (pod: Pod, resource = GPU) => ({ pod, requests: [{ resource, count: 1 }] })
const taken = (room: FreeRoom, pod: Pod, resource = GPU): FreePartition | undefined => {
  const found = room.find(asking(pod, resource))
  if (found !== undefined) room.take(found, pod)
  return found?.[0]
}

const nodeOf = (found: readonly FreePartition[] | undefined) => found?.[0]?.node.name

describe('what is free', () => {
  const snapshot = draw`
    a  T4                    [-]
    b  A100-SXM4-80GB        [3g.40gb -] [3g.40gb lab/y]
    c  T4              down  [-]
    d  T4                    [lab/z]`
  test('is offered by resource, on nodes that take pods and are not about to change', () => {
    const room = roomIn(snapshot)
    expect(room.offered(GPU).map(({ node }) => node.name)).toEqual(['a'])
    expect(room.offered('nvidia.com/mig-3g.40gb').map(({ partition }) => partition.id)).toEqual(['GPU-b-0/gi-1'])
    expect(room.offered('nvidia.com/mig-1g.10gb')).toEqual([])
    expect(roomIn(snapshot, 'node/a').offered(GPU)).toEqual([])
  })
  test('is not a GPU with a fault, nor one that something else uses', () => {
    const fault = { code: 'gpu-fault', message: 'XID 79', object: 'gpu' }
    for (const change of [{ fault }, { stuck: true }, { unrequestedSince: snapshot.takenAt }]) {
      const nodes = snapshot.nodes.map((node) => ({ ...node, gpus: node.gpus.map((gpu) => ({ ...gpu, ...change })) }))
      expect(roomIn({ ...snapshot, nodes }).offered(GPU)).toEqual([])
    }
  })
  test('is found on the same model, off nodes that are not to be used, and where the rules of the pod allow', () => {
    const room = roomIn(draw`
      a  T4        zone=x  [-]
      b  H100-80GB-HBM3  zone=y  [-]`)
    const pod = podOf('lab')
    expect(nodeOf(room.find(asking(pod)))).toBe('a')
    expect(nodeOf(room.find({ ...asking(pod), model: 'H100-80GB-HBM3' }))).toBe('b')
    expect(nodeOf(room.find({ ...asking(pod), without: new Set(['a']) }))).toBe('b')
    expect(nodeOf(room.find(asking(podOf('lab', { nodeSelector: { zone: 'y' } }))))).toBe('b')
    expect(room.find({ ...asking(pod), model: 'A30' })).toBeUndefined()
  })
})

describe('what pods take', () => {
  test('is gone for others, and there again once it is given back', () => {
    const snapshot = draw`
      a  T4  cpu=4 memory=8  [-]
      a  T4  cpu=4 memory=8  [-]`
    const room = roomIn(snapshot)
    const pod = podOf('lab', { cpuMilli: 3000, memory: mib(1024) })
    const [node] = snapshot.nodes
    if (node === undefined) throw new Error('nothing is drawn')
    const first = taken(room, pod)
    expect(first?.partition.id).toBe('GPU-a-0')
    // A GPU is left, and one core beside it.
    expect(taken(room, pod)).toBeUndefined()
    expect(room.noHostFor(podOf('lab', { cpuMilli: 1000 }), node)).toBeUndefined()
    expect(room.noHostFor(podOf('lab', { cpuMilli: 500 }), node, 3)).toBe('too little CPU is free there')
    if (first !== undefined) room.give([first], pod)
    expect(taken(room, pod)?.partition.id).toBe('GPU-a-0')
  })
  test('binds no pod that asks for nothing, on a node that is overcommitted already', () => {
    const snapshot = draw`a  T4  cpu=4 memory=8  [-]`
    const nodes = snapshot.nodes.map((node) => ({
      ...node,
      room: { ...node.room, cpuUsed: 5000, memoryUsed: mib(9 * 1024) },
    }))
    const room = roomIn({ ...snapshot, nodes })
    expect(room.find(asking(podOf('lab', { cpuMilli: 1 })))).toBeUndefined()
    expect(nodeOf(room.find(asking(podOf('lab'))))).toBe('a')
  })
  test('of a shared GPU belongs to one namespace: the one that is there, or the first that comes', () => {
    const held = roomIn(draw`a  T4  [1/3 lab/x] [1/3 -] [1/3 -]`)
    expect(taken(held, podOf('web'))).toBeUndefined()
    expect(taken(held, podOf('lab'))).toBeDefined()
    const free = roomIn(draw`a  T4  [1/3 -] [1/3 -] [1/3 -]`)
    const pod = podOf('web')
    const first = taken(free, pod)
    expect(first).toBeDefined()
    expect(taken(free, podOf('lab'))).toBeUndefined()
    expect(taken(free, podOf('web'))).toBeDefined()
  })
  test('of several kinds is on one node, and its CPU is taken once', () => {
    const snapshot = draw`
      a  A100-SXM4-80GB  cpu=4  [3g.40gb -] [2g.20gb lab/x]
      b  A100-SXM4-80GB  cpu=4  [3g.40gb lab/y] [2g.20gb -] [2g.20gb -]
      c  A100-SXM4-80GB  cpu=4  [3g.40gb -] [2g.20gb -]`
    const requests = ['3g.40gb', '2g.20gb'].map((profile) => ({ resource: `nvidia.com/mig-${profile}`, count: 1 }))
    const room = roomIn(snapshot)
    const pod = { ...podOf('lab', { cpuMilli: 3000 }), requests }
    const found = room.find({ pod })
    expect(found?.map(({ node }) => node.name)).toEqual(['c', 'c'])
    expect(
      room.find({ pod, requests: [{ resource: 'nvidia.com/mig-2g.20gb', count: 2 }] })?.map(({ node }) => node.name),
    ).toEqual(['b', 'b'])
    room.take(found ?? [], pod)
    const node = found?.[0]?.node ?? snapshot.nodes[0]
    if (node === undefined) throw new Error('nothing is drawn')
    expect(room.noHostFor(podOf('lab', { cpuMilli: 1000 }), node)).toBeUndefined()
    expect(room.noHostFor(podOf('lab', { cpuMilli: 1001 }), node)).toBe('too little CPU is free there')
    room.give(found ?? [], pod)
    expect(room.find({ pod })).toEqual(found)
  })
  test('and give back leaves all as it was, in any order', () => {
    const steps = fc.array(
      fc.record({ namespace: fc.constantFrom('lab', 'web'), cores: fc.integer({ min: 0, max: 3 }) }),
    )
    fc.assert(
      fc.property(steps, (asked) => {
        const snapshot = draw`
          a  T4  cpu=6  [-]
          b  T4  cpu=6  [1/2 -] [1/2 -]
          c  T4  cpu=2  [-]`
        const room = roomIn(snapshot)
        const firstFor = (namespace: string) => room.find(asking(podOf(namespace)))?.[0]?.partition.id
        const before = ['lab', 'web'].map(firstFor)
        const held: (readonly [FreePartition, Pod])[] = []
        for (const { namespace, cores } of asked) {
          const pod = podOf(namespace, { cpuMilli: cores * 1000 })
          const found = taken(room, pod)
          if (found !== undefined) held.push([found, pod])
        }
        expect(new Set(held.map(([{ partition }]) => partition.id)).size).toBe(held.length)
        for (const [found, pod] of held.toReversed()) room.give([found], pod)
        expect(['lab', 'web'].map(firstFor)).toEqual(before)
        expect(room.offered(GPU)).toHaveLength(4)
      }),
    )
  })
})
