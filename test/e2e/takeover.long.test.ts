import { setTimeout as sleep } from 'node:timers/promises'

import { OPERATIONS, type OutputOf } from '@septet/contract'
import { instant } from '@septet/domain'
import { openPostgresStore } from '@septet/storage'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { randomFrom } from '../../bench/random-from.ts'
import { openActingHouse, type ActingHouse } from '../acting-house.ts'
import { eventually, signIn, type SeptetProcess } from '../server-process.ts'

// Two servers watch one cluster on one database. Whichever leads is killed, or paused for half a minute, again and again.

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const SEED = Number(process.env['SEPTET_TEST_SEED'] ?? 20_261_130)
const KILLS = Number(process.env['SEPTET_TEST_KILLS'] ?? 20)
const PAUSED_MS = 30_000
const AIM_MS = 15_000
/** To read the cluster anew is work for a processor, of which the tests have few. */
const READS_WITHIN_MS = 60_000
const BUCKET_MS = 300_000

let house: ActingHouse
let servers: SeptetProcess[]
/** Of an admin, for each server. */
const headers = new Map<SeptetProcess, Record<string, string>>()

async function start(): Promise<SeptetProcess> {
  const server = await house.start()
  headers.set(server, await signIn(server))
  return server
}

beforeAll(async () => {
  house = await openActingHouse()
  servers = [await start()]
  servers.push(await start())
})
afterAll(() => house.close())

type Question = { readonly path: string; readonly method?: string; readonly body?: object }

