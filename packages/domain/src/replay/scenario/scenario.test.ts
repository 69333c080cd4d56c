import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { HOURS_PER_MONTH, SECONDS_PER_HOUR } from '../../units.ts'
import { MIG_BASELINES } from '../../plan/place/mig-baselines.fake.ts'
import { fleetNeeded, gpusInAll, ranThrough, type FleetNeeded } from './fleet-needed.ts'
import { PLACINGS, type Placing } from './placings.ts'
import { provenBound } from './proven-bound.ts'
import { planRun, scenarioWork } from './run-plan.ts'
import { runScenario } from './run-scenario.ts'
import type {
  Scenario,
  ScenarioGroup,
  ScenarioOutcome,
  ScenarioShape,
  ScenarioSource,
  ScenarioWay,
} from './scenario.ts'

const A100 = 'A100-SXM4-80GB'

const group = (own: Partial<ScenarioGroup> = {}): ScenarioGroup => ({
  model: A100,
  pool: 'a',
  nodes: 1,
  gpusPerNode: 4,
  price: 2,
  cuts: [],
  ...own,
})
const mig = (profile: string, model = A100): ScenarioShape => ({ model, size: { kind: 'mig', profile } })
const whole = (gpus: number, model = A100): ScenarioShape => ({ model, size: { kind: 'whole', gpus } })

type Job = {
  readonly at: number
  readonly stays: number | null
  readonly shape: number
  readonly work?: number | null
  readonly tenant?: number
}
const source = (own: {
  readonly groups?: readonly ScenarioGroup[]
  readonly shapes: readonly ScenarioShape[]
  readonly jobs: readonly Job[]
  readonly hours?: number
  readonly kind?: ScenarioSource['kind']
}): ScenarioSource => ({
  cluster: 'lab',
  kind: own.kind ?? 'week',
  from: 0,
  to: (own.hours ?? 10) * SECONDS_PER_HOUR * 1000,
  groups: own.groups ?? [group()],
  shapes: own.shapes,
  jobs: {
    at: own.jobs.map(({ at }) => at),
    stays: own.jobs.map(({ stays }) => stays),
    shape: own.jobs.map(({ shape }) => shape),
    fit: own.jobs.map(({ shape }) => shape),
    tenant: own.jobs.map(({ tenant = 0 }) => tenant),
    work: own.jobs.map(({ work = null }) => work),
  },
  notes: [],
})
const scenario = (own: Partial<Scenario> = {}): Scenario => ({
  from: 'week',
  changes: [],
  boards: 'same',
  sizes: 'held',
  ...own,
})

function ended<Result>(run: Generator<unknown, Result>): Result {
  for (let step = run.next(); ; step = run.next()) if (step.done === true) return step.value
}
const computed = (from: ScenarioSource, wanted: Partial<Scenario> = {}) => ended(runScenario(from, scenario(wanted)))

function outcomeOf(way: ScenarioWay, from: ScenarioSource, wanted: Partial<Scenario> = {}): ScenarioOutcome {
  const found = computed(from, wanted).outcomes.find((outcome) => outcome.way === way)
  if (found === undefined) throw new Error(`no outcome of ${way}`)
  return found
}

