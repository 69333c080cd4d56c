import { expect, test } from 'vitest'
import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { instant } from '../../units.ts'
import { learnFleetOverrun } from '../right-size/learn-overrun.ts'
import { asking, owned, past, sourcesOf, waitingFor, type Doing } from './drawn-past.fixture.ts'
import { recommend, type Advice } from './recommend.ts'
import type { Recommendation } from './recommendation.ts'

/** A cluster in which nothing happens, with something at the limit of every rule that has one. */
const cluster = waitingFor(
  [
    ['lab/book', 'StatefulSet'],
    ['lab/chat', 'Deployment'],
    ['lab/small', 'Deployment'],
  ].reduce(
    (drawn, [pod = '', kind = '']) => owned(drawn, [pod], { kind, name: pod.slice('lab/'.length) }),
    asking(draw`
      node-a  T4              [lab/book]
      node-b  H200            [lab/chat]
      node-b  H200            [lab/chat]
      node-c  H100-80GB-HBM3  [lab/small]
      node-d  H100-80GB-HBM3  [1g.10gb -] [2g.20gb -]
      node-e  H100-80GB-HBM3  [1g.10gb -]
      node-e  H100-80GB-HBM3  [1g.10gb -]
      node-f  T4              [-]
      ?       lab/w1  7g.80gb
      ?       lab/w2  3g.40gb`),
  ),
  3,
)

/** Between −1 and 1, the same for the same turn; near 1 in the first, in which all is just within its limit. */
const noise = (turn: number, salt: number): number => Math.cos(turn * 12.9898 * salt)

const DOING: Readonly<Record<string, (turn: number) => (ago: number) => Doing>> = {
  // Idle for 80% of its time, give or take what a turn reads.
  'lab/book': (turn) => (ago) => ((ago * 7) % 100 < 20 - 2 * noise(turn, 1) ? { busy: 0.4 } : {}),
  // Half of a GPU in the busiest hours: as much as a service may need of one.
  'lab/chat': (turn) => (ago) => ({ busy: 0.325 - 0.01 * noise(turn, 2), memory: 9000 + 20 * (ago % 5) }),
  'lab/small': (turn) => (ago) => ({ busy: 0.09 - 0.003 * noise(turn, 3), memory: 3000 + 20 * (ago % 5) }),
}

const LEARNED = learnFleetOverrun(rowsOf(0))

function rowsOf(turn: number) {
  return Object.entries(DOING).flatMap(([pod, doing]) => past(cluster, pod, { hours: 168, doing: doing(turn) }))
}

/** The cluster a minute later for each turn; who waits is read in another order. */
const turnOf = (turn: number) => {
  const sources = sourcesOf(cluster, { rows: rowsOf(turn), unallocated: { 'node-f': 0.5 + 0.02 * noise(turn, 4) } })
  const pods = cluster.pods.map((pod) =>
    pod.node === undefined
      ? {
          ...pod,
          createdAt: instant(pod.createdAt - Math.round(noise(turn, pod.id.length + pod.id.charCodeAt(5)) * 1000)),
        }
      : pod,
  )
  return { ...sources, overrun: LEARNED, snapshot: { ...cluster, pods } }
}

const idsOf = ({ recommendations }: Pick<Advice, 'recommendations'>): readonly string[] =>
  recommendations.map(({ id }) => id)

function hour(): readonly (readonly string[])[] {
  let previous: readonly Recommendation[] = []
  return Array.from({ length: 60 }, (_, turn) => {
    const advice = recommend({ ...turnOf(turn), previous })
    previous = advice.recommendations
    return idsOf(advice)
  })
}

test('in a steady cluster the list stays the same for an hour, order and all, though figures at a limit move', () => {
  const [first, ...later] = hour()
  expect(first?.length).toBeGreaterThan(4)
  for (const ids of later) expect(ids).toEqual(first)
  // Each turn for itself would say otherwise.
  const alone = new Set(Array.from({ length: 60 }, (_, turn) => JSON.stringify(idsOf(recommend(turnOf(turn))))))
  expect(alone.size).toBeGreaterThan(1)
})

