import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { HOUR_MS, instant } from '../../units.ts'
import { measureSavings } from './measure-savings.ts'
import type { HeldElsewhere, RunSaving, SavingQuestion } from './saving.ts'
import { savingsLedger } from './savings-ledger.ts'
import { SCRIPT, scriptedTruth, type Script, type ScriptedTruth } from './scripted-truth.fixture.ts'

const WEEK = 168
const OWN = 'ml/Deployment/llm'

const question = (
  truth: ScriptedTruth,
  elsewhere: readonly HeldElsewhere[],
  rest: Partial<SavingQuestion> = {},
): SavingQuestion => ({
  run: 'r1',
  state: 'kept',
  effect: 'capacity-freed',
  estimate: undefined,
  appliedAt: truth.after.window.from,
  touches: [`workload/${OWN}`],
  baseline: truth.baseline,
  after: { ...truth.after, elsewhere },
  ...rest,
})

/** Work that is stopped, with what it would have held in each hour since. */
function stopped(script: Partial<Script>) {
  const truth = scriptedTruth({ ...SCRIPT, ...script, cut: { part: 1, gpuHours: 0 } })
  return { truth, demand: truth.saved.map(({ value }) => value) }
}

const startedAs = (workload: string, heldByHour: readonly number[]): HeldElsewhere => ({
  workload,
  sign: 'start',
  heldByHour,
})
const gpuHoursOf = ({ realized }: RunSaving) => realized?.gpuHours.value ?? NaN
const counted = (savings: readonly RunSaving[]) => savingsLedger(savings)['capacity-freed'].realized.gpuHours.value
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
const worlds = fc.record({
  seed: fc.integer({ min: 1, max: 1e6 }),
  level: fc.double({ min: 0.5, max: 32, noNaN: true }),
  dayNoise: fc.double({ min: 0, max: 0.15, noNaN: true }),
})

/** All of what was stopped runs under another name, from some hour on. */
const onTheMove = (world: Partial<Script>, gap: number, more: number) => {
  const { truth, demand } = stopped(world)
  const held = demand.map((hours, order) => (order < gap ? 0 : hours * more))
  return measureSavings([question(truth, [startedAs('team-x/Deployment/llm-b', held)])])
}

