import { instant, type ClusterRecord, type LeadStore } from '@septet/domain'
import { leadsInMemory } from '@septet/storage/testing'
import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'

import { openClusterFleet } from './cluster-fleet.ts'
import { Leads } from './leads.ts'
import type { Watchable } from './watched-cluster.ts'

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const STEP_MS = 500
const CLUSTERS = ['c1', 'c2', 'c3']

let now: number
let store: LeadStore
/** What runs where: `a c1 cluster` watches, `b c1 store` follows. */
let running: Set<string>
/** Clusters whose pipeline does not begin, and where. */
let broken: Set<string>

beforeEach(() => {
  now = 0
  store = leadsInMemory(() => now)
  running = new Set()
  broken = new Set()
})

function openServer(name: string, kept = store) {
  const leads = new Leads({ store: kept, holder: name, now: () => now, log, alone: false })
  const fleet = openClusterFleet({
    store: { upsert: async () => undefined },
    leads,
    publish: () => undefined,
    log,
    start: async ({ record, source }) => {
      if (source.kind !== 'store' && broken.has(`${name} ${record.id}`)) throw new Error('It cannot be read from here.')
      const what = `${name} ${record.id} ${source.kind}`
      running.add(what)
      return { tell: () => undefined, extend: () => undefined, stop: async () => void running.delete(what) }
    },
  })
  return { name, leads, fleet }
}
type Server = ReturnType<typeof openServer>

const record = (id: string): ClusterRecord => ({ id, name: id, kind: 'cluster', createdAt: instant(0) })
const watchable = (id: string, more: Partial<Watchable> = {}): Watchable => ({
  record: record(id),
  source: { kind: 'agent' },
  ...more,
})

async function pass(ms: number, servers: readonly Server[]): Promise<void> {
  for (let passed = 0; passed < ms; passed += STEP_MS) {
    now += STEP_MS
    for (const { leads } of servers) await leads.turn().catch(() => undefined)
    // What was gained or lost is acted on beside that.
    await new Promise((done) => setImmediate(done))
  }
}
const runs = () => [...running].toSorted()

describe('two servers on one store', () => {
  test('one watches a cluster and the other follows it; after a kill the other watches it, and the first follows when it is back', async () => {
    const [a, b] = [openServer('a'), openServer('b')]
    await a.fleet.watch(watchable('c'))
    await b.fleet.watch(watchable('c'))
    await pass(60_000, [a, b])
    expect(runs()).toEqual(['a c agent', 'b c store'])
    // Killed: it runs no more, and gives nothing back.
    running.delete('a c agent')
    await pass(15_000, [b])
    expect(runs()).toEqual(['b c agent'])
    const back = openServer('a')
    await back.fleet.watch(watchable('c'))
    await pass(60_000, [back, b])
    expect(runs()).toEqual(['a c store', 'b c agent'])
  })

  test('one that stops in order is followed at once', async () => {
    const [a, b] = [openServer('a'), openServer('b')]
    await a.fleet.watch(watchable('c'))
    await b.fleet.watch(watchable('c'))
    await a.fleet.stop()
    await pass(1000, [b])
    expect(runs()).toEqual(['b c agent'])
  })

  test('one that was paused follows when it comes to', async () => {
    const [a, b] = [openServer('a'), openServer('b')]
    await a.fleet.watch(watchable('c'))
    await b.fleet.watch(watchable('c'))
    await pass(30_000, [b])
    expect(runs()).toEqual(['a c agent', 'b c agent'])
    expect([a.leads.has('c'), b.leads.has('c')]).toEqual([false, true])
    await pass(STEP_MS, [a, b])
    expect(runs()).toEqual(['a c store', 'b c agent'])
  })

  test('one that could not ask who leads wants nothing', async () => {
    let isAway = true
    const take: LeadStore['take'] = (...given) => (isAway ? Promise.reject(new Error('away')) : store.take(...given))
    const a = openServer('a', { ...store, take })
    await expect(a.fleet.watch(watchable('c'))).rejects.toThrow('away')
    isAway = false
    await pass(20_000, [a])
    expect([runs(), a.fleet.clusters()]).toEqual([[], []])
  })

  test('one that cannot say what a cluster is watched by now leaves it, also when it cannot say that either', async () => {
    const away = { ...store, release: () => Promise.reject(new Error('away')) }
    const b = openServer('b', away)
    await store.take('c', 'a', 5000)
    await b.fleet.watch(watchable('c', { newest: () => Promise.reject(new Error('away')) }))
    await pass(20_000, [b])
    expect(runs()).toEqual(['b c store'])
  })

  test('a cluster that only one of them can reach is left to that one, also when it has failed', async () => {
    const [a, b] = [openServer('a'), openServer('b')]
    broken.add('b c')
    await a.fleet.watch(watchable('c'))
    await b.fleet.watch(watchable('c'))
    running.clear()
    await pass(12_000, [b])
    expect(runs()).toEqual(['b c store'])
    const back = openServer('a')
    await back.fleet.watch(watchable('c'))
    expect(runs()).toEqual(['a c agent', 'b c store'])
  })

  test('a cluster that an admin has removed or connected anew meanwhile is taken over as it is now', async () => {
    const b = openServer('b')
    for (const cluster of ['gone', 'new']) await store.take(cluster, 'a', 5000)
    await b.fleet.watch(watchable('gone', { newest: async () => undefined }))
    await b.fleet.watch(watchable('new', { newest: async () => ({ kind: 'demo', addresses: {} as never }) }))
    await pass(20_000, [b])
    expect(runs()).toEqual(['b gone store', 'b new demo'])
  })
})

