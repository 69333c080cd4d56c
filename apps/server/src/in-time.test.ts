import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { lookUntil } from './in-time.ts'

describe('what is looked for', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test.each([
    { told: 'at once, where it is there', enough: 1, forMs: 0, tookMs: 0, looks: 1 },
    { told: 'once it is there', enough: 3, forMs: 60_000, tookMs: 500, looks: 3 },
    { told: 'as it is in the end, where it is never there', enough: 99, forMs: 600, tookMs: 600, looks: 4 },
    { told: 'as it is, where there is no time to wait', enough: 99, forMs: 0, tookMs: 0, looks: 1 },
  ])('is told $told', async ({ enough, forMs, tookMs, looks }) => {
    const began = Date.now()
    let looked = 0
    const look = () => Promise.resolve((looked += 1))
    const told = lookUntil(forMs, look, (seen) => seen === enough)
    await vi.runAllTimersAsync()
    expect([await told, Date.now() - began]).toEqual([looks, tookMs])
  })

  test('is not looked for again after a look has failed', async () => {
    const look = vi.fn<() => Promise<never>>().mockRejectedValue(new Error('away'))
    await expect(lookUntil(1000, look, () => false)).rejects.toThrow('away')
    expect(look).toHaveBeenCalledOnce()
  })
})
