import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { OPERATIONS } from '@septet/contract'
import { HOUR_MS, instant, ratio, usdPerGpuHour, type ClusterRecord, type Store, type UsageRow } from '@septet/domain'
import { REPLAYED_CLASSES } from '@septet/domain/action-classes'
import { cutInto, recordedGpu, scriptedWork } from '@septet/domain/testing'
import { openTestStore } from '@septet/storage/testing'
import { expect, test } from 'vitest'

import { defaultActPolicy, writeActPolicy } from '../../act-policies.ts'
import { openTestSeptet } from '../../faces/open-test-septet.fixture.ts'
import { scriptedDigest } from './print-replay.fixture.ts'
import { replayHistory, type Replayed } from './replay-history.ts'
import { notesInMemory } from '../../notes-in-memory.fixture.ts'
import { openShadowService, type RunReplay } from './shadow-service.ts'

const ANY = { pods: null, nodes: null, gpus: null, usdPerHour: null }
const MONTH = { class: 'reclaim-idle', asked: { kind: 'days', days: 30 } } as const
const RECORD: ClusterRecord = { id: 'production', name: 'Production', kind: 'demo', createdAt: instant(0) }

/** Five days until the last hour that is settled: one workload that works again at once, one later, one never. */
function history(now: number): { readonly rows: readonly UsageRow[]; readonly now: ReturnType<typeof instant> } {
  const to = Math.floor(now / HOUR_MS) * HOUR_MS - HOUR_MS
  const from = instant(to - 120 * HOUR_MS)
  const rows = [
    ...scriptedWork(120, { from, does: (hour) => (hour < 25 ? 'idle' : 'work'), workload: 'lab/Deployment/hasty' }),
    ...scriptedWork(120, { from, does: (hour) => (hour < 80 ? 'idle' : 'work'), workload: 'lab/Deployment/late' }),
    ...scriptedWork(120, { from, does: () => 'idle', workload: 'lab/Deployment/idle' }),
    ...scriptedWork(120, { from, does: () => 'work', workload: 'lab/Deployment/busy' }),
  ]
  return { rows, now: instant(now) }
}

async function keep(store: Store, rows: readonly UsageRow[]): Promise<void> {
  await store.prices.put({
    id: 'own',
    cluster: undefined,
    pool: undefined,
    model: undefined,
    price: usdPerGpuHour(2),
    source: 'a contract',
    asOf: instant(0),
    origin: 'operator',
  })
  await store.usage.write(RECORD.id, rows)
}

test('what was stored is replayed: the same digest on every run and in whatever order rows came, another under another policy', async () => {
  const { rows, now } = history(1_780_000_000_000)
  const replayed = async (some: readonly UsageRow[]): Promise<[Store, Replayed]> => {
    const store = await openTestStore()
    await keep(store, some)
    return [store, await replayHistory(store, { record: RECORD, ...MONTH, now })]
  }
  const [store, replay] = await replayed(rows)
  expect(replay.month.totals).toMatchObject({
    objects: 3,
    outcomes: { 'came-back-at-once': 1, 'came-back-later': 1, 'still-idle': 1, ended: 0, 'not-known': 0 },
  })
  expect(await replayHistory(store, { record: RECORD, ...MONTH, now })).toEqual(replay)
  expect((await replayed(rows.toReversed()))[1]).toEqual(replay)
  const half = defaultActPolicy('demo')
  await writeActPolicy(store.settings, RECORD.id, {
    policy: {
      ...half,
      windows: [],
      protectedNamespaces: ['la*'],
      minimum: { ...half.minimum, confidence: ratio(0) },
      auto: { ...half.auto, classes: [], budget: { hour: ANY, day: ANY }, resumedAt: {} },
      limits: { run: ANY, hour: ANY, day: ANY },
    },
    changedAt: 0,
    changedBy: 'admin',
  })
  const other = await replayHistory(store, { record: RECORD, ...MONTH, now })
  expect(other.month).toMatchObject({
    actions: [],
    heldBack: [{ code: 'protected-namespace', objects: 3 }, { code: 'works-now' }],
  })
  expect(other.digest).not.toBe(replay.digest)
})

test('nothing stored is nothing to replay, and not a month without idle work', async () => {
  const store = await openTestStore()
  const { month } = await replayHistory(store, { record: RECORD, ...MONTH, now: instant(1_780_000_000_000) })
  expect(month.recorded).toBeUndefined()
})

