import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import type { GpuNode } from '../../cluster/node.ts'
import { CORDON_TAINT } from '../../cluster/scheduling.ts'
import type { KeepFree } from '../../plan/words/action.ts'
import { HOUR_MS, instant } from '../../units.ts'
import type { LiveObject } from '../cluster-writer.ts'
import { decided, type LiveCluster } from './decide.fixture.ts'
import { gapInSnapshot, latestOf, lookAtFence } from './fence-look.ts'

const KEPT: KeepFree = {
  kind: 'keep-free',
  nodes: [{ node: 'a', gpus: 8 }],
  at: instant(0),
  until: instant(HOUR_MS),
}

type Seen = {
  readonly ready?: 'True' | 'False'
  readonly isClosed?: boolean
  readonly offers?: Readonly<Record<string, string>>
  readonly strategy?: string
}

/** A node as the API tells it: ready, closed and with eight GPUs unless said otherwise. */
const node = ({
  ready = 'True',
  isClosed = true,
  offers = { 'nvidia.com/gpu': '8' },
  strategy = 'mixed',
}: Seen = {}): LiveObject => ({
  metadata: { labels: { 'nvidia.com/mig.strategy': strategy } },
  spec: isClosed ? { unschedulable: true } : {},
  status: { allocatable: offers, conditions: [{ type: 'Ready', status: ready }] },
})

type Holds = {
  readonly namespace?: string
  readonly resource?: string
  readonly at?: string
  readonly phase?: string
  readonly tolerates?: string
}

const pod = (
  name: string,
  count: number,
  {
    namespace = 'lab',
    resource = 'nvidia.com/gpu',
    at = '2026-11-01T00:00:00Z',
    phase = 'Running',
    tolerates,
  }: Holds = {},
): LiveObject => ({
  metadata: { namespace, name, creationTimestamp: at },
  spec: {
    containers: [{ resources: { limits: { [resource]: String(count) } } }, { resources: {} }],
    ...(tolerates === undefined ? {} : { tolerations: [{ key: tolerates, operator: 'Exists' }] }),
  },
  status: { phase },
})

const look = (cluster: LiveCluster, kept: Partial<KeepFree> = {}, isFree = true) =>
  decided(lookAtFence({ ...KEPT, ...kept }, { isFree }), cluster)

describe('what an appointment keeps, as the API server tells it', () => {
  test('is whole on a ready, closed node that offers it and that nobody else holds', () => {
    expect(look({ nodes: [node()] })).toBeUndefined()
  })

  test.for<readonly [string, readonly LiveObject[], number, string]>([
    ['the node is gone', [], 8, 'a is no longer in the cluster.'],
    ['the node is not ready', [node({ ready: 'False' })], 8, 'a is not ready.'],
    ['it offers fewer', [node({ offers: { 'nvidia.com/gpu': '5' } })], 3, 'a has 5 of 8 free: it offers 5 GPUs.'],
    ['it offers none', [node({ offers: {} })], 8, 'a has 0 of 8 free: it offers 0 GPUs.'],
    ['somebody opened it', [node({ isClosed: false })], 0, 'a accepts any pod: someone uncordoned it.'],
  ])('is short where %s', ([, nodes, missing, because]) => {
    expect(look({ nodes })).toEqual({ missing, because })
  })

  test('is short by what others hold, who are told from the last that came', () => {
    const pods = [
      pod('old', 2, { at: '2026-11-01T00:00:00Z' }),
      pod('late', 2, { at: '2026-11-03T00:00:00Z' }),
      pod('later', 1, { at: '2026-11-04T00:00:00Z' }),
    ]
    const nodes = [node({ offers: { 'nvidia.com/gpu': '10' } })]
    expect(look({ nodes, pods })).toEqual({
      missing: 3,
      because: 'a has 5 of 8 free: lab/later, lab/late hold GPUs there.',
    })
    expect(look({ nodes, pods: [pod('one', 4)] })?.because).toBe('a has 6 of 8 free: lab/one holds GPUs there.')
  })

  test('asks who holds it only when it has to be free: until then their time is not over', () => {
    expect(look({ nodes: [node()], pods: [pod('one', 8)] }, {}, false)).toBeUndefined()
  })

  test('is not short by what has ended, holds nothing, or is what it is kept for', () => {
    const pods = [
      pod('ended', 4, { phase: 'Succeeded' }),
      pod('broken', 4, { phase: 'Failed' }),
      pod('cpu-only', 8, { resource: 'cpu' }),
      pod('theirs', 8, { tolerates: CORDON_TAINT }),
    ]
    expect(look({ nodes: [node()], pods })).toBeUndefined()
    expect(look({ nodes: [node()], pods }, { namespace: 'lab' })).toBeUndefined()
  })

  test('is short by pods of another namespace, also where they tolerate a closed node, as DaemonSets do', () => {
    const pods = [pod('agent', 1, { namespace: 'ops', tolerates: CORDON_TAINT })]
    expect(look({ nodes: [node()], pods }, { namespace: 'lab' })).toMatchObject({ missing: 1 })
    expect(look({ nodes: [node()], pods })).toBeUndefined()
  })

  test('is counted in MIG devices by the name under which the node offers them', () => {
    const kept = { profile: '3g.40gb', nodes: [{ node: 'a', gpus: 2 }] }
    const mixed = node({ offers: { 'nvidia.com/mig-3g.40gb': '2' } })
    const single = node({ offers: { 'nvidia.com/gpu': '2' }, strategy: 'single' })
    expect(look({ nodes: [mixed] }, kept)).toBeUndefined()
    expect(look({ nodes: [single] }, kept)).toBeUndefined()
    const pods = [pod('one', 1, { resource: 'nvidia.com/mig-3g.40gb' })]
    expect(look({ nodes: [mixed], pods }, kept)).toMatchObject({ missing: 1 })
    expect(look({ nodes: [single], pods }, kept)).toBeUndefined()
    expect(look({ nodes: [node()] }, kept)?.because).toBe('a has 0 of 2 free: it offers 0 × 3g.40gb.')
  })

  test('of several nodes is short by the sum, with a sentence for each that lacks something', () => {
    const nodes = ['a', 'b', 'c'].map((name) => ({ node: name, gpus: 8 }))
    const cluster = { 'nodes/a': [node({ ready: 'False' })], 'nodes/b': [node()], 'nodes/c': [] }
    expect(look(cluster, { nodes })).toEqual({
      missing: 16,
      because: 'a is not ready. c is no longer in the cluster.',
    })
  })
})

