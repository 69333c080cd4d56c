import { percent } from '@septet/domain/words'
import type { TimeRange } from '@septet/domain'

import type { Answer } from '../../api.ts'
import { csvOf } from '@septet/contract/csv'

import { dayName, minuteTime } from '../../ui/time-words.ts'
import type { ChartTable } from '../chart/ChartPanel.tsx'

type Trend = Answer<'utilizationTrend'>
type Point = Trend['points'][number]

export type SeriesKey = 'busy' | 'busyOfAllocated' | 'allocated'
type Series = { readonly key: SeriesKey; readonly name: string; readonly sampleName: string }

/** What the trend draws, the leading one first. The specification calls the first two utilization and efficiency. */
const SERIES: readonly Series[] = [
  { key: 'busy', name: 'Busy', sampleName: 'Utilization' },
  { key: 'busyOfAllocated', name: 'Busy of held', sampleName: 'Efficiency' },
  { key: 'allocated', name: 'Held', sampleName: 'Held' },
]

export type NamedSeries = { readonly key: SeriesKey; readonly name: string }

/**
 * The series that have at least one measured point, by the names that fit the source. In a view of some namespaces busy is
 * of what these held, so busy of held is the same line and is not drawn twice.
 */
export const shownSeries = ({ points, source }: Trend): readonly NamedSeries[] =>
  SERIES.filter(
    ({ key }) => points.some((point) => point[key] !== null) && !(key === 'busyOfAllocated' && isOfHeld(points)),
  ).map(({ key, name, sampleName }) => ({
    key,
    name: source.kind === 'sample' ? sampleName : name,
  }))

/** Whether the points are shares of what some namespaces held: then no share of capacity is held. */
export const isOfHeld = (points: readonly Point[]): boolean =>
  points.every(({ busy, busyOfAllocated, allocated }) => allocated === null && busy === busyOfAllocated)

/** A point's time on the axis: named days as they are, hours within a day, else days. */
export function axisTime(at: string, { step, over }: { readonly step: number; readonly over: TimeRange }): string {
  if (step === 0) return at
  return isLong(over) ? dayName(at) : minuteTime(at)
}

/** Where the axis may be marked: over days at their first point, else anywhere (undefined). */
export function axisTicks({ points, step }: Trend, over: TimeRange): string[] | undefined {
  if (step === 0 || !isLong(over)) return undefined
  return points
    .map(({ at }) => at)
    .filter((at, index, all) => index > 0 && dayName(at) !== dayName(all[index - 1] ?? at))
}

const isLong = (over: TimeRange): boolean => over.kind === 'quick' && (over.name === '7d' || over.name === '30d')

/** A point's time to the minute, for the table and the card at the pointer. */
export const pointMoment = (point: Point, step: number): string =>
  step === 0 ? point.at : `${dayName(point.at)}, ${minuteTime(point.at)}`

/** A measured point between two gaps: a line cannot show it, so it gets a dot. */
export const standsAlone = (points: readonly Point[], index: number, key: SeriesKey): boolean =>
  points[index]?.[key] != null && points[index - 1]?.[key] == null && points[index + 1]?.[key] == null

/** A share, or the word for a gap. */
export const shareWords = (value: number | null): string => (value === null ? 'Not measured' : percent(value))

/** The numbers behind the chart, newest last; gaps say so. */
export function trendTable(trend: Trend): ChartTable {
  const series = shownSeries(trend)
  return {
    none: 'Not measured',
    csv: () => trendCsv(trend),
    columns: ['Time', ...series.map(({ name }) => name)],
    rows: trend.points.map((point) => [
      pointMoment(point, trend.step),
      ...series.map(({ key }) => (point[key] === null ? '' : percent(point[key]))),
    ]),
  }
}

/** The chart's numbers as comma-separated values: shares from 0 to 1, and nothing at all where nothing was measured. */
export function trendCsv(trend: Trend): string {
  const series = shownSeries(trend)
  const head = ['time', ...series.map(({ name }) => name), 'share measured']
  const rows = trend.points.map((point) => [point.at, ...series.map(({ key }) => point[key]), point.coverage])
  return csvOf([head, ...rows.map((row) => row.map((value) => (value === null ? '' : String(value))))])
}
