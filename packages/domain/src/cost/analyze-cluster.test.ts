import { describe, expect, test } from 'vitest'

import { addReading, openBucket, rowsOf } from '../analyze/accumulate.ts'
import { markIdle } from '../analyze/idle.ts'
import { DEFAULT_POLICY } from '../analyze/policy.ts'
import type { JudgedSample } from '../analyze/sample.ts'
import { sumUsage } from '../analyze/usage-sum.ts'
import type { UsageTotal } from '../analyze/usage.ts'
import { DRAWN_AT, draw } from '../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../cluster/inventory.ts'
import { HOUR_MS, instant, mib, ratio, seconds, usdPerGpuHour } from '../units.ts'
import { analysisTotals } from './analysis-totals.fixture.ts'
import { analyzeCluster } from './analyze-cluster.ts'
import { monthOf } from './months.ts'
import { perMonth } from './per-month.ts'
import type { PriceBook } from './price.ts'

const BUCKETS = 24
const end = instant(DRAWN_AT + BUCKETS * 300_000)

const sample = (gpu: string, busy: number, more: Partial<JudgedSample> = {}): JudgedSample => ({
  at: DRAWN_AT,
  node: gpu.split('-')[1] ?? '',
  gpu,
  index: 0,
  model: 'NVIDIA A100-SXM4-80GB',
  busy: ratio(busy),
  memoryUsed: mib(4000),
  quality: { kind: 'measured' },
  ...more,
})

/** Two hours of a cluster that does not change, and its analysis. */
function analyze(snapshot: ClusterSnapshot, samples: readonly JudgedSample[], prices: PriceBook = PRICES) {
  const rows = Array.from({ length: BUCKETS }, (_, order) => {
    const bucket = openBucket(instant(DRAWN_AT + order * 300_000))
    for (let time = 0; time < 300_000; time += 30_000) {
      addReading(bucket, { at: instant(bucket.at + time), interval: seconds(30), snapshot, samples })
    }
    return rowsOf(bucket)
  }).flat()
  const marked = markIdle(rows, DEFAULT_POLICY.idle)
  return analyzeCluster({
    snapshot,
    totals: analysisTotals(marked),
    prices,
    window: { from: DRAWN_AT, to: end },
    samples,
  })
}

const PRICES: PriceBook = [
  {
    id: 'p',
    cluster: undefined,
    pool: undefined,
    model: 'A100-SXM4-80GB',
    price: usdPerGpuHour(3.5),
    source: 'set by an operator',
    asOf: DRAWN_AT,
    origin: 'operator',
  },
]

const cluster = draw`
  a@train  A100-SXM4-80GB  [lab/train-7]
  a@train  A100-SXM4-80GB  [lab/notebook]
  b@serve  A100-SXM4-80GB  [3g.40gb web/chat] [3g.40gb -]
  c@serve  A100-SXM4-80GB  [-]
  d        X9000           [lab/odd]
  e        A100-SXM4-80GB  down [-]`
const samples = [
  sample('GPU-a-0', 0.9),
  sample('GPU-a-1', 0.01, { index: 1 }),
  sample('GPU-b-0', 0.5, { instance: { id: '1', profile: '3g.40gb' } }),
  sample('GPU-c-0', 0),
]

