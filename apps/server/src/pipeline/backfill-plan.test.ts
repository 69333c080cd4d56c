import { HOUR_MS, instant, SPAN_SECONDS, type Span } from '@septet/domain'
import { assert, constantFrom, integer, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'

import { backfillPieces } from './backfill-plan.ts'

describe('pieces of a segment', () => {
  const segments = record({
    span: constantFrom<Span>('5m', '1h', '1d'),
    first: integer({ min: 5000, max: 6000 }),
    buckets: integer({ min: 1, max: 300 }),
    partitions: integer({ min: 0, max: 100_000 }),
  }).map(({ span, first, buckets, partitions }) => {
    const bucket = SPAN_SECONDS[span] * 1000
    return { partitions, span, window: { from: instant(first * bucket), to: instant((first + buckets) * bucket) } }
  })

  test('cover the segment without a gap or an overlap, newest first, in whole buckets', () => {
    assert(
      property(segments, ({ partitions, ...segment }) => {
        const pieces = backfillPieces(segment, partitions)
        let { to } = segment.window
        for (const { span, window } of pieces) {
          expect(span).toBe(segment.span)
          expect(window.to).toBe(to)
          expect(window.from).toBeLessThan(window.to)
          expect(window.from % (SPAN_SECONDS[span] * 1000)).toBe(0)
          to = window.from
        }
        expect(to).toBe(segment.window.from)
      }),
    )
  })

  test('a small cluster is read at once, a large one hour by hour in fine rows', () => {
    const window = { from: instant(480_000 * HOUR_MS), to: instant(480_006 * HOUR_MS) }
    expect(backfillPieces({ span: '5m', window }, 50)).toHaveLength(1)
    const pieces = backfillPieces({ span: '5m', window }, 15_000)
    expect(pieces.map((piece) => piece.window.to - piece.window.from)).toEqual(Array(6).fill(HOUR_MS))
  })
})
