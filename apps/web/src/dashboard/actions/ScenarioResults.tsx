import { duration, grouped } from '@septet/domain/words'
import type { Scenario, ScenarioResult, ScenarioOutcome } from '@septet/domain'
import type { FigureView } from '@septet/contract'

import type { Answer } from '../../api.ts'
import { Panel } from '../../ui/Panel.tsx'
import { NeededBars } from './NeededBars.tsx'
import { OutcomeTable } from './OutcomeTable.tsx'
import { VerdictLine } from './VerdictLine.tsx'
import { dayTime } from '../../ui/time-words.ts'
import { ChartPanel } from '../chart/ChartPanel.tsx'
import { DenseChart } from '../chart/DenseChart.tsx'
import type { DenseSeries } from '../chart/dense-series.ts'
import { WAY_WORDS } from './way-words.ts'

type Props = {
  readonly result: ScenarioResult
  readonly window: Answer<'scenariosInput'>['window']
  readonly scenario: Scenario
}

/** What would have come of it, way by way, and what all of it takes for granted. */
export function ScenarioResults({ result, window, scenario }: Props) {
  const hasTime = scenario.from === 'week'
  return (
    <>
      <VerdictLine result={result} />
      <NeededBars result={result} />
      <Panel
        title="Side by side"
        aside={<span className="text-12 text-ink-quiet">what would have been, not what will be</span>}
      >
        <OutcomeTable result={result} window={window} hasTime={hasTime} />
      </Panel>
      {hasTime && <OverTime result={result} window={window} />}
      <Panel title="Assumptions">
        <ul className="grid list-disc gap-1 pl-4 text-13 text-ink-soft">
          {result.assumptions.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        <p className="mt-3 font-mono text-12 text-ink-quiet wrap-anywhere">
          engine version {result.version}, {grouped(result.jobs)} pods
          {hasTime ? ` over ${duration(result.length)}` : ''}, digest {result.digest}
        </p>
      </Panel>
    </>
  )
}

type OverTimeProps = { readonly result: ScenarioResult; readonly window: FigureView['explain']['window'] }

/** GPUs in use and pods that wait, way by way, over the replayed time. */
function OverTime({ result, window }: OverTimeProps) {
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
