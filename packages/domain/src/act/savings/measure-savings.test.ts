import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { HOUR_MS, instant } from '../../units.ts'
import { RUN_STATES, type RunState } from '../action-run.ts'
import { measureSavings } from './measure-savings.ts'
import type { RunSaving, SavingQuestion } from './saving.ts'
import { SCRIPT, SCRIPT_BEGINS, scriptedTruth, type Script, type ScriptedTruth } from './scripted-truth.fixture.ts'

const WEEK = 168
const QUIET = { ...SCRIPT, dayNoise: 0, hourNoise: 0 }

const question = (
  truth: Pick<ScriptedTruth, 'baseline' | 'after'>,
  rest: Partial<SavingQuestion> = {},
): SavingQuestion => ({
  run: 'r1',
  state: 'kept',
  effect: 'capacity-freed',
  estimate: undefined,
  appliedAt: truth.after.window.from,
  touches: ['workload/ml/Deployment/vllm'],
  baseline: truth.baseline,
  after: truth.after,
  ...rest,
})

function only(savings: readonly RunSaving[]): RunSaving {
  const [first] = savings
  if (first === undefined || savings.length > 1) throw new Error(`${savings.length} savings`)
  return first
}
const measured = (script: Partial<Script>, rest: Partial<SavingQuestion> = {}) =>
  only(measureSavings([question(scriptedTruth({ ...QUIET, ...script }), rest)]))

/** What was saved in truth in the hours that can be compared, however many were measured. */
function truthOf({ baseline, after, saved }: ScriptedTruth): number {
  const seen = new Set(baseline.heldByHour.flatMap((held, index) => (held === null ? [] : [index % WEEK])))
  return saved.reduce(
    (sum, { value }, index) => (after.heldByHour[index] === null || !seen.has(index % WEEK) ? sum : sum + value),
    0,
  )
}

/** GPU-hours of a flat object, hour by hour, in whole weeks from the beginning of the script. */
const flat = (fromWeek: number, perHour: number, weeks = 1) => ({
  window: {
    from: instant(SCRIPT_BEGINS + fromWeek * WEEK * HOUR_MS),
    to: instant(SCRIPT_BEGINS + (fromWeek + weeks) * WEEK * HOUR_MS),
  },
  heldByHour: Array.from({ length: weeks * WEEK }, () => perHour),
})
const priced = { workload: undefined, usdPerGpuHour: 2, priceSource: 'list' } as const

