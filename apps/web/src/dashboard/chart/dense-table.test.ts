import { describe, expect, test } from 'vitest'

import { dayTime } from '../../ui/time-words.ts'
import { evidenceTable, limitLines, seriesOf, type Size } from '../gpu/size-evidence.ts'
import { denseTable } from './MeasuredChart.tsx'

const AT = '2026-11-20T10:00:00.000Z'
const at = [Date.parse(AT) / 1000, Date.parse(AT) / 1000 + 300, Date.parse(AT) / 1000 + 600]

describe('a dense chart as a table', () => {
  test('has a gap where nothing was measured, a reading that is missing at its end too', () => {
    const { columns, rows, none } = denseTable({
      at,
      series: [{ name: 'Busy', values: [0.51234, null] }],
      unit: 'ratio',
    })
    expect([columns, none]).toEqual([['Time', 'Busy (0–1)'], 'Not measured'])
    expect(rows.map(([, value]) => value)).toEqual(['0.512', '', ''])
    expect(rows[0]?.[0]).toBe(dayTime(AT))
  })

  test('keeps a measured 0 apart from a gap', () => {
    const { columns, rows } = denseTable({ at, series: [{ name: 'Power', values: [0, 700, null] }], unit: 'W' })
    expect([columns[1], rows.map(([, value]) => value)]).toEqual(['Power (W)', ['0', '700', '']])
  })
})

const size = (held: object, proposed: object | null): Pick<Size, 'held' | 'proposed'> => ({ held, proposed }) as Size

describe('why a size would do', () => {
  const peaks = [{ at: AT, peak: 20_480 }]

  test('shows memory in GiB and compute in GPUs', () => {
    expect(seriesOf(peaks, 'GiB')).toEqual({ at: [at[0]], values: [20] })
    expect(seriesOf([{ at: AT, peak: 0.25 }], 'GPU').values).toEqual([0.25])
  })

  test('draws both limits, and none that is not known', () => {
    const whole = { profile: '', share: 1, memory: 81_920 }
    const small = { profile: '1g.10gb', share: 1 / 7, memory: null }
    expect(limitLines(size(whole, small), 'GiB')).toEqual([{ name: 'whole GPU', value: 80 }])
    expect(limitLines(size(whole, small), 'GPU').map(({ name }) => name)).toEqual(['whole GPU', '1g.10gb'])
    expect(limitLines(size(whole, null), 'GPU')).toHaveLength(1)
  })

  test('says the same in figures', () => {
    const lines = [{ name: 'whole GPU', value: 80 }]
    expect(evidenceTable(peaks, { unit: 'GiB', lines })).toEqual({
      columns: ['Block begins', 'Peak (GiB)', 'whole GPU has (GiB)'],
      rows: [[dayTime(AT), '20.000', '80.000']],
    })
  })
})
