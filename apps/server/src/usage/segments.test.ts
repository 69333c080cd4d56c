import { instant, SPAN_SECONDS } from '@septet/domain'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { backfillPlan } from '../pipeline/backfill-plan.ts'
import { COARSEST, floorTo, segmentsOf, windowOf } from './segments.ts'

const anyNow = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2030, 0, 1) }).map(instant)
const anyRange = fc.constantFrom('1h', '6h', '24h', '7d', '30d' as const)

describe('segments of a window', () => {
  test('cover it wholly, once, and whole buckets of each span', () => {
    fc.assert(
      fc.property(anyNow, anyRange, fc.integer({ min: 0, max: 3 * 86_400_000 }), (now, range, since) => {
        const window = windowOf(range, now)
        const segments = segmentsOf(window, COARSEST[range], instant(now - since))
        expect(segments[0]?.window.from).toBe(floorTo(window.from, SPAN_SECONDS[COARSEST[range]]))
        expect(segments.at(-1)?.window.to).toBe(window.to)
        for (const [index, { span, window: part }] of segments.entries()) {
          expect(part.to).toBeGreaterThan(part.from)
          expect(span === '5m' || part.to <= now - since).toBe(true)
          expect(part.from % (SPAN_SECONDS[span] * 1000)).toBe(0)
          expect(segments[index + 1]?.window.from ?? part.to).toBe(part.to)
        }
      }),
    )
  })
})

describe('what past usage to read', () => {
  const none = { '5m': undefined, '1h': undefined, '1d': undefined }
  test('nothing stored: six hours, eight days and thirty weeks, up to the last whole bucket', () => {
    const now = instant(Date.UTC(2026, 10, 21, 11, 37, 12))
    const plan = backfillPlan({ now, since: undefined, days: 210, partitions: 400, stored: none })
    expect(
      plan.map(({ span, window }) => [span, new Date(window.from).toISOString(), new Date(window.to).toISOString()]),
    ).toEqual([
      ['5m', '2026-11-21T05:00:00.000Z', '2026-11-21T11:35:00.000Z'],
      ['1h', '2026-11-13T00:00:00.000Z', '2026-11-21T05:00:00.000Z'],
      ['1d', '2026-04-25T00:00:00.000Z', '2026-11-13T00:00:00.000Z'],
    ])
  })

  test('no further back than is set', () => {
    const now = instant(Date.UTC(2026, 10, 21, 11, 37, 12))
    const [fine, hourly, daily] = backfillPlan({ now, since: undefined, days: 30, partitions: 400, stored: none })
    expect([fine?.window.from, hourly?.window.from]).toEqual([Date.UTC(2026, 10, 21, 5), Date.UTC(2026, 10, 13)])
    expect(daily?.window.from).toBe(Date.UTC(2026, 9, 22))
  })

  test('reads each time once: neither what was seen, nor what is stored, nor by two lengths of rows', () => {
    const hour = 3_600_000
    const anyHours = fc.integer({ min: 1, max: 40 * 24 })
    fc.assert(
      fc.property(
        anyNow,
        fc.tuple(anyHours, anyHours),
        fc.integer({ min: 0, max: 7200 }),
        (now, [fine, hourly], ago) => {
          const oldest = (hours: number) => instant(Math.floor(now / hour) * hour - hours * hour)
          const stored = {
            '5m': { from: oldest(fine), to: now },
            '1h': { from: oldest(Math.max(fine, hourly)), to: now },
            '1d': undefined,
          }
          const since = instant(now - ago * 1000)
          for (const known of [stored, none]) {
            const plan = backfillPlan({ now, since, days: 210, partitions: 10, stored: known })
            for (const [order, { span, window }] of plan.entries()) {
              expect(window.to).toBeLessThanOrEqual(Math.min(since, known[span]?.from ?? now))
              expect(window.to).toBeLessThanOrEqual(plan[order - 1]?.window.from ?? now)
              expect(window.from).toBeLessThan(window.to)
            }
          }
        },
      ),
    )
  })
  test('of a new cluster each length of rows begins where the one before it ends', () => {
    fc.assert(
      fc.property(anyNow, (now) => {
        const plan = backfillPlan({ now, since: undefined, days: 210, partitions: 10, stored: none })
        expect(plan.map(({ window }) => window.to).slice(1)).toEqual(plan.map(({ window }) => window.from).slice(0, -1))
      }),
    )
  })
  test('a large fleet is read less far back in fine rows', () => {
    const now = instant(Date.UTC(2026, 10, 21, 11, 37))
    const [fine, hourly] = backfillPlan({ now, since: undefined, days: 210, partitions: 20_000, stored: none })
    expect(hourly?.window.to).toBe(fine?.window.from)
    expect((fine?.window.to ?? 0) - (fine?.window.from ?? 0)).toBeLessThanOrEqual(2 * 3_600_000)
  })
})
