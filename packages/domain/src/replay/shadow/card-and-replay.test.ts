import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import type { UsageRow } from '../../analyze/usage.ts'
import { recommend } from '../../plan/recommend/recommend.ts'
import type { RecommendSources } from '../../plan/recommend/recommend-context.ts'
import { learnFleetOverrun } from '../../plan/right-size/learn-overrun.ts'
import { gpuHours, seconds, SECONDS_PER_HOUR, usd } from '../../units.ts'
import { recordedSnapshot } from './recorded-snapshot.ts'
import { asking, at, CHAT, OPEN_POLICY, scripted } from './scripted-month.fixture.ts'
import { shadowMonth } from './shadow-month.ts'

const HOURS = 168
const DOES = fc.oneof(
  { weight: 6, arbitrary: fc.constant('idle' as const) },
  { weight: 2, arbitrary: fc.constant('work' as const) },
  { weight: 1, arbitrary: fc.constantFrom('unknown' as const, undefined) },
)
/** A week in stretches of the same, of which the last is idle as often as not. */
const WEEK = fc
  .array(fc.tuple(DOES, fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 50 }))), { maxLength: 24 })
  .map((drawn) => drawn.flatMap(([does, hours]) => Array.from({ length: hours }, () => does)))
const CASE = fc.record({
  week: WEEK,
  warning: fc.constantFrom(0, 1, 12, 24),
  pods: fc.integer({ min: 1, max: 3 }),
})

const question = (rows: readonly UsageRow[], warning: number) =>
  asking(HOURS, rows, { policy: { ...OPEN_POLICY, warning: seconds(warning * 3600) } })

/** What is recommended at the end of the week, from the week alone. */
function cardOf(rows: readonly UsageRow[], warning: number) {
  const { prices, rules, today, labels, cluster } = question(rows, warning)
  const newest = rows.filter((row) => row.at === at(HOURS - 1))
  const idle = rows.reduce((sum, row) => sum + row.idle, 0) / SECONDS_PER_HOUR
  const sources: RecommendSources = {
    snapshot: recordedSnapshot({ rows: newest, now: at(HOURS), since: at(0) }, { cluster, today, labels }),
    window: { from: at(0), to: at(HOURS) },
    rows: [...rows, ...others],
    prices,
    policy: { ...rules, warning: seconds(warning * 3600) },
    overrun: learnFleetOverrun([]),
    analysis: {
      observedSeconds: seconds(HOURS * 3600),
      cost: { byNode: [] },
      workloads: [{ id: CHAT, idleHours: gpuHours(idle), idleCost: usd(idle * 2) }],
    },
  }
  return recommend(sources).recommendations.find(({ kind }) => kind === 'reclaim-idle')
}

/** Somebody else works all the time, so that every hour is recorded. */
const others = scripted(HOURS, { does: () => 'work', workload: 'lab/Deployment/other', node: 'node-b' })

test('a card about idle work claims what a replay of the same history keeps, to the cent', () => {
  let [cards, amounts] = [0, 0]
  fc.assert(
    fc.property(CASE, ({ week, warning, pods }) => {
      const rows = scripted(HOURS, { does: (hour) => week[hour] ?? 'idle', pods })
      const card = cardOf(rows, warning)
      if (card === undefined) return
      cards += 1
      const { totals } = shadowMonth(question(rows, warning))
      const claimed = card.saving.kind === 'estimated' ? card.saving : { gpuHoursPerMonth: 0, usdPerMonth: 0 }
      amounts += Number(claimed.gpuHoursPerMonth > 0)
      expect((claimed.gpuHoursPerMonth / 730) * HOURS).toBeCloseTo(totals.gpuHours, 1)
      expect(((claimed.usdPerMonth ?? Number.NaN) / 730) * HOURS).toBeCloseTo(totals.usd ?? Number.NaN, 1)
      expect(card.evidence.figures['would have freed, GPU-hours']).toBeCloseTo(totals.gpuHours, 1)
      expect(card.message).toContain(`Stopping it would have freed ${Math.round(totals.gpuHours * 100) / 100} GPU-hour`)
    }),
    { numRuns: 80 },
  )
  expect(cards).toBeGreaterThan(10)
  expect(amounts).toBeGreaterThan(5)
})
