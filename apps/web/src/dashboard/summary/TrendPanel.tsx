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
import { isOfHeld, shownSeries, trendCsv } from './trend-rows.ts'
import { TrendTable } from './TrendTable.tsx'
import { Answered } from '../panel/Answered.tsx'

const TrendChart = lazy(async () => ({ default: (await import('./TrendChart.tsx')).TrendChart }))

type Props = {
  readonly target: number | undefined
  /** How far the reading of past usage is, while it goes on. */
  readonly history: string | undefined
  readonly className: string
}

/** Utilization over time, as a chart or as the table behind it. */
export function TrendPanel({ target, history, className }: Props) {
  const { cluster, over, range } = useUrlState()
  const [asTable, setAsTable] = useState(false)
  const answer = useAnswer('utilizationTrend', { cluster, range })
  const { data } = answer
  const tools = data !== undefined && data.points.length > 0 && (
    <div className="-mx-1.5 flex items-center gap-0.5">
      <Button look="quiet" aria-pressed={asTable} onClick={() => setAsTable(!asTable)} className="px-1.5 text-12">
        {asTable ? <ChartIcon /> : <TableIcon />}
        <span className="@max-md:sr-only">{asTable ? 'View as chart' : 'View as table'}</span>
      </Button>
      <CopyButton text={() => trendCsv(data)} label="Copy CSV" narrow="CSV" />
    </div>
  )
  return (
    <Panel title="GPU Utilization Trend" aside={tools} className={`@container ${className}`}>
      <div className="h-80">
        <Answered answer={answer} waiting={<Bone className="h-full" />}>
          {(trend) => <Trend trend={trend} asTable={asTable} target={target} />}
        </Answered>
      </div>
      <p className="mt-2 min-h-4.5 text-12 text-ink-quiet">
        {data !== undefined && caption(data, rangeWords(over))} {history}
      </p>
    </Panel>
  )
}

type TrendProps = {
  readonly trend: Answer<'utilizationTrend'>
  readonly asTable: boolean
  readonly target: number | undefined
}

function Trend({ trend, asTable, target }: TrendProps) {
  const { over } = useUrlState()
  if (shownSeries(trend).length === 0)
    return (
      <PanelEmpty>
        No utilization was measured in this window. Choose a longer one, or see what the status says.
      </PanelEmpty>
    )
  if (asTable) return <TrendTable trend={trend} />
  return (
    <LoadedLater name="The chart" fallback={<Bone className="h-full" />}>
      <TrendChart trend={trend} over={over} target={target} />
    </LoadedLater>
  )
}

function caption({ source, points }: Answer<'utilizationTrend'>, range: string): string {
  if (source.kind === 'sample') return 'Fixed sample week, share of GPU time.'
  if (!points.some(({ busy, allocated }) => busy !== null || allocated !== null)) return `${range}.`
  const gaps = points.filter(({ busy }) => busy === null).length
  const missing = gaps === 0 ? '' : ` ${gaps} of ${points.length} points were not measured and stay gaps.`
  const whole = isOfHeld(points) ? 'what your namespaces held' : 'ready GPU time'
  return `${range}, share of ${whole}.${missing}`
}
