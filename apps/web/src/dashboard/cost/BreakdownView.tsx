import { inCents, partsInCents } from '@septet/contract/in-cents'
import { grouped } from '@septet/domain/words'
import type { ReactNode } from 'react'

import { NoticeBox } from '../../ui/Notice.tsx'
import { ChartPanel } from '../chart/ChartPanel.tsx'
import { ChoiceField } from '../form/ChoiceField.tsx'
import { rangeWords } from '../address/range-choice.ts'
import { Segmented } from '../form/Segmented.tsx'
import { PanelEmpty } from '../panel/PanelEmpty.tsx'
import { Bone } from '../../ui/Bone.tsx'
import { useUrlChoice, useUrlState } from '../address/url-state.ts'
import { useAnswer } from '../client/use-answer.ts'
import { CostDays } from './CostDays.tsx'
import { CUTS, type ShownAmounts, type Cost } from './cost-words.ts'
import { GroupCard } from './GroupCard.tsx'
import { GroupTable } from './GroupTable.tsx'
import { useCostQuestion } from './use-cost-question.ts'
import { Waterfall } from './Waterfall.tsx'
import { waterfallSteps } from './waterfall-steps.ts'
import { Answered } from '../panel/Answered.tsx'

/** Where the money went in a window: the waterfall, each day, and who held what. */
export function BreakdownView() {
  const question = useCostQuestion()
  const answer = useAnswer('costBreakdown', question)
  const { data, error } = answer
  if (data === undefined && error !== null) return <Answered answer={answer}>{() => undefined}</Answered>
  if (data?.source.kind === 'sample') return <SampleCost />
  return (
    <div className="grid gap-4">
      {data !== undefined && data.notes.length > 0 && <NoticeBox tone="quiet">{data.notes.join(' ')}</NoticeBox>}
      <div className="grid gap-4 xl:grid-cols-[3fr_2fr]">
        <WaterfallPanel data={data} />
        <CostDays />
      </div>
      <GroupsPanel data={data} />
    </div>
  )
}

const SampleCost = () => (
  <NoticeBox tone="quiet">
    Sample data has no GPU-hours to break down. Choose a cluster to see where its money goes.
  </NoticeBox>
)

function WaterfallPanel({ data }: { readonly data: Cost | undefined }) {
  const { over, zone } = useUrlState()
  const shown = amountsOf(data)
  return (
    <ChartPanel title="From capacity to use" table={shown === undefined ? undefined : tableOf(shown)}>
      {shown === undefined ? <Bone className="h-42" /> : <Parts {...shown} />}
      <p className="mt-3 text-12 text-ink-quiet">
        {rangeWords(over, zone)} ({zone}). {data !== undefined && <Unpriced data={data} />}
      </p>
    </ChartPanel>
  )
}

type Shown = { readonly parts: ShownAmounts; readonly unit: 'USD' | 'GPU-h' }

/** In dollars, or where no GPU has a price in GPU-hours. */
function amountsOf(data: Cost | undefined): Shown | undefined {
  const total = data?.total ?? undefined
  if (total === undefined) return undefined
  return total.usd === null ? { parts: total.gpuHours, unit: 'GPU-h' } : { parts: partsInCents(total.usd), unit: 'USD' }
}

const Parts = ({ parts, unit }: Shown) =>
  parts.capacity === 0 ? (
    <PanelEmpty>No GPU was in use or ready in this window.</PanelEmpty>
  ) : (
    <Waterfall parts={parts} unit={unit} />
  )

const tableOf = ({ parts, unit }: Shown) => ({
  none: 'Not measured',
  columns: ['Part', unit, 'Share of capacity'],
  rows: waterfallSteps(parts).map(({ name, amount, known }) => [
    name,
    known ? amount.toFixed(2) : '',
    known && parts.capacity > 0 ? (amount / parts.capacity).toFixed(4) : '',
  ]),
})

const Unpriced = ({ data }: { readonly data: Cost }) =>
  data.unpricedGpuHours > 0 && (
    <span className="text-ink-soft">
      {grouped(data.unpricedGpuHours, 1)} GPU-h have no price and are in no amount; the price book names them.
    </span>
  )

function GroupsPanel({ data }: { readonly data: Cost | undefined }) {
  const [open, setOpen] = useUrlChoice('group')
  const chosen = data && inCents(data.groups, data.total?.usd).find(({ id }) => id === open)
  return (
    <section
      aria-label="Cost by group"
      className="grid min-w-0 gap-3 rounded-card border border-line bg-surface px-4 py-4 sm:px-5"
    >
      <CutChoice labels={data?.labels ?? []} />
      {data === undefined ? <Bone className="h-60" /> : <GroupTable data={data} open={open} onOpen={setOpen} />}
      {data !== undefined && chosen !== undefined && (
        <GroupCard group={chosen} by={data.by} onClose={() => setOpen(undefined)} />
      )}
    </section>
  )
}

function CutChoice({ labels }: { readonly labels: readonly string[] }): ReactNode {
  const { by, label } = useCostQuestion()
  const [, setBy] = useUrlChoice('by')
  const [, setLabel] = useUrlChoice('label')
  const offered = label === undefined || labels.includes(label) ? labels : [label, ...labels]
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Segmented label="Group by" options={CUTS} value={by} onChange={(next) => setBy(next)} />
      {by === 'label' && (
        <ChoiceField
          inline
          label="Label"
          value={label ?? ''}
          options={[
            { value: '', label: offered.length === 0 ? 'No labels found' : 'Choose a label' },
            ...offered.map((key) => ({ value: key, label: key })),
          ]}
          onChange={(next) => setLabel(next)}
        />
      )}
    </div>
  )
}
