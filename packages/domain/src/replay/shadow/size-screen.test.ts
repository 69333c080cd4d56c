import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { pricesOf } from '../../cost/prices-of.ts'
import { recordedWork } from '../../plan/recommend/recorded-work.ts'
import { learnFleetOverrun } from '../../plan/right-size/learn-overrun.ts'
import { pastAdvice } from './past-advice.ts'
import { cutInto, recordedGpu } from './recorded-gpus.fixture.ts'
import { asking, at } from './scripted-month.fixture.ts'
import { sizeScreen } from './size-screen.ts'

const HOURS = 72
const BUSY = fc.constantFrom(0, 0.05, 0.15, 0.3, 0.6, 0.9)
const MEMORY = fc.constantFrom(1000, 4000, 9000, 15_000, 30_000)
/** Mostly the same, with some hours of another kind: what a screen could take for more than it is. */
const WORK = fc.record({
  usual: fc.tuple(BUSY, MEMORY),
  odd: fc.tuple(BUSY, MEMORY),
  oddHours: fc.uniqueArray(fc.integer({ min: 0, max: HOURS - 1 }), { maxLength: 8 }),
  darkHours: fc.uniqueArray(fc.integer({ min: 0, max: HOURS - 1 }), { maxLength: 20 }),
  pods: fc.integer({ min: 1, max: 3 }),
  profile: fc.constantFrom('', '', '3g.20gb'),
})
const FLEET = fc.array(WORK, { minLength: 1, maxLength: 4 }).map((works) => [
  ...works.flatMap(({ usual, odd, oddHours, darkHours, pods, profile }, order) =>
    Array.from({ length: pods }, (_, pod) => pod).flatMap((pod) =>
      recordedGpu(HOURS, {
        gpu: `GPU-${order}-${pod}`,
        node: `node-${order % 2}`,
        parts: (hour) => {
          const [busy, memory] = oddHours.includes(hour) ? odd : usual
          const dark = darkHours.includes(hour)
          const share = profile === '' ? 1 : 3 / 7
          return [{ profile, share, workload: `lab/Deployment/w${order}`, pod: `p${order}-${pod}`, busy, memory, dark }]
        },
      }),
    ),
  ),
  ...['a', 'b', 'c'].flatMap((name) =>
    recordedGpu(HOURS, {
      gpu: `GPU-${name}`,
      node: 'node-cut',
      parts: () =>
        cutInto([
          ['3g.20gb', 3 / 7],
          ['2g.10gb', 2 / 7],
          ['1g.5gb', 1 / 7],
        ]),
    }),
  ),
])

test('holds back no work that the rule would make smaller, and passes fewer than half', () => {
  const told = { advised: 0, passed: 0, works: 0 }
  fc.assert(
    fc.property(FLEET, fc.constantFrom('smaller', 'fewer'), (rows, way) => {
      const question = asking(HOURS, rows, { class: way === 'smaller' ? 'right-size' : 'fewer-gpus' })
      const now = at(HOURS)
      const priceOf = pricesOf([], { cluster: question.cluster, nodes: [], at: now })
      const works = recordedWork(
        rows.filter((row) => row.kind === 'held'),
        { threshold: question.rules.analysis.idle.threshold, priceOf },
      )
      const advice = pastAdvice(
        { question, began: at(0) },
        {
          now,
          rows: rows.filter((row) => row.at === at(HOURS - 1)),
          since: at(0),
          seen: works.map((work) => ({ id: work.id, buckets: work.seenAt(now) })),
          overrun: learnFleetOverrun(rows),
        },
      )
      const mayShrink = sizeScreen(way, question.rules)
      const passed = new Set(works.flatMap((work) => (mayShrink(work, now) ? [`workload/${work.id}`] : [])))
      expect(advice.map(({ advice: { object } }) => object).filter((object) => !passed.has(object))).toEqual([])
      told.advised += advice.length
      told.passed += passed.size
      told.works += works.length
    }),
    { numRuns: 80 },
  )
  expect(told.advised).toBeGreaterThan(8)
  expect(told.passed).toBeLessThan(told.works / 2)
})
