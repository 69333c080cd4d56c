import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { DEFAULT_POLICY } from '../../analyze/policy.ts'
import { SPAN_SECONDS, type UsageRow } from '../../analyze/usage.ts'
import { draw, DRAWN_AT } from '../../cluster/draw.fixture.ts'
import { asking, owned, past, sourcesOf, type Doing } from './drawn-past.fixture.ts'
import { recommend } from './recommend.ts'
import { HOUR_MS } from '../../units.ts'

const { threshold } = DEFAULT_POLICY.idle
const two = owned(
  asking(draw`
    node-a  A100-SXM4-40GB  [lab/chat-1]
    node-b  T4              [lab/chat-2]`),
  ['lab/chat-1', 'lab/chat-2'],
)
const HOURS = 168

/** What one hour of a pod may have been: mostly idle, with work, failed readings, hours of no reading, and its absence. */
const DOING: fc.Arbitrary<Doing | undefined> = fc.oneof(
  { weight: 60, arbitrary: fc.constant({}) },
  { weight: 3, arbitrary: fc.record({ measured: fc.constantFrom(0.97, 0.95, 0.6, 0.3) }) },
  { weight: 2, arbitrary: fc.constant({ measured: 0 }) },
  { weight: 2, arbitrary: fc.constant(undefined) },
  { weight: 2, arbitrary: fc.record({ busy: fc.constantFrom(0.06, 0.4, 0.9) }) },
  { weight: 1, arbitrary: fc.record({ busy: fc.constant(0.002), busyPeak: fc.constantFrom(0.2, 0.7) }) },
  { weight: 1, arbitrary: fc.record({ present: fc.constantFrom(0.2, 0.9) }) },
)
/** Stretches of the same, as outages are. */
const HISTORY: fc.Arbitrary<ReadonlyArray<Doing | undefined>> = fc
  .array(fc.tuple(DOING, fc.integer({ min: 1, max: 20 })), { minLength: 1, maxLength: 30 })
  .map((drawn) => drawn.flatMap(([doing, hours]) => Array<Doing | undefined>(hours).fill(doing)).slice(0, HOURS))

const rowsOf = (pod: string, history: ReadonlyArray<Doing | undefined>): readonly UsageRow[] =>
  past(two, pod, { hours: history.length, doing: (ago) => history[ago - 1] })

/** Hours of which one of the two was measured: of each bucket the longer. */
const measuredHours = (rows: readonly UsageRow[]): number =>
  [...Map.groupBy(rows, ({ at }) => at).values()].reduce(
    (sum, bucket) => sum + Math.max(...bucket.map(({ measured }) => measured)) / 3600,
    0,
  )

/** Whether a reading of the last hour found it busy. */
const isBusyNow = (rows: readonly UsageRow[]): boolean =>
  rows.some(
    ({ at, span, busyPeak = 0, measured }) =>
      at + SPAN_SECONDS[span] * 1000 > DRAWN_AT - HOUR_MS && measured > 0 && busyPeak > threshold,
  )

test('of drawn histories no more idle hours are claimed than were measured, and work of the last hour only where it was measured', () => {
  let claims = 0
  fc.assert(
    fc.property(HISTORY, HISTORY, (first, second) => {
      const rows = [...rowsOf('lab/chat-1', first), ...rowsOf('lab/chat-2', second)]
      const found = recommend(sourcesOf(two, { rows })).recommendations.filter(({ kind }) => kind === 'reclaim-idle')
      for (const { message, evidence } of found) {
        claims += 1
        const claimed = Math.max(...[...message.matchAll(/idle for (\d+)/gu)].map(([, hours]) => Number(hours)))
        expect(claimed).toBeLessThanOrEqual(measuredHours(rows) + 1e-9)
        expect(evidence.figures['idle, h'] ?? evidence.figures['idle in a row, h']).toBe(claimed)
        expect(message.includes('Busy within the last hour') && !isBusyNow(rows)).toBe(false)
      }
    }),
    { numRuns: 400, seed: 54 },
  )
  expect(claims).toBeGreaterThan(60)
})
