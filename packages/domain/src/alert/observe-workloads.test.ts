import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { addReading, openBucket, rowsOf } from '../analyze/accumulate.ts'
import { idleNow, markIdle } from '../analyze/idle.ts'
import { DEFAULT_POLICY } from '../analyze/policy.ts'
import type { JudgedSample } from '../analyze/sample.ts'
import type { UsageRow } from '../analyze/usage.ts'
import { draw, DRAWN_AT } from '../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../cluster/inventory.ts'
import { analysisTotals } from '../cost/analysis-totals.fixture.ts'
import { analyzeCluster } from '../cost/analyze-cluster.ts'
import { owned } from '../plan/recommend/drawn-past.fixture.ts'
import { HOUR_MS, instant, ratio, seconds } from '../units.ts'
import { DEFAULT_ALERT_RULES } from './alert-rule.ts'
import type { Observation } from './observation.ts'
import { observe } from './observe.ts'

const BUCKET = 300_000
const DAY_BUCKETS = 288

/** What a pod does in one bucket: `unmeasured` is there with no reading that can be trusted, `away` is not there. */
type Does = 'idle' | 'busy' | 'unmeasured' | 'away'
/** What Septet sees of it; `unwatched` is a bucket in which Septet did not run. */
type Bucket = { readonly watched: boolean; readonly pods: readonly Does[] }

/** One Deployment of three pods at most, each with a GPU of its own. */
const cluster = owned(
  draw`
    a  A100-SXM4-80GB  [lab/chat-0]
    b  A100-SXM4-80GB  [lab/chat-1]
    c  A100-SXM4-80GB  [lab/chat-2]`,
  ['lab/chat-0', 'lab/chat-1', 'lab/chat-2'],
)
const GPUS = ['GPU-a-0', 'GPU-b-0', 'GPU-c-0']

/** The cluster with those pods alone, which have run for a week. */
function withPods(running: readonly boolean[]): ClusterSnapshot {
  const isThere = (pod: string): boolean => running[Number(pod.at(-1))] === true
  const weekAgo = instant(DRAWN_AT - 168 * HOUR_MS)
  return {
    ...cluster,
    pods: cluster.pods.filter(({ id }) => isThere(id)).map((pod) => ({ ...pod, startedAt: weekAgo })),
    allocations: cluster.allocations.filter(({ pod }) => isThere(pod)).map((each) => ({ ...each, since: weekAgo })),
    workloads: cluster.workloads.map((workload) => ({ ...workload, startedAt: weekAgo })),
  }
}

const sampleOf = (gpu: string, does: Does): JudgedSample => ({
  at: DRAWN_AT,
  node: gpu.split('-')[1] ?? '',
  gpu,
  index: 0,
  model: 'NVIDIA A100-SXM4-80GB',
  ...(does === 'unmeasured'
    ? { quality: { kind: 'missing', reason: 'not-exported' } }
    : { busy: ratio(does === 'busy' ? 0.8 : 0), quality: { kind: 'measured' } }),
})

/** Usage as it is stored, of a history that ends now. */
function usageOf(history: readonly Bucket[]): readonly UsageRow[] {
  const rows = history.flatMap(({ watched, pods }, order) => {
    if (!watched) return []
    const bucket = openBucket(instant(DRAWN_AT - (history.length - order) * BUCKET))
    const snapshot = withPods(pods.map((does) => does !== 'away'))
    const samples = pods.flatMap((does, pod) => (does === 'away' ? [] : [sampleOf(GPUS[pod] ?? '', does)]))
    addReading(bucket, { at: bucket.at, interval: seconds(300), snapshot, samples })
    return rowsOf(bucket)
  })
  return markIdle(rows, DEFAULT_POLICY.idle)
}

/** What is said of the Deployment at the end of a history; nothing where it holds nothing then. */
function idleAfter(history: readonly Bucket[]): Observation | undefined {
  const rows = usageOf(history)
  const last = history.at(-1)?.pods ?? []
  const snapshot = withPods(last.map((does) => does !== 'away'))
  const day = analyzeCluster({
    snapshot,
    totals: analysisTotals(rows),
    prices: [],
    window: { from: instant(DRAWN_AT - DAY_BUCKETS * BUCKET), to: DRAWN_AT },
  })
  return observe(
    {
      cluster: 'c',
      clusterName: 'Production',
      now: DRAWN_AT,
      connected: true,
      asOf: DRAWN_AT,
      picture: snapshot,
      samples: new Map(last.flatMap((does, pod) => (does === 'away' ? [] : [[GPUS[pod] ?? '', sampleOf('', does)]]))),
      targets: [],
      problems: [],
      idle: idleNow(rows, DRAWN_AT - BUCKET),
      day,
      week: day,
      budgets: [],
      tenants: [],
      rules: DEFAULT_ALERT_RULES,
    },
    'idle-held',
  ).observations[0]
}

