import { expect, test } from 'vitest'
import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { owned, sourcesOf, waitingFor } from './drawn-past.fixture.ts'
import { recommend } from './recommend.ts'

const sent = (snapshot: ClusterSnapshot, hours = 2) =>
  recommend(sourcesOf(waitingFor(snapshot, hours))).recommendations.filter(({ kind }) => kind === 'reschedule')

const pinned = draw`
  node-a@one  T4              zone=a  [lab/a]
  node-b@two  T4              zone=b  [-]
  node-c@big  A100-SXM4-80GB  zone=b  [-]
  node-c@big  A100-SXM4-80GB          [-]
  ?           lab/w  gpu  zone=a`

test('work that insists on a full place is sent to the GPU model that it asks for, not merely to the most room', () => {
  expect(sent(pinned)).toMatchObject([
    {
      object: 'workload/lab/Pod/w',
      title: 'Let lab/w run on T4 in pool two',
      message:
        'Its waiting pod would start there at once, but for this: node selector zone=a does not match. Check with its owner that it may run elsewhere.',
      saving: {
        kind: 'none',
        brings: expect.stringMatching(/^starts \d+ pods?$/u),
        because: expect.stringContaining('time, not money'),
      },
      risk: { level: 'low', displaced: [] },
      evidence: { figures: { 'waiting for, h': 2, 'pods that wait': 1 } },
    },
  ])
})

const placed = (one: string, two: string) =>
  sent(draw`
    node-a@full  T4  zone=a  [lab/a]
    node-b@one   T4          [-]
    node-b@one   T4          [${one}]
    node-c@two   T4          [-]
    node-c@two   T4          [${two}]
    ?            lab/w  gpu  zone=a`).map(({ title }) => title)

test('the place stays the same while it has room, however much room comes and goes elsewhere', () => {
  expect([placed('lab/b', '-'), placed('-', 'lab/c'), placed('-', '-')]).toEqual(
    Array.from({ length: 3 }, () => ['Let lab/w run on T4 in pool one']),
  )
})

test('another model comes second, only with as much memory, and with less confidence', () => {
  const without = (name: string, from = pinned) => ({ ...from, nodes: from.nodes.filter((node) => node.name !== name) })
  const [other] = sent(without('node-b'))
  expect(other?.title).toBe('Let lab/w run on A100-SXM4-80GB in pool big')
  expect(other?.risk.confidence).toBeLessThan(sent(pinned)[0]?.risk.confidence ?? 0)
  const wantsBig = draw`
    node-a  A100-SXM4-80GB  zone=a  [lab/a]
    node-b  T4                      [-]
    ?       lab/w  gpu  zone=a`
  expect(sent(wantsBig)).toEqual([])
  // Where no node matches at all, nobody knows what it needs.
  expect(sent(without('node-a'))).toEqual([])
})

test('a MIG device counts as its share, and all pods must find room, in CPU too', () => {
  const mig = draw`
    node-a  A100-SXM4-40GB  zone=a  [1g.5gb lab/a] [1g.5gb lab/b]
    node-b  A100-SXM4-40GB  cpu=8   [1g.5gb -] [1g.5gb -] [1g.5gb -]
    ?       lab/w1  1g.5gb  zone=a cpu=4
    ?       lab/w2  1g.5gb  zone=a cpu=4`
  const both = owned(mig, ['lab/w1', 'lab/w2'])
  expect(sent(both)).toMatchObject([
    { message: expect.stringContaining('Both its waiting pods'), evidence: { figures: { 'pods that wait': 2 } } },
  ])
  expect(sent(both)[0]?.rank).toBeLessThan(730)
  const third = draw`
    node-a  A100-SXM4-40GB  zone=a  [1g.5gb lab/a]
    node-b  A100-SXM4-40GB  cpu=6   [1g.5gb -] [1g.5gb -] [1g.5gb -]
    ?       lab/w1  1g.5gb  zone=a cpu=4
    ?       lab/w2  1g.5gb  zone=a cpu=4`
  expect(sent(owned(third, ['lab/w1', 'lab/w2']))).toEqual([])
  // Alone, only one of them is sent: the other has no room left.
  expect(sent(third)).toHaveLength(1)
})

test('not for taints, room that it may use already, a gate, a quota, rules not read, or minutes of waiting', () => {
  expect(
    sent(draw`
    node-a  T4  zone=a  [lab/a]
    node-b  T4  !own:NoSchedule  [-]
    ?       lab/w  gpu  zone=a`),
  ).toEqual([])
  expect(
    sent(draw`
    node-a  T4  zone=a  [-]
    node-b  T4          [-]
    ?       lab/w  gpu  zone=a`),
  ).toEqual([])
  expect(sent(pinned, 0.05)).toEqual([])
  const pods = (change: object) => ({
    ...pinned,
    pods: pinned.pods.map((pod) => (pod.node === undefined ? { ...pod, ...change } : pod)),
  })
  expect(sent(pods({ waiting: { reason: 'SchedulingGated', message: '' } }))).toEqual([])
  const scheduling = pinned.pods.find(({ node }) => node === undefined)?.scheduling
  expect(sent(pods({ scheduling: { ...scheduling, unread: ['podAntiAffinity'] } }))).toEqual([])
  const queued = draw`
    node-a  T4  zone=a  [lab/a]
    node-b  T4          [-]
    ?       lab/w  gpu  zone=a queue=q`
  const quota = { id: 'clusterqueue/q/gpu', namespace: '', queue: 'q', resource: 'nvidia.com/gpu', hard: 1, used: 1 }
  expect(sent(queued)).toHaveLength(1)
  expect(sent({ ...queued, quotas: [quota] })).toEqual([])
})

test('not to a node that is cordoned, down or about to change, nor to a GPU with a fault', () => {
  const fault = { code: 'gpu-fault', message: 'XID 79.', object: 'gpu/x' }
  for (const change of [
    { schedulable: false },
    { ready: false },
    { mig: { strategy: 'mixed', config: 'x', state: 'rebooting' } },
    { gpus: pinned.nodes[1]?.gpus.map((gpu) => ({ ...gpu, fault })) },
  ]) {
    const nodes = pinned.nodes
      .filter(({ name }) => name !== 'node-c')
      .map((node) => (node.name === 'node-b' ? { ...node, ...change } : node))
    expect(sent({ ...pinned, nodes } as ClusterSnapshot)).toEqual([])
  }
})
