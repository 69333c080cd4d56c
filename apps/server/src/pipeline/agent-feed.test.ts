import {
  DEFAULT_POLICY,
  instant,
  NOTHING_MEASURED,
  ratio,
  seconds,
  UNKNOWN_ROOM,
  type DeviceSample,
  type HistoricUsage,
  type Instant,
  type Inventory,
  type Store,
  type UsageRow,
} from '@septet/domain'
import { packPast, packReading, type AgentPast, type AgentReading } from '@septet/plan-files'
import { openTestStore } from '@septet/storage/testing'
import { expect, test, vi } from 'vitest'

import { AgentFeed } from './agent-feed.ts'
import { Collector } from './collect.ts'
import { RecentUsage } from './recent-usage.ts'

const START = Date.UTC(2026, 0, 5, 10, 2, 10)
const STEP_MS = 15_000
/** An hour and more, and no whole number of buckets. */
const READINGS = 300
const at = (reading: number): Instant => instant(START + reading * STEP_MS)
const NONE = instant(0)

const inventoryAt = (taken: Instant, holder: string): Inventory => ({
  takenAt: taken,
  serverVersion: 'v1.34.0',
  nodes: [
    {
      name: 'n1',
      pool: '',
      ready: true,
      schedulable: true,
      createdAt: instant(0),
      product: 'Tesla-T4',
      mig: { strategy: 'none', config: undefined, state: undefined },
      sharing: { kind: 'none' },
      allocatable: { 'nvidia.com/gpu': 1 },
      room: UNKNOWN_ROOM,
      gpuCount: 1,
      reportedProfiles: undefined,
      devices: [],
      problems: [],
    },
  ],
  pods: [
    {
      id: `lab/${holder}`,
      uid: holder,
      namespace: 'lab',
      name: holder,
      node: 'n1',
      phase: 'Running',
      requests: [{ resource: 'nvidia.com/gpu', count: 1 }],
      scheduling: {
        cpuMilli: 0,
        memory: 0 as never,
        nodeSelector: {},
        nodeTerms: [],
        tolerations: [],
        priority: 0,
        managed: true,
        evictable: true,
      },
      workload: `lab/Job/${holder}`,
      createdAt: instant(0),
      startedAt: instant(0),
      waiting: undefined,
    },
  ],
  workloads: [
    {
      id: `lab/Job/${holder}`,
      namespace: 'lab',
      kind: 'Job',
      name: holder,
      class: 'training',
      queue: undefined,
      status: 'running',
      requests: [{ resource: 'nvidia.com/gpu', count: 1 }],
      pods: [`lab/${holder}`],
      createdAt: instant(0),
      startedAt: instant(0),
      waiting: undefined,
    },
  ],
  queues: [],
  budgets: [],
  quotas: [],
  problems: [],
})

const sample = (taken: Instant, holder: string, busy: number): DeviceSample => ({
  at: taken,
  node: 'n1',
  gpu: 'GPU-1',
  index: 0,
  model: 'Tesla T4',
  busy: ratio(busy),
  holder: { namespace: 'lab', pod: holder, container: 'main' },
})

/** The holder changes in the middle; only then, and first, the inventory is told. */
function readingOf(number: number): AgentReading {
  const taken = at(number)
  const holder = number < 130 ? 'first' : 'second'
  return {
    at: taken,
    interval: seconds(15),
    connection: { kind: 'connected', lastContact: taken, problems: [] },
    ...(number === 0 || number === 130 ? { inventory: inventoryAt(taken, holder) } : {}),
    telemetry: {
      kind: 'read',
      at: taken,
      samples: [sample(taken, holder, (number % 7) / 10)],
      targets: [],
      problems: [],
    },
  }
}

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** One process that works on what an agent has sent. */
function workOn(store: Store, cluster: string, clock = () => at(READINGS)) {
  const record = { id: cluster, name: cluster, kind: 'cluster' as const, createdAt: instant(0) }
  const feed = new AgentFeed({ record, agents: store.agents, log: silent, clock, pollSeconds: 15 })
  const recent = new RecentUsage({
    cluster,
    store: store.usage,
    policy: DEFAULT_POLICY,
    workedTo: () => feed.workedTo(),
  })
  const collector = new Collector({
    record,
    reader: feed.reader,
    telemetry: feed.telemetry,
    inference: undefined,
    recent,
    feed,
    log: silent,
    clock,
    pace: { pollSeconds: 60, storeSeconds: 1, recommendSeconds: 1, historyDays: 8 },
    publish: () => undefined,
    observe: () => undefined,
  })
  const readings = async (most: number): Promise<number> => {
    let count = 0
    while (count < most && (await feed.next())) {
      await collector.collect()
      count += 1
    }
    return count
  }
  return { feed, collector, readings, flush: () => recent.flush(clock()) }
}