describe('the 90 % interval has the true saving in it', () => {
  test.each<[string, Partial<Script>]>([
    ['a week before and after', {}],
    ['a noisy workload', { dayNoise: 0.3, hourNoise: 0.2 }],
    ['everything is taken back', { cut: { part: 1, gpuHours: 0 } }],
    ['nothing is saved', { cut: { part: 0, gpuHours: 0 } }],
    ['the same is taken from each hour', { cut: { part: 0, gpuHours: 2 } }],
    ['two weeks before', { weeksBefore: 2 }],
    ['a month after', { weeksAfter: 4 }],
    ['a tenth of the hours not measured', { unmeasured: 0.1 }],
    ['a third of the hours not measured', { unmeasured: 0.33 }],
    ['counted work', { work: { gpuHoursPerUnit: 0.5, growth: 1 } }],
    ['less work than before', { work: { gpuHoursPerUnit: 0.5, growth: 0.6 } }],
    ['more work than before', { work: { gpuHoursPerUnit: 0.5, growth: 1.5 } }],
    ['days half like the one before', { memory: 0.5 }],
    ['the same, a month after', { memory: 0.5, weeksAfter: 4 }],
    ['the same, and nothing saved', { memory: 0.5, cut: { part: 0, gpuHours: 0 } }],
    ['noisy days, very like the one before', { memory: 0.7, dayNoise: 0.3 }],
    ['idle spells of two days', { spells: { days: 2, left: 0.3 } }],
    ['idle spells of three days', { spells: { days: 3, left: 0.3 } }],
    ['the same, a month after', { spells: { days: 3, left: 0.3 }, weeksAfter: 4 }],
    ['idle spells of four days', { spells: { days: 4, left: 0.3 } }],
    ['idle spells of four days, two weeks before', { spells: { days: 4, left: 0.3 }, weeksBefore: 2 }],
    ['idle spells of three days, a tenth not measured', { spells: { days: 3, left: 0.3 }, unmeasured: 0.1 }],
  ])('in at least 85 of 100 worlds: %s', (_, script) => {
    let inside = 0
    for (let seed = 1; seed <= 400; seed += 1) {
      const truth = scriptedTruth({ ...SCRIPT, ...script, seed })
      const { realized } = only(measureSavings([question(truth)]))
      const { low, high } = realized?.gpuHours.range ?? { low: Infinity, high: -Infinity }
      if (low <= truthOf(truth) && truthOf(truth) <= high) inside += 1
    }
    expect(inside).toBeGreaterThanOrEqual(340)
    // One that is always right would be too wide to say anything.
    expect(inside).toBeLessThan(396)
  })

  test('and is the truth itself where nothing is left to chance', () => {
    fc.assert(
      fc.property(
        fc.record({
          level: fc.double({ min: 0.5, max: 64, noNaN: true }),
          daily: fc.double({ min: 0, max: 1, noNaN: true }),
          weekend: fc.double({ min: 0, max: 1, noNaN: true }),
          weeksBefore: fc.integer({ min: 1, max: 3 }),
          weeksAfter: fc.integer({ min: 1, max: 3 }),
          part: fc.double({ min: 0, max: 1, noNaN: true }),
        }),
        ({ part, ...script }) => {
          const truth = scriptedTruth({ ...QUIET, ...script, cut: { part, gpuHours: 0 } })
          const { realized } = only(measureSavings([question(truth)]))
          expect(realized?.gpuHours.value).toBeCloseTo(truthOf(truth), 6)
          expect(realized?.gpuHours.range?.low).toBeCloseTo(truthOf(truth), 4)
          expect(realized?.gpuHours.range?.high).toBeCloseTo(truthOf(truth), 4)
          expect(realized?.usd?.value).toBeCloseTo(truthOf(truth) * 2, 5)
        },
      ),
    )
  })

  test('there is none after a baseline of one day, and then nothing is verified', () => {
    const truth = { baseline: { ...flat(0, 4), ...priced }, after: flat(1, 2) }
    const baseline = {
      ...truth.baseline,
      heldByHour: truth.baseline.heldByHour.map((held, hour) => (hour < 24 ? held : null)),
    }
    const found = only(measureSavings([question({ ...truth, baseline })]))
    expect(found).toMatchObject({
      state: 'applied',
      realized: { gpuHours: { value: 48, range: undefined }, unknownHours: 144 },
    })
    expect(found.because).toContain('Too few days')
  })
})

describe('of a period', () => {
  const truth = scriptedTruth({ ...SCRIPT, weeksAfter: 4 })
  const { from } = truth.after.window
  const within = (first: number, last: number) =>
    measureSavings([question(truth)], { from: instant(from + first * HOUR_MS), to: instant(from + last * HOUR_MS) })

  test('amounts of two that follow each other add up to all, each with its own interval', () => {
    const whole = only(measureSavings([question(truth)]))
    const parts = [within(-1000, 300), within(300, 5000)].map(only)
    const sum = parts.reduce((total, { realized }) => total + (realized?.gpuHours.value ?? 0), 0)
    expect(sum).toBeCloseTo(whole.realized?.gpuHours.value ?? 0, 6)
    expect(parts.map(({ realized }) => realized?.knownHours)).toEqual([300, 4 * WEEK - 300])
    for (const { state, realized } of parts) {
      const { value = NaN, range = { low: NaN, high: NaN } } = realized?.gpuHours ?? {}
      expect(state).toBe(whole.state)
      expect(range.low).toBeLessThan(value)
      expect(range.high).toBeGreaterThan(value)
    }
  })

  test('what was measured at other times only is left out; what is measured at no time yet is not', () => {
    expect(within(-1000, 0)).toEqual([])
    expect(within(4 * WEEK, 5000)).toEqual([])
    const waiting = question(truth, { state: 'approved', appliedAt: undefined, after: undefined })
    const window = { from: instant(0), to: instant(HOUR_MS) }
    expect(measureSavings([waiting], window)).toMatchObject([{ state: 'approved', realized: undefined }])
  })
})

