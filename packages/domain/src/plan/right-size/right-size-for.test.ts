import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { NOTHING_MEASURED } from '../../analyze/field-values.ts'
import type { UsageRow } from '../../analyze/usage.ts'
import { type Board, plainProfiles } from '../../gpu/board.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import { HOUR_MS, instant, mib, ratio, seconds } from '../../units.ts'
import { peakOf } from './block-maxima.ts'
import { learnOverrun } from './learn-overrun.ts'
import { chanceOfOverrun } from './overrun-model.ts'
import { rightSizeFor, type SizeAdvice } from './right-size-for.ts'
import { type RightSizeOptions, rightSizeOptions } from './right-size-options.ts'
import { historyOfRows, type UsageHistory } from './usage-history.ts'

const board = known('A100-SXM4-80GB')

function known(name: string): Board {
  const found = boardFor(name)
  if (found === undefined) throw new Error(`the catalog has no ${name}`)
  return found
}

/** One value an hour; a blank is an hour without trustworthy telemetry. */
type Hours = { readonly memory: ReadonlyArray<number | undefined>; readonly busy?: ReadonlyArray<number | undefined> }

function historyOf({ memory, busy }: Hours, id = 'workload'): UsageHistory {
  return {
    id,
    restarts: [],
    untrusted: undefined,
    buckets: memory.map((peak, hour) => {
      const used = busy === undefined ? 0.3 : busy[hour]
      return {
        at: instant(hour * HOUR_MS),
        length: seconds(3600),
        measured: seconds(peak === undefined && used === undefined ? 0 : 3600),
        compute: used,
        computePeak: used,
        memoryPeak: peak === undefined ? undefined : mib(peak),
      }
    }),
  }
}

const repeat = <T>(value: T, times: number): T[] => Array.from({ length: times }, () => value)
const options: RightSizeOptions = { ...rightSizeOptions.development, compute: 'ignored' }
/** Forty steady peers, so that a chance can be small. */
const peers = Array.from({ length: 40 }, (_, index) =>
  historyOf(
    { memory: Array.from({ length: 48 }, (_hour, hour) => 10_000 + 50 * ((index * 7 + hour * 13) % 11)) },
    `peer-${index}`,
  ),
)
const model = learnOverrun(peers, seconds(6 * 3600))

const advise = (history: UsageHistory, changed: Partial<RightSizeOptions> = {}, held = ''): SizeAdvice =>
  rightSizeFor({ history, board, held, model }, { ...options, ...changed })
const because = (advice: SizeAdvice): string => (advice.kind === 'fits-smaller' ? advice.profile.name : advice.because)

describe('a steady workload', () => {
  test('gets the smallest profile that holds its peak and margin', () => {
    const advice = advise(historyOf({ memory: repeat(15_000, 48) }))
    expect(advice).toMatchObject({ kind: 'fits-smaller', profile: { name: '1g.20gb' } })
    if (advice.kind !== 'fits-smaller') return
    expect(advice.overrun.memory).toBeGreaterThan(0)
    expect(advice.overrun.memory).toBeLessThan(0.2)
    expect(advice.confidence).toBeGreaterThan(0.5)
    expect(advice.evidence).toMatchObject({ activity: 'steady', samples: 48, coverage: 1, memoryPeak: 15_000 })
    expect(advice.evidence.memory).toHaveLength(48)
  })

  test('needs compute for its sustained use over the target', () => {
    const history = historyOf({ memory: repeat(5000, 48), busy: repeat(0.3, 48) })
    // 30 % of a GPU over 80 % is 37.5 %: 3 of 7 compute slices.
    expect(because(advise(history, { compute: 'counted' }))).toBe('3g.40gb')
    expect(because(advise(history, { compute: 'counted', targetUtilization: ratio(0.65) }))).toBe('4g.40gb')
    expect(because(advise(history))).toBe('1g.10gb')
  })

  test('keeps what it holds when that is the smallest', () => {
    expect(because(advise(historyOf({ memory: repeat(5000, 48) }), {}, '1g.10gb'))).toBe('there is no smaller profile')
  })

  test('on a board without such a profile is not known', () => {
    expect(advise(historyOf({ memory: repeat(5000, 48) }), {}, '9g.90gb')).toEqual({
      kind: 'unknown',
      because: 'this board has no profile 9g.90gb',
    })
  })
})

const activityOf = (memory: readonly number[]) => {
  const advice = advise(historyOf({ memory }), { minimumHistory: seconds(3600) })
  return advice.kind === 'unknown' ? undefined : advice.evidence.activity
}

