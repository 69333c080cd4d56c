import { windowWords } from '../../ui/time-words.ts'
import { Part } from '../panel/Part.tsx'
import { MeasuredChart } from '../chart/MeasuredChart.tsx'
import { UseCharts } from '../gpu/UseCharts.tsx'
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
  return (
    <Part title="Use" aside={<span className="text-12 text-ink-quiet">{windowWords(use.window)}</span>}>
      <UseCharts use={use} of={OF}>
        {changes(use.held) && (
          <MeasuredChart
            title="GPUs held"
            at={use.at}
            of={OF}
            unit="GPU"
            series={[{ name: 'Held', tone: 'ink', values: use.held }]}
          />
        )}
      </UseCharts>
    </Part>
  )
}

const OF = 'of this workload over the range'

/** A line that never moves says no more than the number above it. */
const changes = (values: readonly (number | null)[]): boolean => {
  const known = values.filter((value) => value !== null)
  return Math.max(...known) - Math.min(...known) > 0.01
}
