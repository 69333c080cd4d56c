import { describe, expect, test } from 'vitest'

import { addReading, openBucket, rowsOf } from '../analyze/accumulate.ts'
import { markIdle } from '../analyze/idle.ts'
import { DEFAULT_POLICY } from '../analyze/policy.ts'
import type { JudgedSample } from '../analyze/sample.ts'
import type { UsageRow } from '../analyze/usage.ts'
import { DRAWN_AT, draw } from '../cluster/draw.fixture.ts'
import { HOUR_MS, instant, ratio, seconds, usdPerGpuHour } from '../units.ts'
import { analysisTotals } from './analysis-totals.fixture.ts'
import { analyzeNamespaces, NOT_OF_NAMESPACES } from './analyze-namespaces.ts'

const BUCKETS = 12
const WINDOW = { from: DRAWN_AT, to: instant(DRAWN_AT + HOUR_MS) }

const cluster = draw`
  a@train  A100-SXM4-80GB  [lab/train]
  b@serve  A100-SXM4-80GB  [3g.40gb web/chat] [4g.40gb lab/notebook]
  c@serve  A100-SXM4-80GB  [-]
  ?        web/next        gpu`

const sample = (gpu: string, busy: number, more: Partial<JudgedSample> = {}): JudgedSample => ({
  at: DRAWN_AT,
  node: gpu.split('-')[1] ?? '',
  gpu,
  index: 0,
  model: 'NVIDIA A100-SXM4-80GB',
  busy: ratio(busy),
  quality: { kind: 'measured' },
  ...more,
})
const SAMPLES = [
  sample('GPU-a-0', 0.6),
  sample('GPU-b-0', 0.9, { instance: { id: '1', profile: '3g.40gb' } }),
  sample('GPU-b-0', 0.2, { instance: { id: '2', profile: '4g.40gb' } }),
]

/** An hour of the whole cluster, as it is stored. */
const ROWS: readonly UsageRow[] = markIdle(
  Array.from({ length: BUCKETS }, (_, order) => {
    const bucket = openBucket(instant(DRAWN_AT + order * 300_000))
    addReading(bucket, { at: bucket.at, interval: seconds(300), snapshot: cluster, samples: SAMPLES })
    return rowsOf(bucket)
  }).flat(),
  DEFAULT_POLICY.idle,
)

function analyze(...namespaces: string[]) {
  const own = new Set(namespaces)
  return analyzeNamespaces({
    namespaces: own,
    snapshot: cluster,
    totals: analysisTotals(ROWS.filter(({ namespace }) => own.has(namespace))),
    prices: [
      {
        id: 'p',
        cluster: undefined,
        pool: undefined,
        model: 'A100-SXM4-80GB',
        price: usdPerGpuHour(7),
        source: 'drawn',
        asOf: DRAWN_AT,
        origin: 'operator',
      },
    ],
    window: WINDOW,
    samples: SAMPLES.filter(({ gpu, instance }) => gpu === 'GPU-a-0' || instance?.id === '2'),
    observed: { window: WINDOW, seconds: seconds(3600) },
  })
}

describe('what an analysis tells of some namespaces', () => {
  const lab = analyze('lab')

  test('is what they held, and how busy that was', () => {
    expect(lab.scope).toBe('namespaces')
    // A whole GPU at 60% and four sevenths of one at 20%.
    const busy = (0.6 + (4 / 7) * 0.2) / (1 + 4 / 7)
    expect(lab.utilization.busy).toEqual(lab.utilization.busyOfAllocated)
    expect(lab.utilization.busy).toMatchObject({ kind: 'known', value: expect.closeTo(busy, 9) })
    expect(lab.cost.fleet.money?.capacity).toBe(11)
    expect(lab.workloads.map(({ id }) => id)).toEqual(['lab/Pod/train', 'lab/Pod/notebook'])
  })

  test('is nothing of what nobody held: that is unknown to them, with the reason, and not 0', () => {
    const { allocation, unallocated, stranded } = lab.utilization
    const { sliceCoverage, sliceAllocation, fragmentation } = lab.mig
    for (const figure of [allocation, unallocated, stranded, sliceCoverage, sliceAllocation, fragmentation]) {
      expect(figure).toEqual({ kind: 'unknown', because: NOT_OF_NAMESPACES, coverage: 0 })
    }
    expect(lab.mig).toMatchObject({ byProfile: [], structurallyStranded: 0, strandedByPlacement: 0 })
    for (const point of [...lab.trend, ...lab.trendByModel.flatMap(({ points }) => points)]) {
      expect(point).toMatchObject({ allocation: undefined, busy: point?.busyOfAllocated })
    }
  })

  test('names nothing of anybody else', () => {
    expect(JSON.stringify(lab)).not.toContain('web')
    expect(JSON.stringify(analyze('web'))).not.toMatch(/"lab"|lab\//u)
  })

  test('is nothing, and no error, where they hold nothing', () => {
    const nobody = analyze('idle')
    expect(nobody.utilization.busy.kind).toBe('unknown')
    expect([nobody.workloads, nobody.trend, nobody.capacity.gpus, nobody.observedSeconds]).toEqual([[], [], 0, 3600])
  })
})
