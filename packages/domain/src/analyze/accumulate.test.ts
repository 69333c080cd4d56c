import { array, assert, boolean, constantFrom, double, integer, property, record, tuple } from 'fast-check'
import { describe, expect, test } from 'vitest'

import { draw } from '../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../cluster/inventory.ts'
import { instant, mib, ratio, seconds } from '../units.ts'
import { addReading, bucketStart, openBucket, rowsOf } from './accumulate.ts'
import type { JudgedSample } from './sample.ts'
import type { UsageRow } from './usage.ts'

const AT = instant(1_767_225_600_000)
const later = (length: number) => instant(AT + length * 1000)

const sample = (gpu: string, busy: number | undefined, more: Partial<JudgedSample> = {}): JudgedSample => ({
  at: AT,
  node: 'a',
  gpu,
  index: 0,
  model: 'NVIDIA A100-SXM4-80GB',
  ...(busy === undefined ? {} : { busy: ratio(busy) }),
  quality: { kind: 'measured' },
  ...more,
})

/** Rows of one bucket that was read every 30 seconds with the same samples. */
function rowsOfSteady(snapshot: ClusterSnapshot, samples: readonly JudgedSample[]): UsageRow[] {
  const bucket = openBucket(AT)
  for (let time = 0; time < 300; time += 30) {
    addReading(bucket, { at: later(time), interval: seconds(30), snapshot, samples })
  }
  return rowsOf(bucket)
}
const brief = (rows: readonly UsageRow[]): string[] =>
  rows.map(
    ({ kind, partition, pod, share, present, measured, busy, reason }) =>
      `${kind} ${partition} ${pod || '-'} ${share.toFixed(3)}×${present} ` +
      (busy === undefined ? `? ${reason ?? ''}` : `${busy.toFixed(2)} for ${measured}`),
  )

