import { ScriptedApiServer } from '@septet/connectors/testing/api-server'
import { OPERATIONS } from '@septet/contract'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@septet/storage'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { databaseUrl } from '../database-url.ts'
import { newDataDir, removeDataDir, signIn, startSeptet, type SeptetProcess } from '../server-process.ts'

const CLUSTERS = 50
/** What PostgreSQL takes by default, but the three that it keeps for its administrator. */
const TAKEN = 97
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const api = new ScriptedApiServer()

let folder: string
let postgres: EmbeddedPostgres
let database: Client
let septet: SeptetProcess
let headers: Record<string, string>

beforeAll(async () => {
  folder = await newDataDir()
  api.put('nodes', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: 'gpu-1',
      creationTimestamp: '2026-11-27T08:00:00Z',
      labels: { 'nvidia.com/gpu.product': 'NVIDIA-L4', 'nvidia.com/gpu.count': '2' },
    },
    status: {
      capacity: { 'nvidia.com/gpu': '2' },
      allocatable: { 'nvidia.com/gpu': '2' },
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  })
  await api.start()
  postgres = await startEmbeddedPostgres({ dataDir: folder, log: silent })
  const address = databaseUrl(postgres.connection)
  septet = await startSeptet({
    dataDir: `${folder}/septet`,
    environment: { DATABASE_URL: address, SEPTET_DEMO: 'off', SEPTET_POLL_SECONDS: '5' },
  })
  headers = { 'content-type': 'application/json', ...(await signIn(septet)) }
  database = new Client(postgres.connection)
  await database.connect()
})

afterAll(async () => {
  await septet?.stop()
  await api.stop()
  await database?.end()
  await postgres?.stop()
  await removeDataDir(folder)
})

const kubeconfig = (): string =>
  JSON.stringify({
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server: api.url } }],
    users: [{ name: 'u', user: { token: 't' } }],
  })

async function backends(): Promise<number> {
  const { rows } = await database.query<{ count: string }>(
    "select count(*) from pg_stat_activity where backend_type = 'client backend'",
  )
  return Number(rows[0]?.count)
}

test(
  `${CLUSTERS} clusters are read at once on a database that takes 100 connections`,
  { timeout: 600_000 },
  async () => {
    let most = 0
    for (let index = 1; index <= CLUSTERS; index += 1) {
      const body = JSON.stringify({ kind: 'kubeconfig', name: `cluster-${index}`, kubeconfig: kubeconfig() })
      const answer = await fetch(`${septet.url}/api/v1/connections`, { method: 'POST', headers, body })
      expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)])
      most = Math.max(most, await backends())
    }
    const read = async () => {
      most = Math.max(most, await backends())
      const answer = await fetch(`${septet.url}/api/v1/clusters`, { headers })
      const { clusters } = OPERATIONS.clustersList.output.parse(await answer.json())
      return clusters.filter(({ gpus }) => gpus === 2).length
    }
    await expect.poll(read, { timeout: 120_000, interval: 2000 }).toBe(CLUSTERS)
    expect(most).toBeLessThanOrEqual(TAKEN)
    expect(septet.errors()).not.toMatch(/too many clients|not responding/u)
  },
)