describe('guards', () => {
  test.each<[string, Hours, readonly [SizeAdvice['kind'], string]]>([
    ['nothing', { memory: [] }, ['unknown', 'its memory was not measured']],
    ['no memory', { memory: repeat(undefined, 48) }, ['unknown', 'its memory was not measured']],
    ['three hours', { memory: repeat(9000, 3) }, ['unknown', 'not enough history: 3 h of 24 h']],
    [
      'gaps',
      { memory: [...repeat(9000, 12), ...repeat(undefined, 60), ...repeat(9000, 12)], busy: repeat(undefined, 84) },
      ['unknown', 'only 28% of its history is measured'],
    ],
    [
      'idle all along',
      { memory: repeat(9000, 48), busy: repeat(0, 48) },
      ['keep', 'near idle so far: it worked in 0 of 48 blocks of its history, so what it needs is unknown'],
    ],
    [
      'one busy hour of 48',
      { memory: repeat(9000, 48), busy: [...repeat(0.01, 47), 0.9] },
      ['keep', 'near idle so far: it worked in 1 of 48 blocks of its history, so what it needs is unknown'],
    ],
    [
      'busy never measured',
      { memory: repeat(9000, 48), busy: repeat(undefined, 48) },
      ['keep', 'how busy it was is unknown, so its memory may be that of idle work'],
    ],
    [
      'memory stuck at zero',
      { memory: repeat(0, 48) },
      ['unknown', 'its memory reads 0 MiB while it works, so it is not measured'],
    ],
    [
      'a rise two hours ago',
      { memory: [...repeat(9000, 46), 14_000, 15_000] },
      ['keep', 'its memory rose from 9000 to 14000 MiB 2 h ago: 2 h of 24 h since'],
    ],
    [
      'memory at its limit',
      { memory: repeat(80_000, 48) },
      ['keep', 'its memory is at the limit of what it holds, so what it would need is not visible'],
    ],
  ])('%s', (_name, hours, said) => {
    const advice = advise(historyOf(hours))
    expect([advice.kind, because(advice)]).toEqual(said)
  })

  test('growing memory needs room for what it will have grown to', () => {
    const flat = historyOf({ memory: repeat(17_700, 48) })
    const growing = historyOf({ memory: Array.from({ length: 48 }, (_, hour) => 13_000 + 100 * hour) })
    expect(because(advise(flat))).toBe('1g.20gb')
    // 17,700 MiB now and 600 more in 6 hours, and a tenth: 20,130 MiB.
    expect(because(advise(growing, { accepted: { memory: ratio(1), compute: ratio(1) } }))).toBe('3g.40gb')
    expect(
      because(advise(growing, { memoryOverrun: 'survivable', accepted: { memory: ratio(1), compute: ratio(1) } })),
    ).toBe('3g.40gb')
  })

  test('the evidence says whether memory is steady, bursty or growing', () => {
    expect(activityOf(repeat(9000, 48))).toBe('steady')
    expect(activityOf([...repeat(9000, 24), 12_000, ...repeat(9000, 23)])).toBe('bursty')
    expect(activityOf(Array.from({ length: 48 }, (_, hour) => 9000 + 100 * hour))).toBe('growing')
  })

  test('work that restarted just now, or often, keeps its size', () => {
    const history = historyOf({ memory: repeat(9000, 48) })
    const restarted = (...hours: number[]) => ({ ...history, restarts: hours.map((hour) => instant(hour * HOUR_MS)) })
    expect(because(advise(restarted(47.5)))).toBe('it restarted within the last hour: what it needs now is unknown')
    expect(because(advise(restarted(30, 35, 40)))).toBe(
      'it restarted 3 times within a day, as work does that runs out of memory',
    )
    expect(advise(restarted(5, 10)).kind).toBe('fits-smaller')
  })

  test('what is measured only in hours hardly measured is not left out of the chance', () => {
    const steady = historyOf({ memory: [...repeat(9000, 24), 30_000, ...repeat(9000, 23)] })
    const short = steady.buckets.map((bucket) =>
      bucket.memoryPeak === 30_000 ? { ...bucket, measured: seconds(600) } : bucket,
    )
    const [whole, part] = [steady, { ...steady, buckets: short }].map(chanceAt9856)
    expect(part).toBeGreaterThanOrEqual(whole ?? 1)
  })

  test('shared devices are not judged', () => {
    const row = { ...usageRow(0), share: ratio(0.25), profile: '' }
    expect(advise(historyOfRows('shared', [row]))).toEqual({
      kind: 'unknown',
      because: 'it shares its device with others',
    })
  })
})

function usageRow(hour: number, changed: Partial<UsageRow> = {}): UsageRow {
  return {
    at: instant(hour * HOUR_MS),
    span: '1h',
    node: 'node-a',
    pool: '',
    gpu: 'GPU-1',
    partition: 'GPU-1/3g',
    profile: '3g.40gb',
    model: 'A100-SXM4-80GB',
    machine: '',
    kind: 'held',
    share: ratio(3 / 7),
    namespace: 'ml',
    workload: 'ml/Deployment/serve',
    pod: 'ml/serve-1',
    workloadClass: '',
    present: seconds(3600),
    measured: seconds(3600),
    idle: seconds(0),
    oversized: seconds(0),
    ...NOTHING_MEASURED,
    busy: ratio(0.5),
    busyPeak: ratio(0.7),
    memoryUsed: mib(8000),
    memoryPeak: mib(9000),
    reason: undefined,
    ...changed,
  }
}

