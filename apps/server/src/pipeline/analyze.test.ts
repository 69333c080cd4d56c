import {
  addReading,
  DEFAULT_POLICY,
  instant,
  type JudgedSample,
  openBucket,
  ratio,
  rowsOf,
  seconds,
  theLast,
  usdPerGpuHour,
} from '@septet/domain'
import { openTestStore } from '@septet/storage/testing'
import { expect, test } from 'vitest'

import { DRAWN_AT, draw } from '@septet/domain/testing'
import { analyzeRange, analyzeRangeOf, type AnalyzeRequest } from './analyze.ts'

const snapshot = draw`
  a  H100-80GB-HBM3  [lab/x]
  b  H100-80GB-HBM3  [lab-b/x]
  c  H100-80GB-HBM3  [-]
  ?  lab/later       gpu
  ?  lab-b/later     gpu`
const sample = (node: string, busy: number): JudgedSample => ({
  at: DRAWN_AT,
  node,
  gpu: `GPU-${node}-0`,
  index: 0,
  model: 'H100',
  busy: ratio(busy),
  quality: { kind: 'measured' },
})

/** One hour of readings in a store; nothing is rolled up. */
async function requestOf(readings: readonly JudgedSample[] = [sample('a', 0.25), sample('b', 0.75)]) {
  const store = await openTestStore()
  for (let order = 0; order < 12; order++) {
    const bucket = openBucket(instant(DRAWN_AT + order * 300_000))
    addReading(bucket, { at: bucket.at, interval: seconds(300), snapshot, samples: readings })
    await store.usage.write('drawn', rowsOf(bucket))
  }
  return {
    range: theLast('1h'),
    now: instant(DRAWN_AT + 3_600_000),
    store,
    snapshot,
    samples: readings,
    rolledUpTo: instant(0),
    stored: { '5m': undefined, '1h': undefined, '1d': undefined },
    policy: DEFAULT_POLICY,
  } satisfies AnalyzeRequest
}

test('an analysis of a namespace is of its rows alone, by its whole name', async () => {
  const request = await requestOf()
  const whole = await analyzeRange(request)
  const theirs = (await analyzeRangeOf(['lab'], whole, request))?.analysis
  expect(theirs?.scope).toBe('namespaces')
  expect(theirs?.workloads.map(({ id }) => id)).toEqual(['lab/Pod/x', 'lab/Pod/later'])
  expect(theirs?.cost.byNamespace.map(({ key, cost }) => [key, cost.hours.capacity])).toEqual([['lab', 1]])
  expect(theirs?.utilization.busy).toMatchObject({ kind: 'known', value: 0.25 })
  expect(theirs?.trend.map(({ busy, allocation }) => [busy, allocation])).toEqual(
    Array.from({ length: 12 }, () => [0.25, undefined]),
  )
  expect(theirs?.utilization.allocation.kind).toBe('unknown')
  expect(theirs?.queue.unmet).toEqual([{ resource: 'nvidia.com/gpu', count: 1 }])
  expect(whole?.analysis.cost.fleet.hours.capacity).toBe(3)
})

test('a month is made from how long the cluster was seen, not from how long they held something', async () => {
  const request = await requestOf()
  const whole = await analyzeRange(request)
  const nobody = await analyzeRangeOf(['nobody'], whole, request)
  expect(nobody?.analysis.observedSeconds).toBe(3600)
  expect(nobody?.analysis).toMatchObject({ workloads: [], trend: [], findings: [] })
})

test('where only hours are stored, a day is 24 hours of them at any minute, and every cut adds up to it', async () => {
  const store = await openTestStore()
  for (let hour = 0; hour < 40; hour++) {
    const bucket = openBucket(instant(DRAWN_AT + hour * 3_600_000))
    addReading(bucket, {
      at: bucket.at,
      interval: seconds(300),
      snapshot,
      samples: [sample('a', 0.25), sample('b', 0.75)],
    })
    const hourly = rowsOf(bucket).map((row) => ({ ...row, span: '1h' as const, present: seconds(3600) }))
    await store.usage.write('drawn', hourly)
  }
  for (const minute of [0, 17, 53]) {
    const now = instant(DRAWN_AT + 39 * 3_600_000 + minute * 60_000)
    // Five-minute rows began with the hour that runs.
    const began = instant(DRAWN_AT + 39 * 3_600_000)
    for (let past = 0; past < minute; past += 5) {
      const bucket = openBucket(instant(began + past * 60_000))
      addReading(bucket, { at: bucket.at, interval: seconds(300), snapshot, samples: [] })
      await store.usage.write('drawn', rowsOf(bucket, now))
    }
    const whole = await analyzeRange({
      range: theLast('24h'),
      now,
      store,
      snapshot,
      samples: [],
      rolledUpTo: began,
      stored: {
        '5m': minute === 0 ? undefined : { from: began, to: now },
        '1h': { from: DRAWN_AT, to: began },
        '1d': undefined,
      },
      policy: DEFAULT_POLICY,
    })
    if (whole === undefined) throw new Error('nothing was analyzed')
    const { window, cost, trend, observed, observedSeconds } = whole.analysis
    expect(window).toEqual({ from: now - 86_400_000, to: now })
    expect(observed).toEqual(window)
    expect(observedSeconds).toBeCloseTo(86_400, 3)
    expect(cost.fleet.hours.capacity).toBeCloseTo(3 * 24, 6)
    expect(trend.reduce((sum, { capacity }) => sum + capacity, 0)).toBeCloseTo(3 * 24, 6)
    expect(cost.byNode.reduce((sum, { cost: own }) => sum + own.hours.capacity, 0)).toBeCloseTo(3 * 24, 6)
  }
})

test('without an analysis of the whole there is none of a part', async () => {
  expect(await analyzeRangeOf(['lab'], undefined, await requestOf())).toBeUndefined()
})

test('each hour costs what its price was then, where one changes within the range', async () => {
  const request = await requestOf()
  const changedAt = instant(DRAWN_AT + 1_800_000)
  const entry = {
    cluster: undefined,
    pool: undefined,
    model: undefined,
    source: 'a contract',
    asOf: DRAWN_AT,
    origin: 'operator',
  } as const
  await request.store.prices.put({ ...entry, id: 'first', price: usdPerGpuHour(2) })
  await request.store.prices.put({ ...entry, id: 'then', price: usdPerGpuHour(4), effectiveFrom: changedAt })
  const { cost } = (await analyzeRange(request))?.analysis ?? {}
  // Three GPUs, half an hour at each price.
  expect(cost?.fleet.money?.capacity).toBe(1.5 * 2 + 1.5 * 4)
  expect(cost?.byNode.map(({ cost: { money } }) => money?.capacity)).toEqual([3, 3, 3])
  expect(cost?.prices.map(({ price, hours }) => price.kind === 'known' && [price.price, hours])).toEqual([
    [2, 1.5],
    [4, 1.5],
  ])
})

test('an analysis keeps how far the past was read when it began, and one of namespaces how far that of the whole was', async () => {
  const request = await requestOf()
  const at = (done: number) => ({ ...request, history: { done, of: 10, detail: '', left: [] } })
  const whole = await analyzeRange(at(3))
  expect(whole?.history?.done).toBe(3)
  expect((await analyzeRangeOf(['lab'], whole, at(7)))?.history?.done).toBe(3)
  expect((await analyzeRange(request))?.history).toBeUndefined()
})
