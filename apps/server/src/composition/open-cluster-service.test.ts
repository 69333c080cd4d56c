import { randomBytes } from 'node:crypto'

import { instant, theLast, type Store } from '@septet/domain'
import { actionRun, openTestStore } from '@septet/storage/testing'
import { beforeEach, describe, expect, test } from 'vitest'

import { secretsFrom } from '@septet/auth'
import { openClusterFleet, type ClusterFleet } from './cluster-fleet.ts'
import { openConnectionTests } from './connection-tests.ts'
import { DOOR_HERE } from './cluster-service.fixture.ts'
import { Leads } from './leads.ts'
import { openClusterService } from './open-cluster-service.ts'
import { steadyNow } from '../steady-clock.ts'
import type { PipelineStart, RunningPipeline } from './run-pipeline.ts'

const TOKEN = 'a-token-that-nobody-may-read'
const kubeconfig = (server = 'https://10.0.0.1:6443', user: object = { token: TOKEN }): string =>
  JSON.stringify({
    'current-context': 'main',
    contexts: [{ name: 'main', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server } }],
    users: [{ name: 'u', user }],
  })
const wish = (name: string, server?: string) => ({
  name,
  kind: 'kubeconfig' as const,
  kubeconfig: kubeconfig(server),
  operatorNamespace: 'gpu-operator',
  prometheusUrl: 'https://prometheus.example.com',
  prometheusToken: 'another-secret',
})

let store: Store
let started: string[]
let stopped: string[]
let actors: unknown[]
let metrics: unknown[]
const master = randomBytes(32)

/** Threads that only remember that they were started and stopped. */
const start = async ({ record, source }: PipelineStart): Promise<RunningPipeline> => {
  started.push(record.id)
  actors.push(source.kind === 'cluster' ? source.cluster.actor : undefined)
  metrics.push(source.kind === 'cluster' ? source.cluster.prometheus : undefined)
  return {
    tell: () => undefined,
    extend: () => undefined,
    stop: async () => void stopped.push(record.id),
  }
}

function openService(secret: Uint8Array = master): {
  fleet: ClusterFleet
  service: ReturnType<typeof openClusterService>
} {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const leads = new Leads({ store: store.leads, holder: 'test', now: steadyNow, log, alone: true })
  const fleet = openClusterFleet({ store: store.clusters, start, leads, publish: () => undefined, log })
  const service = openClusterService({
    store,
    secrets: secretsFrom(secret),
    fleet,
    watches: true,
    tests: openConnectionTests(store),
    configured: undefined,
    plugins: [],
    door: DOOR_HERE,
    log,
    now: () => 1000,
    environment: {},
  })
  return { fleet, service }
}

const namesOf = (fleet: ClusterFleet) => fleet.clusters().map(({ record }) => record.name)

beforeEach(async () => {
  store = await openTestStore()
  started = []
  stopped = []
  actors = []
  metrics = []
})

