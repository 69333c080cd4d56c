import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import type { OPERATIONS, OutputOf } from '@septet/contract'
import { instant, type Store, type UsageRow } from '@septet/domain'
import { openPostgresStore, startEmbeddedPostgres } from '@septet/storage'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { descendantsOf, stillRunning } from '../child-processes.ts'
import { startDemo, type DemoProcess } from '../demo-process.ts'
import { followEvents } from '../event-stream.ts'
import {
  eventually,
  newDataDir,
  refusedSeptet,
  removeDataDir,
  signIn,
  startSeptet,
  type SeptetOptions,
  type SeptetProcess,
} from '../server-process.ts'
import { ownDemoSeptet } from '../shared/shared.ts'

type Summary = OutputOf<typeof OPERATIONS.summaryGet>
type Clusters = OutputOf<typeof OPERATIONS.clustersList>['clusters']
type Ready = { status: string; checks: Record<string, string> }

/** Anyone who signed in; others ask as visitors, who see the demo cluster. */
const headers = new Map<SeptetProcess, Record<string, string>>()
const get = (of: SeptetProcess, path: string): Promise<Response> =>
  fetch(`${of.url}${path}`, { headers: headers.get(of) ?? {} })
const json = async <Value>(of: SeptetProcess, path: string): Promise<Value> =>
  (await (await get(of, path)).json()) as Value
const summaryOf = (of: SeptetProcess, query = 'cluster=demo'): Promise<Summary> => json(of, `/api/v1/summary?${query}`)
const clustersOf = async (of: SeptetProcess): Promise<Clusters> =>
  (await json<{ clusters: Clusters }>(of, '/api/v1/clusters')).clusters
const clusterOf = async (of: SeptetProcess, id: string) => (await clustersOf(of)).find((cluster) => cluster.id === id)

const ready = (of: SeptetProcess): Promise<Response> =>
  eventually(
    () => get(of, '/readyz'),
    ({ status }) => status === 200,
  )
const demoIsLive = (of: SeptetProcess): Promise<Summary> =>
  eventually(
    () => summaryOf(of),
    ({ asOf, status }) => typeof asOf === 'string' && status.kind !== 'down' && status.kind !== 'connecting',
  )
type Trend = OutputOf<typeof OPERATIONS.utilizationTrend>
const knownHours = async (of: SeptetProcess): Promise<number> =>
  (await json<Trend>(of, '/api/v1/utilization?cluster=demo&range=7d')).points.filter(({ busy }) => busy !== null).length
/** Of a day; some hours may have no trustworthy measurement. */
const HOURS = 20

const runningDemoOf = (of: SeptetProcess): number | undefined =>
  descendantsOf(of.pid).find(({ command }) => command.includes('demo-main.mjs'))?.pid
const demoOf = (of: SeptetProcess): number => {
  const demo = runningDemoOf(of)
  if (demo === undefined) throw new Error('the demo cluster is not running')
  return demo
}
const serverFiles = (of: SeptetProcess): string => join(of.dataDir, 'postgres', 'data')
const postmasterOf = (of: SeptetProcess): number =>
  Number(readFileSync(join(serverFiles(of), 'postmaster.pid'), 'utf8').split('\n')[0])

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** The five-minute rows that are stored now, read past Septet. */
async function storedRows(store: Store): Promise<readonly UsageRow[]> {
  const window = { from: instant(Date.now() - 86_400_000), to: instant(Date.now() + 300_000) }
  return store.usage.rows({ cluster: 'demo', span: '5m', window })
}

async function rowsBeside(of: SeptetProcess): Promise<readonly UsageRow[]> {
  const password = readFileSync(join(serverFiles(of), 'septet.password'), 'utf8').trim()
  const host = join(of.dataDir, 'postgres', 'socket')
  const connection = { host, port: 5432, user: 'septet', password, database: 'septet' }
  const store = await openPostgresStore({ connection, log: silent })
  const rows = await storedRows(store)
  await store.close()
  return rows
}

