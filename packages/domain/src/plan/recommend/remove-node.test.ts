import { expect, test } from 'vitest'
import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { usdPerGpuHour } from '../../units.ts'
import { asking, sourcesOf, waitingFor, withPods } from './drawn-past.fixture.ts'
import { recommend } from './recommend.ts'

const removed = (snapshot: ClusterSnapshot, unallocated: Record<string, number>, hours = 168) =>
  recommend(sourcesOf(snapshot, { unallocated, hours })).recommendations.filter(({ kind }) => kind === 'remove-node')

const spare = asking(draw`
  node-a  T4  [-]
  node-a  T4  [-]
  node-b  T4  [lab/a]`)

test('a node that nobody held for a week goes, and the bill with it', () => {
  expect(removed(spare, { 'node-a': 1, 'node-b': 0 })).toMatchObject([
    {
      object: 'node/node-a',
      title: 'Remove node-a and its 2 GPUs',
      message:
        'Over 7 days 100% of it was unallocated, and no waiting work could use it. No work with a GPU runs on it.',
      saving: { kind: 'estimated', effect: 'bill-reduced', gpuHoursPerMonth: 1460, usdPerMonth: 730 },
      risk: { level: 'low', displaced: [], confidence: 168 / 192 },
      evidence: { coverage: 1, figures: { 'ready nodes of its kind left in the pool': 1 } },
      plan: { bound: 'No GPU workload moves: no plan can do better.' },
    },
  ])
})

test('of nodes that are down it is the last that is ready, not the last', () => {
  const down = asking(draw`
    node-a  T4        [-]
    node-b  T4  down  [-]`)
  expect(removed(down, { 'node-a': 1 })[0]?.message).toContain('It is the last ready node of its kind in its pool.')
})

test('of two that would empty a pool together, the second says so', () => {
  const empty = asking(draw`
    node-a  T4  [-]
    node-b  T4  [-]`)
  const found = removed(empty, { 'node-a': 1, 'node-b': 1 })
  const left = found.map(({ evidence: { figures } }) => figures['ready nodes of its kind left in the pool'])
  expect(left).toEqual([1, 0])
  expect(found.map(({ message }) => message.replace(/^.*runs on it\./u, ''))).toEqual([
    '',
    ' With node-a removed too, it is the last ready node of its kind in its pool.',
  ])
})

test('a short past says nothing, and one with holes says how much of the window it covers', () => {
  expect(removed(spare, { 'node-a': 1 }, 23)).toEqual([])
  expect(removed(spare, { 'node-a': 1 }, 84)[0]?.evidence).toMatchObject({ coverage: 0.5, samples: 84 })
})

test('its pods move to the same GPU model only, each partition and each core given out once', () => {
  const moving = asking(draw`
    node-a  T4  cpu=8               [lab/a]
    node-a  T4                      [lab/b]
    node-a  T4                      [-]
    node-a  T4                      [-]
    node-b  A100-SXM4-40GB          [-]
    node-b  A100-SXM4-40GB          [-]
    node-c  T4  cpu=8               [-]
    node-c  T4                      [-]
    node-c  T4                      [lab/c]`)
  const withCpu = (a: number, b: number) =>
    withPods(moving, ({ id, scheduling }) => ({
      scheduling: { ...scheduling, cpuMilli: { 'lab/a': a, 'lab/b': b }[id] ?? 0 },
    }))
  const [found] = removed(withCpu(3000, 5000), { 'node-a': 0.6 })
  expect(found?.plan.moves).toMatchObject([
    { pod: 'lab/a', to: { gpu: 'GPU-node-c-0' } },
    { pod: 'lab/b', to: { gpu: 'GPU-node-c-1' } },
  ])
  expect(found?.message).toContain('Its 2 pods fit on other nodes now.')
  expect(removed(withCpu(4000, 5000), { 'node-a': 0.6 })).toEqual([])
  const without = { ...moving, nodes: moving.nodes.filter(({ name }) => name !== 'node-c') }
  expect(removed({ ...without, pods: without.pods.filter(({ id }) => id !== 'lab/c') }, { 'node-a': 0.6 })).toEqual([])
})