/** Ten days: a service on a whole GPU that a seventh would do for, a spare cut GPU, and a node that nobody uses. */
function wasteful(to: number): readonly UsageRow[] {
  const hours = 240
  const from = instant(to - hours * HOUR_MS)
  const gpu = (name: string, parts: Parameters<typeof recordedGpu>[1]['parts']) =>
    recordedGpu(hours, { gpu: `GPU-${name}`, node: `node-${name}`, from, parts })
  return [
    ...gpu('a', (hour) => [
      { workload: 'lab/Deployment/chat', busy: 0.08 + 0.02 * (hour % 5), memory: 3000 + (hour % 7) },
    ]),
    ...gpu('b', () =>
      cutInto([
        ['3g.20gb', 3 / 7],
        ['2g.10gb', 2 / 7],
      ]),
    ),
    ...gpu('c', () => [{}]),
    ...gpu('d', (hour) => [{ workload: 'lab/Deployment/web', busy: 0.9 - 0.01 * (hour % 3), memory: 30_000 }]),
    ...['e', 'f'].flatMap((name) =>
      gpu(name, (hour) => [
        { workload: 'lab/Deployment/twins', pod: `twins-${name}`, busy: 0.1 + 0.01 * (hour % 5), memory: 30_000 },
      ]),
    ),
  ]
}

const NOTHING_IN_THE_WAY = {
  windows: [],
  warning: 0,
  coolDown: 0,
  limits: { run: ANY, hour: ANY, day: ANY },
  auto: { classes: [], keptToAdvance: 1, budget: { hour: ANY, day: ANY }, resumedAt: {} },
  minimum: { usdPerMonth: 0, gpuHoursPerMonth: 0, confidence: ratio(0) },
}

test('each class is replayed from what is stored of its own, and says what it does to bill and capacity', async () => {
  const now = instant(1_780_272_000_000 + HOUR_MS)
  const store = await openTestStore()
  await keep(store, wasteful(now - HOUR_MS))
  await writeActPolicy(store.settings, RECORD.id, {
    policy: { ...defaultActPolicy('demo'), protectedNamespaces: [], protectedLabels: {}, ...NOTHING_IN_THE_WAY },
    changedAt: 0,
    changedBy: 'admin',
  })
  const found = await Promise.all(
    REPLAYED_CLASSES.map(async (kind) => {
      const asked = { record: RECORD, ...MONTH, class: kind, now }
      const replay = await replayHistory(store, asked)
      expect(await replayHistory(store, asked)).toEqual(replay)
      const { month } = replay
      return [kind, replay.objects, [...new Set(month.actions.map(({ title }) => title))], month.totals.wrong] as const
    }),
  )
  expect(found).toEqual([
    ['reclaim-idle', { replayed: 0, leftOut: 0 }, [], 0],
    ['fewer-gpus', { replayed: 3, leftOut: 0 }, ['Run 1 replica of lab/twins instead of 2'], 0],
    ['right-size', { replayed: 3, leftOut: 0 }, ['Give lab/chat a 2g.10gb instead of a whole GPU'], 0],
    ['remove-node', { replayed: 2, leftOut: 0 }, ['Remove node-c and its 1 GPU', 'Remove node-b and its 1 GPU'], 0],
  ])
})

test('a stretch of time is replayed as far as it is stored, with what had been seen in the week before', async () => {
  const now = instant(1_780_272_000_000 + HOUR_MS)
  const store = await openTestStore()
  await keep(store, wasteful(now - HOUR_MS))
  const at = (hour: number) => instant(now - 241 * HOUR_MS + hour * HOUR_MS)
  const within = async (from: number, to: number) => {
    const window = { from: at(from), to: at(to) }
    const { month } = await replayHistory(store, {
      ...MONTH,
      record: RECORD,
      asked: { kind: 'window', window },
      class: 'remove-node',
      now,
    })
    return month
  }
  const day = await within(100, 124)
  expect(day.recorded).toEqual({ from: at(100), to: at(124) })
  // A day is too short for any rule; that the node was free the days before was known then.
  expect(day.heldBack.length + day.actions.length).toBeGreaterThan(0)
  expect((await within(-100, 24)).recorded).toEqual({ from: at(0), to: at(24) })
  expect((await within(-100, -50)).actions).toEqual([])
})

test('another process comes to the same digest', async () => {
  const file = join(import.meta.dirname, 'print-replay.fixture.ts')
  const { stdout } = await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', file])
  expect(stdout).toBe(scriptedDigest())
  expect(stdout).toMatch(/^[0-9a-f]{64}$/u)
})