async function ask<Value>(server: SeptetProcess, { path, method = 'GET', body }: Question): Promise<Value> {
  const answer = await fetch(`${server.url}/api/v1/${path}`, {
    method,
    headers: { ...headers.get(server), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (answer.ok) return (await answer.json()) as Value
  throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
}
const summaryOf = async (server: SeptetProcess) =>
  OPERATIONS.summaryGet.output.parse(await ask(server, { path: 'summary?cluster=prod' }))
/** Whether a server leads, and when what it shows was read, as it says at once. */
async function shownBy(server: SeptetProcess): Promise<{ readonly leads: boolean; readonly readAt: number }> {
  const text = await (await fetch(`${server.url}/metrics`, { headers: headers.get(server) ?? {} })).text()
  const [, readAt = '0'] = /^septet_cluster_as_of_timestamp_seconds\{cluster="prod"\} (\S+)$/mu.exec(text) ?? []
  return { leads: text.includes('septet_leads{cluster="prod"} 1'), readAt: 1000 * Number(readAt) }
}
const leads = async (server: SeptetProcess): Promise<boolean> => (await shownBy(server)).leads
const readAt = async (server: SeptetProcess): Promise<number> => (await shownBy(server)).readAt

async function leader(): Promise<SeptetProcess> {
  const leading = await eventually(
    () => Promise.all(servers.map(leads)),
    (each) => each.includes(true),
  )
  return servers[leading.indexOf(true)] ?? start()
}
const otherThan = (one: SeptetProcess): SeptetProcess => servers.find((each) => each !== one) ?? one

/** What whoever looks sees meanwhile, from one server. */
async function watched(server: SeptetProcess, since: number) {
  const seen = { leadMs: 0, readingMs: 0, refused: [] as string[] }
  const isOver = (): boolean => seen.readingMs > 0 || Date.now() - since > READS_WITHIN_MS
  const refused = (error: unknown): void => void seen.refused.push(String(error))
  // An answer that looks back may wait for seconds, and is one all the same.
  const looking = (async () => {
    while (!isOver()) await summaryOf(server).then(() => sleep(150), refused)
  })()
  while (!isOver()) {
    const shown = await shownBy(server)
    const passed = Date.now() - since
    if (seen.leadMs === 0 && shown.leads) seen.leadMs = passed
    if (shown.leads && shown.readAt > since) seen.readingMs = passed
    await sleep(100)
  }
  await looking
  return seen
}

type Partitions = OutputOf<typeof OPERATIONS.partitionsList>
type Proposed = OutputOf<typeof OPERATIONS.actionsPropose>
const NODE = 'gpu-h100-08'

/** Begins a change that lasts for a minute and more. */
async function beginCut(server: SeptetProcess): Promise<string> {
  const { policy } = await ask<OutputOf<typeof OPERATIONS.actPoliciesGet>>(server, { path: 'act-policy?cluster=prod' })
  const modes = { ...policy.modes, repartition: 'approve' }
  const open = { cluster: 'prod', policy: { ...policy, modes, coolDown: 0 } }
  await ask(server, { path: 'act-policy', method: 'PUT', body: open })
  await house.demo.fault({ kind: 'slow-mig', node: NODE, seconds: 90 })
  const { recommendations } = await eventually(
    () =>
      ask<OutputOf<typeof OPERATIONS.recommendationsList>>(server, {
        path: 'recommendations?cluster=prod&kind=repartition',
      }),
    (found) => found.recommendations.some(({ object }) => object === `node/${NODE}`),
  )
  const recommendation = recommendations.find(({ object }) => object === `node/${NODE}`)?.id
  const wish = { cluster: 'prod', recommendation }
  const run = await ask<Proposed>(server, { path: 'actions', method: 'POST', body: wish })
  const { id, digest } = run
  await ask(server, { path: `actions/${id}/approval`, method: 'PUT', body: { cluster: 'prod', digest } })
  return id
}

/** What a server says of the cluster that does not change from reading to reading. */
async function saidBy(server: SeptetProcess): Promise<string> {
  const { nodes } = await ask<Partitions>(server, { path: 'partitions?cluster=prod&limit=100' })
  const { capacity } = await summaryOf(server)
  return JSON.stringify([nodes.map(({ node, gpus }) => [node, gpus.map(({ id }) => id)]), capacity.gpus])
}

type Round = { readonly how: 'SIGKILL' | 'SIGSTOP'; readonly leadMs: number; readonly readingMs: number }

/** Ends or pauses whoever leads, at some moment, and waits until there are two again. */
async function round(how: Round['how'], afterMs: number): Promise<Round & { readonly refused: readonly string[] }> {
  const one = await leader()
  const other = otherThan(one)
  await sleep(afterMs)
  const since = Date.now()
  if (how === 'SIGSTOP') process.kill(one.pid, how)
  else await one.stop(how)
  const seen = await watched(other, since)
  process.stdout.write(`${how}: leads after ${seen.leadMs} ms, reads after ${seen.readingMs} ms\n`)
  if (how === 'SIGSTOP') {
    await sleep(Math.max(0, since + PAUSED_MS - Date.now()))
    process.kill(one.pid, 'SIGCONT')
  } else servers = [other, await start()]
  const back = otherThan(other)
  await eventually(
    () => readAt(back),
    (at) => at > since,
  )
  expect(await Promise.all([leads(other), leads(back)])).toEqual([true, false])
  return { how, ...seen }
}

/** How many seconds of each GPU are stored for each bucket since then. */
async function storedSince(began: number): Promise<readonly number[]> {
  const store = await openPostgresStore({ connection: house.connection, log: silent })
  const [from, to] = [began, Date.now()].map((at) => instant(Math.floor(at / BUCKET_MS) * BUCKET_MS))
  const window = { from: from ?? instant(0), to: to ?? instant(0) }
  const rows = await store.usage.rows({ cluster: 'prod', span: '5m', window })
  await store.close()
  const known = new Map<string, number>()
  for (const { gpu, at, share, present } of rows) {
    known.set(`${gpu} ${at}`, (known.get(`${gpu} ${at}`) ?? 0) + share * present)
  }
  return [...known.values()]
}

test(
  `after ${KILLS} kills and ${KILLS / 2} pauses of the leader nothing is there twice, and none took over late`,
  async () => {
    const draw = randomFrom(SEED)
    const began = Date.now()
    for (const server of servers) {
      await eventually(
        () => readAt(server),
        (at) => at > 0,
      )
    }
    const rounds: Awaited<ReturnType<typeof round>>[] = []
    let cut = ''
    for (let kill = 1; kill <= KILLS * 1.5; kill += 1) {
      if (kill === 4) cut = await beginCut(await leader())
      rounds.push(await round(kill % 3 === 0 ? 'SIGSTOP' : 'SIGKILL', draw() * 6000))
    }
    for (const of of ['leadMs', 'readingMs'] as const) {
      const times = rounds.map((each) => each[of]).toSorted((a, b) => a - b)
      process.stdout.write(`seed ${SEED}: ${of} median ${times[times.length >> 1]}, worst ${times.at(-1)}\n`)
    }
    expect(rounds.flatMap(({ refused }) => refused)).toEqual([])
    expect(rounds.filter(({ leadMs, readingMs }) => leadMs > AIM_MS || leadMs * readingMs === 0)).toEqual([])

    // The change that was begun meanwhile was made once.
    const server = await leader()
    const over = await eventually(
      () => ask<OutputOf<typeof OPERATIONS.actionsGet>>(server, { path: `actions/${cut}?cluster=prod` }),
      ({ action }) => ['verified', 'kept', 'reverted', 'failed'].includes(action.state),
    )
    expect(['verified', 'kept']).toContain(over.action.state)
    const done = over.writes.filter(({ outcome }) => outcome?.kind === 'done').map(({ says }) => says)
    expect(done).toEqual([...new Set(done)])
    const evicted = (await house.demo.journal()).filter(({ kind }) => kind === 'evicted').map(({ uid }) => uid)
    expect(evicted).toEqual([...new Set(evicted)])

    // Each GPU is there once in each bucket.
    const stored = await storedSince(began)
    process.stdout.write(`${stored.length} GPU buckets, of ${Math.min(...stored)} to ${Math.max(...stored)} s\n`)
    expect(stored.length).toBeGreaterThan(0)
    expect(stored.filter((seconds) => seconds > BUCKET_MS / 1000 + 1e-6)).toEqual([])

    // Both say the same.
    const [said] = await eventually(
      () => Promise.all(servers.map(saidBy)),
      ([first, second]) => first === second,
    )
    expect(said).toContain(NODE)
  },
  45 * 60_000,
)