describe('a bucket', () => {
  test('says what each GPU did', () => {
    const cluster = draw`
      a  A100-SXM4-80GB  [team/x]
      a  A100-SXM4-80GB  [-]
      b  T4  down        [-]`
    expect(brief(rowsOfSteady(cluster, [sample('GPU-a-0', 0.5), sample('GPU-a-1', 0)]))).toEqual([
      'held GPU-a-0 team/x 1.000×300 0.50 for 300',
      'free GPU-a-1 - 1.000×300 0.00 for 300',
      'down GPU-b-0/down - 1.000×300 ? ',
    ])
  })

  test.each([
    [6, 'stale-target'],
    [3, 'no-telemetry'],
  ])('says why it is unknown by what held longest: %i of 10 readings were old', (old, reason) => {
    const snapshot = draw`a  T4  [team/x]`
    const bucket = openBucket(AT)
    const stale = sample('GPU-a-0', undefined, { quality: { kind: 'suspect', reason: 'stale-target' } })
    for (let reading = 0; reading < 10; reading += 1) {
      const samples = reading < old ? [stale] : []
      addReading(bucket, { at: later(reading * 30), interval: seconds(30), snapshot, samples })
    }
    expect(rowsOf(bucket).map((row) => row.reason)).toEqual([reason])
  })

  test('believes the memory of a part that is measured or whose counter is stuck, and not of a target gone stale', () => {
    const snapshot = draw`a  T4  [team/x]`
    const memoryUsed = mib(7000)
    const memoryOf = (more: Partial<JudgedSample>, busy?: number) =>
      rowsOfSteady(snapshot, [sample('GPU-a-0', busy, { memoryUsed, ...more })])[0]?.memoryPeak
    expect([
      memoryOf({}, 0.5),
      memoryOf({ quality: { kind: 'suspect', reason: 'stuck-at-zero' } }),
      memoryOf({ quality: { kind: 'suspect', reason: 'stale-target' } }),
    ]).toEqual([7000, 7000, undefined])
  })

  test('keeps a share that did not change to its last digit, at whatever times it was read', () => {
    const cluster = draw`a  A100-SXM4-80GB  [3g.40gb team/x] [1g.10gb team/y]`
    const bucket = openBucket(AT)
    for (const time of [0.1, 7.3, 31.7, 60.9, 119.2, 203.3, 290.007]) {
      addReading(bucket, { at: later(time), interval: seconds(30.1), snapshot: cluster, samples: [] })
    }
    const held = rowsOf(bucket).filter(({ kind }) => kind === 'held')
    expect(held.map(({ share }) => share)).toEqual([3 / 7, 1 / 7])
  })

  test('tells free from stranded compute slices', () => {
    const cluster = draw`
      a  A100-SXM4-80GB  [3g.40gb team/x] [3g.40gb -]
      a  A100-SXM4-80GB  [3g.40gb team/y]`
    const samples = [sample('GPU-a-0', 0.7, { instance: { id: '1', profile: '3g.40gb' } })]
    expect(brief(rowsOfSteady(cluster, samples))).toEqual([
      'held GPU-a-0/gi-1 team/x 0.429×300 0.70 for 300',
      'free GPU-a-0/gi-2 - 0.429×300 ? missing-instance',
      'stranded GPU-a-0/stranded - 0.143×300 ? ',
      'held GPU-a-1/gi-1 team/y 0.429×300 ? no-telemetry',
      'free GPU-a-1/uncut - 0.571×300 ? ',
    ])
  })

  test('does not know how busy a pod on a time-sliced GPU is, unless the exporter tells its pods apart', () => {
    const cluster = draw`a  T4  [1/4 team/x] [1/4 team/y] [1/4 -] [1/4 -]`
    const device = sample('GPU-a-0', 0.9)
    const own = sample('GPU-a-0', 0.2, { vgpu: '1', holder: { namespace: 'team', pod: 'y', container: 'c' } })
    expect(brief(rowsOfSteady(cluster, [device, own]))).toEqual([
      'held GPU-a-0/replica-0 team/x 0.250×300 ? not-attributable',
      'held GPU-a-0/replica-1 team/y 0.250×300 0.20 for 300',
      'free GPU-a-0/replica-2 - 0.250×300 ? ',
      'free GPU-a-0/replica-3 - 0.250×300 ? ',
    ])
  })

  test('keeps why a value is not trusted, and the memory reading that still stands', () => {
    const cluster = draw`a  A100-SXM4-80GB  [team/x]`
    const stuck = sample('GPU-a-0', undefined, {
      quality: { kind: 'suspect', reason: 'stuck-at-zero' },
      memoryUsed: mib(7000),
    })
    expect(rowsOfSteady(cluster, [stuck])[0]).toMatchObject({
      measured: 0,
      busy: undefined,
      reason: 'stuck-at-zero',
      memoryPeak: 7000,
    })
  })

  test('weights readings by the time they stand for', () => {
    const snapshot = draw`a  A100-SXM4-80GB  [team/x]`
    const bucket = openBucket(AT)
    const interval = seconds(60)
    addReading(bucket, { at: later(60), interval, snapshot, samples: [sample('GPU-a-0', 1)] })
    addReading(bucket, { at: later(90), interval, snapshot, samples: [sample('GPU-a-0', 0)] })
    const [row] = rowsOf(bucket, later(100))
    expect(row).toMatchObject({ present: 100, measured: 100, busy: 0.6, busyPeak: 1 })
  })

  test('does not know what happened while readings were missing', () => {
    const snapshot = draw`a  A100-SXM4-80GB  [team/x]`
    const bucket = openBucket(AT)
    const reading = { interval: seconds(30), snapshot, samples: [sample('GPU-a-0', 1)] }
    addReading(bucket, { ...reading, at: later(30) })
    addReading(bucket, { ...reading, at: later(180) })
    expect(rowsOf(bucket)[0]).toMatchObject({ present: 60, measured: 60 })
  })

  test('follows a pod that hands its GPU on', () => {
    const bucket = openBucket(AT)
    const reading = { interval: seconds(150), samples: [sample('GPU-a-0', 1)] }
    addReading(bucket, { ...reading, at: later(150), snapshot: draw`a  A100-SXM4-80GB  [team/x]` })
    addReading(bucket, { ...reading, at: later(299), snapshot: draw`a  A100-SXM4-80GB  [team/y]` })
    expect(brief(rowsOf(bucket))).toEqual([
      'held GPU-a-0 team/x 1.000×150 1.00 for 150',
      'held GPU-a-0 team/y 1.000×150 1.00 for 150',
    ])
  })

  test('takes back what an early look took for granted', () => {
    const bucket = openBucket(AT)
    const reading = { interval: seconds(30), samples: [] }
    addReading(bucket, { ...reading, at: AT, snapshot: draw`a  T4  [team/x]` })
    expect(brief(rowsOf(bucket, later(10)))).toEqual(['held GPU-a-0 team/x 1.000×10 ? no-telemetry'])
    addReading(bucket, { ...reading, at: later(20), snapshot: draw`a  T4  [team/y]` })
    expect(rowsOf(bucket, later(20)).map(({ pod, present }) => [pod, present])).toEqual([
      ['team/x', 0],
      ['team/y', 20],
    ])
  })

  test('counts from when its collector started', () => {
    const snapshot = draw`a  A100-SXM4-80GB  [team/x]`
    const bucket = openBucket(AT, '5m', later(20))
    addReading(bucket, { at: later(40), interval: seconds(30), snapshot, samples: [] })
    expect(rowsOf(bucket, later(40))[0]).toMatchObject({ present: 20 })
  })

  test('takes no reading from outside, nor from before the last', () => {
    const snapshot = draw`a  T4  [-]`
    const bucket = openBucket(AT)
    const add = (time: number) => addReading(bucket, { at: later(time), interval: seconds(30), snapshot, samples: [] })
    expect(() => add(300)).toThrow('inside its bucket')
    add(60)
    expect(() => add(30)).toThrow('in order of time')
  })

  test('begins on a multiple of its length', () => {
    expect(bucketStart(later(299), '5m')).toBe(AT)
    expect(bucketStart(later(300), '5m')).toBe(later(300))
  })
})

