import type { FigureView } from '@septet/contract'
import { expect, test } from 'vitest'

import type { Answer } from '../../api.ts'
import { fleetLine } from './fleet-line.ts'

type Summary = Answer<'summaryGet'>

const figure = (value: number | null, quality: FigureView['quality'] = 'measured'): FigureView => ({
  value,
  unit: 'USD',
  quality,
  because: null,
  coverage: null,
  explain: { formula: '', window: null, source: '' },
})

const HOURS = {
  capacity: 1000,
  used: 700,
  unmeasured: 0,
  idleHeld: 100,
  unallocated: 150,
  stranded: 20,
  oversized: 20,
  broken: 10,
}

type Hours = NonNullable<Summary['cost']['hours']>
type Given = {
  readonly hours: Partial<Hours> | null
  readonly usdPerGpuHour: number | null
  readonly busy: FigureView
  readonly queued: number
  readonly kind: Summary['source']['kind']
}
const USUAL: Given = { hours: {}, usdPerGpuHour: 4, busy: figure(0.357), queued: 0, kind: 'demo' }

/** The parts in dollars: null where there is no price, no part or nothing at all. */
function costOf({ hours, usdPerGpuHour }: Pick<Given, 'hours' | 'usdPerGpuHour'>): object {
  const parts: Partial<Record<keyof Hours, number | null>> = hours === null ? {} : { ...HOURS, ...hours }
  const usd = Object.fromEntries(
    Object.keys(HOURS).map((key) => {
      const gpuHours = parts[key as keyof Hours] ?? null
      return [key, figure(gpuHours === null || usdPerGpuHour === null ? null : gpuHours * usdPerGpuHour)]
    }),
  )
  return { ...usd, hours: hours === null ? null : parts, unpricedGpuHours: 0 }
}

function lineOf(given: Partial<Given>) {
  const { busy, queued, kind, ...money } = { ...USUAL, ...given }
  // Of a summary only what the line is made of.
  const summary = {
    source: { id: 'c', name: 'c', kind },
    capacity: { gpus: 204 },
    utilization: { busy },
    workloads: { queued },
    cost: costOf(money),
  } as unknown as Summary
  return fleetLine(summary)
}

test('says how busy the fleet is, what went unused in money, and who waits', () =>
  expect(lineOf({ queued: 25 })).toEqual({
    fleet: '204 GPUs, 36% busy',
    unused: '$1,200 of $4,000 unused',
    waiting: '25 workloads waiting',
  }))

test('counts unmeasured time as used, so that the amount is a floor', () =>
  expect(lineOf({ hours: { unmeasured: 50 } }).unused).toBe('at least $1,200 of $4,000 unused'))

test('speaks of GPU-hours where no GPU has a price', () =>
  expect(lineOf({ usdPerGpuHour: null }).unused).toBe('300 of 1,000 GPU-h unused'))

test('never calls unmeasured utilization 0%', () =>
  expect(lineOf({ busy: figure(null, 'unknown') }).fleet).toBe('204 GPUs, utilization not measured'))

test('is of the namespaces that somebody sees, whose capacity is what they held', () => {
  const line = lineOf({ hours: { unallocated: null, stranded: null, broken: null, capacity: 820 } })
  expect(line.fleet).toBe('Your namespaces hold 204 GPUs, 36% busy')
  expect(line.unused).toBe('$480 of $3,280 unused')
})

test('of sample data has shares and no fleet', () =>
  expect(lineOf({ kind: 'sample', hours: null, busy: figure(0.873, 'sample'), queued: 23 })).toEqual({
    fleet: '87.3% busy',
    unused: undefined,
    waiting: '23 workloads waiting',
  }))

test('says nothing of capacity where there was none', () =>
  expect(lineOf({ hours: { ...HOURS, capacity: 0 } }).unused).toBeUndefined())
