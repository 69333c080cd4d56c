import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { OPERATIONS } from '@septet/contract'
import { instant, ratio, usdPerGpuHour, type ClusterRecord, type Store, type UsageRow } from '@septet/domain'
import { scriptedWork } from '@septet/domain/testing'
import { openTestStore } from '@septet/storage/testing'
import { expect, test } from 'vitest'

import { defaultActPolicy, writeActPolicy } from '../../act-policies.ts'
import { openTestSeptet } from '../../faces/open-test-septet.fixture.ts'
import { scriptedDigest } from './print-replay.fixture.ts'
import { replayHistory, type Replay } from './replay-history.ts'
import { openShadowService } from './shadow-service.ts'

const HOUR = 3_600_000
const RECORD: ClusterRecord = { id: 'production', name: 'Production', kind: 'demo', createdAt: instant(0) }

/** Five days until the last hour that is settled: one workload that works again at once, one later, one never. */
function history(now: number): { readonly rows: readonly UsageRow[]; readonly now: ReturnType<typeof instant> } {
  const to = Math.floor(now / HOUR) * HOUR - HOUR
  const from = instant(to - 120 * HOUR)
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
  const replayed = async (some: readonly UsageRow[]): Promise<[Store, Replay]> => {
    const store = await openTestStore()
    await keep(store, some)
    return [store, await replayHistory(store, { record: RECORD, days: 30, now })]
  }
  const [store, replay] = await replayed(rows)
  expect(replay.month.totals).toMatchObject({
    workloads: 3,
    outcomes: { 'came-back-at-once': 1, 'came-back-later': 1, 'still-idle': 1, ended: 0, 'not-known': 0 },
  })
  expect(await replayHistory(store, { record: RECORD, days: 30, now })).toEqual(replay)
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
  const other = await replayHistory(store, { record: RECORD, days: 30, now })
  expect(other.month).toMatchObject({
    actions: [],
    heldBack: [{ code: 'protected-namespace', workloads: 3 }, { code: 'works-now' }],
  })
  expect(other.digest).not.toBe(replay.digest)
})

const ANY = { pods: null, nodes: null, gpus: null, usdPerHour: null }

test('nothing stored is nothing to replay, and not a month without idle work', async () => {
  const store = await openTestStore()
  const { month } = await replayHistory(store, { record: RECORD, days: 30, now: instant(1_780_000_000_000) })
  expect(month.recorded).toBeUndefined()
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
    expect(first).toMatchObject({ workload: expect.stringMatching(/^lab\//u), evidence: { coverage: 1 }, gpus: 1 })
    expect(result?.digest).toMatch(/^[0-9a-f]{64}$/u)
    expect(notReplayed.map((each) => each.class)).toEqual(['fewer-gpus', 'right-size', 'repartition', 'remove-node'])
  } finally {
    await septet.close()
  }
})

test('one replay at a time; one that fails says why, and is tried again when it is asked for again', async () => {
  const asked: number[] = []
  const service = openShadowService(async ({ days }) => {
    asked.push(days)
    throw new Error('The database does not answer.')
  })
  const question = { record: RECORD, days: 30, now: instant(0) }
  const failed = { kind: 'failed', problem: 'The database does not answer.' }
  expect(await Promise.all([service.get(question, 1), service.get({ ...question, days: 7 }, 1)])).toEqual([
    failed,
    failed,
  ])
  expect(asked).toEqual([30, 7])
  expect(await service.get(question, 1)).toEqual(failed)
  expect(asked).toEqual([30, 7, 30])
})
