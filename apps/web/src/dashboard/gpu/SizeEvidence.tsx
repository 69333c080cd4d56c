import { ChartPanel } from '../chart/ChartPanel.tsx'
import { DenseChart } from '../chart/DenseChart.tsx'
import type { DenseUnit } from '../chart/dense-series.ts'
import { evidenceTable, limitLines, seriesOf, type Size } from './size-evidence.ts'

type EvidenceProps = { readonly size: Size; readonly evidence: NonNullable<Size['evidence']> }

/** The peaks of its past against the limits of the sizes. */
export const SizeEvidencePart = ({ size, evidence }: EvidenceProps) => (
  <div className="grid gap-3">
    <Peaks title="Peak memory of a pod" unit="GiB" size={size} peaks={evidence.memory} />
    <Peaks title="Peak sustained compute of a pod" unit="GPU" size={size} peaks={evidence.compute} />
  </div>
)

type PeaksProps = {
  readonly title: string
  readonly unit: Extract<DenseUnit, 'GiB' | 'GPU'>
  readonly size: Size
  readonly peaks: NonNullable<Size['evidence']>['memory']
}

/** The highest of each block, with the limits of the size it holds and of the one that would do. */
function Peaks({ title, unit, size, peaks }: PeaksProps) {
  if (peaks.length === 0) return <p className="text-12 text-ink-soft">{title}: not measured.</p>
  const { at, values } = seriesOf(peaks, unit)
  const lines = limitLines(size, unit)
  return (
    <ChartPanel title={title} table={evidenceTable(peaks, { unit, lines })}>
      <DenseChart
        label={`${title}, with the limits of the sizes`}
        at={at}
        unit={unit}
        height={140}
        top={Math.max(...values, ...lines.map(({ value }) => value)) * 1.08}
        lines={lines}
        series={[{ name: 'Peak', tone: unit === 'GiB' ? 'accent' : 'busy', values, filled: true }]}
      />
    </ChartPanel>
  )
}