test('over the wire it says in words what it comes to, each time with its evidence', async () => {
  const septet = await openTestSeptet({ environment: { SEPTET_AUTHORIZED_EMAIL: 'admin@septet.local' } })
  try {
    await keep(septet.store, history(Date.now()).rows)
    const headers = await septet.signIn('admin@septet.local')
    const answer = await fetch(`${septet.url}/api/v1/shadow?cluster=production&days=4`, { headers })
    const { state, result, notReplayed } = OPERATIONS.shadowGet.output.parse(await answer.json())
    expect([answer.status, state]).toEqual([200, 'ready'])
    expect(result?.says).toMatch(/^In the last 4 days Septet would have stopped 2 workloads, freed \d+ GPU-hours/u)
    const [first] = result?.actions ?? []
    expect(first).toMatchObject({
      object: expect.stringMatching(/^workload\/lab\//u),
      evidence: { coverage: 1 },
      gpus: 1,
    })
    expect(result?.digest).toMatch(/^[0-9a-f]{64}$/u)
    expect(notReplayed.map((each) => each.class)).toEqual(['repartition', 'share'])
  } finally {
    await septet.close()
  }
})

test('a report replays its own range, as far as its hours are stored, and names it', async () => {
  const septet = await openTestSeptet({ environment: { SEPTET_AUTHORIZED_EMAIL: 'admin@septet.local' } })
  try {
    const { rows, now } = history(Date.now())
    await keep(septet.store, rows)
    const headers = await septet.signIn('admin@septet.local')
    const text = (hours: number) => new Date(Math.floor(now / HOUR_MS) * HOUR_MS - hours * HOUR_MS).toISOString()
    const would = async (from: number, to: number) => {
      const query = new URLSearchParams({ cluster: 'production', range: `${text(from)}/${text(to)}` })
      const answer = await fetch(`${septet.url}/api/v1/report?${query}`, { headers })
      expect(answer.status).toBe(200)
      return OPERATIONS.reportGet.output.parse(await answer.json()).did?.would
    }
    const named = (hours: number) => text(hours).slice(0, 16).replace('T', ' ')
    const day = await would(49, 25)
    expect(day).toMatch(
      new RegExp(`^From ${named(49)} UTC to ${named(25)} UTC \\(1 day\\) Septet would have stopped`, 'u'),
    )
    // The rows begin 121 hours ago.
    const early = await would(200, 97)
    expect(early).toMatch(new RegExp(`^From ${named(121)} UTC to ${named(97)} UTC \\(1 day\\)`, 'u'))
    expect(early).toContain('Earlier hours of this report are not stored')
    expect(await would(400, 300)).toBe('No whole hour of this time is stored, so there is nothing to replay.')
  } finally {
    await septet.close()
  }
})

test('one replay at a time; one that fails says why, and is tried again when it is asked for again', async () => {
  const asked: number[] = []
  const runReplay: RunReplay = async (question) => {
    asked.push(question.asked.kind === 'days' ? question.asked.days : 0)
    throw new Error('The database is not responding.')
  }
  const service = openShadowService({ runReplay, notes: notesInMemory(), now: Date.now })
  const question = { record: RECORD, ...MONTH, now: instant(0) } as const
  const failed = { kind: 'failed', problem: 'The database is not responding.' }
  expect(
    await Promise.all([service.get(question, 1), service.get({ ...question, asked: { kind: 'days', days: 7 } }, 1)]),
  ).toEqual([failed, failed])
  expect(asked).toEqual([30, 7])
  expect(await service.get(question, 1)).toEqual(failed)
  expect(asked).toEqual([30, 7, 30])
})

test('what another server on the database replays is not replayed again, and is told once it is done', async () => {
  const replayed = Promise.withResolvers<Replayed>()
  const notes = notesInMemory()
  const [one, other] = [
    openShadowService({ runReplay: () => replayed.promise, notes, now: Date.now }),
    openShadowService({ runReplay: () => Promise.reject(new Error('Not here.')), notes, now: Date.now }),
  ]
  const question = { record: RECORD, ...MONTH, now: instant(0) } as const
  expect(await one.get(question, 1)).toEqual({ kind: 'computing', done: 0 })
  const there = other.get(question, 1)
  const replay = { digest: 'abc' } as Replayed
  replayed.resolve(replay)
  expect(await there).toEqual({ kind: 'ready', replay })
  expect(await other.get(question, 2)).toEqual({ kind: 'failed', problem: 'Not here.' })
})