describe('work', () => {
  const work = { unit: 'requests', source: 'scripted', byHour: Array.from({ length: WEEK }, () => 100) }
  const baseline = { ...flat(0, 4), ...priced, work }
  const done = (perHour: number) => ({ unit: 'requests', source: 'scripted', byHour: work.byHour.map(() => perHour) })

  test('that is done more slowly is not a saving', () => {
    const found = only(measureSavings([question({ baseline, after: { ...flat(1, 2), work: done(50) } })]))
    expect(found).toMatchObject({ state: 'failed', realized: { basis: 'per-unit', gpuHours: { value: 0 } } })
    const worse = only(measureSavings([question({ baseline, after: { ...flat(1, 3), work: done(50) } })]))
    expect(worse.realized?.gpuHours.value).toBeCloseTo(-WEEK)
  })

  test('of which more is done with the same GPUs is one', () => {
    const found = only(measureSavings([question({ baseline, after: { ...flat(1, 4), work: done(150) } })]))
    // (4 / 100 − 4 / 150) × 150 × 168 hours
    expect(found.realized?.gpuHours.value).toBeCloseTo(2 * WEEK)
  })

  test('is told with how much of it a GPU-hour did before and since', () => {
    const found = only(measureSavings([question({ baseline, after: { ...flat(1, 3), work: done(150) } })]))
    expect(found.realized?.work).toEqual({
      unit: 'requests',
      source: 'scripted',
      done: 150 * WEEK,
      perGpuHour: { before: 25, after: 50 },
    })
  })

  test('of which nothing was done before cannot be done more slowly: then hours that were held are compared', () => {
    const idle = { ...baseline, work: done(0) }
    const found = only(measureSavings([question({ baseline: idle, after: { ...flat(1, 1), work: done(0) } })]))
    expect(found).toMatchObject({ state: 'verified', realized: { basis: 'held', work: undefined } })
    expect(found.realized?.gpuHours.value).toBeCloseTo(3 * WEEK)
  })

  test('that is not counted any more, or otherwise, leaves the saving unknown', () => {
    const hour = { ...done(100), byHour: done(100).byHour.map((units, index) => (index < 100 ? null : units)) }
    for (const after of [flat(1, 2), { ...flat(1, 2), work: { ...done(100), unit: 'tokens' } }]) {
      expect(only(measureSavings([question({ baseline, after })]))).toMatchObject({
        state: 'applied',
        realized: undefined,
      })
    }
    expect(only(measureSavings([question({ baseline, after: { ...flat(1, 2), work: hour } })])).realized).toMatchObject(
      {
        gpuHours: { value: 2 * 68 },
        unknownHours: 100,
      },
    )
  })
})

const without = (hours: readonly number[], gone: readonly number[]) =>
  hours.map((held, hour) => (gone.includes(hour) ? null : held))

test('an hour that was not measured is unknown and saves nothing, whichever it is', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(WEEK - 1)), fc.uniqueArray(fc.nat(WEEK - 1)), (before, after) => {
      const truth = {
        baseline: { ...flat(0, 4), ...priced, heldByHour: without(flat(0, 4).heldByHour, before) },
        after: { ...flat(1, 3), heldByHour: without(flat(1, 3).heldByHour, after) },
      }
      const known = WEEK - new Set([...before, ...after]).size
      const { realized } = only(measureSavings([question(truth)]))
      expect(realized?.knownHours ?? 0).toBe(known)
      expect(realized?.unknownHours ?? WEEK).toBe(WEEK - known)
      expect(realized?.gpuHours.value ?? 0).toBeCloseTo(known)
    }),
  )
})

