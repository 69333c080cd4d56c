import { describe, expect, test } from 'vitest'

import { draw } from '../cluster/draw.fixture.ts'
import type { Gpu, GpuNode } from '../cluster/node.ts'
import { instant } from '../units.ts'
import { servedByDra } from '../plan/steps/drawn-wishes.fixture.ts'
import { roomOnGpu } from './gpu-room.ts'

type Change = { readonly node?: Partial<GpuNode>; readonly gpu?: Partial<Gpu>; readonly dra?: true }

/** What the first GPU of a drawn node says to one more 3g.40gb. */
function said(drawn: string, change: Change = {}, profile = '3g.40gb') {
  const snapshot = change.dra === true ? servedByDra(draw`${drawn}`) : draw`${drawn}`
  const [node] = snapshot.nodes
  const [gpu] = node?.gpus ?? []
  if (node === undefined || gpu === undefined) throw new Error('nothing is drawn')
  const holders = Map.groupBy(snapshot.allocations, ({ partition }) => partition)
  const changed = { ...gpu, ...change.gpu }
  const gpus = node.gpus.map((each) => (each === gpu ? changed : each))
  return roomOnGpu(changed, { ...node, gpus, ...change.node }, { profile, holders })
}
const CUT = 'a  A100-SXM4-80GB  [3g.40gb -] [3g.40gb lab/x]'
const fault = { code: 'gpu-fault', message: 'XID 79', object: 'gpu' }
const mig = (more: Partial<GpuNode['mig']>) =>
  ({ mig: { strategy: 'mixed', config: undefined, state: undefined, ...more } }) as const

describe('a GPU that is not asked', () => {
  test.for<[string, Change]>([
    ['its node is not ready', { node: { ready: false } }],
    ['its node is cordoned', { node: { schedulable: false } }],
    ['a MIG change of its node is under way', { node: mig({ state: 'pending' }) }],
    ['a MIG change of its node is under way', { node: mig({ state: 'rebooting' }) }],
    [
      'its node has MIG strategy single: pods ask for its devices as nvidia.com/gpu',
      { node: mig({ strategy: 'single' }) },
    ],
    ['the GPU has a fault', { gpu: { fault } }],
    ['whether the GPU is used is unknown', { gpu: { stuck: true } }],
    ['something uses the GPU that no pod is known to hold', { gpu: { unrequestedSince: instant(0) } }],
    ['the catalog does not know its board', { gpu: { model: undefined } }],
    ['T4 has no MIG', { gpu: { model: 'T4' } }],
    ['A30 has no profile 3g.40gb', { gpu: { model: 'A30' } }],
  ])('%s', ([because, change]) => {
    expect(said(CUT, change)).toEqual({ kind: 'refused', because })
  })
  test('whose board was never published is left to its node', () => {
    expect(said(CUT, { gpu: { model: 'RTX-PRO-5000-Blackwell' } })).toEqual({
      kind: 'refused',
      because:
        'RTX-PRO-5000-Blackwell supports MIG, but its placements are not published: ask the node which profiles fit',
    })
  })
  test('is shared by time', () => {
    expect(said('a  A100-SXM4-80GB  [1/2 lab/x] [1/2 -]')).toEqual({
      kind: 'refused',
      because: 'shared by time, not by MIG',
    })
  })
  test('holds what cannot be on its board together', () => {
    expect(said('a  A100-SXM4-80GB  [4g.40gb -] [4g.40gb -]')).toEqual({
      kind: 'refused',
      because: 'its MIG layout is unknown',
    })
  })
})

