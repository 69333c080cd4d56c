import { expect, test } from 'vitest'
import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { asking, owned, sourcesOf, waitingFor } from './drawn-past.fixture.ts'
import { recommend } from './recommend.ts'

const cut = (snapshot: ClusterSnapshot, hours = 3) =>
  recommend(sourcesOf(waitingFor(asking(snapshot), hours))).recommendations.filter(({ kind }) => kind === 'repartition')

const simple = draw`
  node-a  H100-80GB-HBM3  [3g.40gb lab/a] [3g.40gb lab/b]
  node-b  H100-80GB-HBM3  [1g.10gb -] [1g.10gb -]
  ?       lab/w  3g.40gb`

test('a GPU that nobody holds is cut again for waiting work, with no saving promised', () => {
  const found = cut(simple)
  expect(found).toMatchObject([
    {
      object: 'node/node-b',
      title: expect.stringMatching(/^Repartition node-b: GPU 0 to \d × /u),
      message:
        'lab/w would start: 1 pod waits for a slice, and the current layout has no room for it. It displaces no pod.',
      saving: {
        kind: 'none',
        brings: expect.stringMatching(/^starts \d+ pods?$/u),
        because: expect.stringContaining('time, not money'),
      },
      risk: { level: 'low', displaced: [], confidence: 0.75 },
      evidence: { samples: 1, figures: { 'pods that start': 1, 'longest wait, h': 3, 'pods displaced': 0 } },
      plan: { bound: 'No pod is displaced: no plan can do better.' },
    },
  ])
  expect(found[0]?.evidence.window.from).toBe(simple.takenAt - 3 * 3_600_000)
})

test('a change of MIG mode is a risk of its own, never low, though nobody is displaced', () => {
  for (const board of ['H100-80GB-HBM3', 'A100-SXM4-80GB']) {
    const [found] = cut(draw`
      node-a  ${board}  [3g.40gb lab/a] [3g.40gb lab/b]
      node-b  ${board}  [-]
      ?       lab/w  3g.40gb`)
    expect(found?.risk).toMatchObject({ level: 'mode-change', displaced: [] })
    expect(found?.plan.steps.map(({ effect }) => effect).join(' ')).toMatch(/MIG mode changes.*the node must restart/u)
  }
})

test('work that waits since minutes, or starts as it is, brings no change', () => {
  expect(cut(simple, 0.1)).toEqual([])
  expect(
    cut(draw`
    node-b  H100-80GB-HBM3  [3g.40gb -]
    ?       lab/w  3g.40gb`),
  ).toEqual([])
})

test('no GPU is cut away from work that starts on it as it is', () => {
  // The scheduler starts lab/v on node-a whoever asked first, so only node-b can be cut for lab/u.
  const found = cut(draw`
    node-a  A100-SXM4-80GB  [-]
    node-b  A100-SXM4-80GB  [1g.10gb -]
    ?       lab/u  3g.40gb
    ?       lab/v  gpu`)
  expect(found.map(({ object, title }) => [object, title])).toEqual([
    ['node/node-b', expect.stringMatching(/^Repartition node-b: GPU 0 to /u)],
  ])
  expect(found[0]?.message).toContain('lab/u would start')
})

const both = (own: (snapshot: ClusterSnapshot) => ClusterSnapshot) =>
  cut(
    own(draw`
    node-a  H100-80GB-HBM3  [1g.10gb -]
    node-b  H100-80GB-HBM3  [1g.10gb -]
    ?       lab/w1  7g.80gb
    ?       lab/w2  7g.80gb`),
  ).map(({ object }) => object)

test('nodes that change for one workload stand in one proposal, others each in their own', () => {
  expect(both((snapshot) => snapshot)).toEqual(expect.arrayContaining(['node/node-a', 'node/node-b']))
  expect(both((snapshot) => owned(snapshot, ['lab/w1', 'lab/w2']))).toEqual(['node/node-a+node-b'])
})

test('a GPU with a fault, a node that is not ready, and a MIG change under way or failed are left alone', () => {
  const fault = { code: 'gpu-fault', message: 'XID 79.', object: 'gpu/x' }
  for (const change of [
    { gpus: simple.nodes[1]?.gpus.map((gpu) => ({ ...gpu, fault })) },
    { ready: false },
    { schedulable: false },
    { mig: { strategy: 'mixed', config: 'x', state: 'pending' } },
    { mig: { strategy: 'mixed', config: 'x', state: 'failed' } },
  ]) {
    const nodes = simple.nodes.map((node) => (node.name === 'node-b' ? { ...node, ...change } : node))
    expect(cut({ ...simple, nodes } as ClusterSnapshot)).toEqual([])
  }
})

test('pods in the way move where there is room for them; guarded ones stay', () => {
  const moving = draw`
    node-a  H100-80GB-HBM3  [1g.10gb lab/a]
    node-b  H100-80GB-HBM3  [1g.10gb -] [1g.10gb lab/b] [3g.40gb lab/c]
    ?       lab/w  7g.80gb`
  expect(cut(moving)).toMatchObject([
    {
      message: expect.stringContaining('It displaces 1 pod, with room kept for each.'),
      risk: { displaced: ['lab/a'], level: 'medium' },
    },
  ])
  expect(cut({ ...moving, budgets: [{ id: 'lab/x', pods: ['lab/a'], allowed: 0 }] })).toEqual([])
})
