import { dayTime } from '../../ui/time-words.ts'
import type { ChartTable } from './ChartPanel.tsx'
import type { DenseSeries, DenseUnit } from './dense-series.ts'

type Shown = {
  /** Seconds since 1970. */
  readonly at: readonly number[]
  readonly series: readonly Pick<DenseSeries, 'name' | 'values'>[]
  readonly unit: DenseUnit
}

/** What a dense chart shows, as a table; a gap is an empty cell. */
export const denseTable = ({ at, series, unit }: Shown): ChartTable => ({
  none: 'Not measured',
  columns: ['Time', ...series.map(({ name }) => `${name} (${unit === 'ratio' ? '0–1' : unit})`)],
  rows: at.map((second, bucket) => [
    dayTime(new Date(second * 1000).toISOString()),
    ...series.map(({ values }) => {
      const value = values[bucket]
      return value === null || value === undefined ? '' : String(Number(value.toFixed(3)))
    }),
  ]),
})