describe('room by mig-manager', () => {
  test('is an instance that is there, however many nobody holds', () => {
    expect(said(CUT)).toEqual({ kind: 'room', now: 1, starts: [0], recut: 0, replaces: 0 })
  })
  test('is what cutting the whole GPU again gives while nobody holds any of it', () => {
    expect(said('a  A100-SXM4-80GB  [1g.10gb -] [2g.20gb -]')).toMatchObject({ now: 0, recut: 2, replaces: 2 })
  })
  test('of a GPU that is not in MIG mode is that of an empty one', () => {
    expect(said('a  A100-SXM4-80GB  [-]')).toMatchObject({ kind: 'room', now: 0, recut: 2, replaces: 0 })
  })
  test('is nothing while one holds it', () => {
    expect(said('a  A100-SXM4-80GB  [1g.10gb lab/x] [2g.20gb -]')).toEqual({
      kind: 'blocked',
      because: 'not partitioned into 3g.40gb; mig-manager must repartition this GPU first',
      inTheWay: [
        {
          partition: 'GPU-a-0/gi-1',
          instance: { profile: '1g.10gb', placement: { start: 2, size: 1 } },
          workload: 'lab/Pod/x',
        },
      ],
      cutAnew: true,
    })
  })
  test('is that of the holder of the same profile, who need only give it back', () => {
    expect(said('a  A100-SXM4-80GB  [3g.40gb lab/x] [1g.10gb lab/y]')).toMatchObject({
      kind: 'blocked',
      because: 'its only 3g.40gb instance is in use',
      inTheWay: [{ partition: 'GPU-a-0/gi-1' }],
      cutAnew: false,
    })
    expect(said('a  A100-SXM4-80GB  [3g.40gb lab/x] [3g.40gb lab/y]')).toMatchObject({
      because: 'all 2 3g.40gb instances are in use',
    })
  })
  test('is nothing while a pod holds the whole GPU', () => {
    expect(said('a  A100-SXM4-80GB  [lab/x]')).toEqual({
      kind: 'blocked',
      because: 'one pod holds the whole GPU',
      inTheWay: [{ partition: 'GPU-a-0', instance: undefined, workload: 'lab/Pod/x' }],
      cutAnew: true,
    })
  })
  test.for<[string, string, Change]>([
    [
      'the node runs with MIG strategy none, which advertises no MIG device',
      'a  A100-SXM4-80GB  [-]',
      { node: mig({ strategy: 'none' }) },
    ],
    ['the last MIG change of its node failed', 'a  A100-SXM4-80GB  [-]', { node: mig({ state: 'failed' }) }],
    [
      'its node withholds devices, or has not said what came of its MIG change or which GPUs are in MIG mode',
      'a  A100-SXM4-80GB  [-]',
      { node: mig({ config: 'all-balanced' }) },
    ],
  ])('is refused where %s', ([because, drawn, change]) => {
    expect(said(drawn, change)).toEqual({ kind: 'refused', because })
  })
  test('of a node whose last MIG change failed is what was there before', () => {
    expect(said(CUT, { node: mig({ state: 'failed' }) })).toMatchObject({ kind: 'room', now: 1, recut: 0 })
  })
  test('is not made on a node where another GPU has a fault, as mig-manager changes it as one', () => {
    const snapshot = draw`
      a  A100-SXM4-80GB  [-]
      a  A100-SXM4-80GB  [-]`
    const [node] = snapshot.nodes
    const [gpu, other] = node?.gpus ?? []
    if (node === undefined || gpu === undefined || other === undefined) throw new Error('nothing is drawn')
    const broken = { ...node, gpus: [gpu, { ...other, fault }] }
    expect(roomOnGpu(gpu, broken, { profile: '3g.40gb', holders: new Map() })).toEqual({
      kind: 'refused',
      because: 'mig-manager changes a node as one, and another GPU of it has a fault',
    })
  })
})

describe('room by a DRA driver', () => {
  test('is made beside what is held, and in place of what is not', () => {
    expect(said('a  A100-SXM4-80GB  [3g.40gb lab/x]', { dra: true }, '3g.40gb')).toMatchObject({ now: 1, recut: 0 })
    expect(said('a  A100-SXM4-80GB  [3g.40gb lab/x] [1g.10gb -]', { dra: true }, '3g.40gb')).toMatchObject({
      now: 0,
      recut: 1,
      replaces: 1,
    })
  })
  test('is blocked by the fewest that lie where it would', () => {
    const drawn = 'a  A100-SXM4-80GB  [1g.10gb lab/x] [1g.10gb lab/y] [3g.40gb lab/z]'
    const { inTheWay = [], ...answer } = { inTheWay: undefined, ...said(drawn, { dra: true }, '4g.40gb') }
    expect(answer).toEqual({ kind: 'blocked', because: '4g.40gb needs 4 memory slices, 2 free', cutAnew: true })
    expect(inTheWay.map(({ workload }) => workload)).toEqual(['lab/Pod/x', 'lab/Pod/y'])
  })
  test('is nothing while a pod holds the whole GPU', () => {
    expect(said('a  A100-SXM4-80GB  [lab/x]', { dra: true }, '3g.40gb')).toMatchObject({
      kind: 'blocked',
      because: 'one pod holds the whole GPU',
    })
  })
})