async function agentSends(store: Store, cluster: string, { from, to }: { from: number; to: number }): Promise<void> {
  const who = { instance: 'one', host: 'pod-one', version: '1', leaseMs: 90_000 }
  for (let number = from; number < to; number += 1) {
    const reading = readingOf(number)
    await store.agents.visit(cluster, { ...who, signedAt: reading.at, now: reading.at })
    await store.agents.take(cluster, {
      at: reading.at,
      after: number === 0 ? NONE : at(number - 1),
      hasInventory: reading.inventory !== undefined,
      body: await packReading(reading),
    })
  }
}

const rowsOf = async (store: Store, cluster: string): Promise<readonly UsageRow[]> => {
  const rows = await store.usage.rows({ cluster, span: '5m', window: { from: instant(0), to: at(10_000) } })
  return rows.toSorted((a, b) => a.at - b.at || (a.pod < b.pod ? -1 : 1))
}

test('what an agent sends after an hour is counted as of when it was read, each second once', async () => {
  const store = await openTestStore()
  await agentSends(store, 'c', { from: 0, to: READINGS })
  const { readings, flush, feed, collector } = workOn(store, 'c')
  expect(await readings(1000)).toBe(READINGS)
  await flush()
  const rows = await rowsOf(store, 'c')
  const present = rows.reduce((sum, row) => sum + row.present, 0)
  expect(present).toBeCloseTo(((READINGS - 1) * STEP_MS) / 1000, 6)
  expect(rows.every(({ measured, present: seen }) => measured === seen)).toBe(true)
  expect(collector.asOf()).toBe(at(READINGS - 1))
  expect(feed.reader.state()).toMatchObject({ kind: 'connected', lastContact: at(READINGS - 1) })
  // All that is left is what the next readings stand on.
  expect((await store.agents.after('c', NONE, 10)).map((row) => row.at)).toEqual([at(130)])
})

const sums = (rows: readonly UsageRow[]) =>
  rows.map((row) => [row.at, row.pod, row.kind, row.present.toFixed(6), row.busy?.toFixed(6)])

test('a Septet that is killed again and again makes the same rows, whatever was written when it ended', async () => {
  const store = await openTestStore()
  await agentSends(store, 'whole', { from: 0, to: READINGS })
  const whole = workOn(store, 'whole')
  await whole.readings(1000)
  await whole.flush()
  await agentSends(store, 'cut', { from: 0, to: READINGS })
  let worked = 0
  for (const [read, afterFlush] of [
    [3, 0],
    [17, 5],
    [1, 9],
    [20, 0],
    [33, 2],
    [90, 1],
    [0, 40],
    [7, 0],
    [60, 60],
  ] as const) {
    const process = workOn(store, 'cut')
    worked += await process.readings(read)
    await process.flush()
    // What comes after the last writing is lost with the process, and worked on again by the next one.
    await process.readings(afterFlush)
  }
  expect(worked).toBeLessThan(READINGS)
  const last = workOn(store, 'cut')
  await last.readings(1000)
  await last.flush()
  expect(sums(await rowsOf(store, 'cut'))).toEqual(sums(await rowsOf(store, 'whole')))
})