describe('a history of stored rows', () => {
  test('counts compute in GPUs and pods side by side by their highest', () => {
    const other = usageRow(0, { pod: 'ml/serve-2', memoryPeak: mib(9500), busy: ratio(0.2), busyPeak: ratio(0.9) })
    const { buckets } = historyOfRows('serve', [usageRow(1), usageRow(0), other])
    expect(buckets.map(({ at, measured, memoryPeak }) => [at, measured, memoryPeak])).toEqual([
      [0, 3600, 9500],
      [HOUR_MS, 3600, 9000],
    ])
    expect(buckets[0]?.compute).toBeCloseTo((0.5 * 3) / 7, 9)
    expect(buckets[0]?.computePeak).toBeCloseTo((0.9 * 3) / 7, 9)
  })

  test('leaves unknown what was not measured, and what was not held', () => {
    const blind = usageRow(0, { measured: seconds(0), busy: undefined, busyPeak: undefined, memoryPeak: mib(1) })
    const { buckets } = historyOfRows('serve', [blind, usageRow(1, { kind: 'free' })])
    expect(buckets).toHaveLength(1)
    expect(buckets[0]).toMatchObject({ measured: 0, compute: undefined, memoryPeak: undefined })
  })

  test('sees a pod that takes the place of another, not a second replica', () => {
    const next = usageRow(2, { pod: 'ml/serve-2' })
    expect(historyOfRows('serve', [usageRow(0), usageRow(1), next]).restarts).toEqual([2 * HOUR_MS])
    expect(historyOfRows('serve', [usageRow(0), usageRow(1), usageRow(1, { pod: 'ml/serve-2' })]).restarts).toEqual([])
  })
})

const size = (advice: SizeAdvice): number => (advice.kind === 'fits-smaller' ? (advice.profile.memory ?? 0) : Infinity)

const slices = (advice: SizeAdvice): number =>
  advice.kind === 'fits-smaller' ? advice.profile.computeSlices : board.computeSlices + 1

const chanceAt9856 = (history: UsageHistory): number =>
  chanceOfOverrun(history, 9856, { model, resource: 'memory' }).chance

describe('for any history', () => {
  const memories = fc.array(fc.option(fc.integer({ min: 100, max: 79_000 }), { nil: undefined, freq: 10 }), {
    minLength: 24,
    maxLength: 80,
  })
  const busies = fc.array(fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined, freq: 10 }), {
    minLength: 80,
    maxLength: 80,
  })
  const cases = fc.record({ memory: memories, busy: busies })

  test('where running out of memory is fatal, no profile is below the past peak and margin', () => {
    fc.assert(
      fc.property(cases, (hours) => {
        const history = historyOf(hours)
        const all = { accepted: { memory: ratio(1), compute: ratio(1) } }
        const advice = advise(history, all)
        expect(size(advice)).toBeGreaterThanOrEqual((peakOf(history, 'memory') ?? 0) * 1.1)
      }),
    )
  })

  test('a larger accepted chance never gives a larger profile', () => {
    const chance = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(cases, chance, chance, (hours, a, b) => {
        const [less, more] = [Math.min(a, b), Math.max(a, b)].map((memory) =>
          advise(historyOf(hours), {
            memoryOverrun: 'survivable',
            accepted: { memory: ratio(memory), compute: ratio(1) },
          }),
        )
        if (less === undefined || more === undefined) throw new Error('two pieces of advice')
        expect(slices(more)).toBeLessThanOrEqual(slices(less))
      }),
    )
  })

  test('the chance falls with capacity, stays within 0 and 1, and comes out the same again', () => {
    fc.assert(
      fc.property(cases, (hours) => {
        const history = historyOf(hours)
        const chances = plainProfiles(board)
          .map(({ memory }) => memory ?? 0)
          .toSorted((a, b) => a - b)
          .map((capacity) => chanceOfOverrun(history, capacity, { model, resource: 'memory' }).chance)
        expect(chances).toEqual(chances.toSorted((a, b) => b - a))
        expect(chances.every((chance) => chance >= 0 && chance <= 1)).toBe(true)
        expect(advise(history)).toEqual(advise(history))
      }),
    )
  })

  test('hours without telemetry are never hours at 0', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 8000, max: 9000 }), { minLength: 48, maxLength: 48 }), (memory) => {
        const whole = historyOf({ memory })
        const blind = memory.map((value, hour) => (hour % 4 === 1 ? undefined : value))
        const gapped = historyOf({ memory: blind, busy: blind.map((value) => (value === undefined ? undefined : 0.3)) })
        const same = historyOf({ memory: blind.filter((value) => value !== undefined) })
        expect(chanceAt9856(gapped)).toBeCloseTo(chanceAt9856(same), 12)
        expect(advise(gapped).kind).toBe(advise(whole).kind)
      }),
    )
  })
})
