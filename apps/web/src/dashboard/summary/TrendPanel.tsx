import { lazy, useState } from 'react'
import type { Answer } from '../../api.ts'
import { Button } from '../../ui/Button.tsx'
import { LoadedLater } from '../../ui/LoadedLater.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { ChartIcon, TableIcon } from '../../ui/icons.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { rangeWords } from '../address/range-choice.ts'
import { useUrlState } from '../address/url-state.ts'
import { useAnswer } from '../client/use-answer.ts'
import { PanelEmpty } from '../panel/PanelEmpty.tsx'
import { Bone } from '../../ui/Bone.tsx'
import { isOfHeld, shownSeries, trendCsv, pointMoment, shareWords } from './trend-rows.ts'
import { Answered } from '../panel/Answered.tsx'

const ModelTrends = lazy(async () => ({ default: (await import('./ModelTrends.tsx')).ModelTrends }))
const TrendChart = lazy(async () => ({ default: (await import('./TrendChart.tsx')).TrendChart }))

type Props = {
  readonly target: number | undefined
  /** How far the reading of past usage is, while it goes on. */
  readonly history: string | undefined
  readonly className: string
}

/** Utilization over time: a chart of the fleet, a small one for each GPU model, or the table behind it. */
export function TrendPanel({ target, history, className }: Props) {
  const { cluster, over, range, zone } = useUrlState()
  const [shown, setShown] = useState<Shown>('fleet')
  const answer = useAnswer('utilizationTrend', { cluster, range })
  const { data } = answer
  const tools = data !== undefined && data.points.length > 0 && <Tools trend={data} shown={shown} onShow={setShown} />
  return (
    <Panel title="GPU Utilization Trend" aside={tools} className={`@container ${className}`}>
      <div className={shown === 'models' ? 'min-h-80' : 'h-80'}>
        <Answered answer={answer} waiting={<Bone className="h-full" />}>
          {(trend) => <Trend trend={trend} as={shown} target={target} />}
        </Answered>
      </div>
      <p className="mt-2 min-h-4.5 text-12 text-ink-quiet">
        {data !== undefined && caption(data, rangeWords(over, zone))} {shown === 'models' && MODELS_KEY} {history}
      </p>
    </Panel>
  )
}

type Shown = 'fleet' | 'models' | 'table'

type ToolsProps = {
  readonly trend: Answer<'utilizationTrend'>
  readonly shown: Shown
  readonly onShow: (shown: Shown) => void
}

function Tools({ trend, shown, onShow }: ToolsProps) {
  const toggle = (other: Shown): (() => void) => {
    return () => onShow(shown === other ? 'fleet' : other)
  }
  return (
    <div className="-mx-1.5 flex items-center gap-0.5">
      {trend.models.length > 1 && (
        <Button look="quiet" aria-pressed={shown === 'models'} onClick={toggle('models')} className="px-1.5 text-12">
          By model
        </Button>
      )}
      <Button look="quiet" aria-pressed={shown === 'table'} onClick={toggle('table')} className="px-1.5 text-12">
        {shown === 'table' ? <ChartIcon /> : <TableIcon />}
        <span className="@max-md:sr-only">{shown === 'table' ? 'View as chart' : 'View as table'}</span>
      </Button>
      <CopyButton text={() => trendCsv(trend)} label="Copy CSV" narrow="CSV" />
    </div>
  )
}

const MODELS_KEY = 'Solid: busy, with the newest value. Dashed: held. All from 0% to 100%.'

type TrendProps = {
  readonly trend: Answer<'utilizationTrend'>
  readonly as: Shown
  readonly target: number | undefined
}

function Trend({ trend, as, target }: TrendProps) {
  const { over } = useUrlState()
  if (shownSeries(trend).length === 0)
    return <PanelEmpty>No utilization measured in this window. Choose a longer range or check the status.</PanelEmpty>
  if (as === 'table') return <TrendTable trend={trend} />
  return (
    <LoadedLater name="The chart" fallback={<Bone className="h-full" />}>
      {as === 'models' ? (
        <ModelTrends models={trend.models} />
      ) : (
        <TrendChart trend={trend} over={over} target={target} />
      )}
    </LoadedLater>
  )
}

function caption({ source, points }: Answer<'utilizationTrend'>, range: string): string {
  if (source.kind === 'sample') return 'Fixed sample week, share of GPU time.'
  if (!points.some(({ busy, allocated }) => busy !== null || allocated !== null)) return `${range}.`
  const gaps = points.filter(({ busy }) => busy === null).length
  const missing = gaps === 0 ? '' : ` ${gaps} of ${points.length} points were not measured and show as gaps.`
  const whole = isOfHeld(points) ? 'what your namespaces held' : 'ready GPU time'
  return `${range}, share of ${whole}.${missing}`
}

/** The numbers behind the chart, newest last; gaps say so. */
function TrendTable({ trend }: { readonly trend: Answer<'utilizationTrend'> }) {
  const series = shownSeries(trend)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard
    <section tabIndex={0} aria-label="Utilization as a table" className="h-full overflow-auto">
      <table className="w-full text-12">
        <thead className="sticky top-0 bg-surface text-left text-ink-quiet">
          <tr>
            <th className="py-1.5 font-normal">Time</th>
            {series.map(({ key, name }) => (
              <th key={key} className="py-1.5 text-right font-normal">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line font-mono">
          {trend.points.map((point) => (
            <tr key={point.at}>
              <th scope="row" className="py-1.5 text-left font-normal text-ink-soft">
                {pointMoment(point, trend.step)}
              </th>
              {series.map(({ key }) => (
                <td key={key} className={`py-1.5 text-right ${point[key] === null ? 'font-sans text-ink-quiet' : ''}`}>
                  {shareWords(point[key])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
