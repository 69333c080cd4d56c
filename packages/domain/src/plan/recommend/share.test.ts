import { expect, test } from 'vitest'
import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { asking, owned, past, sourcesOf, withPods, type Doing } from './drawn-past.fixture.ts'
import { recommend } from './recommend.ts'

const four = asking(draw`
  node-a  T4  [lab/a]
  node-a  T4  [lab/b]
  node-a  T4  [lab/c]
  node-a  T4  [lab/d]`)

type DoingOf = (pod: string, ago: number) => Doing | undefined

const advice = (snapshot: ClusterSnapshot, doing: DoingOf, hours = 168) =>
  recommend(
    sourcesOf(snapshot, {
      rows: snapshot.pods.flatMap(({ id }) => past(snapshot, id, { hours, doing: (ago) => doing(id, ago) })),
    }),
  )
const shared = (...of: Parameters<typeof advice>) =>
  advice(...of).recommendations.filter(({ kind }) => kind === 'share')
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

/** Two pods at 12 % and 4 GB each, on a node that only its own team's pods tolerate. */
const tainted = withPods(
  asking(draw`
    node-a  L40S  cpu=32 memory=128 !team:NoSchedule  [lab/a]
    node-a  L40S  [lab/b]`),
  ({ scheduling }) => ({
    scheduling: { ...scheduling, tolerations: [{ key: 'team', operator: 'Exists', value: '', effect: '' }] },
  }),
)
const quiet: Doing = { busy: 0.12, memory: 4096 }

test('two light pods of a tainted L40S may share one, with a taint and with Jobs that hold them', () => {
  const title = "Share the GPUs of node-a among lab's pods, 2 to a GPU"
  expect(shared(tainted, () => quiet)).toMatchObject([{ title }])
  const jobs = ['a', 'b'].reduce((all, name) => owned(all, [`lab/${name}`], { kind: 'Job', name }), tainted)
  expect(shared(jobs, () => quiet)).toMatchObject([{ title }])
  expect(advice(tainted, () => quiet).unshared).toEqual([])
})

test.for<[string, ClusterSnapshot, DoingOf, string, string]>([
  [
    'have no controller',
    withPods(tainted, ({ scheduling }) => ({ scheduling: { ...scheduling, managed: false } })),
    () => quiet,
    'guardrail',
    'lab/a has no controller: once stopped, it is not recreated. Stop it yourself, or list it among the pods that may be lost.',
  ],
  [
    'would not come back to it',
    withPods(tainted, ({ scheduling }) => ({ scheduling: { ...scheduling, tolerations: [] } })),
    () => quiet,
    'guardrail',
    'Kubernetes’ scheduler would leave lab/a, lab/b waiting: it starts pods on the least allocated nodes, and then no room is left for them.',
  ],
  [
    'are new',
    tainted,
    (_, ago) => (ago > 5 ? undefined : quiet),
    'not-measured',
    'lab/a was measured for 5 hours of the 24 that tell.',
  ],
  [
    'were measured with gaps',
    tainted,
    (_, ago) => (ago % 4 === 0 ? undefined : quiet),
    'not-measured',
    'only 75% of the time since lab/a was first seen is measured.',
  ],
  [
    'are too busy together',
    tainted,
    () => ({ ...quiet, busy: 0.5 }),
    'needs-size',
    'two pods on one GPU could need 18% of its memory and 100% of its compute; at most 90% and 65% are planned.',
  ],
])('pods of boards without MIG that %s are told why they do not share', ([, cluster, doing, reason, because]) => {
  expect(advice(cluster, doing)).toMatchObject({
    recommendations: [],
    unshared: ['lab/Pod/a', 'lab/Pod/b'].map((workload) => ({
      workload,
      reason,
      because: `Sharing its GPU: ${because}`,
    })),
  })
})

const reasons = (cluster: ClusterSnapshot) => advice(cluster, () => quiet).unshared.map(({ because }) => because)

test('and so are pods beside another namespace, and one that is alone; where a board has MIG, right-size tells', () => {
  const beside = asking(draw`
    node-a  L40S  [lab/a]
    node-a  L40S  [web/b]`)
  const apart = 'pods of several namespaces hold GPUs of its node, and shared GPUs have no isolation.'
  expect(reasons(beside)).toEqual([`Sharing its GPU: ${apart}`, `Sharing its GPU: ${apart}`])
  const alone = asking(draw`node-a  L40S  [lab/a]`)
  expect(reasons(alone)).toEqual(['Sharing its GPU: no other pod holds a GPU of its node.'])
  expect(reasons(asking(draw`node-a  A30  [lab/a]`))).toEqual([])
})