const HOLDERS = fc.array(fc.record({ held: fc.integer({ min: 1, max: 8 }), since: fc.integer({ min: 0, max: 5 }) }), {
  maxLength: 8,
})

test('as few are named as together hold what is missing, and nobody before one who came later', () => {
  fc.assert(
    fc.property(HOLDERS, fc.integer({ min: 1, max: 20 }), (drawn, missing) => {
      const holders = drawn.map((each, order) => ({ ...each, pod: `lab/${order}` }))
      const named = new Set(latestOf(holders, missing))
      const held = (pods: ReadonlySet<string>): number =>
        holders.reduce((sum, each) => sum + (pods.has(each.pod) ? each.held : 0), 0)
      const all = holders.reduce((sum, each) => sum + each.held, 0)
      expect(held(named)).toBeGreaterThanOrEqual(Math.min(missing, all))
      const last = latestOf(holders, missing).at(-1) ?? ''
      expect(held(new Set([...named].filter((name) => name !== last)))).toBeLessThan(missing)
      const left = holders.filter((each) => !named.has(each.pod)).map(({ since }) => since)
      const first = Math.min(Infinity, ...holders.filter((each) => named.has(each.pod)).map(({ since }) => since))
      expect(Math.max(-Infinity, ...left)).toBeLessThanOrEqual(first)
    }),
  )
})

const PICTURE = draw`
  a  A100-SXM4-80GB  [-]
  a  A100-SXM4-80GB  [lab/train]
  a  A100-SXM4-80GB  [3g.40gb -] [3g.40gb lab/chat]`

const inPicture = (kept: Partial<KeepFree>, change: (each: GpuNode) => GpuNode = (each) => each) =>
  gapInSnapshot({ ...KEPT, ...kept }, { nodes: PICTURE.nodes.map(change) })

describe('what an appointment keeps, as exporters tell it', () => {
  test('is whole where enough GPUs are sound and cut as it needs them, held or not', () => {
    expect(inPicture({ nodes: [{ node: 'a', gpus: 2 }] })).toBeUndefined()
    expect(inPicture({ nodes: [{ node: 'a', gpus: 2 }], profile: '3g.40gb' })).toBeUndefined()
  })

  test('is short where the others are cut otherwise', () => {
    expect(inPicture({ nodes: [{ node: 'a', gpus: 3 }] })).toEqual({
      missing: 1,
      because: 'a has 2 of 3 GPUs healthy and partitioned as needed. The others are partitioned or shared differently.',
    })
    expect(inPicture({ nodes: [{ node: 'a', gpus: 3 }], profile: '3g.40gb' })?.because).toContain(
      'a has 2 of 3 × 3g.40gb healthy',
    )
    expect(inPicture({ nodes: [{ node: 'a', gpus: 1 }], model: 'H100' })).toMatchObject({ missing: 1 })
  })

  test('is short by a GPU that is broken, in the words of its fault', () => {
    const message = 'GPU GPU-a-0 on a reported XID 79: it fell off the bus.'
    const broken = (each: GpuNode): GpuNode => ({
      ...each,
      gpus: each.gpus.map((gpu, order) =>
        order === 0 ? { ...gpu, fault: { code: 'gpu-lost', message, object: `gpu/${gpu.id}` } } : gpu,
      ),
    })
    expect(inPicture({ nodes: [{ node: 'a', gpus: 2 }] }, broken)).toEqual({
      missing: 1,
      because: `a has 1 of 2 GPUs healthy and partitioned as needed. ${message}`,
    })
  })

  test('says nothing of a node that it does not show: the API server tells of that', () => {
    expect(inPicture({ nodes: [{ node: 'gone', gpus: 8 }] })).toBeUndefined()
  })
})
