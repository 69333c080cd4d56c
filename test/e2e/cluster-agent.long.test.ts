import { readdir, readFile } from 'node:fs/promises'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'

import { OPERATIONS, type OutputOf } from '@septet/contract'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@septet/storage'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { databaseUrl } from '../database-url.ts'
import { startAgent, type AgentProcess } from '../agent-process.ts'
import { openCutRelay, type CutRelay } from '../cut-relay.ts'
import { answeringExporters, startDemo, type DemoProcess } from '../demo-process.ts'
import { eventually, newDataDir, removeDataDir, signIn, startSeptet, type SeptetProcess } from '../server-process.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

let folder: string
let postgres: EmbeddedPostgres
let database: Client
let demo: DemoProcess
let septet: SeptetProcess
let relay: CutRelay
let headers: Record<string, string>
let exporters: readonly string[]
let token: string
const agents: AgentProcess[] = []

const dataDir = (name: string): string => {
  mkdirSync(join(folder, name), { recursive: true })
  return join(folder, name)
}

beforeAll(async () => {
  folder = await newDataDir()
  postgres = await startEmbeddedPostgres({ dataDir: dataDir('store'), log: silent })
  const address = databaseUrl(postgres.connection)
  demo = await startDemo()
  exporters = await answeringExporters(demo)
  septet = await startSeptet({
    dataDir: dataDir('septet'),
    environment: { DATABASE_URL: address, SEPTET_DEMO: 'off' },
  })
  relay = await openCutRelay(septet.url)
  headers = { 'content-type': 'application/json', ...(await signIn(septet)) }
  database = new Client(postgres.connection)
  await database.connect()
  await database.query(WATCH_READINGS)
  const kubeconfig = await readFile(demo.kubeconfigPath, 'utf8')
  const metrics = { prometheusUrl: demo.prometheusUrl, exporterTargets: exporters }
  await post('connections', { kind: 'kubeconfig', name: 'direct', kubeconfig, ...metrics })
  const added = OPERATIONS.connectionsAdd.output.parse(await post('connections', { kind: 'agent', name: 'inside' }))
  token = added.agentToken ?? ''
})

afterAll(async () => {
  await Promise.all(agents.map((agent) => agent.stop('SIGKILL')))
  await relay.close()
  await septet.stop()
  await demo.stop()
  await database.end()
  await postgres.stop()
  await removeDataDir(folder)
})

/** Every reading that was ever stored; usage is made of them, and then they go. */
const WATCH_READINGS = `
  create table seen_readings (at timestamptz not null);
  create function see_reading() returns trigger language plpgsql as
    $$ begin insert into seen_readings values (new.at); return null; end $$;
  create trigger see_readings after insert on agent_readings for each row execute function see_reading()`

const seenReadings = async (): Promise<readonly number[]> =>
  (await database.query<{ at: Date }>('select at from seen_readings')).rows.map(({ at }) => at.getTime())