test('for every GPU, share × present adds up to the seconds that it was known', () => {
  const drawings = [
    draw`
      a  A100-SXM4-80GB  [4g.40gb team/x] [2g.20gb -]
      b  A100-SXM4-80GB  [team/y]
      c  T4              [1/3 team/z] [1/3 -] [1/3 -]`,
    draw`
      a  A100-SXM4-80GB  [1g.10gb team/x] [1g.10gb team/w] [3g.40gb -]
      b  A100-SXM4-80GB  [-]
      c  T4              [1/3 team/z] [1/3 team/v] [1/3 -]`,
    draw`
      a  A100-SXM4-80GB  MIG
      b  A100-SXM4-80GB  down [-]
      c  T4              [1/3 -] [1/3 -] [1/3 -]`,
  ]
  const DRAWN = draw`a  T4  [-]`
  const step = record({
    wait: integer({ min: 1, max: 100 }),
    drawing: constantFrom(0, 1, 2),
    busy: tuple(boolean(), double({ min: 0, max: 1, noNaN: true })),
  })
  assert(
    property(array(step, { minLength: 1, maxLength: 8 }), (steps) => {
      const bucket = openBucket(AT)
      let time = 0
      let known = 0
      for (const { wait, drawing, busy } of steps) {
        if (time + wait >= 300) break
        time += wait
        known += wait > 60 ? 30 : wait
        const samples = [sample('GPU-b-0', busy[0] ? busy[1] : undefined)]
        addReading(bucket, { at: later(time), interval: seconds(30), snapshot: drawings[drawing] ?? DRAWN, samples })
      }
      const rows = rowsOf(bucket, later(time))
      for (const gpu of ['GPU-a-0', 'GPU-b-0', 'GPU-c-0']) {
        const own = rows.filter((row) => row.gpu === gpu)
        expect(own.reduce((sum, { share, present }) => sum + share * present, 0)).toBeCloseTo(known, 6)
      }
      const keys = rows.map(({ partition, pod }) => `${partition} ${pod}`)
      expect(new Set(keys).size).toBe(keys.length)
      for (const row of rows) expect(row.measured).toBeLessThanOrEqual(row.present)
    }),
  )
})
