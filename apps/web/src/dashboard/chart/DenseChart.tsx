import { lazy } from 'react'

import { LoadedLater } from '../../ui/LoadedLater.tsx'
import type { DenseSeries, DenseUnit } from './dense-series.ts'

const DensePlot = lazy(async () => ({ default: (await import('./DensePlot.tsx')).DensePlot }))

type Props = {
  /** What it shows, in a sentence for those who do not see it. */
  readonly label: string
  /** Seconds since the epoch, ascending. */
  readonly at: readonly number[]
  readonly series: readonly DenseSeries[]
  readonly unit: DenseUnit
  /** Pixels. */
  readonly height?: number
  /** Top of the scale; left out: as the values need. */
  readonly top?: number
  /** Levels to compare with, drawn as dashed lines with their names. */
  readonly lines?: readonly { readonly name: string; readonly value: number }[]
}

/** Many points over time. What was not measured stays a gap. Its script comes when it is first needed. */
export function DenseChart({ height = 160, ...plot }: Props) {
  const rest = <div className="rounded-control bg-sunken/60" style={{ height }} />
  return (
    <LoadedLater name="The chart" fallback={rest}>
      <DensePlot {...plot} height={height} />
    </LoadedLater>
  )
}