test('a real change arrives with the next turn', () => {
  const { recommendations: previous } = recommend(turnOf(0))
  const object = 'workload/lab/StatefulSet/book'
  expect(previous.map((each) => each.object)).toContain(object)
  const working = past(cluster, 'lab/book', { hours: 168, doing: (ago) => (ago <= 60 ? { busy: 0.9 } : {}) })
  const rows = [...turnOf(1).rows.filter(({ pod }) => pod !== 'lab/book'), ...working]
  const next = recommend({ ...turnOf(1), rows, previous })
  expect(next.recommendations.map((each) => each.object)).not.toContain(object)
})

const sized = (memory: number, hours = 168) =>
  recommend({
    ...sourcesOf(cluster, {
      rows: past(cluster, 'lab/small', {
        hours,
        doing: (ago) => ({ busy: 0.08 + 0.005 * (ago % 3), memory: memory + 20 * (ago % 5) }),
      }),
    }),
    overrun: LEARNED,
  }).recommendations.find(({ kind }) => kind === 'right-size')

test('an id names the object and the kind of change, whatever size it comes to', () => {
  const [small, same, larger] = [sized(3000), sized(3500, 150), sized(14_000)]
  expect(same?.evidence.figures).not.toEqual(small?.evidence.figures)
  expect(larger?.title).not.toBe(small?.title)
  expect([same?.id, larger?.id]).toEqual([small?.id, small?.id])
})

const drawn = (snapshot: ClusterSnapshot, previous: readonly Recommendation[] = []) =>
  recommend({ ...sourcesOf(waitingFor(asking(snapshot), 3)), overrun: LEARNED, previous }).recommendations
const cutsIn = (list: readonly Recommendation[]) =>
  list.flatMap(({ kind, object }) => (kind === 'repartition' ? object : []))

test('the node that is to be cut stays the same where a job ends elsewhere, until that starts more work', () => {
  const before = drawn(draw`
    node-b  H100-80GB-HBM3  [1g.10gb -] [1g.10gb -]
    ?       lab/w           7g.80gb`)
  const another = draw`
    node-a  H100-80GB-HBM3  [1g.10gb -] [1g.10gb -]
    node-b  H100-80GB-HBM3  [1g.10gb -] [1g.10gb -]
    ?       lab/w           7g.80gb`
  expect([cutsIn(before), cutsIn(drawn(another))]).toEqual([['node/node-b'], ['node/node-a']])
  expect(cutsIn(drawn(another, before))).toEqual(['node/node-b'])
  const room = draw`
    node-a  H100-80GB-HBM3  [7g.80gb -]
    node-b  H100-80GB-HBM3  [1g.10gb -] [1g.10gb -]
    ?       lab/w           7g.80gb`
  // Where it starts as it is, nothing is cut, whatever was shown before.
  expect([cutsIn(drawn(room)), cutsIn(drawn(room, before))]).toEqual([[], []])
  const more = draw`
    node-a  H100-80GB-HBM3  [1g.10gb -] [1g.10gb -]
    node-a  H100-80GB-HBM3  [1g.10gb -] [1g.10gb -]
    node-b  H100-80GB-HBM3  [7g.80gb lab/x]
    ?       lab/w           7g.80gb
    ?       lab/v           7g.80gb`
  expect(cutsIn(drawn(more, before))).toEqual(['node/node-a'])
})

test('work that only moves for a new layout is still told to stop where it idles', () => {
  const small = owned(
    asking(draw`
      node-a  H100-80GB-HBM3  [1g.10gb lab/idler]
      node-b  H100-80GB-HBM3  [1g.10gb -] [3g.40gb web/x]
      ?       lab/w           7g.80gb`),
    ['lab/idler'],
    { name: 'idler' },
  )
  const rows = past(small, 'lab/idler', { hours: 168, doing: {} })
  const list = recommend({ ...sourcesOf(waitingFor(small, 3), { rows }), overrun: LEARNED }).recommendations
  expect(new Map(list.map(({ kind, risk }) => [kind, risk.displaced]))).toEqual(
    new Map([
      ['reclaim-idle', ['lab/idler']],
      ['repartition', ['lab/idler']],
    ]),
  )
})
