import { windowWords } from '../../ui/time-words.ts'
import { Part } from '../panel/Part.tsx'
import { ChartPanel } from '../chart/ChartPanel.tsx'
import { DenseChart } from '../chart/DenseChart.tsx'
import type { DenseSeries, DenseUnit } from '../chart/dense-series.ts'
import { denseTable } from '../chart/dense-table.ts'
import type { WorkloadAnswer } from './use-workloads.ts'

type Use = NonNullable<WorkloadAnswer['use']>

/** What it used over the range: busy, memory, and how much of GPUs it held. */
export function WorkloadUse({ use, queued }: { readonly use: Use | null; readonly queued: boolean }) {
  if (use === null) {
    if (queued) return undefined
    return (
      <Part title="Use">
        <p className="text-13 text-ink-soft">Nothing measured in this range yet.</p>
      </Part>
    )
  }
  const gib = use.memoryPeak.map((value) => (value === null ? null : value / 1024))
  return (
    <Part title="Use" aside={<span className="text-12 text-ink-quiet">{windowWords(use.window)}</span>}>
      <div className="grid gap-3">
        <One
          title="Busy"
          use={use}
          unit="ratio"
          series={[
            { name: 'Peak', tone: 'free', values: use.busyPeak },
            { name: 'Mean', tone: 'busy', values: use.busy, filled: true },
          ]}
        />
        <One title="Memory peak" use={use} unit="GiB" series={[{ name: 'Memory', tone: 'accent', values: gib }]} />
        {changes(use.held) && (
          <One title="GPUs held" use={use} unit="GPU" series={[{ name: 'Held', tone: 'ink', values: use.held }]} />
        )}
      </div>
    </Part>
  )
}

/** A line that never moves says no more than the number above it. */
const changes = (values: readonly (number | null)[]): boolean => {
  const known = values.filter((value) => value !== null)
  return Math.max(...known) - Math.min(...known) > 0.01
}

type Props = {
  readonly title: string
  readonly use: Use
  readonly unit: DenseUnit
  readonly series: readonly DenseSeries[]
}

/** Nothing is drawn where nothing was measured: an empty chart would look like a flat line at zero. */
function One({ title, use, unit, series }: Props) {
  if (series.every(({ values }) => values.every((value) => value === null)))
    return <p className="text-12 text-ink-soft">{title}: not measured.</p>
  return (
    <ChartPanel title={title} table={denseTable({ at: use.at, series, unit }, 'busy, 0–1')}>
      <DenseChart
        label={`${title} of this workload over the range`}
        at={use.at}
        series={series}
        unit={unit}
        height={130}
        {...(unit === 'ratio' ? { top: 1 } : {})}
      />
    </ChartPanel>
  )
}
