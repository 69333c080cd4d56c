import { array, assert, constantFrom, double, integer, property, record } from 'fast-check'
import { expect, test } from 'vitest'

import { instant, ratio, seconds } from '../units.ts'
import { NOTHING_MEASURED } from './field-values.ts'
import { fillHoles, holesIn } from './holes.ts'
import type { KnownGpus } from './known-inventory.ts'
import type { UsageRow } from './usage.ts'

const AT = instant(600_000)
const known: readonly KnownGpus[] = [
  { node: 'a', pool: 'p', machine: 'm', model: 'T4', gpus: ['GPU-0', 'GPU-1'], from: instant(0), to: undefined },
]
const row = (more: Partial<UsageRow> = {}): UsageRow => ({
  ...NOTHING_MEASURED,
  at: AT,
  span: '5m',
  node: 'a',
  pool: 'p',
  gpu: 'GPU-0',
  partition: 'GPU-0',
  profile: '',
  model: 'T4',
  machine: 'm',
  kind: 'held',
  share: ratio(1),
  namespace: 'team',
  workload: 'team/Job/x',
  pod: 'team/x-0',
  workloadClass: 'training',
  present: seconds(300),
  measured: seconds(300),
  idle: seconds(0),
  oversized: seconds(0),
  reason: undefined,
  ...more,
})
const gpuSeconds = (rows: readonly UsageRow[], gpu = 'GPU-0'): number =>
  rows.filter((each) => each.gpu === gpu).reduce((sum, { share, present }) => sum + share * present, 0)

const seen = (gpus: Readonly<Record<string, number>>, unobserved: Readonly<Record<string, number>> = {}) => ({
  seen: new Map(Object.entries(gpus)),
  unobserved: new Map(Object.entries(unobserved)),
})

test('a hole is what is missing from inventory × time', () => {
  expect(holesIn(known, AT, seen({ 'GPU-0': 300, 'GPU-1': 180 }))).toMatchObject([{ gpu: 'GPU-1', seconds: 120 }])
  expect(holesIn(known, AT, seen({ 'GPU-0': 300, 'GPU-1': 300 - 1e-9 }))).toEqual([])
  const late = known.map((group) => ({ ...group, from: instant(AT + 200_000) }))
  expect(holesIn(late, AT, seen({}))).toMatchObject([{ seconds: 100 }, { seconds: 100 }])
})

test('it is filled in proportion by what a metrics engine knows, beside what was seen', () => {
  const stored = [row({ present: seconds(120), measured: seconds(120), busy: ratio(0.9) })]
  const past = [
    row({ present: seconds(200), measured: seconds(100), idle: seconds(50), busy: ratio(0.1) }),
    row({ kind: 'free', partition: 'GPU-0/uncut', namespace: '', workload: '', pod: '', present: seconds(100) }),
  ]
  const { rows, left } = fillHoles(holesIn(known, AT, seen({ 'GPU-0': 120, 'GPU-1': 300 })), {
    past,
    stored,
  })
  expect(left).toEqual([])
  expect(rows).toMatchObject([
    { kind: 'held', present: 240, measured: 180, idle: 30, busy: (0.9 * 120 + 0.1 * 60) / 180 },
    { kind: 'free', present: 60 },
    { kind: 'unobserved', present: 0 },
  ])
})

test('what nobody knows is written down as not observed, and written over when it is known later', () => {
  const holes = holesIn(known, AT, seen({ 'GPU-1': 300 }))
  const first = fillHoles(holes, { past: [], stored: [] })
  expect(first.rows).toMatchObject([
    { gpu: 'GPU-0', kind: 'unobserved', present: 300, machine: 'm', namespace: '', measured: 0 },
  ])
  expect(first.left).toEqual(holes)
  const later = fillHoles(holes, { past: [row()], stored: first.rows })
  expect(later.rows).toMatchObject([
    { kind: 'held', present: 300 },
    { kind: 'unobserved', present: 0 },
  ])
})