describe('a bill', () => {
  const baseline = { ...flat(0, 8), ...priced }
  const gone = (byHour: (hour: number) => number | null) => ({
    ...flat(1, 0),
    goneByHour: Array.from({ length: WEEK }, (_, hour) => byHour(hour)),
  })
  const bill = (after: SavingQuestion['after'], rest: Partial<SavingQuestion> = {}) =>
    only(measureSavings([question({ baseline, after: flat(1, 0) }, { effect: 'bill-reduced', after, ...rest })]))

  test('falls only in hours in which the node was gone', () => {
    const found = bill(gone((hour) => (hour < 12 ? null : hour < 20 ? 0 : hour === 20 ? 0.5 : 1)))
    expect(found).toMatchObject({ state: 'verified', realized: { basis: 'gone', unknownHours: 12, knownHours: 156 } })
    expect(found.realized?.gpuHours.value).toBeCloseTo(8 * 147.5)
    expect(found.realized?.usd?.value).toBeCloseTo(16 * 147.5)
  })

  test('is unknown where nobody looked whether the node was gone, however little it held', () => {
    expect(bill(flat(1, 0))).toMatchObject({ state: 'applied', realized: undefined })
    expect(bill(gone(() => null))).toMatchObject({ state: 'applied', realized: undefined })
  })

  test('does not fall by what is paid for either way', () => {
    const found = bill(
      gone(() => 1),
      { baseline: { ...baseline, prepaid: true } },
    )
    expect(found).toMatchObject({ state: 'failed', realized: { usd: { value: 0, range: { low: 0, high: 0 } } } })
    expect(found.because).toContain('paid for either way')
  })

  test('without a price falls by an amount that nobody knows', () => {
    const found = bill(
      gone(() => 1),
      { baseline: { ...baseline, usdPerGpuHour: undefined } },
    )
    expect(found.realized).toMatchObject({ gpuHours: { value: 8 * WEEK }, usd: undefined })
  })
})

const at = (week: number) => instant(SCRIPT_BEGINS + week * WEEK * HOUR_MS)
const amounts = (questions: readonly SavingQuestion[]) =>
  measureSavings(questions).map(({ run, realized }) => [run, realized?.gpuHours.value])

describe('two runs on one object', () => {
  const first = question({ baseline: { ...flat(0, 8), ...priced }, after: { ...flat(1, 4), ...joined(4, 2) } })

  /** A week of one, then a week of the other. */
  function joined(one: number, other: number) {
    return {
      window: { from: at(1), to: at(3) },
      heldByHour: [...flat(1, one).heldByHour, ...flat(2, other).heldByHour],
    }
  }

  test.each([
    ['before either change', 8],
    ['between the two', 4],
  ])('save together what went, and the earlier one has what both claim: the later baseline is from %s', (_, held) => {
    const second = question(
      { baseline: { ...flat(0, held), ...priced }, after: flat(2, 2) },
      { run: 'r0', touches: ['gpu/g1', 'workload/ml/Deployment/vllm'], appliedAt: at(2) },
    )
    expect(amounts([second, first])).toEqual([
      ['r1', (4 + 6) * WEEK],
      ['r0', 0],
    ])
    expect(measureSavings([first, second])[1]).toMatchObject({
      state: 'failed',
      because: 'Its savings are already counted under earlier changes.',
    })
    const apart = { ...second, touches: ['workload/ml/Deployment/other'] }
    expect(amounts([first, apart])[1]).toEqual(['r0', (held - 2) * WEEK])
  })

  test('one that was taken back or shows nothing claims nothing', () => {
    const second = question(
      { baseline: { ...flat(0, 8), ...priced }, after: flat(2, 2) },
      { run: 'r2', appliedAt: at(2) },
    )
    for (const state of ['reverted', 'failed', 'proposed'] as const) {
      expect(amounts([{ ...first, state }, second])[1]).toEqual(['r2', 6 * WEEK])
    }
  })

  test('never have more together than the one that claims most, in any order, with chance', () => {
    const run = fc.record({ seed: fc.nat(999), part: fc.double({ min: 0.3, max: 1, noNaN: true }), week: fc.nat(3) })
    fc.assert(
      fc.property(fc.array(run, { minLength: 2, maxLength: 5 }), (runs) => {
        const questions = runs.map(({ seed, part, week }, index) =>
          question(scriptedTruth({ ...SCRIPT, seed, cut: { part, gpuHours: 0 } }), {
            run: `r${index}`,
            appliedAt: at(week),
          }),
        )
        const alone = questions.map((each) => only(measureSavings([each])).realized?.gpuHours.value ?? 0)
        const counted = measureSavings(questions).filter(({ state }) => state !== 'failed')
        const together = counted.map(({ realized }) => realized?.gpuHours.value ?? 0)
        expect(together.reduce<number>((sum, each) => sum + each, 0)).toBeLessThanOrEqual(Math.max(...alone) + 1e-6)
      }),
    )
  })
})

