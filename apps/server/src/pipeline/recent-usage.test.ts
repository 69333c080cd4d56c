import {
  MINUTE_MS,
  DEFAULT_POLICY,
  instant,
  ratio,
  seconds,
  sumUsage,
  totalsOf,
  UNKNOWN_ROOM,
  type ClusterSnapshot,
  type Instant,
  type JudgedSample,
  type UsageRow,
  type UsageStore,
} from '@septet/domain'
import { openTestStore } from '@septet/storage/testing'
import { describe, expect, test } from 'vitest'

import { RecentUsage } from './recent-usage.ts'

const START = Date.UTC(2026, 0, 5, 10, 0, 0)

const snapshot: ClusterSnapshot = {
  cluster: 'c',
  takenAt: instant(START),
  serverVersion: 'v1.34.0',
  nodes: [
    {
      name: 'n1',
      pool: '',
      ready: true,
      schedulable: true,
      createdAt: instant(0),
      model: 'T4',
      product: 'Tesla-T4',
      mig: { strategy: 'none', config: undefined, state: undefined },
      sharing: { kind: 'none' },
      allocatable: { 'nvidia.com/gpu': 1 },
      room: UNKNOWN_ROOM,
      gpus: [
        {
          id: 'GPU-1',
          node: 'n1',
          index: 0,
          model: 'T4',
          identified: 'telemetry',
          migEnabled: false,
          partitions: [{ kind: 'whole', id: 'GPU-1', gpu: 'GPU-1' }],
          fault: undefined,
        },
      ],
      problems: [],
    },
  ],
  pods: [],
  workloads: [],
  allocations: [
    { partition: 'GPU-1', pod: 'team/pod', workload: 'team/Job/pod', since: instant(0), evidence: 'label' },
  ],
  queues: [],
  budgets: [],
  quotas: [],
  problems: [],
}

const sampleAt = (at: number, busy: number): JudgedSample => ({
  at: instant(at),
  node: 'n1',
  gpu: 'GPU-1',
  index: 0,
  model: 'Tesla T4',
  busy: ratio(busy),
  quality: { kind: 'measured' },
})

/** Reads once a minute over a stretch of minutes after START. */
function readMinutes(recent: RecentUsage, from: number, { to, busy }: { to: number; busy: number }): void {
  for (let minute = from; minute < to; minute += 1) {
    const at = START + minute * MINUTE_MS
    recent.add({ at: instant(at), interval: seconds(60), snapshot, samples: [sampleAt(at, busy)] })
  }
}
const at = (minute: number): Instant => instant(START + minute * MINUTE_MS)
const recentOn = (store: UsageStore): RecentUsage => new RecentUsage({ cluster: 'c', store, policy: DEFAULT_POLICY })
const storedRows = (store: UsageStore): Promise<readonly UsageRow[]> =>
  store.rows({ cluster: 'c', span: '5m', window: { from: instant(START), to: at(600) } })
const presentOf = async (store: UsageStore): Promise<number> =>
  sumUsage(totalsOf(await storedRows(store), ['kind'])).seconds