async function rowsLeftIn(dataDir: string): Promise<readonly UsageRow[]> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: silent })
  const store = await openPostgresStore({ connection: postgres.connection, log: silent })
  const rows = await storedRows(store)
  await store.close()
  await postgres.stop()
  return rows
}

/** GPU-seconds by bucket, or by bucket and GPU. */
const gpuSeconds = (rows: readonly UsageRow[], keyOf: (row: UsageRow) => string): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>()
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + row.share * row.present)
  return sums
}

const bucket = ({ at }: UsageRow): string => String(at)
const bucketAndGpu = ({ at, gpu }: UsageRow): string => `${at} ${gpu}`

describe('one Septet that is hit again and again', () => {
  let septet: SeptetProcess
  let before: readonly UsageRow[] = []
  let killedAt = 0
  let eventOfFirstLife = ''
  /** Of buckets that had ended a while before the kill, so that their last rows were written by then. */
  const settled = (rows: readonly UsageRow[]) => rows.filter(({ at }) => at + 300_000 < killedAt - 60_000)

  beforeAll(async () => {
    septet = await ownDemoSeptet()
    await ready(septet)
    await eventually(
      () => knownHours(septet),
      (hours) => hours >= HOURS,
    )
  })
  afterAll(async () => {
    await septet.stop('SIGKILL')
    await removeDataDir(septet.dataDir)
  })

  test('a client that comes back to the event stream is given exactly what it missed', async () => {
    const whole = await followEvents(septet.url)
    await eventually(
      () => Promise.resolve(whole.events.length),
      (count) => count >= 6,
    )
    const resumed = await followEvents(septet.url, whole.events[1]?.id)
    await eventually(
      () => Promise.resolve(resumed.events.length),
      (count) => count >= 6,
    )
    whole.close()
    resumed.close()
    const both = Math.min(whole.events.length - 2, resumed.events.length)
    expect(both).toBeGreaterThanOrEqual(4)
    expect(resumed.events.slice(0, both)).toEqual(whole.events.slice(2, 2 + both))
    eventOfFirstLife = whole.events[1]?.id ?? ''
  })

  test('without its database it shows live figures, says what is away, and is ready again when it is back', async () => {
    const control = join(serverFiles(septet), 'global', 'pg_control')
    const killed = postmasterOf(septet)
    process.kill(killed, 'SIGKILL')
    // Without this file PostgreSQL does not start: the outage lasts until it is put back.
    renameSync(control, `${control}.away`)
    try {
      const notReady = await eventually(
        () => get(septet, '/readyz'),
        ({ status }) => status === 503,
      )
      expect(((await notReady.json()) as Ready).checks['database']).toMatch(/\.$/u)
      const prices = await get(septet, '/api/v1/prices')
      expect(prices.status).toBe(503)
      expect(await prices.json()).toMatchObject({
        code: 'store-unavailable',
        todo: expect.stringContaining('Live figures'),
      })

      const first = await summaryOf(septet)
      const later = await eventually(
        () => summaryOf(septet),
        ({ asOf }) => asOf !== null && asOf > (first.asOf ?? ''),
      )
      expect(later.utilization.busy.value).toBeGreaterThan(0)
      expect((await get(septet, '/api/v1/partitions?cluster=demo')).status).toBe(200)
    } finally {
      renameSync(`${control}.away`, control)
    }
    await ready(septet)
    expect(postmasterOf(septet)).not.toBe(killed)
    expect((await get(septet, '/api/v1/prices')).status).toBe(200)
    expect((await get(septet, '/api/v1/cost?cluster=demo&range=6h')).status).toBe(200)
  })

  test('when the cluster dies the last data stays, with its time and the reason, until the cluster is back', async () => {
    await demoIsLive(septet)
    const killed = demoOf(septet)
    process.kill(killed, 'SIGKILL')
    // It is started again within seconds: one that comes back before it was seen to be away is killed again.
    const down = await eventually(
      () => {
        const again = runningDemoOf(septet)
        if (again !== undefined) process.kill(again, 'SIGKILL')
        return summaryOf(septet)
      },
      ({ status }) => status.kind === 'down',
    )
    expect(down.asOf).not.toBeNull()
    expect(down.capacity.gpus).toBeGreaterThan(100)
    expect(down.utilization.busy.value).toBeGreaterThan(0)
    expect(down.status.problems.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(
        /Kubernetes API.*The data read until .* \(UTC\) stays in use; Septet retries automatically\./u,
      ),
    )
    await eventually(
      () => summaryOf(septet),
      ({ asOf, status }) => status.kind !== 'down' && (asOf ?? '') > (down.asOf ?? ''),
    )
    expect(demoOf(septet)).not.toBe(killed)
    expect((await clusterOf(septet, 'demo'))?.state).toBe('connected')
  })

  test('killed outright, it leaves no process but the database, and a new one takes that over', async () => {
    before = await eventually(
      () => rowsBeside(septet),
      (rows) => rows.some(({ at }) => at > Date.now() - 300_000),
    )
    const left = { demo: demoOf(septet), postmaster: postmasterOf(septet) }
    const children = descendantsOf(septet.pid).map(({ pid }) => pid)
    killedAt = Date.now()
    await septet.stop('SIGKILL')
    await eventually(
      () => Promise.resolve(stillRunning([left.demo])),
      (running) => running.length === 0,
    )
    septet = await startSeptet({ dataDir: septet.dataDir })
    await ready(septet)
    expect(stillRunning(children)).toEqual([])
    expect(postmasterOf(septet)).not.toBe(left.postmaster)
    expect(septet.errors()).not.toContain('"level":50')
  })

  test('the new process has the usage of the one before at once', async () => {
    // The first analysis is the one that counts: nothing of the past is read again before it.
    const first = await eventually(
      () => knownHours(septet),
      (hours) => hours > 0,
    )
    expect(first).toBeGreaterThanOrEqual(HOURS)
  })

  test('an event id of the process before is answered with a reset', async () => {
    const stream = await followEvents(septet.url, eventOfFirstLife)
    await eventually(
      () => Promise.resolve(stream.events.length),
      (count) => count >= 2,
    )
    stream.close()
    expect(eventOfFirstLife).not.toBe('')
    expect(stream.events[0]?.kind).toBe('reset')
    expect(stream.events.slice(1).map(({ kind }) => kind)).not.toContain('reset')
  })

  test('SIGTERM stops everything in order and nothing is left', async () => {
    await demoIsLive(septet)
    const children = descendantsOf(septet.pid)
    expect(children.length).toBeGreaterThanOrEqual(2)
    const lock = join(septet.dataDir, 'septet.lock')
    expect(readFileSync(lock, 'utf8')).toContain(String(septet.pid))
    expect(await septet.stop()).toBe(0)
    expect(stillRunning(children.map(({ pid }) => pid))).toEqual([])
    expect(() => readFileSync(lock)).toThrow('ENOENT')
  })

  test('what was stored before the kill is there unchanged, and nothing is counted twice', async () => {
    const after = await rowsLeftIn(septet.dataDir)
    const ended = gpuSeconds(settled(before), bucket)
    expect(ended.size).toBeGreaterThan(60)
    expect(gpuSeconds(settled(after), bucket)).toEqual(ended)

    const total = gpuSeconds(after, bucketAndGpu)
    const tooMuch = [...total].filter(([, sum]) => sum > 300.001)
    expect(tooMuch).toEqual([])
    const shrunk = [...gpuSeconds(before, bucketAndGpu)].filter(([key, sum]) => (total.get(key) ?? 0) < sum - 0.001)
    expect(shrunk).toEqual([])
  })
})