test('a guarded node does not keep the next one of its pool from going', () => {
  const pool = asking(draw`
    node-a@p  T4  [lab/a]
    node-a@p  T4  [-]
    node-b@p  T4  [lab/b]
    node-b@p  T4  [-]
    node-c@p  T4  [lab/c]
    node-c@p  T4  [-]
    node-d@p  T4  [-]
    node-d@p  T4  [lab/d]
    node-d@p  T4  [lab/e]`)
  const all = { 'node-a': 0.6, 'node-b': 0.6, 'node-c': 0.6, 'node-d': 0.1 }
  const guarded = { ...pool, budgets: [{ id: 'lab/b', pods: ['lab/a', 'lab/b'], allowed: 0 }] }
  expect(removed(guarded, all).map(({ object }) => object)).toEqual(['node/node-c'])
  const kept = withPods(guarded, ({ scheduling }) => ({ scheduling: { ...scheduling, unread: ['podAntiAffinity'] } }))
  expect(removed(kept, all)).toEqual([])
})

const waits = (line: string, taint = '') =>
  removed(
    waitingFor(
      draw`
    node-a  H100-80GB-HBM3  ${taint} [-]
    node-b  H100-80GB-HBM3           [lab/a]
    ?       ${line}`,
      2,
    ),
    { 'node-a': 1 },
  ).length

test('not while waiting work could use it, as it is or cut again; a taint or selector keeps that work away', () => {
  expect(waits('lab/w gpu')).toBe(0)
  expect(waits('lab/w 3g.40gb')).toBe(0)
  expect(waits('lab/w gpu ×8')).toBe(1)
  expect(waits('lab/w gpu zone=z')).toBe(1)
  expect(waits('lab/w gpu', '!own:NoSchedule')).toBe(1)
  expect(waits('lab/w 1g.5gb')).toBe(1)
})

test('not while a queue holds back work that has no pods yet', () => {
  const [workload] = draw`? lab/w gpu`.workloads
  const snapshot = { ...spare, workloads: [...spare.workloads, ...(workload === undefined ? [] : [workload])] }
  expect(removed(snapshot, { 'node-a': 1 })).toEqual([])
})

const nodes = (change: object) => ({
  ...spare,
  nodes: spare.nodes.map((node) => (node.name === 'node-a' ? { ...node, ...change } : node)),
})

test('not a node that was free but is not now, is cordoned, changes, has a fault or is down', () => {
  const used = asking(draw`
    node-a  T4  [lab/a]
    node-a  T4  [lab/b]
    node-b  T4  [-]
    node-b  T4  [-]
    node-b  T4  [lab/c]`)
  expect(removed(used, { 'node-a': 0.9 })).toEqual([])
  const fault = { code: 'gpu-fault', message: 'XID 79.', object: 'gpu/x' }
  for (const change of [
    { schedulable: false },
    { ready: false },
    { mig: { strategy: 'mixed', config: 'x', state: 'pending' } },
    { gpus: spare.nodes[0]?.gpus.map((gpu) => ({ ...gpu, fault })) },
    { problems: [{ code: 'label-contradicts-devices', message: '', object: '' }] },
  ]) {
    expect(removed(nodes(change), { 'node-a': 1 })).toEqual([])
  }
})

test('not a node that is paid for whether it runs or not: reserved by its label, or priced as hardware of one’s own', () => {
  const labels = (capacity: string) => ({ ...spare.nodes[0]?.room.labels, 'karpenter.sh/capacity-type': capacity })
  const as = (capacity: string) => nodes({ room: { ...spare.nodes[0]?.room, labels: labels(capacity) } })
  expect(removed(as('on-demand'), { 'node-a': 1 })).toHaveLength(1)
  expect(removed(as('reserved'), { 'node-a': 1 })).toEqual([])
  const own = recommend({
    ...sourcesOf(spare, { unallocated: { 'node-a': 1 } }),
    prices: [
      {
        id: 'own',
        cluster: undefined,
        pool: undefined,
        model: 'T4',
        capacity: 'owned',
        price: usdPerGpuHour(0.2),
        source: 'our servers',
        asOf: spare.takenAt,
        origin: 'operator',
      },
    ],
  })
  expect(own.recommendations.filter(({ kind }) => kind === 'remove-node')).toEqual([])
})
