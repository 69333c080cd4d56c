import { instant, type Store } from '@septet/domain'
import { draw } from '@septet/domain/testing'
import fastify from 'fastify'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'

import { standingInstallation } from '../composition/cluster-service.fixture.ts'
import type { ClusterFacts, PipelineHealth } from '../facts.ts'
import { ADMIN } from '../operations/answering/admin-caller.fixture.ts'
import { factsOf } from '../operations/answering/facts.fixture.ts'
import { loop, NOW } from '../loop.fixture.ts'
import type { ThisServer } from '../operations/settings/status-lines.ts'
import { openMetrics, registerMetrics } from './metrics.ts'
import { registerSelfMetrics } from './self-metrics.ts'

/** The lines of the series that are about loops, sources and the database, without their help. */
async function scrape(health: PipelineHealth | undefined, more: Partial<ThisServer> = {}): Promise<readonly string[]> {
  const facts: ClusterFacts = { ...factsOf(draw`a  H100-80GB-HBM3  [team/x]`, []), health: () => health }
  const registry = new Registry()
  const thisServer = { ...standingInstallation, loops: () => [], databaseRuns: () => loop(), ...more }
  registerSelfMetrics(registry, { facts: { clusters: () => [facts] }, thisServer, now: () => NOW })
  return (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}

test('each loop: when it last worked, how often it failed, and whether it is late', async () => {
  const stuck = loop({ name: 'actor', everyMs: 400, okAt: undefined, failed: 4 })
  expect(await scrape({ loops: [loop({ failures: 2, failed: 3 }), stuck], sources: [], unwrittenRows: 0 })).toEqual([
    'septet_loop_last_success_timestamp_seconds{cluster="drawn",loop="collect"} 999990',
    'septet_loop_consecutive_failures{cluster="drawn",loop="collect"} 2',
    'septet_loop_consecutive_failures{cluster="drawn",loop="actor"} 0',
    'septet_loop_late{cluster="drawn",loop="collect"} 0',
    'septet_loop_late{cluster="drawn",loop="actor"} 1',
    'septet_loop_failures_total{cluster="drawn",loop="collect"} 3',
    'septet_loop_failures_total{cluster="drawn",loop="actor"} 4',
    'septet_database_up 1',
  ])
})

test('each source: whether it answers and how old its newest reading is; what is unknown has no series', async () => {
  const source = { state: 'ok', since: NOW, heardAt: instant(NOW - 42_000), because: undefined } as const
  const sources = [
    { ...source, name: 'kubernetes' },
    { ...source, name: 'telemetry', state: 'failing' },
    { ...source, name: 'metrics-engine' },
    { ...source, name: 'agent', state: 'unknown', heardAt: undefined },
  ] as const
  expect(await scrape({ loops: [], sources, unwrittenRows: 0 })).toEqual([
    'septet_source_up{cluster="drawn",source="kubernetes"} 1',
    'septet_source_up{cluster="drawn",source="telemetry"} 0',
    'septet_source_up{cluster="drawn",source="metrics-engine"} 1',
    'septet_collection_lag_seconds{cluster="drawn",source="kubernetes"} 42',
    'septet_collection_lag_seconds{cluster="drawn",source="telemetry"} 42',
    'septet_database_up 1',
  ])
})

test('the server itself has no cluster, and a database that was not asked no series', async () => {
  const own = { loops: () => [loop({ name: 'notifications' }), { ...loop({ name: 'alerts' }), cluster: 'drawn' }] }
  expect((await scrape(undefined, own)).slice(0, 2)).toEqual([
    'septet_loop_last_success_timestamp_seconds{cluster="",loop="notifications"} 999990',
    'septet_loop_last_success_timestamp_seconds{cluster="drawn",loop="alerts"} 999990',
  ])
  expect(await scrape(undefined, { databaseRuns: () => loop({ okAt: undefined }) })).toEqual([])
  expect(await scrape(undefined, { databaseRuns: () => loop({ failures: 1 }) })).toEqual(['septet_database_up 0'])
})

test('while the database is away the scrape tells everything but alerts', async () => {
  const server = fastify()
  const cluster: ClusterFacts = {
    ...factsOf(draw`a  H100-80GB-HBM3  [team/x]`, []),
    size: () => ({ serverVersion: 'v1.34.0', nodes: 1, gpus: 1, devices: 1 }),
  }
  const facts = { clusters: () => [cluster] }
  const away = { alerts: { list: () => Promise.reject(new Error('The database is away.')) } }
  registerMetrics(server, openMetrics(), {
    facts,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of a store is asked
    store: away as unknown as Store,
    callerOf: async () => ADMIN,
    thisServer: standingInstallation,
    now: () => NOW,
  })
  const { statusCode, body } = await server.inject('/metrics')
  expect(statusCode).toBe(200)
  expect(body).toContain('septet_cluster_connected{cluster="drawn"} 1')
  expect(body).toContain('septet_unobserved_hour_ratio{cluster="drawn"}')
  expect(body).not.toMatch(/^septet_alert_firing\{/mu)
  await server.close()
})
