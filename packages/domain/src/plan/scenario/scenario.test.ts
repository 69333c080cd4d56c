import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { ALTERNATIVES } from './alternatives.ts'
import { openScenario } from './run-scenario.ts'
import type { Scenario, ScenarioGroup, ScenarioResult, ScenarioShape, ScenarioSource } from './scenario.ts'
import { SECONDS_PER_HOUR } from '../../units.ts'

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
  runs: ['mig.septet-finish'],
  seed: 1,
  ...own,
})

function computed(from: ScenarioSource, wanted: Scenario, events = 1000): ScenarioResult {
  const run = openScenario(from, wanted)
  while (run.advance(events)) expect(run.result()).toBeUndefined()
  const result = run.result()
  if (result === undefined) throw new Error('no result')
  return result
}
const only = (result: ScenarioResult) => {
  const [first] = result.outcomes
  if (first === undefined) throw new Error('no outcome')
  return first
}

describe('a scenario', () => {
  test('serves seven small pods with one GPU that is cut, and with seven that are not', () => {
    const small = source({
      groups: [group({ nodes: 2 })],
      shapes: [mig('1g.10gb')],
      jobs: Array.from({ length: 7 }, () => ({ at: 0, stays: 5 * SECONDS_PER_HOUR, shape: 0, work: 1 / 14 })),
    })
    const { outcomes } = computed(small, scenario({ runs: ['mig.septet-elastic', 'today'] }))
    expect(outcomes).toMatchObject([
      {
        run: 'mig.septet-elastic',
        gpus: 8,
        usedPeak: 1,
        usedMean: 0.5,
        needed: 1,
        bound: 1,
        waitP95: 0,
        impossible: 0,
      },
      { run: 'today', usedPeak: 7, usedMean: 3.5, needed: 7, bound: 1 },
    ])
    // Half a GPU's worth of work for half of the time, over eight GPUs.
    expect(outcomes[0]?.busy).toBeCloseTo(0.5 / 2 / 8, 6)
    expect(outcomes[0]?.costPerMonth).toBe(8 * 2 * 730)
    // Cost differs where the GPUs that are needed do.
    expect(outcomes.map(({ costNeeded }) => costNeeded)).toEqual([2 * 730, 7 * 2 * 730])
    expect(outcomes[0]?.costPerUsefulHour).toBeCloseTo((8 * 2 * 10) / (0.5 * 5), 5)
  })

  test('lets a pod wait until there is room, tells for how long, and how many GPUs it would take so that nobody waits', () => {
    const outcome = only(
      computed(
        source({
          groups: [group({ gpusPerNode: 1 })],
          shapes: [whole(1)],
          jobs: [
            { at: 0, stays: 2 * SECONDS_PER_HOUR, shape: 0 },
            { at: SECONDS_PER_HOUR, stays: 2 * SECONDS_PER_HOUR, shape: 0 },
          ],
        }),
        scenario({ runs: ['today'] }),
      ),
    )
    expect(outcome).toMatchObject({
      waitP50: 0,
      waitP95: SECONDS_PER_HOUR,
      waitAtLeast: false,
      queuedPeak: 1,
      usedPeak: 1,
      needed: 2,
      bound: 2,
      busy: null,
      measured: 0,
    })
    expect(outcome.queuedMean).toBeCloseTo(0.1, 6)
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
    expect(only(computed(source({ shapes: [whole(1)], jobs }), scenario({ runs: ['today'] })))).toMatchObject({
      busy,
      costPerUsefulHour,
    })
  })

  test('says of a pod that never starts that it waited at least so long, and of one too large that it cannot run', () => {
    const outcome = only(
      computed(
        source({
          groups: [group({ gpusPerNode: 1 })],
          shapes: [whole(1), whole(2)],
          jobs: [
            { at: 0, stays: null, shape: 0 },
            { at: SECONDS_PER_HOUR, stays: SECONDS_PER_HOUR, shape: 0 },
            { at: 0, stays: SECONDS_PER_HOUR, shape: 1 },
          ],
        }),
        scenario({ runs: ['today'] }),
      ),
    )
    expect(outcome).toMatchObject({
      waitP95: 9 * SECONDS_PER_HOUR,
      waitAtLeast: true,
      impossible: 1,
      started: 1,
      runnable: 2,
    })
  })

  test('of this moment has no waiting time', () => {
    const now = source({ kind: 'now', shapes: [whole(1)], jobs: [{ at: 0, stays: null, shape: 0 }] })
    expect(only(computed(now, scenario({ from: 'now' })))).toMatchObject({ waitP50: null, waitP95: null, needed: 1 })
  })

  test('changes the fleet: nodes that go, nodes that come, and what they cost', () => {
    const from = source({ groups: [group(), group({ model: 'T4', pool: 't', price: null })], shapes: [], jobs: [] })
    const runs = ['today']
    expect(only(computed(from, scenario({ runs })))).toMatchObject({
      costPerMonth: 4 * 2 * 730,
      unpriced: 4,
      costPerUsefulHour: null,
    })
    const changes: Scenario['changes'] = [
      { kind: 'remove', model: 'T4', pool: 't', nodes: 9 },
      { kind: 'add', model: A100, pool: 'a', nodes: 1, gpusPerNode: 4, price: null },
      { kind: 'price', model: A100, pool: 'a', price: 3 },
    ]
    const changed = computed(from, scenario({ runs, changes }))
    expect(only(changed)).toMatchObject({ gpus: 8, costPerMonth: 8 * 3 * 730 })
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
    const outcome = only(computed(today, scenario({ runs: ['today'] })))
    expect(outcome).toMatchObject({ usedPeak: 2, queuedPeak: 1, waitP95: SECONDS_PER_HOUR - 60 })
  })

  test('shares a GPU in software only within one namespace', () => {
    const shared: ScenarioShape = { model: 'T4', size: { kind: 'share', milli: 250 } }
    const outcome = (tenants: readonly number[]) =>
      only(
        computed(
          source({
            groups: [group({ model: 'T4', gpusPerNode: 4, cuts: [{ gpus: 4, profiles: [], replicas: 4 }] })],
            shapes: [shared],
            jobs: tenants.map((tenant) => ({ at: 0, stays: SECONDS_PER_HOUR, shape: 0, tenant })),
          }),
          scenario({ runs: ['today'] }),
        ),
      ).usedPeak
    expect(outcome([0, 0, 0, 0])).toBe(1)
    expect(outcome([0, 0, 1, 2])).toBe(3)
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
    expect(only(computed(from, scenario())).impossible).toBe(2)
    expect(only(computed(from, scenario({ boards: 'any' })))).toMatchObject({ impossible: 0, usedPeak: 2 })
  })

  test('draws what the first GPUs hold, each note inside its GPU', () => {
    const { score } = only(
      computed(
        source({
          shapes: [mig('3g.40gb')],
          jobs: [0, 0, 60].map((at) => ({ at, stays: SECONDS_PER_HOUR, shape: 0 })),
        }),
        scenario(),
      ),
    )
    expect(score).toMatchObject({ model: A100, gpus: 4, slots: 8, cut: false })
    expect(score.notes.map(({ size }) => size)).toEqual([4, 4, 4])
    expect(score.notes.every(({ start, size, gpu }) => start + size <= 8 && gpu < 4)).toBe(true)
  })
})