describe('a scenario', () => {
  test('serves seven small pods with one GPU that is cut, and with seven that are not', () => {
    const small = source({
      groups: [group({ nodes: 2 })],
      shapes: [mig('1g.10gb')],
      jobs: Array.from({ length: 7 }, () => ({ at: 0, stays: 5 * SECONDS_PER_HOUR, shape: 0, work: 1 / 14 })),
    })
    const { outcomes, bound } = computed(small)
    expect(outcomes).toMatchObject([
      { way: 'today', usedPeak: 7, usedMean: 3.5, needed: 7 },
      { way: 'best-fit', usedPeak: 1, needed: 1 },
      { way: 'septet', gpus: 8, usedPeak: 1, usedMean: 0.5, needed: 1, waitP95: 0, impossible: 0 },
    ])
    expect(bound).toEqual({ gpus: 1, cost: 2 * 730 })
    // Half a GPU's worth of work for half of the time, over eight GPUs.
    expect(outcomes[2]?.busy).toBeCloseTo(0.5 / 2 / 8, 6)
    expect(outcomes[2]?.costPerMonth).toBe(8 * 2 * 730)
    // Cost differs where the GPUs that are needed do.
    expect(outcomes.map(({ costNeeded }) => costNeeded)).toEqual([7 * 2 * 730, 2 * 730, 2 * 730])
    expect(outcomes[2]?.costPerUsefulHour).toBeCloseTo((8 * 2 * 10) / (0.5 * 5), 5)
  })

  test('counts what is stranded from the moment on at which it is, though nobody has left', () => {
    const hours = [0, 0, 0, 0, 0, 0, 5]
    const full = source({
      groups: [group({ gpusPerNode: 1 })],
      shapes: [mig('1g.10gb')],
      jobs: hours.map((hour) => ({ at: hour * SECONDS_PER_HOUR, stays: null, shape: 0 })),
    })
    // No profile covers the eighth memory slice once the six below are taken.
    expect(outcomeOf('best-fit', full).stranded).toBeCloseTo(1 / 8, 6)
  })

  test('lets a pod wait until there is room, tells for how long, and how many GPUs it would take so that nobody waits', () => {
    const short = source({
      groups: [group({ gpusPerNode: 1 })],
      shapes: [whole(1)],
      jobs: [
        { at: 0, stays: 2 * SECONDS_PER_HOUR, shape: 0 },
        { at: SECONDS_PER_HOUR, stays: 2 * SECONDS_PER_HOUR, shape: 0 },
      ],
    })
    const outcome = outcomeOf('septet', short)
    expect(outcome).toMatchObject({
      waitP50: 0,
      waitP95: SECONDS_PER_HOUR,
      waitAtLeast: false,
      queuedPeak: 1,
      usedPeak: 1,
      needed: 2,
      needs: [{ model: A100, gpus: 2 }],
      busy: null,
      measured: 0,
    })
    expect(outcome.queuedMean).toBeCloseTo(0.1, 6)
    expect(computed(short).bound?.gpus).toBe(2)
  })

  test.each([
    [2, null, null],
    [1, 0.4 / 40, (4 * 2 * 10) / 0.4],
  ])('with %d pods unmeasured beside a measured one, utilization is %s', (unmeasured, busy, costPerUsefulHour) => {
    const jobs = Array.from({ length: 1 + unmeasured }, (_, index) => ({
      at: 0,
      stays: SECONDS_PER_HOUR,
      shape: 0,
      work: index === 0 ? 0.4 : null,
    }))
    expect(outcomeOf('today', source({ shapes: [whole(1)], jobs }))).toMatchObject({ busy, costPerUsefulHour })
  })

  test('says of a pod that never starts that it waited at least so long, and of one too large that it cannot run', () => {
    const from = source({
      groups: [group({ gpusPerNode: 1 })],
      shapes: [whole(1), whole(2)],
      jobs: [
        { at: 0, stays: null, shape: 0 },
        { at: SECONDS_PER_HOUR, stays: SECONDS_PER_HOUR, shape: 0 },
        { at: 0, stays: SECONDS_PER_HOUR, shape: 1 },
      ],
    })
    expect(outcomeOf('best-fit', from)).toMatchObject({
      waitP95: 9 * SECONDS_PER_HOUR,
      waitAtLeast: true,
      impossible: 1,
      started: 1,
      runnable: 2,
    })
  })

  test('of this moment has no waiting time', () => {
    const now = source({ kind: 'now', shapes: [whole(1)], jobs: [{ at: 0, stays: null, shape: 0 }] })
    expect(outcomeOf('septet', now, { from: 'now' })).toMatchObject({ waitP50: null, waitP95: null, needed: 1 })
  })

  test('changes the fleet: nodes that go, nodes that come, and what they cost', () => {
    const from = source({ groups: [group(), group({ model: 'T4', pool: 't', price: null })], shapes: [], jobs: [] })
    expect(outcomeOf('today', from)).toMatchObject({
      costPerMonth: 4 * 2 * 730,
      unpriced: 4,
      costPerUsefulHour: null,
    })
    const changes: Scenario['changes'] = [
      { kind: 'remove', model: 'T4', pool: 't', nodes: 9 },
      { kind: 'add', model: A100, pool: 'a', nodes: 1, gpusPerNode: 4, price: null },
      { kind: 'price', model: A100, pool: 'a', price: 3 },
    ]
    expect(outcomeOf('today', from, { changes })).toMatchObject({ gpus: 8, costPerMonth: 8 * 3 * 730 })
  })

  test('keeps cuts as they are today: what fits no free instance takes a GPU that is whole, or waits', () => {
    const cuts = [{ gpus: 1, profiles: ['3g.40gb', '3g.40gb'], replicas: 1 }]
    const today = source({
      groups: [group({ gpusPerNode: 2, cuts })],
      shapes: [mig('1g.10gb'), whole(1)],
      jobs: [
        ...Array.from({ length: 3 }, () => ({ at: 0, stays: SECONDS_PER_HOUR, shape: 0 })),
        { at: 60, stays: SECONDS_PER_HOUR, shape: 1 },
      ],
    })
    expect(outcomeOf('today', today)).toMatchObject({
      usedPeak: 2,
      queuedPeak: 1,
      waitP95: SECONDS_PER_HOUR - 60,
      needed: 3,
    })
  })

  test('shares a GPU in software only within one namespace', () => {
    const shared: ScenarioShape = { model: 'T4', size: { kind: 'share', milli: 250 } }
    const cuts = [{ gpus: 4, profiles: [], replicas: 4 }]
    const used = (tenants: readonly number[]): number =>
      outcomeOf(
        'today',
        source({
          groups: [group({ model: 'T4', gpusPerNode: 4, cuts })],
          shapes: [shared],
          jobs: tenants.map((tenant) => ({ at: 0, stays: SECONDS_PER_HOUR, shape: 0, tenant })),
        }),
      ).usedPeak
    expect(used([0, 0, 0, 0])).toBe(1)
    expect(used([0, 0, 1, 2])).toBe(3)
  })

  test('lets work go to other models only where that is supposed and there is as much memory', () => {
    const from = source({
      groups: [group({ model: 'H100-80GB-HBM3', pool: 'h', nodes: 1 })],
      shapes: [whole(1), mig('2g.20gb')],
      jobs: [
        { at: 0, stays: SECONDS_PER_HOUR, shape: 0 },
        { at: 0, stays: SECONDS_PER_HOUR, shape: 1 },
      ],
    })
    expect(outcomeOf('septet', from).impossible).toBe(2)
    expect(outcomeOf('septet', from, { boards: 'any' })).toMatchObject({ impossible: 0, usedPeak: 2 })
  })
})

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
const SHAPES = [
  mig('1g.10gb'),
  mig('2g.20gb'),
  mig('3g.40gb'),
  whole(1),
  whole(3),
  { model: 'T4', size: { kind: 'share', milli: 250 } },
  { model: A100, size: { kind: 'share', milli: 125 } },
] satisfies ScenarioShape[]
const CUTS = [
  { gpus: 2, profiles: ['3g.40gb', '2g.20gb', '1g.10gb', '1g.10gb'], replicas: 1 },
  { gpus: 1, profiles: [], replicas: 8 },
]
const GROUPS = [group({ nodes: 2, cuts: CUTS }), group({ model: 'T4', pool: 't', gpusPerNode: 2, price: 0.5 })]
const drawnSource = (jobs: readonly Job[]) => source({ groups: GROUPS, shapes: SHAPES, jobs })
const drawnScenario = fc.record({ boards: fc.constantFrom('same' as const, 'any' as const) })

