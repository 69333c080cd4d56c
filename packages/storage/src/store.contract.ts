import {
  DAY_MS,
  HOUR_MS,
  instant,
  measurements,
  MEASURES,
  mib,
  ratio,
  seconds,
  SPAN_SECONDS,
  USAGE_GROUPS,
  USAGE_KINDS,
  usdPerGpuHour,
  watts,
  type ClusterSnapshot,
  type Measure,
  type PriceEntry,
  type QualityReason,
  type Recommendation,
  type Span,
  type Store,
  type UsageQuery,
  type UsageRow,
  type UsageTotal,
  type Window,
} from '@septet/domain'
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { keptRows, rolledUp, totalsOf } from './usage-model.fixture.ts'
import { NOW, usageRow } from './usage-row.fixture.ts'

const ALL: Window = { from: instant(0), to: instant(Date.UTC(2100, 0, 1)) }
/** The beginning of a bucket of five minutes, counted from the time at which most rows are. */
const bucketAt = (bucket: number) => instant(NOW + bucket * 300_000)
const KEEP_ALL = { '5m': 1e9, '1h': 1e9, '1d': 1e9 }

/** One behavior on every PostgreSQL. `open` gives an empty store or one whose clusters have other names than `fresh` gives. */
export function storeBehaves(open: () => Promise<Store>): void {
  let store: Store
  let cluster = ''
  let count = 0
  const fresh = () => `cluster-${(count += 1)}-${Math.random()}`
  beforeAll(async () => {
    store = await open()
  })
  afterAll(() => store.close())
  beforeEach(() => {
    cluster = fresh()
  })
  const rows = (span: Span = '5m', window: Window = ALL) => store.usage.rows({ cluster, span, window }).then(sorted)

  test('answers a ping', async () => {
    await expect(store.ping()).resolves.toBeUndefined()
  })

  describe('usage', () => {
    test('rolls up while days of the past are written, and keeps one row for each', async () => {
      const past = Array.from({ length: 400 }, (_, order) => usageRow({ span: '1h', partition: `GPU-${order}` }))
      const days = past.map((row) => ({
        ...row,
        span: '1d' as const,
        at: instant(Math.floor(row.at / DAY_MS) * DAY_MS),
      }))
      const later = instant(NOW + 2 * DAY_MS)
      for (let from = 0; from < past.length; from += 40) {
        await store.usage.write(cluster, past.slice(from, from + 40))
        const writing = days.slice(from, from + 40).map((day) => store.usage.write(cluster, [day]))
        await Promise.all([store.usage.rollUp(cluster, later), ...writing])
      }
      await store.usage.rollUp(cluster, instant(NOW + 2 * DAY_MS))
      expect(await rows('1d')).toHaveLength(400)
    })

    test('gives back what was written, to the last bit', async () => {
      const written = [
        usageRow({ busy: ratio(1 / 3), power: watts(0.1 + 0.2), reason: 'stale-target', measured: seconds(299.999) }),
        usageRow({
          partition: 'GPU-1/uncut',
          kind: 'free',
          pod: '',
          namespace: '',
          workload: '',
          workloadClass: '',
          share: ratio(3 / 7),
          measured: seconds(0),
          busy: undefined,
          busyPeak: undefined,
          effective: undefined,
          memoryUsed: undefined,
          memoryPeak: undefined,
          power: undefined,
        }),
        usageRow({ span: '1h' }),
        usageRow({ span: '1d' }),
      ]
      await store.usage.write(cluster, written)
      expect(await rows()).toEqual(sorted(written.slice(0, 2)))
      expect(await rows('1h')).toEqual([written[2]])
      expect(await rows('1d')).toEqual([written[3]])
    })

    test('writing the same rows again changes nothing, other values overwrite', async () => {
      await store.usage.write(cluster, [usageRow(), usageRow({ partition: 'GPU-2' })])
      await store.usage.write(cluster, [usageRow(), usageRow({ partition: 'GPU-2', node: 'node-9', busy: ratio(1) })])
      expect(await rows()).toEqual(
        sorted([usageRow(), usageRow({ partition: 'GPU-2', node: 'node-9', busy: ratio(1) })]),
      )
    })

    test('of rows with one key in one batch the last counts', async () => {
      await store.usage.write(cluster, [usageRow({ busy: ratio(0.1) }), usageRow({ busy: ratio(0.2) })])
      expect((await rows()).map((row) => row.busy)).toEqual([0.2])
    })

    test('tells rows apart by bucket, partition, namespace, pod and kind', async () => {
      const different = [
        usageRow(),
        usageRow({ at: instant(NOW + 300_000) }),
        usageRow({ partition: 'GPU-1/gi-3' }),
        usageRow({ namespace: 'team-b' }),
        usageRow({ pod: 'team-a/train-1' }),
        usageRow({ kind: 'down' }),
      ]
      await store.usage.write(cluster, different)
      expect(await rows()).toHaveLength(different.length)
    })

    test('keeps clusters apart and knows nothing of a cluster it never saw', async () => {
      await store.usage.write(cluster, [usageRow()])
      const other = { cluster: fresh(), span: '5m', window: ALL } as const
      expect(await store.usage.rows(other)).toEqual([])
      expect(await store.usage.totals({ ...other, by: [] })).toEqual([])
      expect(await store.usage.coverage(other.cluster, '5m')).toBeUndefined()
      await expect(store.usage.rollUp(other.cluster, NOW)).resolves.toBeUndefined()
    })

    test('a window takes in its start and leaves out its end', async () => {
      const buckets = [0, 1, 2, 3].map((step) => instant(NOW + step * 300_000))
      await store.usage.write(
        cluster,
        buckets.map((at) => usageRow({ at })),
      )
      const window = { from: instant(NOW + 300_000), to: instant(NOW + 900_000) }
      expect((await rows('5m', window)).map((row) => row.at)).toEqual(buckets.slice(1, 3))
      const [total] = await store.usage.totals({ cluster, span: '5m', window, by: [] })
      expect(total?.rows).toBe(2)
      expect(await store.usage.coverage(cluster, '5m')).toEqual({ from: NOW, to: NOW + 4 * 300_000 })
    })

    test('takes hostile texts as they are, but for what no database can hold', async () => {
      const long = 'x'.repeat(3_000_000)
      await store.usage.write(cluster, [
        usageRow({ pod: `a'b"c\\d{e},f;--\n\t${String.fromCodePoint(0x1f680)}`, node: 'NULL', model: long }),
        usageRow({ pod: 'zero\0byte', node: 'half\ud800', namespace: '' }),
      ])
      const [first, second] = await rows()
      expect(first?.pod).toBe(`a'b"c\\d{e},f;--\n\t🚀`)
      expect(first?.node).toBe('NULL')
      expect(first?.model).toBe('x'.repeat(500))
      expect(second?.pod).toBe('zero\uFFFDbyte')
      expect(second?.node).toBe('half\uFFFD')
    })

    test('a value that is not a number is unknown; seconds that are none are refused with the whole batch', async () => {
      await store.usage.write(cluster, [usageRow({ busy: ratio(NaN), power: watts(Infinity) })])
      expect((await rows())[0]).toMatchObject({ busy: undefined, power: undefined })
      const bad = [usageRow({ pod: 'good' }), usageRow({ present: seconds(NaN) })]
      await expect(store.usage.write(cluster, bad)).rejects.toThrow('A usage row has no present')
      expect(await rows()).toHaveLength(1)
    })

    test('an empty batch is fine', async () => {
      await expect(store.usage.write(cluster, [])).resolves.toBeUndefined()
    })

    test('ten thousand GPUs in one batch', async () => {
      const batch = Array.from({ length: 10_000 }, (_, gpu) =>
        usageRow({ gpu: `GPU-${gpu}`, partition: `GPU-${gpu}`, node: `node-${gpu >> 3}`, pod: `team-a/pod-${gpu}` }),
      )
      await store.usage.write(cluster, batch)
      const [total] = await store.usage.totals({ cluster, span: '5m', window: ALL, by: [] })
      expect(total).toMatchObject({ gpuSeconds: 3_000_000, busyGpuSeconds: 1_500_000, rows: 10_000 })
      expect(await store.usage.totals({ cluster, span: '5m', window: ALL, by: ['node'] })).toHaveLength(1250)
    })
  })

  describe('stays', () => {
    test('put a pod together from its rows: when it came and went, what it held, and what was measured', async () => {
      await store.usage.write(cluster, [
        usageRow({
          at: bucketAt(0),
          present: seconds(100),
          measured: seconds(100),
          busy: ratio(0.4),
          busyPeak: ratio(0.5),
        }),
        usageRow({ at: bucketAt(1), busy: ratio(0.6), busyPeak: ratio(0.95) }),
        usageRow({ at: bucketAt(2), present: seconds(60), measured: seconds(0), busy: undefined, busyPeak: undefined }),
        usageRow({ at: bucketAt(1), gpu: 'GPU-2', partition: 'GPU-2', pod: 'team-a/short', present: seconds(30) }),
        usageRow({
          at: bucketAt(1),
          gpu: 'GPU-3',
          partition: 'GPU-3',
          kind: 'free',
          namespace: '',
          workload: '',
          pod: '',
        }),
      ])
      const [short, train, ...others] = await store.usage.stays({ cluster, span: '5m', window: ALL })
      expect(others).toEqual([])
      expect(short).toMatchObject({ pod: 'team-a/short', from: bucketAt(1), to: bucketAt(1) + 30_000, devices: 1 })
      expect(train).toMatchObject({
        pod: 'team-a/train-0',
        namespace: 'team-a',
        workload: 'team-a/Job/train',
        share: 1,
        devices: 1,
        from: bucketAt(0) + 200_000,
        to: bucketAt(2) + 60_000,
        measuredGpuSeconds: 400,
        busyGpuSeconds: 0.4 * 100 + 0.6 * 300,
        measuredSeconds: 400,
        busyPeak: 0.95,
      })
    })

    test('are one for a pod whose share is a mean that differs in its last digits from row to row', async () => {
      const shares = [3 / 7, 3 / 7 - 6e-17, 3 / 7 + 2e-16]
      await store.usage.write(
        cluster,
        shares.map((share, at) => usageRow({ at: bucketAt(at), share: ratio(share) })),
      )
      const [stay, ...others] = await store.usage.stays({ cluster, span: '5m', window: ALL })
      expect(others).toEqual([])
      expect(stay).toMatchObject({ from: bucketAt(0), to: bucketAt(3), devices: 1 })
      expect(stay?.share).toBeCloseTo(3 / 7, 5)
    })

    test('count the devices of a pod and leave out what was not asked for', async () => {
      await store.usage.write(cluster, [
        usageRow(),
        usageRow({ gpu: 'GPU-2', partition: 'GPU-2' }),
        usageRow({ gpu: 'GPU-3', partition: 'GPU-3', namespace: 'team-b', workload: 'team-b/Job/x', pod: 'team-b/x' }),
      ])
      const query = { cluster, span: '5m', window: ALL } as const
      expect(await store.usage.stays({ ...query, namespaces: ['team-a'] })).toMatchObject([{ devices: 2 }])
      expect(await store.usage.stays({ ...query, workloads: [] })).toEqual([])
      expect(await store.usage.stays({ ...query, window: { from: bucketAt(1), to: bucketAt(2) } })).toEqual([])
      expect(await store.usage.stays({ ...query, cluster: fresh() })).toEqual([])
    })
  })

  describe('totals', () => {
    test('are sums of share × seconds, never means of ratios', async () => {
      await store.usage.write(cluster, [
        usageRow({ share: ratio(3 / 7), idle: seconds(60), oversized: seconds(40) }),
        usageRow({ partition: 'b', share: ratio(1), measured: seconds(100), busy: ratio(0.25), effective: undefined }),
        usageRow({ partition: 'c', kind: 'free', measured: seconds(0), busy: undefined, busyPeak: undefined }),
      ])
      const [total] = await store.usage.totals({ cluster, span: '5m', window: ALL, by: [], kinds: ['held'] })
      expect(total?.key).toEqual({})
      expect(total?.gpuSeconds).toBeCloseTo((3 / 7) * 300 + 300, 9)
      expect(total?.measuredGpuSeconds).toBeCloseTo((3 / 7) * 300 + 100, 9)
      expect(total?.busyGpuSeconds).toBeCloseTo((3 / 7) * 150 + 25, 9)
      expect(total?.effectiveMeasuredGpuSeconds).toBeCloseTo((3 / 7) * 300, 9)
      expect(total?.effectiveGpuSeconds).toBeCloseTo((3 / 7) * 90, 9)
      expect(total?.idleGpuSeconds).toBeCloseTo((3 / 7) * 60, 9)
      expect(total?.oversizedGpuSeconds).toBeCloseTo((3 / 7) * 40, 9)
      expect(total).toMatchObject({ seconds: 600, measuredSeconds: 400, busyPeak: 0.9, memoryPeak: 30_000, rows: 2 })
    })

    test('and rows are given for some workloads alone, where asked for', async () => {
      const workloads = ['a/Job/x', 'a/Job/y', 'a/Job/z']
      await store.usage.write(
        cluster,
        workloads.map((workload) => usageRow({ workload, partition: workload })),
      )
      const query = { cluster, span: '5m', window: ALL } as const
      const some = { ...query, workloads: ['a/Job/x', 'a/Job/z', 'never/Job/seen'] }
      const totals = await store.usage.totals({ ...some, by: ['workload'], kinds: ['held'] })
      expect(totals.map(({ key }) => key.workload)).toEqual(['a/Job/x', 'a/Job/z'])
      expect((await store.usage.rows(some)).map(({ workload }) => workload).toSorted()).toEqual(['a/Job/x', 'a/Job/z'])
      expect(await store.usage.rows({ ...query, workloads: ['never/Job/seen'] })).toEqual([])
      expect(await store.usage.totals({ ...query, by: [], workloads: [] })).toEqual([])
    })

    test('and rows are given for some namespaces alone, by their whole names, and never for what nobody holds', async () => {
      const namespaces = ['team', 'team-a', 'a-team', '']
      await store.usage.write(
        cluster,
        namespaces.map((namespace) =>
          usageRow({ namespace, partition: `of ${namespace}`, kind: namespace === '' ? 'free' : 'held' }),
        ),
      )
      const query = { cluster, span: '5m', window: ALL, namespaces: ['team', 'never-seen', ''] } as const
      const totals = await store.usage.totals({ ...query, by: ['kind', 'namespace'] })
      expect(totals.map(({ key }) => key.namespace)).toEqual(['team'])
      const held = await store.usage.totals({ ...query, by: ['namespace'], kinds: ['held'] })
      expect(held.map(({ key }) => key.namespace)).toEqual(['team'])
      expect((await store.usage.rows(query)).map(({ namespace }) => namespace)).toEqual(['team'])
      expect(await store.usage.totals({ ...query, by: [], namespaces: [''] })).toEqual([])
      expect(await store.usage.totals({ ...query, by: [], namespaces: [] })).toEqual([])
    })

    test('and rows are given for some GPUs alone, whatever they are cut into', async () => {
      const partitions = ['GPU-1', 'GPU-1/gi-2', 'GPU-1/uncut', 'GPU-10', 'GPU-2/gi-2']
      await store.usage.write(
        cluster,
        partitions.flatMap((partition) =>
          [0, 300_000].map((later) =>
            usageRow({ partition, gpu: partition.split('/')[0] ?? '', at: instant(NOW + later) }),
          ),
        ),
      )
      const day = { from: instant(NOW - 3_600_000), to: instant(NOW + 300_000) }
      const query = { cluster, span: '5m', window: day, gpus: ['GPU-1', 'never-seen'] } as const
      const found = (await store.usage.rows(query)).map(({ partition }) => partition)
      expect(found.toSorted()).toEqual(['GPU-1', 'GPU-1/gi-2', 'GPU-1/uncut'])
      expect(await store.usage.rows({ ...query, window: ALL })).toHaveLength(6)
      expect(await store.usage.rows({ ...query, namespaces: ['nobody'] })).toEqual([])
      expect(await store.usage.rows({ ...query, gpus: ['never-seen'] })).toEqual([])
      expect(await store.usage.rows({ ...query, gpus: [] })).toEqual([])
      const totals = await store.usage.totals({ ...query, by: ['gpu'], kinds: ['held'] })
      expect(totals).toMatchObject([{ key: { gpu: 'GPU-1' }, rows: 3 }])
    })

    test('group by any field, the bucket as milliseconds, an absent reason as empty text', async () => {
      await store.usage.write(cluster, [
        usageRow({ reason: 'stuck-at-zero' }),
        usageRow({ at: instant(NOW + 300_000), namespace: 'team-b' }),
      ])
      const totals = await store.usage.totals({ cluster, span: '5m', window: ALL, by: ['reason', 'namespace', 'at'] })
      expect(totals.map((total) => total.key)).toEqual([
        { at: String(NOW), namespace: 'team-a', reason: 'stuck-at-zero' },
        { at: String(NOW + 300_000), namespace: 'team-b', reason: '' },
      ])
    })

    test('a kind that never occurred gives nothing', async () => {
      await store.usage.write(cluster, [usageRow()])
      expect(await store.usage.totals({ cluster, span: '5m', window: ALL, by: [], kinds: ['stranded'] })).toEqual([])
      expect(await store.usage.totals({ cluster, span: '5m', window: ALL, by: [], kinds: [] })).toEqual([])
    })

    test('are of any rows and any grouping what adding them up one by one gives', async () => {
      await fc.assert(
        fc.asyncProperty(batches('5m'), fc.subarray([...USAGE_GROUPS]), async (written, by) => {
          const name = fresh()
          for (const batch of written) await store.usage.write(name, batch)
          const totals = await store.usage.totals({ cluster: name, span: '5m', window: ALL, by })
          expect(differences(totals, totalsOf(keptRows(written), by))).toEqual([])
        }),
        { numRuns: 40 },
      )
    })
  })

  describe('roll-up', () => {
    test('weighs means by what they were measured over and keeps the highest peak', async () => {
      await store.usage.write(cluster, [
        usageRow({ measured: seconds(300), busy: ratio(0.9), busyPeak: ratio(0.95), memoryPeak: mib(10) }),
        usageRow({
          at: instant(NOW + 300_000),
          measured: seconds(100),
          busy: ratio(0.1),
          busyPeak: ratio(0.99),
          memoryPeak: mib(5),
          reason: 'stale-target',
        }),
      ])
      await store.usage.rollUp(cluster, instant(NOW + HOUR_MS))
      const [hour, ...more] = await rows('1h')
      expect(more).toEqual([])
      expect(hour?.busy).toBeCloseTo((300 * 0.9 + 100 * 0.1) / 400, 12)
      expect(hour).toMatchObject({
        at: NOW,
        span: '1h',
        present: 600,
        measured: 400,
        busyPeak: 0.99,
        memoryPeak: 10,
        reason: 'stale-target',
      })
    })

    test('leaves alone a bucket that has not ended', async () => {
      await store.usage.write(cluster, [usageRow()])
      await store.usage.rollUp(cluster, instant(NOW + HOUR_MS - 1))
      expect(await rows('1h')).toEqual([])
      await store.usage.rollUp(cluster, instant(NOW + HOUR_MS))
      expect(await rows('1h')).toHaveLength(1)
      expect(await rows('1d')).toEqual([])
      await store.usage.rollUp(cluster, instant(NOW + DAY_MS))
      expect((await rows('1d')).map((row) => row.at)).toEqual([Date.UTC(2026, 10, 17)])
    })

    test('takes in rows that come late', async () => {
      await store.usage.write(cluster, [usageRow()])
      await store.usage.rollUp(cluster, instant(NOW + DAY_MS))
      await store.usage.write(cluster, [usageRow({ at: instant(NOW + 600_000) })])
      await store.usage.rollUp(cluster, instant(NOW + DAY_MS))
      expect((await rows('1h')).map((row) => row.present)).toEqual([600])
      expect((await rows('1d')).map((row) => row.present)).toEqual([600])
    })

    test('keeps the reason that cost the most seconds, of equals the first by name', async () => {
      await store.usage.write(cluster, [
        lost(0, 'stale-target', 200),
        lost(1, 'stale-target', 200),
        lost(2, 'no-telemetry', 0),
        lost(3, undefined, 300),
        ...[lost(0, 'stale-target', 200), lost(1, 'no-telemetry', 200)].map((row) => ({ ...row, pod: 'tie' })),
      ])
      await store.usage.rollUp(cluster, instant(NOW + HOUR_MS))
      expect((await rows('1h')).map(({ pod, reason }) => [pod, reason])).toEqual([
        ['team-a/train-0', 'no-telemetry'],
        ['tie', 'no-telemetry'],
      ])
    })

    test('keeps apart what changed its share within the hour, and a row written for that key replaces it all', async () => {
      await store.usage.write(cluster, [uncut(0, 3), uncut(1, 3), uncut(2, 1)])
      await store.usage.rollUp(cluster, instant(NOW + HOUR_MS))
      expect((await rows('1h')).map((row) => [row.share, row.present])).toEqual([
        [1 / 7, 300],
        [3 / 7, 600],
      ])
      await store.usage.write(cluster, [{ ...uncut(0, 2), span: '1h' }])
      expect((await rows('1h')).map((row) => row.share)).toEqual([2 / 7])
    })

    test('leaves hourly rows of history alone that have no 5-minute rows', async () => {
      await store.usage.write(cluster, [usageRow({ span: '1h', partition: 'old' }), usageRow()])
      await store.usage.rollUp(cluster, instant(NOW + HOUR_MS))
      expect((await rows('1h')).map((row) => row.partition)).toEqual(['GPU-1', 'old'])
    })

    test('takes values too small to be told from nothing, also where their products would underflow', async () => {
      const tiny = ratio(5e-324)
      await store.usage.write(cluster, [usageRow({ busy: tiny, busyPeak: tiny, effective: tiny })])
      await store.usage.rollUp(cluster, instant(NOW + HOUR_MS))
      expect((await rows('1h')).map((row) => row.busy)).toEqual([0])
      const window = { from: instant(NOW - HOUR_MS), to: instant(NOW + HOUR_MS) }
      const [total] = await store.usage.totals({ cluster, span: '1h', window, by: [] })
      expect(total?.busyGpuSeconds).toBe(0)
    })

    const kept = USAGE_GROUPS.filter((group) => group !== 'at' && group !== 'reason')
    test('keeps every total for every grouping but reason, makes what adding up makes, and changes nothing when repeated', async () => {
      const later = instant(NOW + 10 * DAY_MS)
      await fc.assert(
        fc.asyncProperty(batches('5m'), fc.subarray(kept), async (written, by) => {
          const name = fresh()
          const ask = (span: Span) => store.usage.totals({ cluster: name, span, window: ALL, by })
          for (const batch of written) {
            await store.usage.write(name, batch)
            await store.usage.rollUp(name, later)
          }
          const before = await ask('5m')
          let expected = keptRows(written)
          for (const span of ['1h', '1d'] as const) {
            expected = rolledUp(expected, span)
            expect(differences(ignoreRows(await ask(span)), ignoreRows(before))).toEqual([])
            expect(differences(await ask(span), totalsOf(expected, by))).toEqual([])
            const query = { cluster: name, span, window: ALL }
            const made = await store.usage.rows(query)
            expect(differences(sorted(made), sorted(expected))).toEqual([])
            await store.usage.rollUp(name, later)
            expect(sorted(await store.usage.rows(query))).toEqual(sorted(made))
          }
        }),
        { numRuns: 30 },
      )
    })
  })

  test('of hours that are long over every row stays the same, to the last bit, and late ones are taken in', async () => {
    const later = instant(NOW + 10 * DAY_MS)
    await fc.assert(
      fc.asyncProperty(batches('5m'), fc.subarray([...USAGE_GROUPS]), async (written, by) => {
        const name = fresh()
        const [from, to] = [instant(NOW - DAY_MS), instant(NOW - HOUR_MS / 2)]
        const questions = [{ window: ALL }, { window: { from, to }, namespaces: ['team-a'] }, { gpus: ['gpu-1'] }]
        const ask = async <Answer>(one: (query: UsageQuery) => Promise<Answer>): Promise<Answer[]> =>
          Promise.all(questions.map((part) => one({ cluster: name, span: '5m', window: { from, to }, ...part })))
        const rowsNow = () => ask((query) => store.usage.rows(query).then(sorted))
        const sumsNow = async () => [
          ...(await ask((query) => store.usage.totals({ ...query, by: [...by, 'at'] }))).flat(),
          ...(await ask((query) => store.usage.stays({ ...query, workloads: ['workload-1'] }))).flat(),
        ]
        for (const batch of written) {
          await store.usage.write(name, batch)
          const before = [await rowsNow(), await store.usage.coverage(name, '5m')]
          const sums = await sumsNow()
          await store.usage.rollUp(name, later)
          expect([await rowsNow(), await store.usage.coverage(name, '5m')]).toEqual(before)
          expect(differences(await sumsNow(), sums)).toEqual([])
        }
      }),
      { numRuns: 10 },
    )
  })

  describe('retention', () => {
    test('drops what is older, keeps what is younger, and the rest can still be written', async () => {
      const old = instant(NOW - 40 * DAY_MS)
      await store.usage.write(cluster, [usageRow({ at: old }), usageRow(), usageRow({ span: '1h', at: old })])
      expect(await store.usage.prune(KEEP_ALL, NOW)).toBe(0)
      expect(await store.usage.prune({ ...KEEP_ALL, '5m': (3 * DAY_MS) / 1000 }, NOW)).toBeGreaterThan(0)
      expect((await rows()).map((row) => row.at)).toEqual([NOW])
      expect(await rows('1h')).toHaveLength(1)
      expect((await store.usage.coverage(cluster, '5m'))?.from).toBe(NOW)
      await store.usage.write(cluster, [usageRow({ at: old })])
      expect(await rows()).toHaveLength(2)
    })

    test('tells what is stored, in the parts that go whole', async () => {
      const at = instant(Date.UTC(2019, 2, 5, 7))
      const partOf = async (span: Span) =>
        (await store.usage.stored())[span].find((part) => part.from <= at && at < part.to)
      expect(await partOf('5m')).toBeUndefined()
      await store.usage.write(cluster, [usageRow({ at }), usageRow({ at, partition: 'another' })])
      expect(await partOf('5m')).toEqual({
        from: Date.UTC(2019, 2, 5),
        to: Date.UTC(2019, 2, 6),
        rows: 2,
        bytes: expect.any(Number),
      })
      await store.usage.forget(cluster)
    })

    test('forgets one cluster and nothing of the others', async () => {
      const other = fresh()
      for (const name of [cluster, other]) {
        await store.usage.write(name, [usageRow(), usageRow({ span: '1h' }), usageRow({ span: '1d' })])
      }
      await store.usage.forget(cluster)
      await store.usage.forget('nobody-has-this')
      for (const span of ['5m', '1h', '1d'] as const) {
        expect(await store.usage.rows({ cluster, span, window: ALL })).toEqual([])
        expect(await store.usage.rows({ cluster: other, span, window: ALL })).toHaveLength(1)
      }
      // What was to be rolled up of it is not made again.
      await store.usage.rollUp(cluster, instant(NOW + DAY_MS))
      expect(await store.usage.rows({ cluster, span: '1h', window: ALL })).toEqual([])
    })

    test('never drops a bucket that is still to be kept', async () => {
      const week = 7 * 86_400
      const steps = Array.from({ length: 15 * 24 }, (_, hour) => instant(NOW - hour * HOUR_MS))
      await store.usage.write(
        cluster,
        steps.map((at) => usageRow({ span: '1h', at })),
      )
      await store.usage.prune({ ...KEEP_ALL, '1h': week }, NOW)
      const left = (await rows('1h')).map((row) => row.at)
      expect(left).toEqual(expect.arrayContaining(steps.filter((at) => at >= NOW - week * 1000)))
      expect(left.length).toBeLessThanOrEqual(14 * 24)
    })
  })

  describe('records', () => {
    test('a cluster that is removed is forgotten with all but its usage', async () => {
      await store.clusters.upsert({ id: cluster, name: 'one', kind: 'cluster', createdAt: NOW })
      await store.usage.write(cluster, [usageRow()])
      await store.readModels.write(cluster, [{ key: 'state', version: 1, bytes: Buffer.from('a') }])
      await store.recommendations.replace(cluster, { madeAt: NOW, recommendations: [recommendation(cluster, 'a')] })
      await store.recommendations.dismiss({ cluster, id: 'a', reason: 'no', at: NOW })
      await store.clusters.remove(cluster)
      expect((await store.clusters.list()).map(({ id }) => id)).not.toContain(cluster)
      expect(await store.readModels.version(cluster)).toBeUndefined()
      expect(await store.recommendations.current(cluster)).toBeUndefined()
      expect(await store.recommendations.dismissals(cluster)).toEqual([])
      expect(await store.usage.rows({ cluster, span: '5m', window: ALL })).toHaveLength(1)
      await store.clusters.remove(cluster)
    })

    test('clusters are kept by id and listed by it', async () => {
      const [a, b] = [`a-${cluster}`, `b-${cluster}`]
      await store.clusters.upsert({ id: b, name: 'two', kind: 'demo', createdAt: NOW })
      await store.clusters.upsert({ id: a, name: 'one', kind: 'cluster', createdAt: NOW })
      await store.clusters.upsert({ id: a, name: 'renamed', kind: 'cluster', createdAt: NOW })
      const mine = (await store.clusters.list()).filter((each) => each.id.endsWith(cluster))
      expect(mine).toEqual([
        { id: a, name: 'renamed', kind: 'cluster', createdAt: NOW },
        { id: b, name: 'two', kind: 'demo', createdAt: NOW },
      ])
    })

    test('the newest snapshot is the latest, whatever order they come in', async () => {
      expect(await store.snapshots.latest(cluster)).toBeUndefined()
      for (const minute of [1, 3, 2]) await store.snapshots.save(snapshot(cluster, minute))
      expect(await store.snapshots.latest(cluster)).toEqual(snapshot(cluster, 3))
      await store.snapshots.save({ ...snapshot(cluster, 3), serverVersion: 'v1.36.0' })
      expect((await store.snapshots.latest(cluster))?.serverVersion).toBe('v1.36.0')
      // By a clock that was an hour ahead, and then by one that is right.
      for (const minute of [64, 4]) await store.snapshots.save(snapshot(cluster, minute))
      expect(await store.snapshots.latest(cluster)).toEqual(snapshot(cluster, 4))
    })

    test('prices are put, replaced, listed and removed', async () => {
      const id = `price-${cluster}`
      const mine = async () => (await store.prices.list()).filter((each) => each.id === id)
      await store.prices.put(price(id))
      expect(await mine()).toEqual([price(id)])
      await store.prices.put({ ...price(id), price: usdPerGpuHour(2.125), pool: 'spot', model: undefined })
      expect(await mine()).toEqual([{ ...price(id), price: 2.125, pool: 'spot', model: undefined }])
      const owned = { ...OWNED, id }
      await store.prices.put(owned)
      expect(await mine()).toEqual([owned])
      await store.prices.remove(id)
      expect(await mine()).toEqual([])
    })

    test('of a read model the newest of each section is kept, and what is gone is gone, per cluster', async () => {
      const other = fresh()
      const { readModels } = store
      expect([await readModels.version(cluster), await readModels.read(cluster, 0)]).toEqual([undefined, []])
      await readModels.write(other, [section('state', 9, 'x')])
      await readModels.write(cluster, [section('state', 1, 'a'), section('nodes/1', 2, 'b'), section('nodes', 3, 'c')])
      await readModels.write(cluster, [section('state', 4, 'd'), section('nodes/1', 5), section('never', 6)])
      expect(await readModels.read(cluster, 0)).toEqual([section('nodes', 3, 'c'), section('state', 4, 'd')])
      expect(await readModels.read(cluster, 3)).toEqual([section('state', 4, 'd')])
      expect([await readModels.version(cluster), await readModels.version(other)]).toEqual([4, 9])
      const shared = new Uint8Array(new SharedArrayBuffer(3)).fill(7)
      await readModels.write(cluster, [{ key: 'samples', version: 1e13, bytes: shared }])
      expect(await readModels.read(cluster, 4)).toEqual([
        { key: 'samples', version: 1e13, bytes: Buffer.from([7, 7, 7]) },
      ])
      await readModels.forget(cluster)
      expect([await readModels.version(cluster), await readModels.version(other)]).toEqual([undefined, 9])
    })

    test('recommendations are replaced as a whole and keep their order; a no stays until it is taken back', async () => {
      const other = fresh()
      expect(await store.recommendations.current(cluster)).toBeUndefined()
      const first = { madeAt: instant(NOW), recommendations: ['b', 'a'].map((id) => recommendation(cluster, id)) }
      await store.recommendations.replace(cluster, first)
      expect(await store.recommendations.current(cluster)).toEqual(first)
      // Written again for the same moment, as when more of the past was read.
      const again = { ...first, recommendations: first.recommendations.slice(1) }
      await store.recommendations.replace(cluster, again)
      expect(await store.recommendations.current(cluster)).toEqual(again)
      const no = { cluster, id: 'a', reason: 'needed\0 on Monday', at: instant(NOW) }
      await store.recommendations.dismiss({ ...no, id: 'b' })
      await store.recommendations.dismiss({ ...no, reason: 'at first' })
      await store.recommendations.dismiss(no)
      await store.recommendations.dismiss({ ...no, cluster: other })
      await store.recommendations.replace(cluster, { madeAt: instant(NOW + 1), recommendations: [] })
      expect(await store.recommendations.current(cluster)).toEqual({ madeAt: NOW + 1, recommendations: [] })
      expect(await store.recommendations.dismissals(cluster)).toEqual([
        { ...no, reason: 'needed\uFFFD on Monday' },
        { ...no, id: 'b', reason: 'needed\uFFFD on Monday' },
      ])
      await store.recommendations.restore(cluster, 'a')
      await store.recommendations.restore(cluster, 'never dismissed')
      expect((await store.recommendations.dismissals(cluster)).map(({ id }) => id)).toEqual(['b'])
      expect(await store.recommendations.current(other)).toBeUndefined()
    })

    test('settings keep any JSON', async () => {
      expect(await store.settings.get(`none-${cluster}`)).toBeUndefined()
      for (const value of [{ a: [1, 'zwei', null, { '\0': 'zero\0' }] }, 'text', 0, false, null, []]) {
        await store.settings.put(cluster, value)
        expect(await store.settings.get(cluster)).toEqual(value)
      }
    })

    test('of those who replace the same setting at once, one is written', async () => {
      const { settings } = store
      const race = async (before: unknown) =>
        Promise.all([1, 2, 3].map((by) => settings.replace(cluster, before, { by, '\0': null })))
      expect((await race(undefined)).filter(Boolean)).toHaveLength(1)
      // Anyone who writes back what stands there has not seen it change.
      const first = await settings.get(cluster)
      const others = [4, 5, 6].map((by) => settings.replace(cluster, first, { by }))
      expect((await Promise.all(others)).filter(Boolean)).toHaveLength(1)
      expect(await settings.replace(cluster, first, 'x')).toBe(false)
    })
  })
}

