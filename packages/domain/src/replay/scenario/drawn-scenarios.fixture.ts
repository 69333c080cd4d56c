import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { HOURS_PER_MONTH, SECONDS_PER_HOUR } from '../../units.ts'
import { MIG_BASELINES } from '../../plan/place/mig-baselines.fake.ts'
import { fleetNeeded, gpusInAll, ranThrough, type FleetNeeded } from './fleet-needed.ts'
import { PLACINGS, type Placing } from './placings.ts'
import { planRun, scenarioWork } from './run-plan.ts'
import type { Scenario, ScenarioOutcome, ScenarioSource } from './scenario.ts'
import {
  A100,
  GROUPS,
  SHAPES,
  computed,
  ended,
  group,
  outcomeOf,
  scenario,
  source,
  whole,
  type Job,
} from './scripted-scenarios.fixture.ts'

const drawnJobs = fc.array(
  fc.record({
    at: fc.integer({ min: 0, max: 9 * SECONDS_PER_HOUR }),
    stays: fc.option(fc.integer({ min: 60, max: 4 * SECONDS_PER_HOUR }), { nil: null }),
    shape: fc.integer({ min: 0, max: 6 }),
    work: fc.option(fc.double({ min: 0, max: 0.1, noNaN: true }), { nil: null }),
    tenant: fc.integer({ min: 0, max: 2 }),
  }),
  { minLength: 1, maxLength: 60 },
)
const drawnSource = (jobs: readonly Job[]) => source({ groups: GROUPS, shapes: SHAPES, jobs })
const drawnScenario = fc.record({ boards: fc.constantFrom('same' as const, 'any' as const) })

const isMore = (one: ScenarioOutcome, other: ScenarioOutcome): boolean =>
  one.needs.every(({ gpus }, model) => (gpus ?? -1) >= (other.needs[model]?.gpus ?? Infinity))
const nineDigits = (value: number): number => Number(value.toPrecision(9))

const FGD: Placing = { words: 'FGD', policy: MIG_BASELINES.find(({ name }) => name === 'fgd') }
const neededBy = (from: ScenarioSource, wanted: Scenario, placing: Placing): FleetNeeded =>
  ended(fleetNeeded(scenarioWork(from, wanted, from.groups), from.groups, placing))

const judged = ({ needed, costNeeded }: ScenarioOutcome) => ({
  gpus: needed ?? Infinity,
  dollars: costNeeded ?? Infinity,
})

/** Many small pods that come and go, as they fragment GPUs most. */
const smallJobs = fc.array(
  fc.record({
    at: fc.integer({ min: 0, max: 9 * SECONDS_PER_HOUR }),
    stays: fc.integer({ min: 60, max: 3 * SECONDS_PER_HOUR }),
    shape: fc.integer({ min: 0, max: 3 }),
  }),
  { minLength: 40, maxLength: 200 },
)