test('a reading that is none is left out with the reason, and the next ones count', async () => {
  const store = await openTestStore()
  await agentSends(store, 'c', { from: 0, to: 3 })
  const body = Buffer.from('no reading')
  await store.agents.take('c', { at: instant(at(2) + 1), after: at(2), hasInventory: false, body })
  const { readings, feed } = workOn(store, 'c', () => at(3))
  expect(await readings(10)).toBe(3)
  expect(feed.reader.state().problems).toMatchObject([{ code: 'agent-reading-refused' }])
  const other = { ...readingOf(3), at: instant(at(3) + 5) }
  await store.agents.take('c', {
    at: at(3),
    after: instant(at(2) + 1),
    hasInventory: false,
    body: await packReading(other),
  })
  expect(await readings(10)).toBe(0)
  expect(feed.reader.state().problems[0]?.message).toMatch(/it is dated otherwise than announced/u)
})

test('an agent that is awaited, reports, is silent and is stopped is told apart', async () => {
  const store = await openTestStore()
  let now = at(0)
  const { readings, feed, collector } = workOn(store, 'c', () => now)
  const look = async () => {
    await readings(10)
    return feed.reader.state()
  }
  expect(await look()).toMatchObject({ kind: 'connecting', problems: [{ code: 'agent-awaited' }] })
  await agentSends(store, 'c', { from: 0, to: 1 })
  expect(await look()).toMatchObject({ kind: 'connected', problems: [] })
  now = at(1)
  expect(feed.silence()).toBeUndefined()
  now = at(2)
  expect(await look()).toMatchObject({ kind: 'disconnected', lastContact: at(0), problems: [{ code: 'agent-silent' }] })
  expect(feed.silence()).toMatch(/^The agent of c on pod-one has not reported since 2026-01-05T10:02:10/u)
  expect(collector.asOf()).toBe(at(0))
  await store.agents.leave('c', 'one')
  await look()
  expect(feed.silence()).toMatch(/^The agent of c on pod-one was stopped; what it last read is shown\./u)
})

const QUERY = { window: { from: instant(0), to: instant(3_600_000) }, span: '1h', idle: DEFAULT_POLICY.idle } as const

/** Sends parts for whatever is wanted, once it is. */
async function agentAnswers(store: Store, cluster: string, answers: readonly AgentPast[]): Promise<string> {
  const id = await vi.waitFor(async () => {
    const wish = await store.agents.wished(cluster)
    expect(wish).toMatchObject(QUERY)
    return wish?.id ?? ''
  }, 60_000)
  let number = 0
  for (const past of answers) {
    for await (const body of packPast(past)) await store.agents.addPast(cluster, { wish: id, number: number++, body })
  }
  return id
}
async function pastOf(feed: AgentFeed): Promise<readonly number[]> {
  const sizes: number[] = []
  for await (const { usage } of feed.history.history(QUERY)) sizes.push(usage.length)
  return sizes
}

test('the past is asked of the agent, taken in parts, and its failure is told; then nothing is wanted any more', async () => {
  const store = await openTestStore()
  await agentSends(store, 'c', { from: 0, to: 1 })
  const { feed } = workOn(store, 'c', () => at(0))
  const empty = { kind: 'batch', batch: { usage: [pastRow], covers: () => true } } as const
  const [sizes] = await Promise.all([pastOf(feed), agentAnswers(store, 'c', [empty, empty, { kind: 'end' }])])
  expect(sizes).toEqual([1, 1])
  expect(await store.agents.wished('c')).toBeUndefined()
  const [failed] = await Promise.allSettled([
    pastOf(feed),
    agentAnswers(store, 'c', [{ kind: 'failed', message: 'The engine did not answer.' }]),
  ])
  expect(failed).toMatchObject({ status: 'rejected', reason: { message: 'The engine did not answer.' } })
  expect(await store.agents.wished('c')).toBeUndefined()
})

const pastRow: HistoricUsage = {
  ...NOTHING_MEASURED,
  at: instant(0),
  span: '1h',
  node: 'n1',
  gpu: 'GPU-1',
  index: 0,
  modelName: 'Tesla T4',
  instance: undefined,
  namespace: '',
  pod: '',
  owner: undefined,
  observedSeconds: 3600,
  idleSeconds: 0,
  stuckSeconds: 0,
  kernelTime: undefined,
}