describe('the source of metrics of a cluster', () => {
  const change = { prometheusUrl: 'https://prometheus.example.com/other', prometheusMatchers: 'cluster="east"' }

  test('is changed without adding it again, and its secrets stay while the address does', async () => {
    const { service } = openService()
    await service.add({ ...wish('Prod'), prometheusTenant: 'team-a' }, 'a')
    const changed = await service.setMetrics({ id: 'prod', ...change })
    expect(changed).toMatchObject({
      prometheusUrl: change.prometheusUrl,
      prometheusMatchers: 'cluster="east"',
      prometheusTenant: null,
      prometheusSecrets: ['prometheusToken'],
    })
    expect(metrics.at(-1)).toEqual({
      url: change.prometheusUrl,
      matchers: 'cluster="east"',
      bearerToken: 'another-secret',
    })
    await service.setMetrics({
      id: 'prod',
      ...change,
      prometheusToken: '',
      prometheusUser: 'septet',
      prometheusPassword: 'hush',
    })
    expect(metrics.at(-1)).toMatchObject({ basic: { username: 'septet', password: 'hush' } })
    expect(metrics.at(-1)).not.toHaveProperty('bearerToken')
    expect(JSON.stringify([await store.settings.get('clusters'), await service.connections()])).not.toContain('hush')
  })

  test('takes headers, a certificate, a signature for AWS and limits, and tells none of what is secret', async () => {
    const { service } = openService()
    await service.add(wish('Prod'), 'a')
    const url = { prometheusUrl: 'https://aps.example.com/workspaces/ws-1' }
    const signed = {
      prometheusAwsRegion: 'eu-west-1',
      prometheusAwsKeyId: 'AKIDEXAMPLEEXAMPLE',
      prometheusAwsSecret: 'hush-hush',
      prometheusHeaders: 'X-Reason: hushed too',
      prometheusQueries: 2,
      prometheusQuerySeconds: 20,
    }
    expect(await service.setMetrics({ id: 'prod', ...url, ...signed })).toMatchObject({
      prometheusAwsRegion: 'eu-west-1',
      prometheusAwsKeyId: 'AKIDEXAMPLEEXAMPLE',
      prometheusQueries: 2,
      prometheusQuerySeconds: 20,
      prometheusSecrets: ['prometheusHeaders', 'prometheusAwsSecret'],
    })
    expect(metrics.at(-1)).toEqual({
      url: url.prometheusUrl,
      aws: { region: 'eu-west-1', keyId: 'AKIDEXAMPLEEXAMPLE', secret: 'hush-hush' },
      headers: { 'x-reason': 'hushed too' },
      limits: { atOnce: 2, secondsPerMinute: 20 },
    })
    expect(JSON.stringify([await store.settings.get('clusters'), await service.connections()])).not.toMatch(/hush/u)
    const removed = { prometheusAwsSecret: '', prometheusHeaders: '' }
    expect(await service.setMetrics({ id: 'prod', ...url, ...removed })).toMatchObject({ prometheusSecrets: [] })
    expect(metrics.at(-1)).toEqual({ url: url.prometheusUrl })
  })

  test.each([
    [{ prometheusCert: 'PEM' }, 'needs its private key'],
    [{ prometheusCert: 'PEM', prometheusKey: 'PEM' }, 'not a PEM certificate'],
    [{ prometheusAwsRegion: 'eu-west-1' }, 'the secret access key'],
  ])('refuses %o in words before anything is kept', async (wrong, said) => {
    const { service } = openService()
    await service.add(wish('Prod'), 'a')
    const url = { prometheusUrl: 'https://prometheus.example.com' }
    await expect(service.setMetrics({ id: 'prod', ...url, ...wrong })).rejects.toThrow(said)
    await expect(service.add({ ...wish('Other'), ...url, ...wrong }, 'a')).rejects.toThrow(said)
    await expect(async () => service.test({ ...wish('Other'), ...url, ...wrong })).rejects.toThrow(said)
    expect(metrics).toHaveLength(1)
  })

  test('what an older Septet has kept is read as before', async () => {
    const { service } = openService()
    await service.add(wish('Prod'), 'a')
    const kept = JSON.parse(JSON.stringify(await store.settings.get('clusters'))) as {
      connections: Record<string, unknown>[]
    }
    const connections = kept.connections.map(({ prometheusSecrets: _named, ...old }) => ({
      ...old,
      hasPrometheusToken: true,
      hasPrometheusCa: false,
    }))
    await store.settings.put('clusters', { ...kept, connections })
    const [connection] = await service.connections()
    expect(connection?.prometheusSecrets).toEqual(['prometheusToken'])
  })

  test('does not send what opens one server to another', async () => {
    const { service } = openService()
    await service.add({ ...wish('Prod'), prometheusCa: 'PEM' }, 'a')
    const changed = await service.setMetrics({ id: 'prod', prometheusUrl: 'https://elsewhere.example.com' })
    expect(changed).toMatchObject({ prometheusSecrets: [] })
    expect(metrics.at(-1)).toEqual({ url: 'https://elsewhere.example.com' })
    expect(await service.setMetrics({ id: 'prod' })).toMatchObject({ prometheusUrl: null })
    expect(metrics.at(-1)).toBeUndefined()
  })
})

