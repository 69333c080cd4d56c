import type { FigureView } from '@septet/contract'
import type { ScenarioOutcome, ScenarioResult } from '@septet/domain'

import { dayTime } from '../../ui/time-words.ts'
import { ChartPanel } from '../chart/ChartPanel.tsx'
import { DenseChart } from '../chart/DenseChart.tsx'
import type { DenseSeries } from '../chart/dense-series.ts'
import { WAY_WORDS } from './way-words.ts'

type Props = { readonly result: ScenarioResult; readonly window: FigureView['explain']['window'] }

/** GPUs in use and pods that wait, way by way, over the replayed time. */
export function OverTime({ result, window }: Props) {
  const start = window === null ? 0 : new Date(window.from).getTime() / 1000
  const step = result.outcomes[0]?.overTime.step ?? 1
  const points = result.outcomes[0]?.overTime.used.length ?? 0
  const at = Array.from({ length: points }, (_, point) => start + (point + 0.5) * step)
  const isAnyoneWaiting = result.outcomes.some(({ queuedPeak }) => queuedPeak > 0)
  const charts = [
    { title: 'GPUs in use over time', unit: 'GPU', of: ({ overTime }: ScenarioOutcome) => overTime.used },
    ...(isAnyoneWaiting
      ? [
          {
            title: 'Pods waiting over time',
            unit: 'count',
            of: ({ overTime }: ScenarioOutcome) => overTime.queued,
          } as const,
        ]
      : []),
  ] as const
  return (
    <div className="grid grid-cols-1 gap-5 lg:grid-cols-2">
      {charts.map(({ title, unit, of }) => (
        <ChartPanel
          key={title}
          title={title}
          table={{
            columns: ['At', ...result.outcomes.map(({ way }) => WAY_WORDS[way])],
            rows: at.map((time, point) => [
              dayTime(new Date(time * 1000).toISOString()),
              ...result.outcomes.map((outcome) => (of(outcome)[point] ?? 0).toFixed(1)),
            ]),
          }}
        >
          <DenseChart
            label={`${title}, one line per layout`}
            at={at}
            unit={unit}
            series={result.outcomes.map((outcome, index) => ({
              name: WAY_WORDS[outcome.way],
              values: of(outcome),
              tone: TONES[index % TONES.length] ?? 'ink',
              dashed: index >= TONES.length,
            }))}
            height={220}
          />
        </ChartPanel>
      ))}
    </div>
  )
}

const TONES: readonly DenseSeries['tone'][] = ['ink', 'accent', 'idle', 'stranded', 'busy']