/** What holds of every scenario, on so many times a few drawn ones. */
export function drawnScenariosHold(times: number): void {
  describe('every way to share and place', () => {
    test('starts nobody twice, uses no more GPUs than there are, and needs no fewer than the bound', () => {
      fc.assert(
        fc.property(drawnJobs, drawnScenario, (jobs, wanted) => {
          const { outcomes, bound } = computed(drawnSource(jobs), wanted)
          for (const outcome of outcomes) {
            expect(outcome.usedPeak).toBeLessThanOrEqual(outcome.gpus)
            expect(outcome.started).toBeLessThanOrEqual(outcome.runnable)
            expect(outcome.runnable + outcome.impossible).toBe(jobs.length)
            expect(outcome.busy ?? 0).toBeLessThanOrEqual(1)
            expect(outcome.waitP95 ?? 0).toBeGreaterThanOrEqual(outcome.waitP50 ?? 0)
            expect(outcome.needed ?? Infinity).toBeGreaterThanOrEqual(bound?.gpus ?? 0)
            expect(outcome.queuedPeak > 0 || outcome.started === outcome.runnable).toBe(true)
          }
          expect(bound === null).toBe(wanted.boards === 'any')
        }),
        { numRuns: 8 * times, seed: 2 },
      )
    })

    test('costs what the GPUs that it needs cost: with as many of each model or more, never less', () => {
      const prices = fc.record({
        a100: fc.double({ min: 0.1, max: 9, noNaN: true }),
        t4: fc.double({ min: 0.1, max: 9, noNaN: true }),
      })
      fc.assert(
        fc.property(drawnJobs, drawnScenario, prices, (jobs, wanted, { a100, t4 }) => {
          const groups = GROUPS.map((one) => ({ ...one, price: one.model === A100 ? a100 : t4 }))
          const { outcomes } = computed({ ...drawnSource(jobs), groups }, wanted)
          for (const { needed, needs, costNeeded } of outcomes) {
            const [first, second] = needs.map(({ gpus }) => gpus)
            const isKnown = first != null && second != null
            expect(needed).toBe(isKnown ? first + second : null)
            expect(costNeeded).toBe(isKnown ? nineDigits((first * a100 + second * t4) * HOURS_PER_MONTH) : null)
          }
          const pairs = outcomes.flatMap((one) => outcomes.map((other) => [one, other] as const))
          for (const [one, other] of pairs.filter(([more, fewer]) => isMore(more, fewer)))
            expect(one.costNeeded).toBeGreaterThanOrEqual(other.costNeeded ?? Infinity)
        }),
        { numRuns: 8 * times, seed: 5 },
      )
    })
  })

  describe('Septet', () => {
    test('is never behind best fit, FGD or today’s layout on what it replays, in GPUs nor in dollars', () => {
      let [ahead, beatsFgd] = [0, 0]
      fc.assert(
        fc.property(smallJobs, drawnScenario, (jobs, wanted) => {
          const from = drawnSource(jobs)
          const own = judged(outcomeOf('septet', from, wanted))
          const others = (['today', 'best-fit'] as const).map((way) => judged(outcomeOf(way, from, wanted)))
          const fgd = gpusInAll(neededBy(from, scenario(wanted), FGD).gpus) ?? Infinity
          expect(own.gpus).toBeLessThanOrEqual(fgd)
          for (const other of others) {
            expect(own.gpus).toBeLessThanOrEqual(other.gpus)
            // Where work may go to several models, fewer GPUs may be dearer ones.
            const isOther = wanted.boards === 'any' && own.gpus < other.gpus
            expect(isOther || own.dollars <= other.dollars).toBe(true)
          }
          ahead += Number(own.gpus < (others[1]?.gpus ?? 0))
          beatsFgd += Number(own.gpus < fgd)
        }),
        { numRuns: 12 * times, seed: 4 },
      )
      expect(ahead).toBeGreaterThan(0)
      expect(beatsFgd).toBeGreaterThan(0)
    })
  })

  describe('the GPUs that are needed', () => {
    test('hold the replay on a fleet of exactly so many, under each placing', () => {
      fc.assert(
        fc.property(drawnJobs, fc.constantFrom(...PLACINGS), (jobs, placing) => {
          const from = drawnSource(jobs)
          const { gpus } = neededBy(from, scenario(), placing)
          // Where a rule does not care which GPU is which, any so many do: one large node of each model.
          const groups = GROUPS.map((one, model) => ({ ...one, nodes: 1, gpusPerNode: gpus[model] ?? 0 }))
          const work = scenarioWork(from, scenario(), GROUPS)
          const run = ended(
            ranThrough(
              planRun(
                work,
                groups,
                work.models.map(() => placing),
              ),
            ),
          )
          expect(placing.policy !== undefined && run.hasWaited[0]).toBe(false)
          expect(gpus.every((count, model) => count === null || count >= (run.peaks[model] ?? 0))).toBe(true)
        }),
        { numRuns: 12 * times, seed: 6 },
      )
    })

    test('are not more because there are GPUs too that the work cannot use', () => {
      const wholeJobs = fc.array(
        fc.record({
          at: fc.integer({ min: 0, max: 3 * SECONDS_PER_HOUR }),
          stays: fc.integer({ min: 60, max: 3 * SECONDS_PER_HOUR }),
          shape: fc.integer({ min: 0, max: 1 }),
        }),
        { minLength: 30, maxLength: 120 },
      )
      const usable = group({ model: 'T4', pool: 'whole', nodes: 30, gpusPerNode: 2 })
      const sliced = { ...usable, pool: 'sliced', nodes: 4, cuts: [{ gpus: 8, profiles: [], replicas: 4 }] }
      fc.assert(
        fc.property(wholeJobs, (jobs) => {
          const from = source({ groups: [usable], shapes: [whole(1, 'T4'), whole(2, 'T4')], jobs })
          const beside = outcomeOf('today', { ...from, groups: [sliced, usable] })
          expect(beside.needed).toBe(outcomeOf('today', from).needed)
        }),
        { numRuns: 20 * times, seed: 8 },
      )
    })
  })
}