async function post(path: string, body: object): Promise<unknown> {
  const answer = await fetch(`${septet.url}/api/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return answer.json()
}
async function get<Output>(path: string, schema: { parse(value: unknown): Output }): Promise<Output> {
  const answer = await fetch(`${septet.url}/api/v1/${path}`, { headers })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return schema.parse(await answer.json())
}

function agentOf(name: string, given = token): AgentProcess {
  const words = [
    '--server',
    relay.url,
    '--kubeconfig',
    demo.kubeconfigPath,
    '--dir',
    dataDir(name),
    '--prometheus',
    demo.prometheusUrl,
  ]
  const agent = startAgent([...words, ...exporters.flatMap((url) => ['--exporter', url])], given)
  agents.push(agent)
  return agent
}
function lastAgent(): AgentProcess {
  const agent = agents.at(-1)
  if (agent === undefined) throw new Error('no agent was started')
  return agent
}
const said = (agent: AgentProcess, words: RegExp): Promise<string> =>
  eventually(
    async () => agent.said(),
    (text) => words.test(text),
  )
const waitingIn = async (name: string): Promise<readonly number[]> =>
  (await readdir(dataDir(name))).flatMap((file) => (file.endsWith('.gz') ? [Number.parseInt(file, 10)] : []))

type Fleet = OutputOf<typeof OPERATIONS.fleetMap>
const fleetOf = (cluster: string): Promise<Fleet> => get(`fleet?cluster=${cluster}`, OPERATIONS.fleetMap.output)
const summaryOf = (cluster: string) => get(`summary?cluster=${cluster}&range=1h`, OPERATIONS.summaryGet.output)
const trendOf = (cluster: string) => get(`utilization?cluster=${cluster}&range=7d`, OPERATIONS.utilizationTrend.output)
const connectionOf = async (id: string) =>
  (await get('connections', OPERATIONS.connectionsList.output)).connections.find((one) => one.id === id)
const clusterOf = async (id: string) =>
  (await get('clusters', OPERATIONS.clustersList.output)).clusters.find((one) => one.id === id)

/** Nodes, GPUs, how they are cut, and what each part is: held, free or stranded. */
const shapeOf = ({ frame, now }: Fleet): string => JSON.stringify([frame, now.blocks.kind])

test('a cluster that an agent reads has the figures of the same one read directly', async () => {
  const agent = agentOf('first')
  await said(agent, /Septet takes readings/u)
  // Each reads a cluster in which work comes and goes at moments of its own: what one saw the other saw before or after.
  const seen = { inside: new Set<string>(), direct: new Set<string>() }
  const inside = await eventually(
    async () => {
      const [one, other] = await Promise.all([fleetOf('inside'), fleetOf('direct')])
      seen.inside.add(shapeOf(one))
      seen.direct.add(shapeOf(other))
      return one
    },
    ({ frame }) => frame !== null && frame !== undefined && [...seen.inside].some((one) => seen.direct.has(one)),
  )
  expect(inside.frame?.gpus.id.length).toBeGreaterThan(100)
  const [ofAgent, ofSeptet] = await eventually(
    () => Promise.all([summaryOf('inside'), summaryOf('direct')]),
    (both) => both.every(({ utilization }) => utilization.busy.value !== null),
  )
  expect(ofAgent?.capacity.gpus).toBe(ofSeptet?.capacity.gpus)
  expect(ofAgent?.utilization.allocated.value).toBeCloseTo(ofSeptet?.utilization.allocated.value ?? 0, 1)
  expect(ofAgent?.utilization.busy.value).toBeCloseTo(ofSeptet?.utilization.busy.value ?? 0, 1)
  expect(await connectionOf('inside')).toMatchObject({
    server: null,
    signsInBy: 'agent token',
    agent: { readTo: expect.any(String) },
  })
})

test('its past is read by the agent when it first reports, hour by hour the same as the one read directly', async () => {
  const [inside, direct] = await eventually(
    () => Promise.all([trendOf('inside'), trendOf('direct')]),
    ([one, other]) => isKnown(one) && isKnown(other) && isDeepStrictEqual(pastOf(one), pastOf(other)),
  )
  expect(pastOf(inside)).toEqual(pastOf(direct))
})

type Hour = { readonly at: string; readonly busy: number | null; readonly allocated: number | null }
type Trend = { readonly points: readonly Hour[] }

const isKnown = (trend: Trend): boolean => pastOf(trend).filter(({ busy }) => busy !== null).length >= 12
/** Without the last hours, which each has read by itself, or in five-minute rows of which the sums are rounded. */
const pastOf = ({ points }: Trend): readonly Hour[] => points.slice(0, -8).map(rounded)

/** To the ninth place: sums of the same in another order differ in the last. */
const rounded = ({ at, busy, allocated }: Hour): Hour => ({ at, busy: ninth(busy), allocated: ninth(allocated) })
const ninth = (value: number | null): number | null => (value === null ? null : Number(value.toFixed(9)))

test('what was read through an outage and by an agent that was killed in it arrives once, none left out', async () => {
  relay.cut()
  const first = lastAgent()
  await said(first, /did not answer .* What is read is kept/u)
  await eventually(
    () => waitingIn('first'),
    (files) => files.length >= 4,
  )
  await first.stop('SIGKILL')
  const before = await waitingIn('first')
  const second = agentOf('first')
  const kept = await eventually(
    () => waitingIn('first'),
    (files) => files.length >= before.length + 4,
  )
  expect(kept).toEqual(expect.arrayContaining([...before]))
  relay.mend()
  await said(second, /Septet takes readings/u)
  const stored = await eventually(seenReadings, (seen) => kept.every((at) => seen.includes(at)))
  expect(new Set(stored).size).toBe(stored.length)
  await eventually(
    () => waitingIn('first'),
    (files) => kept.every((at) => !files.includes(at)),
  )
})

test('a second agent is told who reads the cluster and since when, and one with a replaced token that it is', async () => {
  const running = lastAgent()
  const other = agentOf('other')
  expect(await said(other, /What is read is kept/u)).toMatch(
    /inside has been read by the agent on \S+ since 20\S+Z, so the agent on \S+ was refused\. Stop one of the two\./u,
  )
  await other.stop()
  const { agentToken } = OPERATIONS.connectionsRotate.output.parse(await post('connections/inside/agent-token', {}))
  expect(await said(running, /is not valid for/u)).toMatch(
    /This agent’s token is not valid for inside: it was replaced/u,
  )
  await running.stop()
  const kept = await waitingIn('first')
  expect(kept.length).toBeGreaterThan(0)
  const renewed = agentOf('first', agentToken)
  await said(renewed, /Septet takes readings/u)
  await eventually(seenReadings, (seen) => kept.every((at) => seen.includes(at)))
})

test('once its agent is stopped the cluster is shown as it was last read, and as not connected', async () => {
  await lastAgent().stop()
  const cluster = await eventually(
    () => clusterOf('inside'),
    (one) => one?.state === 'disconnected',
  )
  expect(cluster?.problems).toContainEqual(expect.objectContaining({ code: 'agent-silent' }))
  expect(cluster?.gpus).toBeGreaterThan(100)
})

test('nothing is changed through an agent, and why is said', async () => {
  const answer = await fetch(`${septet.url}/api/v1/connections/inside/actor`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ kubeconfig: await readFile(demo.actorKubeconfigPath, 'utf8') }),
  })
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ detail: 'inside is read by an agent inside it, and agents only read.' })
})
