import type { ComponentProps, ReactNode } from 'react'

import { dayTime } from '../../ui/time-words.ts'
import { ChartPanel, type ChartTable } from './ChartPanel.tsx'
import { DenseChart } from './DenseChart.tsx'
import type { DenseSeries, DenseUnit } from './dense-series.ts'

type Props = Omit<ComponentProps<typeof DenseChart>, 'label' | 'height'> & {
  readonly title: string
  /** Its name among the parts of the page, where another part has the same title. */
  readonly label?: string
  /** What it is of, for those who do not see it: "of this workload over the range". */
  readonly of?: string
  readonly children?: ReactNode
}

/** Nothing is drawn where nothing was measured: an empty chart would look like a flat line at zero. */
export function MeasuredChart({ title, label, of = '', children, ...plot }: Props) {
  if (plot.series.every(({ values }) => values.every((value) => value === null)))
    return <p className="text-12 text-ink-soft">{title}: not measured.</p>
  return (
    <ChartPanel title={title} {...(label !== undefined && { label })} table={denseTable(plot)}>
      <DenseChart {...(plot.unit === 'ratio' && { top: 1 })} {...plot} label={`${title} ${of}`.trim()} height={130} />
      {children}
    </ChartPanel>
  )
}

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
