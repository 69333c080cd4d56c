import { theLast } from '@septet/domain'
import { expect, test } from 'vitest'

import { axisTicks, shareWords, shownSeries, standsAlone, trendCsv } from './trend-rows.ts'

const point = (at: string, busy: number | null) => ({
  at,
  busy,
  busyOfAllocated: null,
  allocated: 0.7,
  coverage: busy === null ? 0 : 1,
})
const trend = {
  source: { id: 'demo', name: 'Demo cluster', kind: 'demo' as const },
  asOf: null,
  window: null,
  says: [],
  step: 3600,
  points: [point('10:00', 0.4), point('11:00', null), point('12:00', 0.5), point('13:00', null)],
  models: [],
}

test('a series without any measured point is not drawn', () => {
  expect(shownSeries(trend).map(({ name }) => name)).toEqual(['Busy', 'Held'])
})

test('in a view of some namespaces busy is of what these held, and is drawn once', () => {
  const points = trend.points.map((one) => ({ ...one, busyOfAllocated: one.busy, allocated: null }))
  expect(shownSeries({ ...trend, points }).map(({ name }) => name)).toEqual(['Busy'])
})

test('sample data keeps the names of the specification', () => {
  const sample = { ...trend, source: { id: 'sample', name: 'Sample data', kind: 'sample' as const } }
  expect(shownSeries(sample).map(({ name }) => name)).toEqual(['Utilization', 'Held'])
})

test('a gap is an empty cell in the CSV and "Not measured" in the table, never 0', () => {
  expect(trendCsv(trend).trimEnd().split('\r\n')).toEqual([
    'time,Busy,Held,share measured',
    '10:00,0.4,0.7,1',
    '11:00,,0.7,0',
    '12:00,0.5,0.7,1',
    '13:00,,0.7,0',
  ])
  expect(shareWords(null)).toBe('Not measured')
  expect(shareWords(0)).toBe('0.0%')
})

test('only a point between two gaps gets a dot', () => {
  expect(trend.points.map((_, index) => standsAlone(trend.points, index, 'busy'))).toEqual([true, false, true, false])
  expect(trend.points.map((_, index) => standsAlone(trend.points, index, 'allocated'))).toEqual([
    false,
    false,
    false,
    false,
  ])
})

test('over days the axis is marked once a day, never twice with the same name', () => {
  const points = Array.from({ length: 72 }, (_, hour) =>
    point(new Date(Date.UTC(2026, 10, 14, 9 + hour)).toISOString(), 0.5),
  )
  const ticks = axisTicks({ ...trend, points }, theLast('7d')) ?? []
  expect(ticks).toHaveLength(3)
  expect(new Set(ticks.map((at) => new Date(at).toDateString())).size).toBe(3)
  expect(axisTicks({ ...trend, points }, theLast('24h'))).toBeUndefined()
})