describe('adding', () => {
  test('watches at once, and nothing secret is kept in the open or told', async () => {
    const { service, fleet } = openService()
    const { connection, continues } = await service.add(wish('Prod East'), 'admin@septet.local')
    expect({ id: connection.id, continues, secrets: connection.prometheusSecrets }).toEqual({
      id: 'prod-east',
      continues: false,
      secrets: ['prometheusToken'],
    })
    expect(namesOf(fleet)).toEqual(['Prod East'])
    const open = JSON.stringify([await store.settings.get('clusters'), await service.connections()])
    expect(open).not.toContain(TOKEN)
    expect(open).not.toContain('another-secret')
    expect(open).toContain('10.0.0.1')
  })

  test('a name that is taken is refused, an id that is taken is not given', async () => {
    const { service } = openService()
    await store.clusters.upsert({ id: 'prod', name: 'of long ago', kind: 'cluster', createdAt: instant(0) })
    await service.add(wish('Prod'), 'a')
    await expect(service.add(wish('pROD', 'https://10.0.0.2'), 'a')).rejects.toThrow(
      'There is a cluster "pROD" already.',
    )
    expect(started).toEqual(['prod-2'])
  })

  test('two at the same time are both kept', async () => {
    const { service } = openService()
    await Promise.all([service.add(wish('a'), 'x'), service.add(wish('b'), 'x')])
    expect((await service.connections()).map(({ id }) => id)).toEqual(['a', 'b'])
  })

  test('a kubeconfig that would run a program is refused, and nothing is kept', async () => {
    const { service, fleet } = openService()
    const bad = { ...wish('a'), kubeconfig: kubeconfig(undefined, { exec: { command: 'sh' } }) }
    await expect(service.add(bad, 'x')).rejects.toMatchObject({ name: 'Refusal', code: 'invalid-input' })
    expect(fleet.clusters()).toEqual([])
    expect(await store.settings.get('clusters')).toBeUndefined()
  })
})

describe('after a restart', () => {
  test('what was added is watched again', async () => {
    await openService().service.add(wish('Prod'), 'x')
    const { service, fleet } = openService()
    await service.look()
    expect(namesOf(fleet)).toEqual(['Prod'])
    expect(started).toEqual(['prod', 'prod'])
  })

  test('with another secret the cluster is shown with the reason, and Septet runs', async () => {
    await openService().service.add(wish('Prod'), 'x')
    const { service, fleet } = openService(randomBytes(32))
    await service.look()
    const [prod] = fleet.clusters()
    expect(prod?.connection()).toMatchObject({ kind: 'disconnected', problems: [{ code: 'connection-unusable' }] })
    expect(await prod?.analysis(theLast('24h'))).toBeUndefined()
    await service.remove('prod', { confirm: 'Prod', deleteUsage: false })
    expect(fleet.clusters()).toEqual([])
  })
})