const lost = (step: number, reason: QualityReason | undefined, measured: number) =>
  usageRow({ at: instant(NOW + step * 300_000), measured: seconds(measured), reason })

const uncut = (step: number, slices: number) =>
  usageRow({ at: instant(NOW + step * 300_000), partition: 'GPU-1/uncut', share: ratio(slices / 7) })

const bySortKey = (row: UsageRow) =>
  [row.at, row.partition, row.namespace, row.pod, row.kind, row.share, row.node, row.pool, row.gpu, row.model].join(
    '|',
  ) + [row.profile, row.workload, row.workloadClass, row.effective === undefined].join('|')

const sorted = (rows: readonly UsageRow[]): UsageRow[] =>
  rows.toSorted((a, b) => (bySortKey(a) < bySortKey(b) ? -1 : bySortKey(a) > bySortKey(b) ? 1 : 0))

const short = (name: string) => fc.constantFrom(`${name}-1`, `${name}-2`)
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 4 })

/** Random rows over two days, few enough names that keys collide. Seconds are whole, so that ties are ties. */
const batches = (span: Span): fc.Arbitrary<UsageRow[][]> => {
  const share = fc.constantFrom(1, 1 / 7, 2 / 7, 3 / 7, 4 / 7, 1 / 4)
  const unit = fc.double({ min: 0, max: 1, noNaN: true })
  const row = fc
    .record({
      step: fc.integer({ min: 0, max: (2 * 86_400) / SPAN_SECONDS[span] }),
      node: short('node'),
      pool: short('pool'),
      gpu: short('gpu'),
      partition: fc.constantFrom('p1', 'p2', 'p3'),
      profile: fc.constantFrom('', '3g.20gb'),
      model: short('model'),
      machine: short('machine'),
      kind: fc.constantFrom(...USAGE_KINDS),
      share: share.map(ratio),
      namespace: fc.constantFrom('', 'team-a'),
      workload: short('workload'),
      pod: fc.constantFrom('', 'pod-1', 'pod-2'),
      workloadClass: fc.constantFrom('', 'training'),
      present: fc.integer({ min: 1, max: 300 }).map(seconds),
      measuredPart: fc.constantFrom(0, 0.5, 1),
      idlePart: fc.constantFrom(0, 0.25),
      busy: unit,
      told: fc.tuple(
        ...MEASURES.map((one) => maybe(one.unit === 'ratio' ? unit : fc.integer({ min: 0, max: 80_000 }))),
      ),
      reason: maybe(fc.constantFrom('stale-target', 'no-telemetry', 'stuck-at-zero')),
    })
    .map(({ step, measuredPart, idlePart, busy, told, ...rest }): UsageRow => {
      const measured = seconds(Math.floor(rest.present * measuredPart))
      const valueOf = (measure: Measure) => {
        if (measure.of === 'engine' && measure.fold === 'mean' && measured === 0) return undefined
        return measure.name === 'busy' ? busy : told[MEASURES.indexOf(measure)]
      }
      return {
        ...(rest as Omit<UsageRow, 'at' | 'span' | 'measured' | 'idle' | 'oversized' | Measure['name']>),
        ...measurements(valueOf),
        at: instant(NOW - 2 * DAY_MS + step * SPAN_SECONDS[span] * 1000),
        span,
        measured,
        idle: seconds(Math.floor(rest.present * idlePart)),
        oversized: seconds(Math.floor(rest.present * (1 - idlePart) * 0.4)),
      }
    })
  return fc.array(fc.array(row, { maxLength: 60 }), { minLength: 1, maxLength: 3 })
}

