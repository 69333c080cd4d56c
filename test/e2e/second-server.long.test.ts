import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { OPERATIONS } from '@septet/contract'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@septet/storage'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { databaseUrl } from '../database-url.ts'
import { descendantsOf, stillRunning } from '../child-processes.ts'
import { eventually, newDataDir, removeDataDir, signIn, startSeptet, type SeptetProcess } from '../server-process.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

let folder: string
let postgres: EmbeddedPostgres
let watching: SeptetProcess
let answering: SeptetProcess

beforeAll(async () => {
  folder = await newDataDir()
  const dataDir = (name: string): string => {
    mkdirSync(join(folder, name))
    return join(folder, name)
  }
  postgres = await startEmbeddedPostgres({ dataDir: dataDir('store'), log: silent })
  const address = databaseUrl(postgres.connection)
  const environment = {
    DATABASE_URL: address,
    SEPTET_SECRET: 'the same thirty-two characters or more',
    SEPTET_PUBLIC_URL: 'http://127.0.0.1:8080',
  }
  watching = await startSeptet({
    dataDir: dataDir('watching'),
    environment: { ...environment, SEPTET_PIPELINES: 'process' },
  })
  await eventually(
    () => fetch(`${watching.url}/api/v1/summary`),
    ({ ok }) => ok,
  )
  answering = await startSeptet({
    dataDir: dataDir('answering'),
    environment: { ...environment, SEPTET_ROLE: 'answer' },
  })
})

afterAll(async () => {
  await answering.stop()
  await watching.stop()
  await postgres.stop()
  await removeDataDir(folder)
})

const read = async (septet: SeptetProcess, path: string): Promise<unknown> => {
  const answer = await fetch(`${septet.url}/api/v1/${path}`)
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return answer.json()
}

const partitionsOf = async (septet: SeptetProcess) =>
  OPERATIONS.partitionsList.output.parse(await read(septet, 'partitions?limit=50'))

const nodesOf = async (septet: SeptetProcess) => (await partitionsOf(septet)).nodes.map(({ node }) => node).join(' ')

const asOf = async (septet: SeptetProcess) =>
  Date.parse(OPERATIONS.summaryGet.output.parse(await read(septet, 'summary')).asOf ?? '')

test('a second server answers from the store what the first one knows of the cluster', async () => {
  // The cluster changes all the time: one of these moments is the same for both.
  const [known, told] = await eventually(
    () => Promise.all([nodesOf(watching), nodesOf(answering)]),
    ([one, other]) => one !== '' && one === other,
  )
  expect(told).toBe(known)
  const [first, second] = await Promise.all([watching, answering].map((septet) => read(septet, 'clusters')))
  expect(OPERATIONS.clustersList.output.parse(second).clusters.map(({ id, state }) => [id, state])).toEqual(
    OPERATIONS.clustersList.output.parse(first).clusters.map(({ id, state }) => [id, state]),
  )
})

test('it hears of what is new, and shows it', async () => {
  const before = await asOf(watching)
  const shown = await eventually(
    () => asOf(answering),
    (at) => at > before,
  )
  expect(shown).toBeGreaterThan(before)
})

test('a range that nobody asked the first one for is made from the store', async () => {
  const summary = await eventually(
    async () => OPERATIONS.summaryGet.output.parse(await read(answering, 'summary?range=30d')),
    ({ capacity }) => capacity.gpus > 0,
  )
  expect(summary.source.kind).toBe('demo')
})

test('whoever signs in at one asks either, and a scenario that one computes is told by the other', async () => {
  const headers = { ...(await signIn(watching)), 'content-type': 'application/json' }
  const scenario = { from: 'now', changes: [], boards: 'same', sizes: 'held' }
  const begun = await fetch(`${answering.url}/api/v1/scenarios`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ cluster: 'demo', scenario }),
  })
  const { id } = OPERATIONS.scenariosStart.output.parse(await begun.json())
  const told = await eventually(
    async () =>
      OPERATIONS.scenariosGet.output.parse(
        await (await fetch(`${watching.url}/api/v1/scenarios/${id}`, { headers })).json(),
      ),
    ({ state }) => state === 'done' || state === 'failed',
  )
  expect(told).toMatchObject({ state: 'done', problem: null })
})

test('what programs ask at one is told to who listens at the other, at once', async () => {
  const headers = await signIn(watching)
  const gone = new AbortController()
  const stream = await fetch(`${answering.url}/api/v1/events`, { headers, signal: gone.signal })
  let text = ''
  const reading = (async () => {
    for await (const piece of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) text += piece
  })()
  await fetch(`${watching.url}/mcp`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'fleet_summary', arguments: { cluster: 'demo' } },
    }),
  })
  const heard = await eventually(
    async () => text,
    (told) => told.includes('event: agents'),
  )
  expect(heard).toContain('"kind":"agents"')
  gone.abort()
  await reading.catch(() => undefined)
})

test('both together take no more connections than the documentation says', async () => {
  await Promise.all(
    [watching, answering].flatMap((septet) => Array.from({ length: 40 }, () => read(septet, 'summary?range=7d'))),
  )
  const client = new Client(postgres.connection)
  await client.connect()
  const { rows } = await client.query<{ open: number }>(
    "select count(*)::int as open from pg_stat_activity where application_name = 'septet'",
  )
  await client.end()
  const [ofServer, clusters] = [10, 1]
  expect(rows[0]?.open).toBeGreaterThan(2 * (1 + clusters))
  expect(rows[0]?.open).toBeLessThanOrEqual(2 * (ofServer + clusters))
})

const pipelineOf = (septet: SeptetProcess) =>
  descendantsOf(septet.pid).find(({ command }) => command.includes('pipeline-main'))

test('a pipeline in a process of its own that is killed takes no answer with it, and is begun again', async () => {
  const { pid = 0 } = pipelineOf(watching) ?? {}
  process.kill(pid, 'SIGKILL')
  await eventually(
    async () => stillRunning([pid]),
    (left) => left.length === 0,
  )
  const before = await asOf(watching)
  expect(before).toBeGreaterThan(0)
  const after = await eventually(
    () => asOf(watching),
    (at) => at > before + 1500,
  )
  expect(after).toBeGreaterThan(before)
  expect(pipelineOf(watching)?.pid).not.toBe(pid)
})

test('it goes on answering while the first one is away, of which nothing is left running', async () => {
  const below = descendantsOf(watching.pid).map(({ pid }) => pid)
  expect(below.length).toBeGreaterThan(1)
  expect(await watching.stop()).toBe(0)
  expect(stillRunning(below)).toEqual([])
  const partitions = OPERATIONS.partitionsList.output.parse(await read(answering, 'partitions?limit=1'))
  expect(partitions.nodes).toHaveLength(1)
})
