import type { FigureView } from '@septet/contract'
import type { Scenario, ScenarioOutcome, ScenarioResult } from '@septet/domain'
import { dollars, duration, grouped } from '@septet/domain/words'
import { useEffect, useMemo, useRef } from 'react'

import type { Answer } from '../../api.ts'
import { FigureText } from '../../ui/FigureText.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { dayTime } from '../../ui/time-words.ts'
import { ChartPanel } from '../chart/ChartPanel.tsx'
import { DenseChart } from '../chart/DenseChart.tsx'
import type { DenseSeries } from '../chart/dense-series.ts'
import { DataTable } from '../table/DataTable.tsx'
import type { Column } from '../table/column.ts'
import { OUTCOME_COLUMNS } from './outcome-figures.ts'
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

/** What comes of it, before any table, as the server says it. It comes below the fold, so it takes the focus. */
export function VerdictLine({ result: { says, reasons, heldOut } }: { readonly result: ScenarioResult }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: 'start' })
  }, [])
  return (
    <div className="grid gap-1.5 rounded-card border border-line bg-surface px-5 py-4">
      <h2 ref={heading} tabIndex={-1} className="scroll-mt-20 text-16 font-medium outline-none">
        {says}
      </h2>
      {reasons.map((sentence) => (
        <p key={sentence} className="text-13 text-ink-soft">
          {sentence}
        </p>
      ))}
      <p className="text-12 text-ink-quiet">{heldOut}</p>
    </div>
  )
}

type OutcomeTableProps = {
  readonly result: ScenarioResult
  readonly window: FigureView['explain']['window']
  /** Whether work comes and goes in it, so that somebody can be said to wait. */
  readonly hasTime: boolean
}

/** One row for each way; every figure says what it is. */
function OutcomeTable({ result, window, hasTime }: OutcomeTableProps) {
  const columns = useMemo(() => columnsOf(window, hasTime), [window, hasTime])
  return (
    <DataTable
      caption="Sharing and placement compared"
      columns={columns}
      rows={result.outcomes}
      keyOf={({ way }) => way}
      empty="Nothing compared yet."
    />
  )
}

const columnsOf = (window: OutcomeTableProps['window'], hasTime: boolean): readonly Column<ScenarioOutcome>[] => [
  {
    id: 'way',
    name: 'Layout',
    cell: ({ way }) => <span className="font-medium">{WAY_WORDS[way]}</span>,
    sortBy: ({ way }) => WAY_WORDS[way],
  },
  ...OUTCOME_COLUMNS.filter(({ id }) => hasTime || !WAITS.has(id)).map(
    ({ figure, id, name, ...width }): Column<ScenarioOutcome> => ({
      ...width,
      id,
      name,
      align: 'right',
      cell: (outcome) => <FigureText name={name} figure={figure(outcome, window)} unknown="unknown" />,
      sortBy: (outcome) => figure(outcome, window).value ?? undefined,
      text: (outcome) => {
        const { value, unit } = figure(outcome, window)
        return value === null ? '' : `${value} ${unit}`
      },
    }),
  ),
]

const WAITS: ReadonlySet<string> = new Set(['p50', 'p95'])

/** GPUs on which nobody waits, layout by layout, with what they cost, and the number below which no layout can go. */
export function NeededBars({ result: { outcomes, bound } }: { readonly result: ScenarioResult }) {
  const rows = [
    ...outcomes.map(({ way, needed, costNeeded }) => ({
      name: WAY_WORDS[way],
      gpus: needed,
      cost: costNeeded,
      none: 'not found',
    })),
    { name: 'Proven minimum', gpus: bound?.gpus ?? null, cost: bound?.cost ?? null, none: 'not proven' },
  ]
  const fleet = outcomes[0]?.gpus ?? 0
  const most = Math.max(1, fleet, ...rows.map(({ gpus }) => gpus ?? 0))
  return (
    <ChartPanel
      title="GPUs needed for zero wait"
      table={{
        columns: ['Layout', 'GPUs needed', 'USD a month', 'GPUs in the fleet'],
        rows: rows.map(({ name, gpus, cost }) => [
          name,
          gpus === null ? '' : String(gpus),
          cost === null ? '' : String(Math.round(cost)),
          String(fleet),
        ]),
      }}
    >
      <ul className="grid gap-2.5">
        {rows.map(({ name, gpus, cost, none }, row) => (
          <li key={name} className="grid items-center gap-x-4 gap-y-1 sm:grid-cols-[13rem_minmax(0,1fr)_11rem]">
            <span className="text-13">{name}</span>
            <span aria-hidden className="relative h-4 rounded-[3px] bg-sunken">
              {gpus !== null && (
                <span
                  className={`absolute inset-y-0 left-0 rounded-[3px] ${row < outcomes.length ? 'bg-busy' : 'bg-ink-quiet'}`}
                  style={{ width: `${(gpus / most) * 100}%` }}
                />
              )}
            </span>
            <span className="font-mono text-13 sm:text-right">
              {gpus === null ? none : grouped(gpus)}
              {cost !== null && <span className="text-ink-soft">, {dollars(cost)}/mo</span>}
            </span>
          </li>
        ))}
      </ul>
    </ChartPanel>
  )
}
