import { lazy } from 'react'

import type { Answer } from '../../api.ts'
import { FigureText } from '../../ui/FigureText.tsx'
import { LoadedLater } from '../../ui/LoadedLater.tsx'
import { ChartPanel } from '../chart/ChartPanel.tsx'
import { useUrlState } from '../address/url-state.ts'
import { useAnswer } from '../client/use-answer.ts'
import { BAR_LOOK } from './months-look.ts'
import { partOfMonth } from '@septet/contract/partial'
import { monthLabel, monthsTable } from './month-rows.ts'
import { PanelEmpty } from '../panel/PanelEmpty.tsx'
import { Bone } from '../../ui/Bone.tsx'
import { Answered } from '../panel/Answered.tsx'

const MonthsChart = lazy(async () => ({ default: (await import('./MonthsChart.tsx')).MonthsChart }))

type Months = Answer<'costMonths'>

/** What each calendar month cost, the same without the waste that could be removed, and the difference. */
export function MonthsPanel({ className }: { readonly className: string }) {
  const { cluster } = useUrlState()
  const answer = useAnswer('costMonths', { cluster })
  return (
    <ChartPanel
      title="Monthly Cost Optimization Impact"
      className={className}
      table={answer.data && monthsTable(answer.data.months)}
    >
      <div className="flex min-h-80 flex-1 flex-col">
        <Answered answer={answer} waiting={<Bone className="h-80" />}>
          {(data) => <Impact data={data} />}
        </Answered>
      </div>
    </ChartPanel>
  )
}

function Impact({ data }: { readonly data: Months }) {
  const newest = data.months.at(-1)
  if (newest === undefined)
    return <PanelEmpty>No months yet. The first amounts appear within a minute or two.</PanelEmpty>
  if (data.months.every(({ baseline }) => baseline.value === null))
    return (
      <PanelEmpty>
        No price is known for these GPUs, so no month has an amount. Set one in the price book; the past is priced with
        it.
      </PanelEmpty>
    )
  return (
    <>
      <Key isSample={data.source.kind === 'sample'} />
      <div className="h-64">
        <LoadedLater name="The chart" fallback={<Bone className="h-full" />}>
          <MonthsChart months={data.months} />
        </LoadedLater>
      </div>
      <Newest month={newest} isSample={data.source.kind === 'sample'} />
      {data.months.map((month) => {
        const said = month.sealed?.says ?? undefined
        return (
          said !== undefined && (
            <p key={month.month} className="mt-2 text-12 text-pretty text-ink-soft">
              <span className="font-medium text-ink">{monthLabel(month, true)}</span> {said}
            </p>
          )
        )
      })}
      <p className="mt-auto pt-2.5 text-12 text-ink-quiet">{data.note}</p>
    </>
  )
}

const Key = ({ isSample }: { readonly isSample: boolean }) => (
  <ul className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-12 text-ink-soft">
    {(['baseline', 'optimized', 'savings'] as const).map((bar) => (
      <li key={bar} className="flex items-center gap-1.5">
        <svg aria-hidden width="12" height="12">
          <rect x="0.5" y="0.5" width="11" height="11" rx="2" {...BAR_LOOK[bar]} />
        </svg>
        {{ baseline: 'Baseline', optimized: 'Optimized', savings: isSample ? 'Savings' : 'Waste' }[bar]}
      </li>
    ))}
  </ul>
)

type NewestProps = { readonly month: Months['months'][number]; readonly isSample: boolean }

/** The newest month in figures that explain themselves; what is estimated and what is verified stand apart. */
function Newest({ month, isSample }: NewestProps) {
  const partial = partOfMonth(month)
  const { baseline, optimized, savings } = month
  return (
    <dl className="mt-3 flex flex-wrap items-baseline gap-x-5 gap-y-1 border-t border-line pt-2.5 text-12 text-ink-soft">
      <div className="font-medium text-ink">
        <dt className="inline">{monthLabel(month, true)}</dt>
        <dd className="ml-1.5 inline font-normal text-ink-quiet">{partial}</dd>
      </div>
      <Amount name="Baseline" figure={baseline} />
      <Amount name="Optimized" figure={optimized} />
      <Amount name={isSample ? 'Savings' : 'Waste'} figure={savings.estimated} />
      {!isSample && <Amount name="Verified savings" figure={savings.verified} unknown="None yet" />}
      {savings.freed.value !== null && <Amount name="Capacity freed, verified" figure={savings.freed} />}
    </dl>
  )
}

type AmountProps = {
  readonly name: string
  readonly figure: Months['months'][number]['baseline']
  readonly unknown?: string
}

const Amount = ({ name, figure, unknown }: AmountProps) => (
  <div className="flex items-baseline gap-2">
    <dt>{name}</dt>
    <dd>
      <FigureText figure={figure} name={name} {...(unknown === undefined ? {} : { unknown })} />
    </dd>
  </div>
)