describe('the analysis of a small cluster over two hours', () => {
  const analysis = analyze(cluster, samples)

  test('counts what is there now', () => {
    expect(analysis.capacity).toMatchObject({
      nodes: 5,
      readyNodes: 4,
      gpus: 6,
      readyGpus: 5,
      heldGpus: 3.428571,
      partitions: 7,
      heldPartitions: 4,
    })
    expect(analysis.asOf).toBe(DRAWN_AT)
    expect(analysis.observed).toEqual({ from: DRAWN_AT, to: end })
  })

  test('says where the money went', () => {
    const { hours, money, unpriced } = analysis.cost.fleet
    // 5 priced GPUs × 2 h × $3.50: the idle notebook is one, one is on a node that is not ready, and 1/7 of another is
    // stranded beside 3g + 3g.
    expect(money).toEqual({
      used: 10,
      unmeasured: 0,
      unrequested: 0,
      unobserved: 0,
      idleHeld: 7,
      unallocated: 10,
      stranded: 1,
      oversized: 0,
      broken: 7,
      capacity: 35,
    })
    expect([hours.capacity, hours.unmeasured, unpriced, hours.broken].map((value) => Number(value.toFixed(6)))).toEqual(
      [12, 2, 2, 2],
    )
  })

  test('cuts the same cost by namespace, model, pool and node', () => {
    const { byNamespace, byModel, byPool, byNode } = analysis.cost
    expect(byNamespace.map(({ key, cost }) => [key, cost.money?.capacity])).toEqual([
      ['', 18],
      ['lab', 14],
      ['web', 3],
    ])
    for (const rows of [byNamespace, byModel, byPool, byNode]) {
      const cents = rows.reduce((sum, { cost }) => sum + Math.round((cost.money?.capacity ?? 0) * 100), 0)
      expect(cents).toBe(3500)
    }
    expect(analysis.cost.prices.find(({ model }) => model === 'X9000')?.price.kind).toBe('unknown')
  })

  test('lists workloads with what they held', () => {
    expect(
      analysis.workloads.map(({ id, hours, idleHours, cost }) => [id, hours.toFixed(2), idleHours.toFixed(2), cost]),
    ).toEqual([
      ['lab/Pod/notebook', '2.00', '2.00', 7],
      ['lab/Pod/odd', '2.00', '0.00', undefined],
      ['lab/Pod/train-7', '2.00', '0.00', 7],
      ['web/Pod/chat', '0.86', '0.00', 3],
    ])
  })

  test('finds waste and trouble, dearest first, under ids that stay', () => {
    expect(analysis.findings.map(({ id, costPerMonth }) => [id, costPerMonth])).toEqual([
      ['drawn/unallocated/pool/serve/A100-SXM4-80GB', 3650],
      ['drawn/idle-held/workload/lab/Pod/notebook', 2555],
      ['drawn/telemetry/telemetry/no-telemetry', undefined],
      ['drawn/telemetry/node/d', undefined],
    ])
    expect(analysis.findings[1]?.message).toBe(
      'lab/Pod/notebook held GPUs idle for 2 GPU-h, 100% of what it held: busy at most 5% for 30 min or longer. ' +
        'Ask its owner to release or shrink it.',
    )
    const again = analyze(cluster, samples).findings.map(({ id }) => id)
    expect(again).toEqual(analysis.findings.map(({ id }) => id))
  })

  test('says how far it can be trusted', () => {
    expect(analysis.quality).toMatchObject({
      unmeasured: [{ reason: 'no-telemetry', hours: 2 }],
      silentNodes: ['d'],
      sentences: [
        '1 of 5 nodes reports no metrics.',
        '1 of 5 nodes is not ready.',
        '1 of 6 devices: The exporter does not report this MIG device.',
      ],
    })
    expect(analysis.quality.coverage).toMatchObject({ kind: 'known', value: expect.closeTo(1 - 2 / (48 / 7), 6) })
  })

  test('has a trend and a month', () => {
    expect(analysis.trend).toHaveLength(BUCKETS)
    expect(analysis.trendByModel.length).toBeGreaterThan(1)
    for (const { points } of analysis.trendByModel) expect(points).toHaveLength(BUCKETS)
    // The models' capacity is the fleet's, bucket by bucket.
    for (const [index, { capacity }] of analysis.trend.entries()) {
      const sum = analysis.trendByModel.reduce((all, { points }) => all + (points[index]?.capacity ?? 0), 0)
      expect(sum).toBeCloseTo(capacity, 9)
    }
    expect(analysis.trend[0]).toMatchObject({ at: DRAWN_AT, allocation: expect.closeTo(24 / 35, 6) })
    expect(analysis.months.map(({ month, cost }) => [month, cost.money?.capacity])).toEqual([['2026-01', 35]])
  })
})

