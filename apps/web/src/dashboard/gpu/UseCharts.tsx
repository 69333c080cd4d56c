import { percent } from '@septet/domain/words'
import type { ReactNode } from 'react'

import type { Answer } from '../../api.ts'
import { MeasuredChart } from '../chart/MeasuredChart.tsx'

type Use = NonNullable<Answer<'workloadsGet'>['use']>

type Props = {
  readonly use: Pick<Use, 'at' | 'busy' | 'busyPeak' | 'memoryPeak'>
  /** What it is of, for those who do not see it. */
  readonly of: string
  /** Up to where work counts as idle, 0 to 1; null where that is not what it is about. */
  readonly idleBelow?: number | null
  readonly children?: ReactNode
}

/** How busy it was and how much memory it held, over time; gaps stay gaps. */
export function UseCharts({ use, of, idleBelow = null, children }: Props) {
  const memory = use.memoryPeak.map((value) => (value === null ? null : value / 1024))
  const highest = Math.max(0, ...use.busyPeak.filter((value) => value !== null))
  return (
    <div className="grid gap-3">
      <MeasuredChart
        of={of}
        title="Busy"
        at={use.at}
        unit="ratio"
        {...(idleBelow !== null && {
          // The limit is small: on a scale to 100% it would lie on the baseline.
          top: Math.min(1, Math.max(highest * 1.1, idleBelow * 4)),
          lines: [{ name: `idle up to ${percent(idleBelow, 0)}`, value: idleBelow }],
        })}
        series={[
          { name: 'Peak', tone: 'free', values: use.busyPeak },
          { name: 'Mean', tone: 'busy', values: use.busy, filled: true },
        ]}
      />
      <MeasuredChart
        of={of}
        title="Memory peak"
        at={use.at}
        unit="GiB"
        series={[{ name: 'Memory', tone: 'accent', values: memory }]}
      />
      {children}
    </div>
  )
}