const drawnJobs = fc.array(
  fc.record({
    at: fc.integer({ min: 0, max: 9 * SECONDS_PER_HOUR }),
    stays: fc.option(fc.integer({ min: 60, max: 4 * SECONDS_PER_HOUR }), { nil: null }),
    shape: fc.integer({ min: 0, max: 5 }),
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
] satisfies ScenarioShape[]
const drawnSource = (jobs: readonly Job[]) =>
  source({ groups: [group({ nodes: 2 }), group({ model: 'T4', pool: 't', gpusPerNode: 2 })], shapes: SHAPES, jobs })

describe('every way to share and place', () => {
  test('comes to the same, however it is advanced', () => {
    fc.assert(
      fc.property(drawnJobs, fc.integer({ min: 1, max: 50 }), (jobs, events) => {
        const wanted = scenario({ runs: ALTERNATIVES.map(({ id }) => id), seed: 3 })
        expect(computed(drawnSource(jobs), wanted, events)).toEqual(computed(drawnSource(jobs), wanted))
      }),
      { numRuns: 5, seed: 1 },
    )
  })

  test('starts nobody twice, uses no more GPUs than there are, and needs no fewer than the bound', () => {
    fc.assert(
      fc.property(drawnJobs, (jobs) => {
        for (const outcome of computed(drawnSource(jobs), scenario({ runs: ALTERNATIVES.map(({ id }) => id) }))
          .outcomes) {
          expect(outcome.usedPeak).toBeLessThanOrEqual(outcome.gpus)
          expect(outcome.started).toBeLessThanOrEqual(outcome.runnable)
          expect(outcome.runnable + outcome.impossible).toBe(jobs.length)
          expect(outcome.busy ?? 0).toBeLessThanOrEqual(1)
          expect(outcome.waitP95 ?? 0).toBeGreaterThanOrEqual(outcome.waitP50 ?? 0)
          expect(outcome.needed ?? Infinity).toBeGreaterThanOrEqual(outcome.bound ?? 0)
          expect(outcome.queuedPeak > 0 || outcome.started === outcome.runnable).toBe(true)
        }
      }),
      { numRuns: 15, seed: 2 },
    )
  })
})

test('there is no way to share by an unknown name', () => {
  expect(() => openScenario(drawnSource([]), scenario({ runs: ['magic'] }))).toThrow('no way to share called "magic"')
})