test('many silent nodes are one finding, as they have one cause', () => {
  const silent = analyze(
    draw`
      a  T4  [team/a]
      b  T4  [team/b]
      c  T4  [team/c]
      d  T4  [team/d]
      e  T4  [team/e]
      f  T4  [team/f]`,
    [],
  )
  expect(
    silent.findings.filter(({ object }) => object !== 'telemetry/no-telemetry').map(({ object }) => object),
  ).toEqual(['telemetry/silent-nodes'])
  expect(silent.utilization.busy.kind).toBe('unknown')
})

test('an analysis without any usage says so, and shows no 0', () => {
  const empty = analyzeCluster({
    snapshot: draw`a  T4  [team/x]`,
    totals: { parts: [], trend: [], trendSpan: '5m' },
    prices: [],
    window: { from: DRAWN_AT, to: end },
  })
  expect(empty.utilization.busy.kind).toBe('unknown')
  expect(empty.funnel.total.kind).toBe('unknown')
  expect(empty.observed).toBeUndefined()
  expect(empty.quality.devices).toBeUndefined()
  expect(empty.months).toEqual([])
})

test.each([
  ['1970-01', 0],
  ['1999-12', 946_684_799_999],
  ['2000-01', 946_684_800_000],
  ['2000-02', 951_782_399_999],
  ['2000-03', 951_868_800_000],
  ['2026-08', 1_787_356_800_000],
])('%s is the month of %d', (month, at) => {
  expect(monthOf(at)).toBe(month)
})

const total = (order: number, gpuSeconds: number) => ({
  ...sumUsage([]),
  key: { at: String(DRAWN_AT + order * HOUR_MS), kind: 'free' },
  gpuSeconds,
})
const seen = (trend: readonly UsageTotal[], minutes: number) =>
  analyzeCluster({
    snapshot: draw`
      a  A100-SXM4-80GB  [-]
      a  A100-SXM4-80GB  [-]`,
    totals: { parts: [], trend, trendSpan: '1h' },
    prices: PRICES,
    window: { from: DRAWN_AT, to: instant(DRAWN_AT + minutes * 60_000) },
  })

describe('how long usage was seen', () => {
  test('ends now, not with the bucket that now is in', () => {
    const analysis = seen([total(0, 7200), total(1, 2 * 600)], 70)
    expect(analysis.observed).toEqual({ from: DRAWN_AT, to: DRAWN_AT + 70 * 60_000 })
    expect(analysis.observedSeconds).toBe(70 * 60)
  })

  test('begins when the first reading was taken, and leaves out buckets that nothing is known of', () => {
    expect(seen([total(0, 2 * 300), total(3, 7200)], 240).observedSeconds).toBe(300 + 3600)
    expect(seen([], 60).observedSeconds).toBe(0)
  })

  test('makes a month of an hour, and not of minutes', () => {
    expect(perMonth(2, seconds(7200))).toBe(730)
    expect(perMonth(2, seconds(600))).toBeUndefined()
  })
})

test('nodes that nothing is known of in the window are named: their cost is not in the figures', () => {
  const snapshot = draw`
    a  H100-80GB-HBM3  [team/x]
    b  T4              [1/2 team/y] [1/2 team/z]
    c  T4              down [-]`
  const parts = [{ ...sumUsage([]), key: { kind: 'held', node: 'a', model: 'H100-80GB-HBM3' }, gpuSeconds: 3600 }]
  const totals = { parts, trend: [], trendSpan: '1h' } as const
  const { quality } = analyzeCluster({ snapshot, totals, prices: PRICES, window: { from: DRAWN_AT, to: end } })
  expect(quality.sentences).toContain(
    'No usage of 1 of 3 nodes is known in this window (b): it is in no figure of time.',
  )
})