const minuteAt = (hour: number, shape: number): Job => ({ at: hour * SECONDS_PER_HOUR, stays: 60, shape })
const isMore = (one: ScenarioOutcome, other: ScenarioOutcome): boolean =>
  one.needs.every(({ gpus }, model) => (gpus ?? -1) >= (other.needs[model]?.gpus ?? Infinity))
const nineDigits = (value: number): number => Number(value.toPrecision(9))

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
      { numRuns: 30, seed: 2 },
    )
  })

  test('a model’s bound is at its own busiest moment, and holds where today’s GPUs are shared more finely than MIG does', () => {
    // Eight pods share one A100 in software; three T4s are held whole at another hour.
    const jobs = [...Array.from({ length: 8 }, () => minuteAt(1, 6)), ...[0, 1, 2].map(() => minuteAt(5, 7))]
    const shared = source({ groups: GROUPS, shapes: [...SHAPES, whole(1, 'T4')], jobs })
    expect(provenBound(scenarioWork(shared, scenario(), GROUPS))).toEqual([1, 3])
    expect(outcomeOf('today', shared).needs.map(({ gpus }) => gpus)).toEqual([1, 3])
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
      { numRuns: 30, seed: 5 },
    )
  })
})

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
      { numRuns: 60, seed: 4 },
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
      { numRuns: 40, seed: 6 },
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
      { numRuns: 200, seed: 8 },
    )
  })

  test('are not known where work waits on eight times the fleet too, and no sentence names a number then', () => {
    const jobs = Array.from({ length: 9 }, () => ({ at: 0, stays: 60, shape: 0 }))
    const from = source({ groups: [group({ gpusPerNode: 1 })], shapes: [whole(1)], jobs })
    expect(outcomeOf('today', from)).toMatchObject({ needed: null, costNeeded: null })
    const { says, reasons } = computed(from)
    expect([says, reasons[0]]).toEqual([
      'No layout holds the last 10 hours without waiting, on up to eight times this fleet.',
      'The fleet has 1 GPU at $1,460 a month. Best fit, as kube-scheduler packs, holds it on no fleet that was tried, and no layout can do with fewer than 9.',
    ])
  })
})