const refusal = async (options: SeptetOptions): Promise<string> => {
  const { code, errors } = await refusedSeptet(options)
  expect(code).toBe(1)
  expect(errors.trim()).not.toContain('\n')
  expect(errors.trim()).toMatch(/\.$/u)
  return errors
}

describe('what cannot work is refused in one sentence', () => {
  let folder: string
  beforeAll(async () => {
    folder = await newDataDir()
  })
  afterAll(() => removeDataDir(folder))

  test.each([
    ['a wrong value', { SEPTET_PORT: 'http' }, /SEPTET_PORT is "http" but must be a port number/u],
    ['an unknown setting', { SEPTET_COLOUR: 'red' }, /SEPTET_COLOUR is not a setting of Septet; see docs/u],
    [
      'an address that is not loopback',
      { SEPTET_HOST: '0.0.0.0' },
      /SEPTET_HOST is "0\.0\.0\.0", which others can reach, without SEPTET_AUTHORIZED_EMAIL and SEPTET_SETUP_SECRET/u,
    ],
    [
      'a public address where anyone of a domain may sign up unproven',
      {
        SEPTET_PUBLIC_URL: 'https://septet.example.com',
        SEPTET_AUTHORIZED_EMAIL: 'ops@example.com,*@example.com',
        SEPTET_SETUP_SECRET: 'a setup secret of the tests',
      },
      /lets in \*@example\.com while SEPTET_CONFIRM_EMAIL is off.*Set SEPTET_CONFIRM_EMAIL=on and SEPTET_SMTP_URL/u,
    ],
    [
      'several at once, all of them named',
      { SEPTET_DEMO: 'maybe', SEPTET_POLL_SECONDS: '0' },
      /SEPTET_DEMO is "maybe".*SEPTET_POLL_SECONDS is "0"/u,
    ],
  ])('%s', async (_name, environment, sentence) => {
    expect(await refusal({ dataDir: join(folder, 'never-made'), environment })).toMatch(sentence)
  })

  test('a file where the data directory should be', async () => {
    const dataDir = join(folder, 'file')
    writeFileSync(dataDir, 'mine')
    expect(await refusal({ dataDir })).toMatch(/The data directory .*file cannot be used .*SEPTET_DATA_DIR/u)
    expect(readFileSync(dataDir, 'utf8')).toBe('mine')
  })

  test('a data directory that nobody may write to', async () => {
    // Not even root writes to the kernel's own file system.
    expect(await refusal({ dataDir: '/sys/kernel' })).toMatch(/The data directory \/sys\/kernel .*SEPTET_DATA_DIR/u)
  })

  test('a DATABASE_URL at which nobody listens', async () => {
    const url = `postgres://septet:s3cret@127.0.0.1:${await closedPort()}/septet`
    const sentence = await refusal({ dataDir: join(folder, 'other'), environment: { DATABASE_URL: url } })
    expect(sentence).toMatch(/127\.0\.0\.1:\d+\/septet.*DATABASE_URL/u)
    expect(sentence).not.toContain('s3cret')
  })
})

