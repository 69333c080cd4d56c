import { array, assert, constantFrom, double, integer, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'

import { NO_PEAKS } from './field-values.ts'
import type { Figure } from './figure.ts'
import { funnelOf } from './funnel.ts'
import type { UsageKind, UsageTotal } from './usage.ts'
import { utilizationOf } from './utilization.ts'
import { SECONDS_PER_HOUR } from '../units.ts'

type Hours = {
  readonly total: number
  readonly measured?: number
  readonly busy?: number
  readonly idle?: number
  readonly effective?: number
  readonly effectiveMeasured?: number
}
const hours = (kind: UsageKind, { total, measured = 0, busy = 0, idle = 0, ...sm }: Hours): UsageTotal => ({
  key: { kind },
  gpuSeconds: total * SECONDS_PER_HOUR,
  measuredGpuSeconds: measured * SECONDS_PER_HOUR,
  busyGpuSeconds: busy * SECONDS_PER_HOUR,
  effectiveMeasuredGpuSeconds: (sm.effectiveMeasured ?? 0) * SECONDS_PER_HOUR,
  effectiveGpuSeconds: (sm.effective ?? 0) * SECONDS_PER_HOUR,
  idleGpuSeconds: idle * SECONDS_PER_HOUR,
  oversizedGpuSeconds: 0,
  seconds: total * SECONDS_PER_HOUR,
  measuredSeconds: measured * SECONDS_PER_HOUR,
  ...NO_PEAKS,
  rows: 1,
})
const show = (figure: Figure<number>): unknown =>
  figure.kind === 'known' ? [Number(figure.value.toFixed(4)), Number(figure.coverage.toFixed(4))] : figure.because

describe('utilization', () => {
  test('is made from sums, and leaves out what was not measured', () => {
    const usage = utilizationOf([
      hours('held', { total: 6, measured: 4, busy: 3, idle: 1 }),
      hours('free', { total: 3 }),
      hours('stranded', { total: 1 }),
      hours('down', { total: 5 }),
    ])
    expect(Object.fromEntries(Object.entries(usage).map(([name, figure]) => [name, show(figure)]))).toEqual({
      allocation: [0.6, 1],
      busy: [0.375, 0.8],
      busyOfAllocated: [0.75, 0.6667],
      effective: 'The exporter does not export SM activity (DCGM_FI_PROF_SM_ACTIVE).',
      idleHeld: [1, 0.6667],
      unallocated: [3, 1],
      stranded: [1, 1],
    })
  })

  test('of held GPUs without telemetry is unknown, not 0', () => {
    const { busy, busyOfAllocated, idleHeld, allocation } = utilizationOf([
      hours('held', { total: 6 }),
      hours('free', { total: 2 }),
    ])
    expect([busy, busyOfAllocated, idleHeld].map(({ kind }) => kind)).toEqual(['unknown', 'unknown', 'unknown'])
    expect(show(allocation)).toEqual([0.75, 1])
  })

  test('of a cluster that nobody uses is 0, as that is known', () => {
    const { busy, allocation, idleHeld, busyOfAllocated } = utilizationOf([hours('free', { total: 2 })])
    expect([busy, allocation, idleHeld].map(show)).toEqual([
      [0, 1],
      [0, 1],
      [0, 1],
    ])
    expect(show(busyOfAllocated)).toBe('No pod held a GPU in this window.')
  })

  test('without a ready GPU is unknown', () => {
    const usage = utilizationOf([hours('down', { total: 2 })])
    expect(Object.values(usage).every(({ kind }) => kind === 'unknown')).toBe(true)
  })

  test('effective is a mean over the time that exports it', () => {
    const held = hours('held', { total: 6, measured: 4, busy: 3, effectiveMeasured: 2, effective: 1 })
    expect(show(utilizationOf([held]).effective)).toEqual([0.5, 0.3333])
  })
})

test('the funnel narrows: total ≥ allocated ≥ active ≥ effective', () => {
  const share = double({ min: 0, max: 1, noNaN: true })
  const anyTotal = record({
    kind: constantFrom<UsageKind>('held', 'held', 'free', 'stranded', 'down'),
    total: integer({ min: 0, max: 1000 }),
    measured: share,
    idle: share,
    effective: share,
    exported: share,
  })
  assert(
    property(array(anyTotal), (list) => {
      const totals = list.map(({ kind, total, measured, idle, effective, exported }) => {
        const known = kind === 'held' ? total * measured : 0
        return hours(kind, {
          total,
          measured: known,
          idle: known * idle,
          effectiveMeasured: known * exported,
          effective: known * exported * effective,
        })
      })
      const funnel = funnelOf(totals)
      const steps = [funnel.total, funnel.allocated, funnel.active, funnel.effective]
      const values = steps.flatMap((figure) => (figure.kind === 'known' ? figure.value : []))
      for (const [index, value] of values.entries()) {
        expect(value).toBeLessThanOrEqual((values[index - 1] ?? Infinity) + 1e-9)
      }
      // Once a step is unknown, no later step may claim a value out of nothing.
      expect([funnel.active.kind, funnel.effective.kind]).not.toEqual(['unknown', 'known'])
    }),
  )
})
