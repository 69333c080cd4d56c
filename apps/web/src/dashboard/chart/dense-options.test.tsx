import type UPlot from 'uplot'
import { describe, expect, test } from 'vitest'

import { denseOptions } from './dense-options.ts'
import type { DenseSeries, DenseUnit } from './dense-series.ts'

const BUSY: DenseSeries = { name: 'Busy', tone: 'busy', values: [0.5, null, 0.25, null] }
const options = (unit: DenseUnit = 'ratio', change: Partial<Parameters<typeof denseOptions>[0]> = {}): UPlot.Options =>
  denseOptions({ series: [BUSY], unit, top: undefined, lines: [], width: 600, height: 200, ...change })

/** Where the scale of values begins and ends over readings up to `high`. */
function scaleOver(high: number, made: UPlot.Options): readonly unknown[] {
  const range = made.scales?.['y']?.range
  return typeof range === 'function' ? [...range({} as UPlot, 0, high, 'y')] : []
}

/** What stands beside the name of the first line: under the pointer, or where nobody points. */
function reading(value: number | null, pointed: boolean, unit: DenseUnit = 'ratio'): unknown {
  const plot = { cursor: { idx: pointed ? 1 : null }, data: [[1, 2, 3, 4], BUSY.values] }
  const words = options(unit).series[1]?.value
  return typeof words === 'function' ? words(plot as unknown as UPlot, value as number, 1, 1) : undefined
}

function ticksOf(axis: number, ticks: readonly number[], unit: DenseUnit = 'ratio'): unknown {
  const values = options(unit).axes?.[axis]?.values
  return typeof values === 'function' ? values({} as UPlot, [...ticks], axis, 1, 1) : undefined
}

describe('the scale of a dense chart', () => {
  test('begins at zero and leaves room above the highest reading', () =>
    expect(scaleOver(100, options())).toEqual([0, expect.closeTo(110)]))

  test('has the level that readings are compared with in sight', () =>
    expect(scaleOver(10, options('GiB', { lines: [{ name: 'whole GPU has', value: 80 }] }))).toEqual([
      0,
      expect.closeTo(88),
    ]))

  test('ends where it is told, and is not flat over readings of 0', () => {
    expect(scaleOver(0.3, options('ratio', { top: 1 }))).toEqual([0, 1])
    expect(scaleOver(0, options())).toEqual([0, 1])
  })

  test('does not bridge gaps', () => expect(options().series[1]?.spanGaps).toBe(false))
})

describe('what is read', () => {
  test('under the pointer is the reading, and a gap is said', () => {
    expect(reading(0.5, true)).toBe('50%')
    expect(reading(0, true)).toBe('0%')
    expect(reading(null, true)).toBe('not measured')
  })

  test('where nobody points is the newest that was measured', () => expect(reading(null, false)).toBe('25%'))

  test('beside the axis has its unit', () => {
    expect(ticksOf(1, [0, 0.5, 1])).toEqual(['0%', '50%', '100%'])
    expect(ticksOf(1, [0, 40], 'GiB')).toEqual(['0 GiB', '40 GiB'])
  })

  test('below it is the hour within a day, and the day over several', () => {
    const start = new Date(2026, 10, 20).getTime() / 1000
    expect(ticksOf(0, [start, start + 6 * 3600])).toEqual(['00:00', '06:00'])
    expect(ticksOf(0, [start, start + 86_400])).toEqual(['Nov 20', 'Nov 21'])
  })
})
