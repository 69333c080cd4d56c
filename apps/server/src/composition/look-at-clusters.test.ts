import { randomBytes } from 'node:crypto'

import { secretsFrom } from '@septet/auth'
import type { Store } from '@septet/domain'
import { openTestStore } from '@septet/storage/testing'
import { beforeEach, expect, test } from 'vitest'

import { steadyNow } from '../steady-clock.ts'
import { openClusterFleet } from './cluster-fleet.ts'
import { DOOR_HERE } from './cluster-service.fixture.ts'
import { openConnectionTests } from './connection-tests.ts'
import { Leads } from './leads.ts'
import { openClusterService } from './open-cluster-service.ts'

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const WISH = {
  name: 'Prod',
  kind: 'kubeconfig' as const,
  kubeconfig: JSON.stringify({
    'current-context': 'main',
    contexts: [{ name: 'main', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server: 'https://10.0.0.1:6443' } }],
    users: [{ name: 'u', user: { token: 'secret' } }],
  }),
  operatorNamespace: 'gpu-operator',
}
const master = randomBytes(32)

let store: Store
/** What runs: where, for which cluster, and from which metrics engine, or by following. */
let running: Set<string>

function openServer(name: string, secret = master) {
  const leads = new Leads({ store: store.leads, holder: name, now: steadyNow, log, alone: false })
  const fleet = openClusterFleet({
    store: store.clusters,
    leads,
    publish: () => undefined,
    log,
    start: async ({ record, source }) => {
      const from = source.kind === 'cluster' ? (source.cluster.prometheus?.url ?? 'no engine') : source.kind
      const what = `${name} ${record.id} ${from}`
      running.add(what)
      return { tell: () => undefined, extend: () => undefined, stop: async () => void running.delete(what) }
    },
  })
  const service = openClusterService({
    store,
    fleet,
    log,
    secrets: secretsFrom(secret),
    watches: true,
    tests: openConnectionTests(store),
    configured: undefined,
    plugins: [],
    door: DOOR_HERE,
    now: () => 1000,
    environment: {},
  })
  return { leads, fleet, service, names: () => fleet.clusters().map(({ record }) => record.name) }
}

const runs = () => [...running].toSorted()

beforeEach(async () => {
  store = await openTestStore()
  running = new Set()
})

test('a cluster that is added, renamed, connected anew or removed at one server is so at the others', async () => {
  const [a, b] = [openServer('a'), openServer('b')]
  await a.service.add(WISH, 'ann')
  await b.service.look()
  expect([b.names(), runs()]).toEqual([['Prod'], ['a prod no engine', 'b prod store']])
  await b.service.rename('prod', 'Production')
  await b.service.setMetrics({ id: 'prod', prometheusUrl: 'http://metrics:9090' })
  expect(a.names()).toEqual(['Prod'])
  await a.service.look()
  expect([a.names(), runs()]).toEqual([['Production'], ['a prod http://metrics:9090', 'b prod store']])
  // Nothing has changed since.
  for (const { service } of [a, b, a]) await service.look()
  expect(runs()).toEqual(['a prod http://metrics:9090', 'b prod store'])
  await b.service.remove('prod', { confirm: 'Production', deleteUsage: true })
  await a.leads.turn()
  await a.service.look()
  expect([a.names(), b.names(), runs()]).toEqual([[], [], []])
})

test('a server that cannot open the credentials says so, and leaves the cluster to the others', async () => {
  const [a, b] = [openServer('a'), openServer('b', randomBytes(32))]
  await a.service.add(WISH, 'ann')
  for (let look = 0; look < 3; look += 1) await b.service.look()
  expect(b.fleet.clusters()[0]?.connection()).toMatchObject({
    kind: 'disconnected',
    problems: [{ code: 'connection-unusable' }],
  })
  expect(runs()).toEqual(['a prod no engine'])
})

test('a cluster that only another server knows how to reach is followed while that one watches it', async () => {
  const [a, b] = [openServer('a'), openServer('b')]
  const record = { id: 'own', name: 'Own', kind: 'cluster', createdAt: 0 } as never
  await b.service.look()
  expect(b.names()).toEqual([])
  await a.fleet.watch({ record, source: { kind: 'agent' } })
  await b.service.look()
  expect([b.names(), runs()]).toEqual([['Own'], ['a own agent', 'b own store']])
})