describe('credentials to change a cluster', () => {
  const SECRET = 'what-only-the-actor-may-know'
  const actor = (server?: string) => ({
    id: 'prod',
    kubeconfig: kubeconfig(server, { token: SECRET }),
    namespace: 'septet',
  })

  test('are used at once and after a restart, and are in the open nowhere', async () => {
    const { service } = openService()
    expect((await service.add(wish('Prod'), 'x')).connection.actor).toBeNull()
    expect(await service.setActor(actor())).toMatchObject({ actor: { signsInBy: 'token', namespace: 'septet' } })
    await openService().service.look()
    const given = { kubeconfig: { text: expect.stringContaining(SECRET), plugins: [] }, namespace: 'septet' }
    expect(actors).toEqual([undefined, expect.objectContaining(given), expect.objectContaining(given)])
    expect(stopped).toEqual(['prod'])
    const open = JSON.stringify([await store.settings.get('clusters'), await service.connections()])
    expect(open).not.toContain(SECRET)
  })

  test('are not those by which Septet reads, nor those of another cluster', async () => {
    const { service } = openService()
    await service.add(wish('Prod'), 'x')
    const same = { ...actor(), kubeconfig: kubeconfig() }
    await expect(service.setActor(same)).rejects.toThrow('the credentials by which Septet reads Prod')
    await expect(service.setActor(actor('https://10.9.9.9'))).rejects.toThrow(
      'These credentials are for https://10.9.9.9',
    )
    await expect(service.setActor({ ...actor(), kubeconfig: 'nonsense' })).rejects.toMatchObject({ name: 'Refusal' })
    expect(actors).toEqual([undefined])
  })

  test('can be taken away, and are not while something is under way by them', async () => {
    const { service } = openService()
    await service.add(wish('Prod'), 'x')
    await service.setActor(actor())
    await store.actions.propose(actionRun('one', { cluster: 'prod' }))
    await store.actions.advance('one', { number: 2, at: instant(1), state: 'approved', by: 'ann', because: 'Yes.' })
    const off = { id: 'prod', kubeconfig: null, namespace: 'septet' }
    await expect(service.setActor(off)).rejects.toThrow('1 action of Prod is under way')
    await store.actions.advance('one', { number: 3, at: instant(2), state: 'cancelled', by: 'ann', because: 'No.' })
    expect((await service.setActor(off)).actor).toBeNull()
    expect(actors.at(-1)).toBeUndefined()
  })
})

describe('renaming and removing', () => {
  test('the id stays with another name', async () => {
    const { service, fleet } = openService()
    await service.add(wish('Prod'), 'x')
    expect(await service.rename('prod', 'Live')).toMatchObject({ id: 'prod', name: 'Live' })
    expect(namesOf(fleet)).toEqual(['Live'])
    expect((await store.clusters.list()).map(({ name }) => name)).toEqual(['Live'])
  })

  test('needs the name, stops the pipeline, and the same API server takes its usage up again', async () => {
    const { service, fleet } = openService()
    await service.add(wish('Prod'), 'x')
    await expect(service.remove('prod', { confirm: 'prod', deleteUsage: false })).rejects.toThrow('is named "Prod"')
    await service.remove('prod', { confirm: 'Prod', deleteUsage: false })
    expect([stopped, fleet.clusters(), await store.clusters.list()]).toEqual([['prod'], [], []])
    // Another cluster of that name must not be given the past of the first.
    expect((await service.add(wish('Prod', 'https://10.9.9.9'), 'x')).connection.id).toBe('prod-2')
    expect(await service.add(wish('Prod again'), 'x')).toMatchObject({ connection: { id: 'prod' }, continues: true })
  })

  test('deletes what the work of a cluster waited with its usage, and keeps it otherwise', async () => {
    const window = { from: instant(0), to: instant(9000) }
    const stretch = { waiter: 'uid', namespace: 'lab', workload: 'lab/Job/a', from: instant(0), to: instant(5000) }
    const asks = { asks: '1 × nvidia.com/gpu', gpus: 1, kinds: [] }
    await store.waits.write('prod', [{ ...stretch, ...asks, cause: 'quota', change: undefined, over: false }])
    for (const [deleteUsage, left] of [
      [false, 1],
      [true, 0],
    ] as const) {
      const { service } = openService()
      await service.add(wish('Prod'), 'x')
      await service.remove('prod', { confirm: 'Prod', deleteUsage })
      expect(await store.waits.totals({ cluster: 'prod', window })).toHaveLength(left)
    }
  })

  test('what is not kept here cannot be removed here', async () => {
    const { service, fleet } = openService()
    const record = { id: 'demo', name: 'Demo cluster', kind: 'demo', createdAt: instant(0) } as const
    await fleet.watch({ record, source: { kind: 'demo', addresses: {} as never } })
    await expect(service.remove('demo', { confirm: 'Demo cluster', deleteUsage: false })).rejects.toThrow('environment')
    await expect(service.remove('gone', { confirm: '', deleteUsage: false })).rejects.toMatchObject({
      code: 'unknown-cluster',
    })
    expect(await service.connections()).toMatchObject([{ id: 'demo', origin: 'demo' }])
  })
})