describe('a cluster that cannot be reached, beside the demo cluster', () => {
  let folder: string
  let kubeconfig: string
  let septet: SeptetProcess
  beforeAll(async () => {
    folder = await newDataDir()
    kubeconfig = join(folder, 'production.kubeconfig')
    septet = await ownDemoSeptet({ SEPTET_KUBECONFIG: kubeconfig, SEPTET_CLUSTER_NAME: 'Production' })
    await ready(septet)
  })
  afterAll(async () => {
    await septet.stop('SIGKILL')
    await Promise.all([removeDataDir(septet.dataDir), removeDataDir(folder)])
  })

  /** What is wrong with it by then; meanwhile the demo cluster is whole. */
  async function problemOf(code: string): Promise<string> {
    const found = await eventually(
      () => clusterOf(septet, 'production'),
      (cluster) => cluster?.state === 'disconnected' && cluster.problems[0]?.code === code,
    )
    const refused = await get(septet, '/api/v1/summary?cluster=production')
    expect(refused.status).toBe(503)
    const detail = found?.problems[0]?.message ?? ''
    expect(await refused.json()).toMatchObject({ code: 'not-ready', detail })
    expect((await demoIsLive(septet)).capacity.gpus).toBeGreaterThan(100)
    return detail
  }

  test('a kubeconfig that is not there is named with what to do', async () => {
    expect((await get(septet, '/api/v1/summary?cluster=production')).status).toBe(404)
    headers.set(septet, await signIn(septet))
    expect((await clustersOf(septet)).map(({ id }) => id)).toEqual(['production', 'demo', 'sample'])
    expect(await problemOf('kubeconfig-missing')).toContain(kubeconfig)
  })

  test('once it is there it is read, and an API server that is not there is named with its address', async () => {
    const port = await closedPort()
    writeFileSync(kubeconfig, kubeconfigFor(`http://127.0.0.1:${port}`))
    expect(await problemOf('unreachable')).toMatch(
      new RegExp(`127\\.0\\.0\\.1:${port}.*refused.*check the address`, 'u'),
    )
  })

  test('it keeps Septet from nothing when it is told to stop', async () => {
    expect(await septet.stop()).toBe(0)
  })
})

