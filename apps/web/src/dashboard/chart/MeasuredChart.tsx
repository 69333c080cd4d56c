import type { ComponentProps, ReactNode } from 'react'
import { ChartPanel } from './ChartPanel.tsx'
import { DenseChart } from './DenseChart.tsx'
import { denseTable } from './dense-table.ts'

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