const stateOf = (state: RunState) => {
  const truth = scriptedTruth({ ...QUIET, cut: { part: 0.5, gpuHours: 0 } })
  return measureSavings([question(truth, { state })])[0]?.state
}

describe('a saving', () => {
  const cut = { cut: { part: 0.5, gpuHours: 0 } }
  const estimate = (share: number) => {
    const saved = measured(cut).realized?.gpuHours.value ?? 0
    return { gpuHoursPerMonth: ((saved * share) / WEEK) * 730, usdPerMonth: undefined }
  }

  test('stands where its run stands', () => {
    expect(Object.fromEntries(RUN_STATES.map((state) => [state, stateOf(state)]))).toEqual({
      proposed: 'estimated',
      approved: 'approved',
      checked: 'approved',
      rehearsed: 'approved',
      'handed-over': 'approved',
      warned: 'approved',
      applying: 'approved',
      applied: 'verified',
      verified: 'verified',
      kept: 'verified',
      reverting: 'reverted',
      reverted: 'reverted',
      rejected: undefined,
      expired: undefined,
      cancelled: undefined,
      failed: 'failed',
    })
  })

  test('is verified when it is as much as was estimated, and partly when it is less', () => {
    expect(measured(cut, { estimate: estimate(1) }).state).toBe('verified')
    expect(measured(cut, { estimate: estimate(1.05) }).state).toBe('verified')
    expect(measured(cut, { estimate: estimate(0.5) }).state).toBe('verified')
    expect(measured(cut, { estimate: estimate(1.5) })).toMatchObject({
      state: 'partly-verified',
      because: 'It saves less than was estimated.',
    })
  })

  test('is partly verified where many hours were not measured', () => {
    expect(measured({ ...cut, unmeasured: 0.3 })).toMatchObject({
      state: 'partly-verified',
      because: expect.stringMatching(/only \d+ of 168 hours were measured/),
    })
  })

  test('that may be chance is none', () => {
    expect(measured({ cut: { part: 0, gpuHours: 0 } }).state).toBe('failed')
    const states = Array.from(
      { length: 200 },
      (_, seed) => measured({ ...SCRIPT, seed: seed + 1, cut: { part: 0, gpuHours: 0 } }).state,
    )
    // One in twenty is above an interval of 90 %.
    expect(states.filter((state) => state !== 'failed').length).toBeLessThan(20)
  })

  test('is judged over a window as long as its baseline', () => {
    const truth = scriptedTruth({ ...QUIET, ...cut, weeksBefore: 2 })
    expect(only(measureSavings([question(truth)]))).toMatchObject({
      state: 'applied',
      because: 'Measured for 168 of 336 hours.',
      realized: { knownHours: 168 },
    })
    for (const missing of [{ after: undefined }, { baseline: undefined }, { appliedAt: undefined, after: undefined }]) {
      expect(only(measureSavings([question(truth, missing)]))).toMatchObject({ state: 'applied', realized: undefined })
    }
  })
})