const ignoreRows = (totals: readonly UsageTotal[]) => totals.map((total) => ({ ...total, rows: 0 }))

/** Where two lists differ: numbers by more than 1e-9 of their size, anything else at all. */
function differences(actual: readonly object[], expected: readonly object[]): string[] {
  if (actual.length !== expected.length) return [`${actual.length} instead of ${expected.length}`]
  return expected.flatMap((wanted, index) => {
    const found: Record<string, unknown> = { ...actual[index] }
    return Object.entries(wanted)
      .filter(([field, value]) => !nearlyEqual(found[field], value))
      .map(([field, value]) => `${index}.${field}: ${JSON.stringify(found[field])} instead of ${JSON.stringify(value)}`)
  })
}

const nearlyEqual = (a: unknown, b: unknown): boolean =>
  typeof a === 'number' && typeof b === 'number'
    ? Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b))
    : JSON.stringify(a) === JSON.stringify(b)

const snapshot = (cluster: string, minute: number): ClusterSnapshot => ({
  cluster,
  takenAt: instant(NOW + minute * 60_000),
  serverVersion: 'v1.35.0',
  nodes: [],
  pods: [],
  workloads: [],
  allocations: [],
  queues: [{ name: 'größe', pendingWorkloads: minute, admittedWorkloads: 0 }],
  budgets: [],
  quotas: [],
  problems: [],
})

