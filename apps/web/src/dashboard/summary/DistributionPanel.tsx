import { wholePercent } from '@septet/domain/words'
import { lazy } from 'react'

import type { Answer } from '../../api.ts'
import { figureInWords } from '@septet/contract/figure-words'

import { FigureText } from '../../ui/FigureText.tsx'
import { LoadedLater } from '../../ui/LoadedLater.tsx'
import { ChartPanel, type ChartTable } from '../chart/ChartPanel.tsx'
import { rangeWords } from '../address/range-choice.ts'
import { useUrlState } from '../address/url-state.ts'
import { PART_LOOK } from './distribution-look.ts'
import { PanelEmpty } from '../panel/PanelEmpty.tsx'
import { Bone } from '../../ui/Bone.tsx'

const DistributionChart = lazy(async () => ({
  default: (await import('./DistributionChart.tsx')).DistributionChart,
}))

type Distribution = Answer<'summaryGet'>['distribution']
type Props = { readonly distribution: Distribution | undefined; readonly isSample: boolean }

/** What the GPU-hours of the window went to: a ring, its whole in the middle, and every part by name. */
export function DistributionPanel({ distribution, isSample }: Props) {
  const { over, zone } = useUrlState()
  return (
    <ChartPanel title="Workload Distribution" table={distribution && tableOf(distribution)}>
      {distribution === undefined ? (
        <Bone className="h-full min-h-80" />
      ) : (
        <>
          <div className="flex min-h-64 flex-1 items-center">
            <Ring distribution={distribution} />
          </div>
          <p className="mt-2 min-h-4.5 text-12 text-ink-quiet">
            {isSample ? 'Fixed sample week' : rangeWords(over, zone)}, share of {isSample ? '' : 'the ready '}GPU-hours.
          </p>
        </>
      )}
    </ChartPanel>
  )
}

function Ring({ distribution }: { readonly distribution: Distribution }) {
  if (distribution.total.value === null || distribution.total.value === 0)
    return <PanelEmpty>No GPU-hours in this window.</PanelEmpty>
  return (
    <div className="flex w-full flex-wrap items-center justify-center gap-x-4 gap-y-4">
      <div className="relative size-52 shrink-0">
        <LoadedLater name="The chart" fallback={<Bone className="size-full rounded-full" />}>
          <DistributionChart distribution={distribution} />
        </LoadedLater>
        <div className="pointer-events-none absolute inset-0 grid place-content-center justify-items-center">
          <span className="pointer-events-auto">
            <Total figure={distribution.total} />
          </span>
          <span className="text-12 text-ink-soft">GPU-h</span>
        </div>
      </div>
      <Parts distribution={distribution} />
    </div>
  )
}

/** The unit stands below it, so that the number fits into the ring. */
const Total = ({ figure }: { readonly figure: Distribution['total'] }) => (
  <FigureText figure={{ ...figure, unit: 'count' }} name="Total GPU-hours" size="headline" />
)

/** Every part by name, in the order of the ring, from the top clockwise. */
const Parts = ({ distribution: { parts } }: { readonly distribution: Distribution }) => (
  <ul className="grid min-w-32 flex-1 gap-1.5 sm:max-w-48">
    {parts.map(({ kind, name, share, hours }) => (
      <li key={kind} className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
        <svg aria-hidden width="12" height="12" className="mt-1">
          <rect x="0.5" y="0.5" width="11" height="11" rx="2.5" {...PART_LOOK[kind]} />
        </svg>
        <span className="min-w-0">
          <span className="flex items-baseline justify-between gap-x-2 text-13">
            {name}
            <span className="figure font-mono font-medium">
              {share.value === null ? '' : wholePercent(share.value)}
            </span>
          </span>
          <FigureText figure={hours} name={name} />
        </span>
      </li>
    ))}
  </ul>
)

function tableOf({ total, parts }: Distribution): ChartTable {
  return {
    columns: ['Part', 'Share', 'GPU-h'],
    rows: [
      ...parts.map(({ name, share, hours }) => [
        name,
        share.value === null ? '' : figureInWords(share).value,
        hoursText(hours.value),
      ]),
      ['All', '100.0%', hoursText(total.value)],
    ],
  }
}

const hoursText = (hours: number | null): string => (hours === null ? '' : hours.toFixed(1))
