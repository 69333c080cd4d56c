import { describe, expect, test } from 'vitest'

import { ratio } from '../units.ts'
import { indexSamples, telemetryOf } from './part-telemetry.ts'
import type { JudgedSample, QualityReason } from './sample.ts'

const sample = (more: Partial<JudgedSample> = {}): JudgedSample =>
  ({ gpu: 'GPU-1', busy: ratio(0.5), quality: { kind: 'measured' }, ...more }) as unknown as JudgedSample
/** One whose busy value is not there, for this reason. */
const without = (reason: QualityReason, more: Partial<JudgedSample> = {}): JudgedSample => {
  const { busy: _, ...rest } = sample(more)
  return { ...rest, quality: { kind: 'missing', reason } }
}
const instance = (id: string) => ({ instance: { id, profile: '3g.40gb' } })
const replica = (pod: string) => ({ vgpu: '0', holder: { namespace: 'lab', pod, container: 'main' } })

type Part = Parameters<typeof telemetryOf>[0]
const part = (series: Part['series'], more: Partial<Part> = {}): Part => ({
  gpu: 'GPU-1',
  kind: 'held',
  pod: 'lab/train',
  series,
  ...more,
})
const tell = (of: Part, ...samples: JudgedSample[]) => {
  const { busy, reason } = telemetryOf(of, indexSamples(samples))
  return reason ?? busy
}
const WHOLE = part({ kind: 'gpu' })
const FIRST = part({ kind: 'instance', instance: '1' })
const REPLICA = part({ kind: 'replica' })

describe('what a reading says of a part of a GPU', () => {
  test('is told by the series that is about it, and by no other of the GPU', () => {
    const samples = [
      sample({ busy: ratio(0.9) }),
      sample({ ...instance('1'), busy: ratio(0.1) }),
      sample({ ...instance('2'), busy: ratio(0.2) }),
      sample({ ...replica('train'), busy: ratio(0.3) }),
    ]
    expect([WHOLE, FIRST, REPLICA].map((each) => tell(each, ...samples))).toEqual([0.9, 0.1, 0.3])
  })

  test.each<[string, Part, readonly JudgedSample[], QualityReason]>([
    ['no exporter tells of the GPU', WHOLE, [sample({ gpu: 'GPU-2' })], 'no-telemetry'],
    ['instances are told of, and not the GPU', WHOLE, [sample(instance('1'))], 'no-telemetry'],
    ['another instance is told of', FIRST, [sample(instance('2'))], 'missing-instance'],
    ['its pods are not told apart', REPLICA, [sample()], 'not-attributable'],
    ['another pod is told of', REPLICA, [sample(replica('other'))], 'not-attributable'],
    ['the reading is not to be trusted', WHOLE, [without('stale-target')], 'stale-target'],
    [
      'it is trusted, and has no busy value',
      WHOLE,
      [{ ...without('stale-target'), quality: { kind: 'measured' } }],
      'not-exported',
    ],
  ])('is missing where %s', (...[, of, samples, reason]) => expect(tell(of, ...samples)).toBe(reason))

  test('is nothing, and nothing is missing, where no series could be about it', () => {
    expect(tell(part({ kind: 'none' }), sample())).toBeUndefined()
    expect(tell(part({ kind: 'replica' }, { kind: 'free', pod: '' }), sample())).toBeUndefined()
  })

  test('is what was measured, where the same device is told twice', () => {
    for (const about of [{}, instance('1'), replica('train')]) {
      const of = 'instance' in about ? FIRST : 'vgpu' in about ? REPLICA : WHOLE
      const twice = [
        without('stale-target', about),
        sample({ ...about, busy: ratio(0.7) }),
        sample({ ...about, busy: ratio(0.2) }),
      ]
      expect(tell(of, ...twice)).toBe(0.7)
    }
  })
})

const believed = (of: Part, ...samples: JudgedSample[]) => telemetryOf(of, indexSamples(samples)).believed

describe('which other fields of a reading can be believed', () => {
  test('are those of the board for a whole GPU alone: every instance tells them', () => {
    expect(believed(WHOLE, sample())).toEqual({ engine: true, device: true, board: true })
    expect(believed(FIRST, sample(instance('1')))).toEqual({ engine: true, device: true, board: false })
  })

  test.each<[QualityReason, boolean]>([
    ['stuck-at-zero', true],
    ['not-exported', true],
    ['out-of-range', true],
    ['stale-target', false],
    ['duplicated-series', false],
    ['clock-skew', false],
  ])('beside a busy value that is %s: memory %s', (reason, device) => {
    expect(believed(WHOLE, without(reason))).toMatchObject({ engine: false, device })
  })
})
