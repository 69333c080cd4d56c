import { describe, expect, test } from 'vitest'

import { SECONDS_PER_HOUR } from '../../units.ts'
import { drawnScenariosHold } from './drawn-scenarios.fixture.ts'
import { provenBound } from './proven-bound.ts'
import { scenarioWork } from './run-plan.ts'
import type { Scenario, ScenarioShape } from './scenario.ts'
import {
  A100,
  GROUPS,
  SHAPES,
  computed,
  group,
  mig,
  outcomeOf,
  scenario,
  source,
  whole,
  type Job,
} from './scripted-scenarios.fixture.ts'

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

const minuteAt = (hour: number, shape: number): Job => ({ at: hour * SECONDS_PER_HOUR, stays: 60, shape })

test('a model’s bound is at its own busiest moment, and holds where today’s GPUs are shared more finely than MIG does', () => {
  // Eight pods share one A100 in software; three T4s are held whole at another hour.
  const jobs = [...Array.from({ length: 8 }, () => minuteAt(1, 6)), ...[0, 1, 2].map(() => minuteAt(5, 7))]
  const shared = source({ groups: GROUPS, shapes: [...SHAPES, whole(1, 'T4')], jobs })
  expect(provenBound(scenarioWork(shared, scenario(), GROUPS))).toEqual([1, 3])
  expect(outcomeOf('today', shared).needs.map(({ gpus }) => gpus)).toEqual([1, 3])
})

test('the GPUs that are needed are not known where work waits on eight times the fleet too, and no sentence names a number then', () => {
  const jobs = Array.from({ length: 9 }, () => ({ at: 0, stays: 60, shape: 0 }))
  const from = source({ groups: [group({ gpusPerNode: 1 })], shapes: [whole(1)], jobs })
  expect(outcomeOf('today', from)).toMatchObject({ needed: null, costNeeded: null })
  const { says, reasons } = computed(from)
  expect([says, reasons[0]]).toEqual([
    'No layout holds the last 10 hours without waiting, on up to eight times this fleet.',
    'The fleet has 1 GPU at $1,460 a month. Best fit, as kube-scheduler packs, holds it on no fleet that was tried, and no layout can do with fewer than 9.',
  ])
})

// The sweep draws more of them: scenario.long.test.ts.
drawnScenariosHold(1)
