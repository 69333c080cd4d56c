import { expect, test } from 'vitest'
import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { asking, owned, past, sourcesOf, withPods, type Doing } from './drawn-past.fixture.ts'
import { recommend } from './recommend.ts'

/** Half of its hours idle, and at work in the others. */
const half = (ago: number): Doing => ({ busy: ago % 2 === 0 ? 0.01 : 0.9, memory: 70_000 + 20 * (ago % 5) })

const chat = (drawn: ClusterSnapshot) => owned(asking(drawn), ['lab/chat-1'])
const h100 = chat(draw`node-a  H100-80GB-HBM3  [lab/chat-1]`)

const told = (snapshot: ClusterSnapshot, doing: (ago: number) => Doing | undefined = half, hours = 168) =>
  recommend(sourcesOf(snapshot, { rows: snapshot.pods.flatMap(({ id }) => past(snapshot, id, { hours, doing })) }))
    .unanswered

test('a holder that idles and has no recommendation is told with what it wasted and why', () => {
  expect(told(h100)).toMatchObject([
    {
      workload: 'lab/Deployment/chat',
      idleHours: 84,
      idleCost: 336,
      reason: 'needs-size',
      because: expect.stringMatching(/^A smaller size: .*\.$/u),
    },
  ])
})

const reasons = (...asked: Parameters<typeof told>) => told(...asked).map(({ reason, because }) => [reason, because])

test('each reason is told in its own words', () => {
  expect(reasons(h100, half, 20)).toEqual([['not-measured', expect.stringContaining('it ran for 20 hours of the 24')]])
  const t4 = chat(draw`node-a  T4  [lab/chat-1]`)
  expect(reasons(t4)).toEqual([
    ['needs-size', 'A smaller size: T4 does not support MIG. Sharing its GPU: no other pod holds a GPU of its node.'],
  ])
  const fault = { code: 'gpu-fault', message: 'XID 79 on node-a.', object: 'gpu/x' }
  const broken = {
    ...t4,
    nodes: t4.nodes.map((node) => ({ ...node, gpus: node.gpus.map((gpu) => ({ ...gpu, fault })) })),
  }
  expect(reasons(broken)).toEqual([['faulty-gpu', 'XID 79 on node-a.']])
  const kept = withPods(t4, ({ scheduling }) => ({ scheduling: { ...scheduling, evictable: false } }))
  expect(reasons(kept, () => ({}))).toEqual([['guardrail', expect.stringContaining('lab/chat-1')]])
  const spanning = chat(draw`
    node-a  L40S  [lab/chat-1]
    node-a  L40S  [lab/chat-1]`)
  expect(reasons(spanning)).toEqual([['needs-size', expect.stringContaining('Both together did the work of 1.8 GPUs')]])
})

test('ten are told at most, what costs most first, GPUs without a price at the mean of the others', () => {
  const names = Array.from({ length: 12 }, (_, index) => `lab/chat-${index}`)
  const models = ['T4', 'L4', 'H100-80GB-HBM3']
  const drawn = asking(draw`${names.map((name, index) => `node-${index}  ${models[index % 3]}  [${name}]`).join('\n')}`)
  const found = told(names.reduce((cluster, name) => owned(cluster, [name], { name: name.slice(4) }), drawn))
  expect(found).toHaveLength(10)
  expect(found.map(({ idleCost }) => idleCost)).toEqual([
    336,
    336,
    336,
    336,
    undefined,
    undefined,
    undefined,
    undefined,
    42,
    42,
  ])
})