test('whoever cannot renew knows that it may have lost its lead before another has it, and goes on where none took it', async () => {
  let isAway = false
  const away: LeadStore = {
    ...store,
    renew: async (...given) => (isAway ? Promise.reject(new Error('away')) : store.renew(...given)),
  }
  const a = openServer('a', away)
  await a.fleet.watch(watchable('c'))
  await pass(10_000, [a])
  isAway = true
  while (a.leads.has('c')) await pass(STEP_MS, [a])
  expect(await store.take('c', 'b', 1)).toBeUndefined()
  await pass(30_000, [a])
  expect(runs()).toEqual(['a c agent'])
  isAway = false
  await pass(STEP_MS, [a])
  expect([a.leads.has('c'), runs()]).toEqual([true, ['a c agent']])
})

test('no two servers are ever sure of one lead, however they are paused', async () => {
  const turns = fc.array(fc.record({ who: fc.nat(2), ms: fc.integer({ min: 0, max: 7000 }) }), { maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(turns, async (all) => {
      now = 0
      store = leadsInMemory(() => now)
      const servers = ['a', 'b', 'c'].map((name) => openServer(name))
      for (const { fleet } of servers) for (const id of CLUSTERS) await fleet.watch(watchable(id))
      for (const { who, ms } of all) {
        now += ms
        await servers[who]?.leads.turn()
        for (const id of CLUSTERS) expect(servers.filter(({ leads }) => leads.has(id)).length).toBeLessThan(2)
      }
    }),
    { numRuns: 60 },
  )
})

const counts = (...servers: readonly Server[]) => servers.map(({ leads }) => leads.clusters().length)

describe('three servers share six clusters', () => {
  const ids = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6']
  const open = async (name: string): Promise<Server> => {
    const server = openServer(name)
    for (const id of ids) await server.fleet.watch(watchable(id))
    return server
  }

  test('two each, also after one was killed and has come back', async () => {
    const a = await open('a')
    const b = await open('b')
    const c = await open('c')
    expect(counts(a, b, c)).toEqual([6, 0, 0])
    await pass(60_000, [a, b, c])
    expect(counts(a, b, c)).toEqual([2, 2, 2])
    await pass(20_000, [a, b])
    expect(counts(a, b)).toEqual([3, 3])
    const back = await open('c')
    await pass(60_000, [a, b, back])
    expect(counts(a, b, back)).toEqual([2, 2, 2])
    const before = runs()
    await pass(120_000, [a, b, back])
    expect(runs()).toEqual(before)
  })

  test('but none is handed to a server that cannot begin it, again and again', async () => {
    for (const id of ids) broken.add(`b ${id}`)
    const a = await open('a')
    const b = await open('b')
    await pass(400_000, [a, b])
    const began = runs()
    expect(counts(a, b)).toEqual([6, 0])
    await pass(120_000, [a, b])
    expect(runs()).toEqual(began)
  })
})
