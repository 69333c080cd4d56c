import { instant, theLast, MINUTE_MS, type ClusterAnalysis, type TimeRange } from '@septet/domain'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import type { RangeAnalysis } from '../facts.ts'
import { PATIENCE_MS } from '../freshness.ts'
import { AnalysisCache } from './analysis-cache.ts'

const START = instant(Date.UTC(2026, 10, 2, 12))

/** A cache of analyses that are numbered as they are made, each of which ends when it began. */
function cacheOf(made: (run: number) => Promise<void> = async () => undefined) {
  let now = START
  let runs = 0
  const failures: unknown[] = []
  const cache = new AnalysisCache({
    compute: async () => {
      const run = ++runs
      const madeAt = now
      await made(run)
      return analysisOf(run, madeAt)
    },
    clock: () => now,
    maxAgeMs: 10_000,
    onComputed: () => undefined,
    onFailure: (error) => void failures.push(error),
  })
  const get = async (range: TimeRange) => (await cache.get(range))?.trendStep
  return { cache, get, failures, wait: (ms: number) => (now = instant(now + ms)) }
}

const analysisOf = (run: number, madeAt: typeof START): RangeAnalysis => ({
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of an analysis nothing else is read
  analysis: { window: { from: instant(madeAt - 60 * MINUTE_MS), to: madeAt } } as ClusterAnalysis,
  trendStep: run,
  madeAt,
})

/** Holds back what is computed from the second time on. */
function held() {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  return { release: resolve, fail: reject, made: (run: number) => (run === 1 ? Promise.resolve() : promise) }
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

describe('analysis cache', () => {
  test('computes once however many ask at once', async () => {
    const { get } = cacheOf()
    expect(await Promise.all([get(theLast('24h')), get(theLast('24h')), get(theLast('24h'))])).toEqual([1, 1, 1])
  })

  test('answers with the old value while a new one is computed behind it', async () => {
    const { release, made } = held()
    const { get, wait } = cacheOf(made)
    await get(theLast('24h'))
    wait(10_001)
    expect(await get(theLast('24h'))).toBe(1)
    release()
    await vi.waitFor(async () => expect(await get(theLast('24h'))).toBe(2), 60_000)
  })

  test('after a pause the first answer is of now, however long an analysis took before', async () => {
    const { get, wait } = cacheOf(async (run) => void (run === 1 && wait(60_000)))
    await get(theLast('1h'))
    wait(60 * MINUTE_MS)
    expect(await get(theLast('1h'))).toBe(2)
  })

  test('an analysis that a pause interrupted is followed by another before anybody is answered', async () => {
    const { get, wait } = cacheOf(async (run) => void (run === 1 && wait(60 * MINUTE_MS)))
    expect(await get(theLast('1h'))).toBe(2)
  })

  test('one that took long is computed again within a minute or so', async () => {
    const { get, wait } = cacheOf(async (run) => void (run === 1 && wait(9000)))
    await get(theLast('24h'))
    wait(60_001)
    expect(await get(theLast('24h'))).toBe(1)
    await vi.waitFor(async () => expect(await get(theLast('24h'))).toBe(2), 60_000)
  })

  test('when what they are made of has changed, each is computed again behind its next answer', async () => {
    const { cache, get, wait } = cacheOf(async (run) => void (run === 1 && wait(9000)))
    await get(theLast('24h'))
    await cache.get(theLast('24h'), ['lab'])
    cache.outdate()
    expect((await cache.get(theLast('24h'), ['lab']))?.trendStep).toBe(2)
    await vi.waitFor(async () => expect((await cache.get(theLast('24h'), ['lab']))?.trendStep).toBe(3), 60_000)
    expect(await get(theLast('24h'))).toBe(1)
    await vi.waitFor(async () => expect(await get(theLast('24h'))).toBe(4), 60_000)
  })

  test('after the clock was set back the answer is of now', async () => {
    const { get, wait } = cacheOf()
    await get(theLast('24h'))
    wait(-60 * MINUTE_MS)
    expect(await get(theLast('24h'))).toBe(2)
  })

  test('one that takes longer than a few seconds is not waited for: the old one is given', async () => {
    const { release, made } = held()
    const { get, wait } = cacheOf(made)
    await get(theLast('1h'))
    wait(60 * MINUTE_MS)
    const answer = get(theLast('1h'))
    await vi.advanceTimersByTimeAsync(PATIENCE_MS)
    expect(await answer).toBe(1)
    release()
    await vi.waitFor(async () => expect(await get(theLast('1h'))).toBe(2), 60_000)
  })

  test('a failure keeps the old value and is reported; without one it is the caller that hears of it', async () => {
    const { fail, made } = held()
    const { cache, get, wait, failures } = cacheOf(made)
    await get(theLast('1h'))
    wait(60 * MINUTE_MS)
    fail(new Error('no database'))
    expect(await get(theLast('1h'))).toBe(1)
    await expect(cache.refresh(theLast('1h'))).rejects.toThrow('no database')
    expect(failures).toHaveLength(1)
    await expect(cache.get(theLast('7d'))).rejects.toThrow('no database')
  })

  test('ranges do not share answers', async () => {
    const { get } = cacheOf()
    expect(await get(theLast('1h'))).toBe(1)
    expect(await get(theLast('7d'))).toBe(2)
    const week = { kind: 'calendar', name: 'week', zone: 'UTC' } as const
    expect([await get({ ...week }), await get({ ...week, zone: 'Asia/Kolkata' })]).toEqual([3, 4])
    expect(await get({ ...week })).toBe(3)
  })
})
