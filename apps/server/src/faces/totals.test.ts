import {
  OPERATIONS,
  type OutputOf,
  type clustersTotals,
  type recommendationsTotals,
  type summaryGet,
} from '@septet/contract'
import { instant, type ClusterRecord, type Recommendation } from '@septet/domain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { draw } from '@septet/domain/testing'
import { factsOf } from '../operations/answering/facts.fixture.ts'
import {
  ALL_THE_WAY,
  CHANGE,
  estimated,
  keptFrom,
  look,
  recommendationOf,
  runOf,
  writePricedTruth,
} from '../savings/scripted-usage.fixture.ts'
import { openTestSeptet, type TestSeptet } from './open-test-septet.fixture.ts'

const recordOf = (id: string, kind: ClusterRecord['kind'] = 'cluster'): ClusterRecord => ({
  id,
  name: `Cluster ${id}`,
  kind,
  createdAt: instant(0),
})
const KNOWN = [
  factsOf(draw`a  H100-80GB-HBM3  [team/x]`, [], recordOf('east')),
  factsOf(draw`d  H100-80GB-HBM3  [team/x]  b  A100-SXM4-40GB  [-]`, [], recordOf('west')),
  factsOf(draw`c  T4-16GB  [other/y]`, [], recordOf('north')),
]
/** One that was added a moment ago. */
const NEW = {
  ...KNOWN[0],
  record: recordOf('new'),
  analysis: async () => undefined,
  asOf: () => undefined,
  picture: () => undefined,
}

const TWIN = factsOf(draw`a  H100-80GB-HBM3  [team/x]`, [], recordOf('twin'))
const DEMO = factsOf(draw`z  H100-80GB-HBM3  [team/x]`, [], recordOf('demo', 'demo'))
let watched = [...KNOWN]

let septet: TestSeptet
let admin: Record<string, string>
beforeAll(async () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it knows less than the facts that it is made of
  watched = [...KNOWN, NEW as (typeof KNOWN)[number]]
  septet = await openTestSeptet({
    facts: { clusters: () => watched },
    environment: { SEPTET_AUTHORIZED_EMAIL: 'ann@septet.local' },
  })
  admin = await septet.signIn('ann@septet.local')
  for (const cluster of ['east', 'west']) {
    await writePricedTruth(septet.store, cluster)
    await septet.store.actions.propose(
      runOf(`done-${cluster}`, { cluster, saving: estimated(0.1 * 4 * 730), states: keptFrom(CHANGE) }),
    )
    await look(septet.store, ALL_THE_WAY, { cluster })
  }
})
afterAll(() => septet.close())

const get = async (path: string, headers = admin): Promise<unknown> =>
  (await fetch(`${septet.url}/api/v1/${path}`, { headers })).json()
const totals = async (headers = admin): Promise<OutputOf<typeof clustersTotals>> =>
  OPERATIONS.clustersTotals.output.parse(await get('totals?range=24h', headers))
const ranked = async (question = '', headers = admin): Promise<OutputOf<typeof recommendationsTotals>> =>
  OPERATIONS.recommendationsTotals.output.parse(await get(`totals/recommendations${question}`, headers))
const summaryOf = async (id: string): Promise<OutputOf<typeof summaryGet>> =>
  OPERATIONS.summaryGet.output.parse(await get(`summary?range=24h&cluster=${id}`))

describe('GET /api/v1/totals', () => {
  test('adds up to what each cluster says of itself, to the cent', async () => {
    const [all, ...each] = await Promise.all([totals(), summaryOf('east'), summaryOf('west'), summaryOf('north')])
    const sumOf = (pick: (summary: (typeof each)[number]) => number | null): string =>
      each.reduce((sum, summary) => sum + (pick(summary) ?? 0), 0).toFixed(2)
    expect(all.capacity.value?.toFixed(2)).toBe(sumOf(({ cost }) => cost.capacity.value))
    expect(all.unallocated.value?.toFixed(2)).toBe(sumOf(({ cost }) => cost.unallocated.value))
    expect(all.gpus.value).toBe(each.reduce((sum, { capacity }) => sum + capacity.gpus, 0))
    expect(Number(sumOf(({ cost }) => cost.capacity.value))).toBeGreaterThan(0)
  })

  test('says which clusters it holds, how old each is, and why one is not in it', async () => {
    const { clusters, capacity } = await totals()
    expect(clusters.map(({ id, leftOut }) => [id, leftOut === null])).toEqual([
      ['east', true],
      ['west', true],
      ['north', true],
      ['new', false],
    ])
    expect(clusters[0]?.asOf).toMatch(/^\d{4}-/u)
    expect(clusters[3]).toMatchObject({ asOf: null, figures: null, leftOut: expect.stringMatching(/\w/u) })
    expect(capacity).toMatchObject({ quality: 'partial', because: expect.stringContaining('Cluster new not included') })
  })

  test('what no cluster knows is unknown, and never 0', async () => {
    const { idleHeld } = await totals()
    expect(idleHeld).toMatchObject({ value: null, quality: 'unknown', because: expect.stringMatching(/\w/u) })
  })

  test('a cluster that is connected twice counts once, and the demo not beside real ones', async () => {
    const alone = await totals()
    watched = [DEMO, ...watched, TWIN]
    try {
      const all = await totals()
      expect(all.gpus.value).toBe(alone.gpus.value)
      expect(all.capacity).toEqual(alone.capacity)
      expect(all.clusters.find(({ id }) => id === 'twin')).toMatchObject({
        leftOut: 'Has the same GPUs as Cluster east, where they are counted.',
        figures: null,
      })
      expect(all.clusters.find(({ id }) => id === 'demo')?.leftOut).toMatch(/made up/u)
      watched = [DEMO]
      expect((await totals()).gpus.value).toBe(1)
    } finally {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
      watched = [...KNOWN, NEW as (typeof KNOWN)[number]]
    }
  })

  test('what was verified is added with its interval, and is not 0 where nothing was', async () => {
    const each = (await Promise.all([summaryOf('east'), summaryOf('west')])).map(({ savings }) => savings.freed)
    const sumOf = (pick: (figure: (typeof each)[number]) => number | undefined | null): number =>
      each.reduce((sum, figure) => sum + (pick(figure) ?? NaN), 0)
    const { verifiedFreed, verifiedBill } = await totals()
    expect(verifiedFreed.value).toBeGreaterThan(0)
    expect(verifiedFreed.value).toBeCloseTo(
      sumOf(({ value }) => value),
      6,
    )
    expect(verifiedFreed.interval?.low).toBeCloseTo(
      sumOf(({ interval }) => interval?.low),
      6,
    )
    // The others have nothing to add; the new one is not known.
    expect(verifiedFreed.because).toBe('Cluster new not included: not known there.')
    expect(verifiedBill).toMatchObject({
      value: null,
      quality: 'unknown',
      because: 'No cluster has a verified saving now; each says why.',
    })
  })

  test('a caller who sees some clusters is told of these alone', async () => {
    const { clusters } = await totals(await viewerOf('east'))
    expect(clusters.map(({ id }) => id)).toEqual(['east'])
  })
})