describe('a metrics engine that does not work', () => {
  type Behavior = 'errors' | 'html' | 'cuts' | 'silence'
  let engine: Server
  let behavior: Behavior = 'errors'
  let held = 0
  let cluster: DemoProcess
  let septet: SeptetProcess

  beforeAll(async () => {
    engine = createServer((request, answer) => {
      if (behavior === 'errors') answer.writeHead(502).end('upstream is away')
      else if (behavior === 'html') answer.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>')
      else if (behavior === 'cuts') request.socket.destroy()
      else held += 1
    })
    await new Promise<void>((done) => engine.listen(0, '127.0.0.1', done))
    cluster = await startDemo()
    septet = await startSeptet({
      environment: {
        SEPTET_DEMO: 'off',
        SEPTET_KUBECONFIG: cluster.kubeconfigPath,
        SEPTET_CLUSTER_NAME: 'watched',
        SEPTET_PROMETHEUS_URL: `http://127.0.0.1:${(engine.address() as AddressInfo).port}`,
      },
    })
    headers.set(septet, await signIn(septet))
  })
  afterAll(async () => {
    await septet.stop('SIGKILL')
    await cluster.stop()
    engine.closeAllConnections()
    engine.close()
    await removeDataDir(septet.dataDir)
  })

  test.each<[string, Behavior, RegExp]>([
    ['answers with 502', 'errors', /502/u],
    ['answers with a web page', 'html', /something that is not Prometheus/u],
    ['cuts every connection', 'cuts', /connection|reach/u],
  ])('one that %s is named, and the inventory goes on', async (_name, next, words) => {
    behavior = next
    const summary = await eventually(
      () => summaryOf(septet, 'cluster=watched&range=1h'),
      ({ status, capacity }) =>
        capacity.gpus > 100 &&
        status.problems.some(({ code, message }) => code === 'telemetry-unavailable' && words.test(message)),
    )
    expect(summary.status.kind).toBe('degraded')
    expect(summary.utilization.busy).toMatchObject({ value: null, quality: 'unknown' })
    expect(summary.utilization.busy.because).not.toBe('')
    expect(summary.workloads.running).toBeGreaterThan(20)
    expect((await get(septet, '/readyz')).status).toBe(200)
  })

  test('allocation and cost of the cluster are told without it', async () => {
    const summary = await eventually(
      () => summaryOf(septet, 'cluster=watched&range=1h'),
      ({ utilization }) => (utilization.allocated.value ?? 0) > 0,
    )
    expect(summary.cost.capacity.value).toBeGreaterThan(0)
    expect(summary.cost.unmeasured.value).toBeGreaterThan(0)
  })

  test('while one keeps a question, everything else answers, and Septet stops in order when it is told to', async () => {
    behavior = 'silence'
    await eventually(
      () => Promise.resolve(held),
      (questions) => questions > 0,
    )
    expect((await summaryOf(septet, 'cluster=watched')).capacity.gpus).toBeGreaterThan(100)
    const children = descendantsOf(septet.pid).map(({ pid }) => pid)
    expect(await septet.stop()).toBe(0)
    expect(stillRunning(children)).toEqual([])
    expect(septet.errors()).not.toContain('did not end in time')
  })
})

/** A port at which nobody listens. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}

const kubeconfigFor = (server: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'gone', cluster: { server } }],
    contexts: [{ name: 'gone', context: { cluster: 'gone', user: 'gone' } }],
    'current-context': 'gone',
    users: [{ name: 'gone', user: {} }],
  })