describe('work that goes on under another name', () => {
  test('saves nothing, however late it begins within hours, and says where it is', () => {
    fc.assert(
      fc.property(worlds, fc.nat(10), fc.double({ min: 1, max: 3, noNaN: true }), (world, gap, more) => {
        const savings = onTheMove({ ...world, dayNoise: 0, hourNoise: 0 }, gap, more)
        expect(savings[0]?.state).toBe('failed')
        expect(counted(savings)).toBe(0)
        expect(savings[0]?.because).toContain('runs as llm-b in team-x')
        expect(savings[0]?.because).toContain('not saved')
      }),
    )
  })

  test('is taken for a saving in no more of 1,500 quiet weeks than an interval of 90 % is wrong on that side', () => {
    const weeks = Array.from({ length: 1500 }, (_, at) => ({ seed: at + 1, dayNoise: (at % 4) * 0.05 }))
    const wrong = weeks.filter((world) => onTheMove(world, 0, 1)[0]?.state !== 'failed').length
    expect(wrong / weeks.length).toBeLessThan(0.05)
    // Chance can make any week quiet: where this finds none, it does not try what it says.
    expect(wrong).toBeGreaterThan(0)
  })

  test('in part saves the rest, exactly', () => {
    fc.assert(
      fc.property(worlds, fc.double({ min: 0.05, max: 0.8, noNaN: true }), (world, part) => {
        const { truth, demand } = stopped({ ...world, dayNoise: 0, hourNoise: 0 })
        const elsewhere = [
          startedAs(
            'x/Deployment/b',
            demand.map((hours) => hours * part),
          ),
        ]
        const [saving] = measureSavings([question(truth, elsewhere)])
        expect(saving?.realized?.gpuHours.value).toBeCloseTo(sumOf(demand) * (1 - part), 6)
        expect(saving?.state).toBe('verified')
      }),
    )
  })

  test('never makes a saving larger, nor less than nothing', () => {
    const anyHours = fc.array(fc.double({ min: 0, max: 20, noNaN: true }), { minLength: WEEK, maxLength: WEEK })
    fc.assert(
      fc.property(worlds, anyHours, fc.option(anyHours), (world, heldByHour, heldBefore) => {
        const { truth } = stopped(world)
        const alone = measureSavings([question(truth, [])]).map(gpuHoursOf)
        const each = { ...startedAs('x/Deployment/b', heldByHour), ...(heldBefore === null ? {} : { heldBefore }) }
        const [less = NaN] = measureSavings([question(truth, [each])]).map(gpuHoursOf)
        expect(less).toBeLessThanOrEqual((alone[0] ?? 0) + 1e-6)
        expect(less).toBeGreaterThanOrEqual(-1e-6)
      }),
    )
  })

  test('counts only beyond what it held in the same hours of the week before', () => {
    const { truth, demand } = stopped({ dayNoise: 0, hourNoise: 0 })
    const usual = truth.baseline.heldByHour.map((held) => (held ?? 0) / 2)
    const twin = (more: number): HeldElsewhere => ({
      ...startedAs(
        'x/Deployment/b',
        usual.map((held) => held + more),
      ),
      heldBefore: usual,
    })
    const of = (more: number) => measureSavings([question(truth, [twin(more)])])[0]
    expect(of(0)?.realized?.gpuHours.value).toBeCloseTo(sumOf(demand), 6)
    expect(of(1)?.realized?.gpuHours.value).toBeCloseTo(sumOf(demand) - WEEK, 6)
    expect(of(1)?.because).toContain('holds more than before; the additional $336.00 is not saved')
  })

  test('is taken from its first hour on: what was saved before that is', () => {
    const { truth, demand } = stopped({ dayNoise: 0, hourNoise: 0 })
    const late = demand.map((hours, order) => (order < 120 ? 0 : hours))
    const savings = measureSavings([question(truth, [startedAs('x/Deployment/b', late)])])
    expect(gpuHoursOf(savings[0] as RunSaving)).toBeCloseTo(sumOf(demand.slice(0, 120)), 6)
    const begins = truth.after.window.from
    const within = { from: begins, to: instant(begins + 120 * HOUR_MS) }
    const early = measureSavings([question(truth, [startedAs('x/Deployment/b', late)])], within)
    expect(gpuHoursOf(early[0] as RunSaving)).toBeCloseTo(sumOf(demand.slice(0, 120)), 6)
    expect(savings[0]?.because).toContain('since 2026-11-14')
  })

  test('is charged to one of two that were stopped, not to both', () => {
    const { truth, demand } = stopped({ dayNoise: 0, hourNoise: 0 })
    const elsewhere = [startedAs('x/Deployment/c', demand)]
    const savings = measureSavings([
      question(truth, elsewhere),
      question(truth, elsewhere, { run: 'r2', touches: ['workload/ml/Deployment/twin'] }),
    ])
    expect(savings.map(gpuHoursOf)).toEqual([expect.closeTo(0, 6), expect.closeTo(sumOf(demand), 6)])
  })

  test('is not made up for by what another run stopped', () => {
    const { truth, demand } = stopped({ dayNoise: 0, hourNoise: 0 })
    const twin = 'ml/Deployment/twin'
    const gone: HeldElsewhere = {
      ...startedAs(
        twin,
        demand.map(() => 0),
      ),
      heldBefore: truth.baseline.heldByHour,
    }
    const elsewhere = [gone, startedAs('x/Deployment/c', demand)]
    const other = question(truth, [], { run: 'r2', touches: [`workload/${twin}`] })
    expect(gpuHoursOf(measureSavings([question(truth, elsewhere)])[0] as RunSaving)).toBeCloseTo(sumOf(demand), 6)
    expect(gpuHoursOf(measureSavings([question(truth, elsewhere), other])[0] as RunSaving)).toBeCloseTo(0, 6)
  })

  test('faster is a saving by its work, where that is counted', () => {
    const script = { dayNoise: 0, hourNoise: 0, work: { gpuHoursPerUnit: 0.5, growth: 1 } }
    const half = scriptedTruth({ ...SCRIPT, ...script, cut: { part: 0.5, gpuHours: 0 } })
    const { work } = half.after
    if (work === undefined) throw new Error('work is counted')
    const share = (part: number) => ({ ...work, byHour: work.byHour.map((units) => (units ?? 0) * part) })
    // Half of the work goes elsewhere, at the old pace; the other half takes half of its GPU-hours.
    const truth = {
      ...half,
      after: { ...half.after, work: share(0.5), heldByHour: half.after.heldByHour.map((held) => (held ?? 0) / 2) },
    }
    const moved = {
      ...startedAs(
        'x/Deployment/b',
        half.after.heldByHour.map((held) => held ?? 0),
      ),
      doneByHour: share(0.5).byHour,
    }
    const saved = sumOf(half.after.heldByHour.map((held) => (held ?? 0) / 2))
    expect(gpuHoursOf(measureSavings([question(truth, [moved])])[0] as RunSaving)).toBeCloseTo(saved, 6)
  })
})

test('with many names, the two that hold most are named', () => {
  const { truth, demand } = stopped({ dayNoise: 0, hourNoise: 0 })
  const parts = [0.1, 0.3, 0.1, 0.2].map((part, order) =>
    startedAs(
      `x/Deployment/b${order}`,
      demand.map((hours) => hours * part),
    ),
  )
  const because = measureSavings([question(truth, parts)])[0]?.because ?? ''
  expect(because.match(/runs as (b\d) in x/gu)).toEqual(['runs as b1 in x', 'runs as b3 in x'])
  expect(because).toContain('2 more workloads')
})
