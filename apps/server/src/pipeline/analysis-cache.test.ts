import { theLast } from '@septet/domain'
import { describe, expect, test, vi } from 'vitest'

import { AnalysisCache } from './analysis-cache.ts'

function cacheOf(compute: () => Promise<number | undefined>) {
  let now = 1000
  const failures: unknown[] = []
  const cache = new AnalysisCache({
    compute,
    clock: () => now,
    maxAgeMs: 100,
    onComputed: () => undefined,
    onFailure: (error) => failures.push(error),
  })
  return { cache, failures, wait: (ms: number) => (now += ms) }
}

describe('analysis cache', () => {
  test('computes once however many ask at once', async () => {
    let runs = 0
    const { cache } = cacheOf(async () => ++runs)
    expect(
      await Promise.all([cache.get(theLast('24h')), cache.get(theLast('24h')), cache.get(theLast('24h'))]),
    ).toEqual([1, 1, 1])
  })

  test('answers with the old value while a new one is computed behind it', async () => {
    let runs = 0
    const { cache, wait } = cacheOf(async () => ++runs)
    await cache.get(theLast('24h'))
    wait(101)
    expect(await cache.get(theLast('24h'))).toBe(1)
    await vi.waitFor(async () => expect(await cache.get(theLast('24h'))).toBe(2))
  })

  test('a failure keeps the old value and is reported; without one it is the caller that hears of it', async () => {
    let fail = false
    const { cache, wait, failures } = cacheOf(async () => {
      if (fail) throw new Error('no database')
      return 7
    })
    await cache.get(theLast('1h'))
    fail = true
    wait(101)
    expect(await cache.get(theLast('1h'))).toBe(7)
    await expect(cache.refresh(theLast('1h'))).rejects.toThrow('no database')
    expect(failures.length).toBeGreaterThan(0)
    await expect(cache.get(theLast('7d'))).rejects.toThrow('no database')
  })

  test('ranges do not share answers', async () => {
    let runs = 0
    const { cache } = cacheOf(async () => ++runs)
    expect(await cache.get(theLast('1h'))).toBe(1)
    expect(await cache.get(theLast('7d'))).toBe(2)
    const week = { kind: 'calendar', name: 'week', zone: 'UTC' } as const
    expect([await cache.get({ ...week }), await cache.get({ ...week, zone: 'Asia/Kolkata' })]).toEqual([3, 4])
    expect(await cache.get({ ...week })).toBe(3)
  })
})