const hoursIn = (history: readonly Bucket[], counts: (bucket: Bucket) => boolean): number =>
  history.filter(counts).length / 12
const isMeasured = ({ watched, pods }: Bucket): boolean =>
  watched && pods.some((does) => does === 'idle' || does === 'busy')
const idleBuckets = (count: number, pods: readonly Does[] = ['idle']): readonly Bucket[] =>
  Array.from({ length: count }, () => ({ watched: true, pods }))

const stretches = <Value>(of: fc.Arbitrary<Value>): fc.Arbitrary<readonly Value[]> =>
  fc
    .array(fc.tuple(of, fc.integer({ min: 1, max: 60 })), { minLength: 1, maxLength: 8 })
    .map((drawn) => drawn.flatMap(([value, length]) => Array<Value>(length).fill(value)))

const DOES: fc.Arbitrary<Does> = fc.constantFrom('idle', 'idle', 'busy', 'unmeasured')
/** Up to a day with gaps, of pods of which each starts at some time and then stays. */
const HISTORIES: fc.Arbitrary<readonly Bucket[]> = fc
  .tuple(
    stretches(fc.boolean()),
    fc.array(fc.tuple(stretches(DOES), fc.nat({ max: DAY_BUCKETS })), { minLength: 1, maxLength: 3 }),
  )
  .map(([watched, pods]) =>
    Array.from({ length: Math.min(DAY_BUCKETS, watched.length) }, (_, at) => ({
      watched: watched[at] ?? false,
      pods: pods.map(([does, start], pod): Does =>
        pod > 0 && at < start ? 'away' : (does[at % does.length] ?? 'idle'),
      ),
    })),
  )

describe('work that idles', () => {
  test('half an hour of watching is half an hour, however long it has run', () => {
    expect(idleAfter(idleBuckets(6))).toMatchObject({
      verdict: 'clear',
      figure: { value: 0.5, threshold: 8, coverage: 1 },
      message:
        'Deployment chat in lab holds 1 GPU or slice that was idle for 0.5 h of the 0.5 h for which Septet watched it ' +
        '(limit 8 h); 100% of those were measured.',
    })
  })

  test('fires once it was idle for as long as the rule says', () => {
    expect(idleAfter(idleBuckets(95))?.verdict).toBe('between')
    expect(idleAfter(idleBuckets(96))).toMatchObject({ verdict: 'breach', figure: { value: 8, coverage: 1 } })
    expect(idleAfter(idleBuckets(96, ['idle', 'idle', 'idle']))).toMatchObject({
      verdict: 'breach',
      figure: { value: 8 },
    })
  })

  test('the coverage that it prints is of the hours that it speaks of', () => {
    const unmeasured = { watched: true, pods: ['unmeasured'] } as const
    const history = [...Array.from({ length: 48 }, () => unmeasured), ...idleBuckets(144)]
    expect(idleAfter(history)).toMatchObject({
      figure: { value: 12, coverage: 0.75 },
      message: expect.stringContaining(
        'idle for 12 h of the 16 h for which Septet watched it (limit 8 h); 75% of those',
      ),
    })
  })

  test('no more idle hours are claimed than were measured, whatever gaps there are', () => {
    fc.assert(
      fc.property(HISTORIES, (history) => {
        const said = idleAfter(history)
        expect(said?.figure.value ?? 0).toBeLessThanOrEqual(hoursIn(history, isMeasured) + 1e-9)
      }),
      { numRuns: 150, seed: 54 },
    )
  })

  test('where it held more before, no more hours are claimed than were watched', () => {
    const three = idleBuckets(60, ['idle', 'idle', 'idle'])
    const one = idleBuckets(12, ['idle', 'away', 'away'])
    expect(idleAfter([...three, ...one])?.figure.value).toBeCloseTo(6, 9)
  })
})
