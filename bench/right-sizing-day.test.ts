import { fileURLToPath } from 'node:url'

import { describe, expect, test } from 'vitest'

import { judgeDay, podsOver } from './right-sizing-day.ts'
import { publishedTraces } from '../test/system-tools.ts'

const traces = publishedTraces()

describe.skipIf(traces === undefined)('GenTD26: sizes from three quarters of a day, judged on the last', () => {
  const day = traces === undefined ? undefined : judgeDay(fileURLToPath(new URL('gentd26-2026', traces)))

  test('the baseline is as published', () => {
    expect(day?.reference.pods).toHaveLength(74)
    expect([day?.reference.gpus, podsOver(day?.reference.pods ?? [])]).toEqual([46, 5])
  })

  test('ours takes at most 44 GPUs with at most 3 pods over', () => {
    expect(day?.ours.gpus).toBeLessThanOrEqual(44)
    expect(podsOver(day?.ours.pods ?? [])).toBeLessThanOrEqual(3)
  })

  test('pods that were near idle or hardly known keep a whole GPU, and none of them overruns', () => {
    const whole = day?.ours.pods.filter(({ profile }) => profile === '7g.80gb') ?? []
    const early = day?.reference.pods.filter(({ over, profile }) => over > 0 && profile === '1g.20gb') ?? []
    expect(early.length).toBeGreaterThan(0)
    expect(whole.map(({ pod }) => pod)).toEqual(expect.arrayContaining(early.map(({ pod }) => pod)))
  })
})
