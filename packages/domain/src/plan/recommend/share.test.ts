import { expect, test } from 'vitest'
import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { asking, past, sourcesOf, withPods, type Doing } from './drawn-past.fixture.ts'
import { recommend } from './recommend.ts'

const four = asking(draw`
  node-a  T4  [lab/a]
  node-a  T4  [lab/b]
  node-a  T4  [lab/c]
  node-a  T4  [lab/d]`)

const shared = (snapshot: ClusterSnapshot, doing: (pod: string, ago: number) => Doing | undefined, hours = 168) =>
  recommend(
    sourcesOf(snapshot, {
      rows: snapshot.pods.flatMap(({ id }) => past(snapshot, id, { hours, doing: (ago) => doing(id, ago) })),
    }),
  ).recommendations.filter(({ kind }) => kind === 'share')
const light: Doing = { busy: 0.15, memory: 3000 }

const always = (): Doing => light

test('pods of one namespace that use their GPUs in part may share them, with no saving promised', () => {
  const [found] = shared(four, () => light)
  expect(found).toMatchObject({
    object: 'node/node-a',
    title: "Share the GPUs of node-a among lab's pods, 4 to a GPU",
    message: expect.stringContaining('1 GPU would do for them; 3 would be free'),
    saving: {
      kind: 'none',
      brings: expect.stringMatching(/^frees \d+ GPUs?$/u),
      because: expect.stringContaining('slow one another down'),
    },
    evidence: { coverage: 1, samples: 4 * 168, figures: { pods: 4, 'mean busy of a GPU, %': 15 } },
    risk: { displaced: ['lab/a', 'lab/b', 'lab/c', 'lab/d'] },
  })
  expect(found?.plan.steps.at(-1)?.action).toEqual({ kind: 'uncordon', node: 'node-a' })
})

test('the hungriest pods together stay within memory and compute', () => {
  expect(shared(four, () => ({ busy: 0.3, memory: 3000 }))[0]?.title).toContain('2 to a GPU')
  expect(shared(four, () => ({ busy: 0.1, memory: 5000 }))[0]?.title).toContain('2 to a GPU')
  expect(shared(four, () => ({ busy: 0.4, memory: 3000 }))).toEqual([])
  expect(shared(four, () => ({ busy: 0.1, memory: 9000 }))).toEqual([])
})

test('says nothing where one pod is too new, unmeasured, or measured with gaps', () => {
  expect(shared(four, (pod, ago) => (pod === 'lab/b' && ago > 20 ? undefined : light))).toEqual([])
  expect(shared(four, (pod) => (pod === 'lab/b' ? { ...light, measured: 0, reason: 'stuck-at-zero' } : light))).toEqual(
    [],
  )
  expect(shared(four, (_, ago) => (ago % 4 === 0 ? undefined : light))).toEqual([])
  expect(shared(four, (_, ago) => ({ ...light, measured: ago % 4 === 0 ? 0 : 1 }))).toEqual([])
  expect(shared(four, (_, ago) => (ago < 40 ? undefined : light))).toEqual([])
})

test('not with other namespaces, without a controller, guarded, on boards with MIG, or on unsound nodes', () => {
  expect(
    shared(
      asking(draw`
    node-a  T4  [lab/a]
    node-a  T4  [lab/b]
    node-a  T4  [web/c]`),
      always,
    ),
  ).toEqual([])
  expect(
    shared(
      asking(draw`
    node-a  A100-SXM4-40GB  [lab/a]
    node-a  A100-SXM4-40GB  [lab/b]`),
      always,
    ),
  ).toEqual([])
  for (const change of [{ managed: false }, { evictable: false }]) {
    const held = withPods(four, ({ id, scheduling }) =>
      id === 'lab/a' ? { scheduling: { ...scheduling, ...change } } : {},
    )
    expect(shared(held, always)).toEqual([])
  }
  expect(shared({ ...four, budgets: [{ id: 'lab/b', pods: ['lab/a'], allowed: 0 }] }, always)).toEqual([])
  const nodes = (change: object) => ({ ...four, nodes: four.nodes.map((node) => ({ ...node, ...change })) })
  expect(shared(nodes({ ready: false }), always)).toEqual([])
  expect(shared(nodes({ mig: { ...four.nodes[0]?.mig, state: 'failed' } }), always)).toEqual([])
  const [gpu, ...rest] = four.nodes[0]?.gpus ?? []
  const fault = { code: 'gpu-fault', message: 'XID 79.', object: 'gpu/x' }
  expect(shared(nodes({ gpus: [{ ...gpu, fault }, ...rest] }), always)).toEqual([])
})

test('a pod with several GPUs, or one whose GPU nobody knows, keeps the node as it is', () => {
  const several = asking(draw`
    node-a  T4  [lab/a]
    node-a  T4  [lab/a]
    node-a  T4  [lab/b]`)
  expect(shared(several, () => light)).toEqual([])
  const [a] = four.pods
  const extra = a === undefined ? [] : [{ ...a, id: 'lab/e', uid: 'lab/e', name: 'e' }]
  expect(shared({ ...four, pods: [...four.pods, ...extra] }, () => light)).toEqual([])
})