test('what was told as not observed and was seen after all is taken back', () => {
  const holes = holesIn(known, AT, seen({ 'GPU-0': 300, 'GPU-1': 300 }, { 'GPU-0': 300 }))
  const { rows, left } = fillHoles(holes, { past: [row()], stored: [row()] })
  expect(rows).toMatchObject([{ gpu: 'GPU-0', kind: 'unobserved', present: 0 }])
  expect(left).toEqual([])
})

test('what two looks at one time have seen together is cut to the time that the GPU was there', () => {
  const stored = [row(), row({ pod: 'team/y-0', present: seconds(100), measured: seconds(50), idle: seconds(20) })]
  const holes = holesIn(known, AT, seen({ 'GPU-0': 400, 'GPU-1': 300 }))
  const { rows, left } = fillHoles(holes, { past: [], stored })
  expect(rows).toMatchObject([
    { pod: 'team/x-0', present: 225, measured: 225 },
    { pod: 'team/y-0', present: 75, measured: 37.5, idle: 15 },
    { kind: 'unobserved', present: 0 },
  ])
  expect(left).toEqual([])
})

test('what was seen of a GPU after another took its place does not count beside that other', () => {
  const [group] = known
  const next = { node: 'a', pool: 'p', machine: 'm', model: 'T4', gpus: ['GPU-9'], from: AT, to: undefined }
  const replaced = [{ ...group, gpus: ['GPU-0'], to: AT } as KnownGpus, next]
  const holes = holesIn(replaced, AT, seen({ 'GPU-0': 300, 'GPU-of-an-engine': 300 }))
  const { rows, left } = fillHoles(holes, { past: [], stored: [row()] })
  expect(rows).toMatchObject([
    { gpu: 'GPU-9', kind: 'unobserved', present: 300 },
    { gpu: 'GPU-0', kind: 'held', present: 0, measured: 0 },
    { gpu: 'GPU-0', kind: 'unobserved', present: 0 },
  ])
  expect(left).toMatchObject([{ gpu: 'GPU-9' }])
})

test('whatever was seen and whatever an engine knows, the bucket is inventory × time afterwards', () => {
  const anyRows = array(
    record({
      pod: constantFrom('team/x-0', 'team/y-0'),
      share: constantFrom(1, 3 / 7, 1 / 7),
      present: integer({ min: 1, max: 300 }),
      measured: double({ min: 0, max: 1, noNaN: true }),
    }),
    { maxLength: 4 },
  ).map((list) => {
    const rows = new Map(
      list.map(({ pod, share, present, measured }) => [
        pod,
        row({ pod, share: ratio(share), present: seconds(present), measured: seconds(present * measured) }),
      ]),
    )
    const all = [...rows.values()]
    // No GPU is seen for longer than the bucket lasts.
    const factor = Math.min(1, 300 / Math.max(1, gpuSeconds(all)))
    return all.map((each) => ({
      ...each,
      present: seconds(each.present * factor),
      measured: seconds(each.measured * factor),
    }))
  })
  assert(
    property(anyRows, anyRows, (stored, past) => {
      const holes = holesIn(known, AT, seen({ 'GPU-0': gpuSeconds(stored), 'GPU-1': 300 }))
      const { rows, left } = fillHoles(holes, { past, stored })
      const written = new Map([...stored, ...rows].map((each) => [`${each.partition} ${each.pod} ${each.kind}`, each]))
      expect(gpuSeconds([...written.values()])).toBeCloseTo(300, 6)
      for (const each of written.values()) expect(each.measured).toBeLessThanOrEqual(each.present + 1e-9)
      const missing = left.reduce((sum, hole) => sum + hole.seconds, 0)
      expect(missing).toBeCloseTo(Math.max(0, 300 - gpuSeconds(stored) - gpuSeconds(past)), 6)
    }),
  )
})
