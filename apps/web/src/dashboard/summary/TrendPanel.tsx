import { lazy, useState } from 'react'
import type { Answer } from '../../api.ts'
import { Button } from '../../ui/Button.tsx'
import { LoadedLater } from '../../ui/LoadedLater.tsx'
import { rangeWords } from '../address/range-choice.ts'
import { useUrlState } from '../address/url-state.ts'
import { ChartPanel } from '../chart/ChartPanel.tsx'
import { useAnswer } from '../client/use-answer.ts'
import { PanelEmpty } from '../panel/PanelEmpty.tsx'
import { Bone } from '../../ui/Bone.tsx'
import { isOfHeld, shownSeries, trendTable } from './trend-rows.ts'
import { Answered } from '../panel/Answered.tsx'

const ModelTrends = lazy(async () => ({ default: (await import('./ModelTrends.tsx')).ModelTrends }))
const TrendChart = lazy(async () => ({ default: (await import('./TrendChart.tsx')).TrendChart }))

type Props = {
  readonly target: number | undefined
  /** How far the reading of past usage is, while it goes on. */
  readonly history: string | undefined
}

/** Utilization over time: a chart of the fleet, or a small one for each GPU model. */
export function TrendPanel({ target, history }: Props) {
  const { cluster, over, range, zone } = useUrlState()
  const [byModel, setByModel] = useState(false)
  const answer = useAnswer('utilizationTrend', { cluster, range })
  const { data } = answer
  return (
    <ChartPanel
      title="GPU Utilization Trend"
      table={data && trendTable(data)}
      tool={
        data !== undefined &&
        data.models.length > 1 && (
          <Button look="quiet" aria-pressed={byModel} onClick={() => setByModel(!byModel)} className="px-1.5 text-12">
            By model
          </Button>
        )
      }
      note={
        <p className="mt-2 min-h-4.5 text-12 text-ink-quiet">
          {data !== undefined && caption(data, rangeWords(over, zone))} {byModel && MODELS_KEY} {history}
        </p>
      }
    >
      <div className={byModel ? 'min-h-80' : 'h-80'}>
        <Answered answer={answer} waiting={<Bone className="h-full" />}>
          {(trend) => <Trend trend={trend} byModel={byModel} target={target} />}
        </Answered>
      </div>
    </ChartPanel>
  )
}

const MODELS_KEY = 'Solid: busy, with the newest value. Dashed: held. All from 0% to 100%.'

type TrendProps = {
  readonly trend: Answer<'utilizationTrend'>
  readonly byModel: boolean
  readonly target: number | undefined
}

function Trend({ trend, byModel, target }: TrendProps) {
  const { over } = useUrlState()
  if (shownSeries(trend).length === 0)
    return <PanelEmpty>No utilization measured in this window. Choose a longer range or check the status.</PanelEmpty>
  return (
    <LoadedLater name="The chart" fallback={<Bone className="h-full" />}>
      {byModel ? <ModelTrends models={trend.models} /> : <TrendChart trend={trend} over={over} target={target} />}
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