const made = (id: string, cluster: string, rank: number): Recommendation => ({
  ...recommendationOf(id, { states: [], saving: estimated(rank / 2) }),
  kind: 'reclaim-idle',
  id,
  cluster,
  rank,
})
const keep = (cluster: string, recommendations: readonly Recommendation[]) =>
  septet.store.recommendations.replace(cluster, { madeAt: instant(0), recommendations })

describe('GET /api/v1/totals/recommendations', () => {
  beforeAll(async () => {
    await keep('east', [made('e1', 'east', 900), made('e2', 'east', 100)])
    await keep('west', [made('w1', 'west', 500), made('no', 'west', 400)])
    await septet.store.recommendations.dismiss({ cluster: 'west', id: 'no', reason: 'not now', at: instant(0) })
  })

  test('ranks those of all clusters as one list, each with its cluster, without dismissed ones', async () => {
    const { recommendations, total, clusters } = await ranked()
    expect(recommendations.map(({ id, cluster }) => [id, cluster.name])).toEqual([
      ['e1', 'Cluster east'],
      ['w1', 'Cluster west'],
      ['e2', 'Cluster east'],
    ])
    expect(total).toBe(3)
    expect(clusters.map(({ id, total: own, madeAt, leftOut }) => [id, own, madeAt !== null, leftOut])).toEqual([
      ['east', 2, true, null],
      ['west', 1, true, null],
      ['north', null, false, 'No recommendation has been made yet.'],
      ['new', null, false, 'No recommendation has been made yet.'],
    ])
    expect((await ranked('?limit=1')).recommendations.map(({ id }) => id)).toEqual(['e1'])
    expect((await ranked('?kind=share')).total).toBe(0)
  })

  test('adds up to the estimated saving of the totals', async () => {
    const [{ freed }, { recommendations }] = await Promise.all([totals(), ranked()])
    const sum = recommendations.reduce(
      (all, { saving }) => all + (saving.kind === 'estimated' ? (saving.usdPerMonth ?? NaN) : 0),
      0,
    )
    expect(freed).toMatchObject({ value: expect.closeTo(sum, 6), quality: 'estimated' })
    expect(sum).toBeGreaterThan(0)
  })

  test('does not list twice what a cluster that is connected twice would do', async () => {
    const before = watched
    watched = [...watched, TWIN]
    await keep('twin', [made('e1', 'twin', 900)])
    try {
      const { recommendations, clusters } = await ranked()
      expect(recommendations.map(({ id }) => id)).toEqual(['e1', 'w1', 'e2'])
      expect(clusters.at(-1)).toMatchObject({
        id: 'twin',
        total: null,
        leftOut: expect.stringContaining('Cluster east'),
      })
    } finally {
      watched = before
    }
  })

  test('a caller who sees some clusters is told of these alone', async () => {
    const { recommendations, clusters, total } = await ranked('', await viewerOf('west'))
    expect(recommendations.map(({ id }) => id)).toEqual(['w1'])
    expect([total, clusters.map(({ id }) => id)]).toEqual([1, ['west']])
  })
})

/** The header of a token that may see one cluster. */
async function viewerOf(cluster: string): Promise<Record<string, string>> {
  const answer = await fetch(`${septet.url}/api/v1/tokens`, {
    method: 'POST',
    headers: { ...admin, 'content-type': 'application/json' },
    body: JSON.stringify({ name: cluster, role: 'viewer', clusters: [cluster] }),
  })
  const { secret } = (await answer.json()) as { secret: string }
  return { authorization: `Bearer ${secret}` }
}