const price = (id: string): PriceEntry => ({
  id,
  cluster: undefined,
  pool: undefined,
  model: 'A100-SXM4-80GB',
  price: usdPerGpuHour(1.987654321),
  source: 'set by an operator',
  asOf: NOW,
  origin: 'operator',
})

const OWNED: PriceEntry = {
  ...price('owned'),
  instanceType: 'dgx-h100',
  region: 'cellar',
  capacity: 'owned',
  effectiveFrom: instant(NOW - 30 * DAY_MS),
  owned: {
    purchaseUsd: 317_000,
    residualUsd: 0,
    gpus: 8,
    lifeYears: 4,
    powerKw: 8.5,
    pue: 1.5,
    usdPerKwh: 0.1,
    hostingUsdPerMonth: 1320.83,
  },
}

const recommendation = (cluster: string, id: string): Recommendation => ({
  id,
  cluster,
  kind: 'reclaim-idle',
  object: 'workload/team-a/Deployment/notebook',
  title: 'Release team-a/notebook',
  message: 'It was idle for three days. Scale it to 0 replicas.',
  rule: { name: 'idle-held', version: 1 },
  madeAt: NOW,
  evidence: {
    query: 'DCGM_FI_PROF_GR_ENGINE_ACTIVE',
    window: { from: instant(NOW - DAY_MS), to: NOW },
    samples: 288,
    coverage: ratio(1),
    figures: { idleGpuHours: 24 },
  },
  saving: { kind: 'none', brings: 'starts 1 pod', because: 'no price' },
  risk: {
    level: 'low',
    displaced: [],
    duration: { low: seconds(1), high: seconds(60), source: 'assumed' },
    overrun: undefined,
    confidence: ratio(0.9),
  },
  plan: { id: 'plan', cluster, madeFrom: NOW, title: 'Release', steps: [], moves: [], refused: [], bound: undefined },
  rank: 1,
})

const section = (key: string, version: number, text?: string) => ({
  key,
  version,
  bytes: text === undefined ? undefined : Buffer.from(text),
})