describe('usage of the last minutes', () => {
  test('a process that follows another in the same bucket adds to what was written, and overwrites nothing', async () => {
    const { usage } = await openTestStore()
    const first = recentOn(usage)
    readMinutes(first, 0, { to: 2, busy: 0.5 })
    await first.flush(at(2))
    const written = await presentOf(usage)
    expect(written).toBe(120)
    const second = recentOn(usage)
    await second.resume(at(3))
    readMinutes(second, 3, { to: 8, busy: 0.7 })
    await second.flush(at(8))
    expect(await presentOf(usage)).toBe(written + 5 * 60)
    expect((await storedRows(usage)).length).toBe(2)
  })

  test.each([
    ['within five minutes, before anything was written', { to: 4, back: 1, flushes: [] }],
    ['within five minutes, after a part of them was written', { to: 4, back: 1, flushes: [2] }],
    ['over buckets that were written', { to: 14, back: 3, flushes: [6, 12] }],
    ['over buckets of which some are not written yet', { to: 14, back: 3, flushes: [6] }],
  ] as const)(
    'after a clock that went back %s no second that was counted is lost',
    async (_, { to, back, flushes }) => {
      const { usage } = await openTestStore()
      const recent = recentOn(usage)
      for (let minute = 0; minute < to; minute += 1) {
        readMinutes(recent, minute, { to: minute + 1, busy: 0.5 })
        if (flushes.some((each) => each === minute)) await recent.flush(at(minute))
      }
      const counted = (to - 1) * 60
      for (let minute = back; minute < 20; minute += 1) {
        readMinutes(recent, minute, { to: minute + 1, busy: 0.7 })
        if (minute % 2 === 0) await recent.flush(at(minute))
      }
      await recent.flush(at(19))
      // Twice where it came twice: whoever closes the hour cuts it to the time that there was.
      expect(await presentOf(usage)).toBe(counted + (19 - back) * 60)
    },
  )

  test('a store that is away when a process starts keeps what the process before wrote', async () => {
    const { usage } = await openTestStore()
    const first = recentOn(usage)
    readMinutes(first, 0, { to: 2, busy: 0.5 })
    await first.flush(at(2))
    let down = true
    const away: UsageStore = {
      ...usage,
      rows: (query) => (down ? Promise.reject(new Error('away')) : usage.rows(query)),
    }
    const second = recentOn(away)
    await expect(second.resume(at(3))).rejects.toThrow('away')
    readMinutes(second, 3, { to: 8, busy: 0.7 })
    await expect(second.flush(at(8))).rejects.toThrow('away')
    down = false
    await second.flush(at(8))
    expect(await presentOf(usage)).toBe((2 + 5) * 60)
  })

  test('flushing twice writes nothing twice', async () => {
    const { usage } = await openTestStore()
    const recent = recentOn(usage)
    readMinutes(recent, 0, { to: 12, busy: 0.5 })
    await recent.flush(at(12))
    const once = await presentOf(usage)
    await recent.flush(at(12))
    expect(await presentOf(usage)).toBe(once)
  })

  test('what a failed write did not keep is written by the next flush', async () => {
    const { usage } = await openTestStore()
    let down = true
    const flaky: UsageStore = {
      ...usage,
      write: (cluster, rows) => (down ? Promise.reject(new Error('away')) : usage.write(cluster, rows)),
    }
    const recent = recentOn(flaky)
    readMinutes(recent, 0, { to: 12, busy: 0.5 })
    await expect(recent.flush(at(12))).rejects.toThrow('away')
    readMinutes(recent, 12, { to: 20, busy: 0.5 })
    down = false
    await recent.flush(at(20))
    expect(await presentOf(usage)).toBe(20 * 60)
  })

  test('a bucket that ends while its rows are written loses nothing', async () => {
    const { usage } = await openTestStore()
    const gate = Promise.withResolvers<undefined>()
    let first = true
    const slow: UsageStore = {
      ...usage,
      write: async (cluster, rows) => {
        if (first) await gate.promise
        first = false
        return usage.write(cluster, rows)
      },
    }
    const recent = recentOn(slow)
    readMinutes(recent, 0, { to: 3, busy: 0.5 })
    const flushing = recent.flush(at(3))
    readMinutes(recent, 3, { to: 7, busy: 0.5 })
    gate.resolve(undefined)
    await flushing
    await recent.flush(at(7))
    expect(await presentOf(usage)).toBe(7 * 60)
  })

  test('half an hour of idleness makes the whole stretch idle, also its first rows, which were written before', async () => {
    const { usage } = await openTestStore()
    const recent = recentOn(usage)
    for (let minute = 0; minute < 40; minute += 5) {
      readMinutes(recent, minute, { to: minute + 5, busy: 0.01 })
      await recent.flush(at(minute + 5))
    }
    const rows = await storedRows(usage)
    expect(rows.map((row) => row.idle)).toEqual(rows.map((row) => row.measured))
    expect(recent.idle()).toEqual(new Set(['GPU-1']))
  })

  test('idle GPUs stay idle while telemetry is away for a minute, or for one whole bucket', async () => {
    for (const [from, to] of [
      [41, 42],
      [40, 45],
    ] as const) {
      const { usage } = await openTestStore()
      const recent = recentOn(usage)
      readMinutes(recent, 0, { to: from, busy: 0.01 })
      await recent.flush(at(from))
      for (let minute = from; minute < to; minute += 1) {
        recent.add({ at: at(minute), interval: seconds(60), snapshot, samples: [] })
        await recent.flush(at(minute + 1))
        expect(recent.idle()).toEqual(new Set(['GPU-1']))
      }
      readMinutes(recent, to, { to: 50, busy: 0.01 })
      await recent.flush(at(50))
      expect(recent.idle()).toEqual(new Set(['GPU-1']))
      const rows = await storedRows(usage)
      expect(rows.map((row) => row.idle)).toEqual(rows.map((row) => row.measured))
    }
  })

  test('idleness that a metrics engine remembers counts for a process that has just started', async () => {
    const { usage } = await openTestStore()
    const earlier = recentOn(usage)
    readMinutes(earlier, 0, { to: 40, busy: 0.01 })
    await earlier.flush(at(40))
    const history = await storedRows(usage)
    const fresh = (await openTestStore()).usage
    const recent = recentOn(fresh)
    await recent.resume(at(41))
    readMinutes(recent, 41, { to: 43, busy: 0.01 })
    await fresh.write(
      'c',
      history.filter((row) => row.at < at(40)),
    )
    recent.adoptEarlier()
    await recent.flush(at(43))
    expect(recent.idle()).toEqual(new Set(['GPU-1']))
    // It still does once the bucket in which the process started has ended with a part of it unseen.
    for (const minute of [43, 48, 53, 58]) {
      readMinutes(recent, minute, { to: minute + 5, busy: 0.01 })
      await recent.flush(at(minute + 5))
      expect(recent.idle()).toEqual(new Set(['GPU-1']))
    }
  })
})
