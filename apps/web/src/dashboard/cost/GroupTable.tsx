import { inCents } from '@septet/contract/in-cents'
import { wholePercent } from '@septet/domain/words'
import { instant, toCents, type Instant } from '@septet/domain'
import { useMemo } from 'react'

import { rangeWords } from '../address/range-choice.ts'
import type { Column } from '../table/column.ts'
import { DataTable } from '../table/DataTable.tsx'
import { useAnswer } from '../client/use-answer.ts'
import { changeWords, groupName, groupNote, type Cost, type ShownCostGroup } from './cost-words.ts'
import { useCostQuestion } from './use-cost-question.ts'
import { busy, cost, hours, idle } from './cost-columns.tsx'
import { CostPartsBar } from './PartsBar.tsx'

type Props = {
  readonly data: Cost
  readonly open: string | undefined
  readonly onOpen: (id: string) => void
}

/** Every group with its share, its parts, its amount, and the change against the window before. */
export function GroupTable({ data, open, onOpen }: Props) {
  return data.before === null ? (
    <Groups data={data} before={undefined} open={open} onOpen={onOpen} />
  ) : (
    <GroupsWithBefore data={data} range={data.before} open={open} onOpen={onOpen} />
  )
}

function GroupsWithBefore({ range, ...props }: Props & { readonly range: string }) {
  const { data: before } = useAnswer('costBreakdown', { ...useCostQuestion(), range })
  const isSame = before !== undefined && before.by === props.data.by
  return <Groups {...props} before={isSame && isComparable(props.data, before) ? before : undefined} />
}

/** What was seen for a tenth less or more cannot be set against each other. */
const isComparable = (now: Cost, before: Cost): boolean =>
  now.observedSeconds > 0 && Math.abs(before.observedSeconds / now.observedSeconds - 1) < 0.1

function Groups({ data, before, open, onOpen }: Props & { readonly before: Cost | undefined }) {
  const columns = useMemo(() => columnsOf(data, before), [data, before])
  const rows = useMemo(() => inCents(data.groups, data.total?.usd), [data])
  return (
    <>
      <DataTable
        caption={`Cost by ${data.by}`}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        openKey={open}
        initialSort={{ id: 'cost', down: true }}
        onOpen={({ id }) => onOpen(id)}
        empty="No GPU was in use in this window."
      />
      <ChangeNote before={before} />
    </>
  )
}

function ChangeNote({ before }: { readonly before: Cost | undefined }) {
  const { zone } = useCostQuestion()
  const window = before?.window
  return (
    <p className="text-12 text-ink-quiet">
      {window === null || window === undefined
        ? 'Change appears once the previous window has as much data.'
        : `Change compares cost per observed hour with the previous window: ${rangeWords({ kind: 'custom', window: { from: instantAt(window.from), to: instantAt(window.to) } }, zone)}.`}
    </p>
  )
}

const instantAt = (text: string): Instant => instant(Date.parse(text))

function columnsOf(data: Cost, before: Cost | undefined): readonly Column<ShownCostGroup>[] {
  return [...nameColumns(data), hours, busy, idle, changeColumn(data, before), cost]
}

/** Of the dollars, or where no GPU has a price of the GPU-hours. */
function shareIn({ total }: Cost): (group: ShownCostGroup) => number {
  const usd = total?.usd?.capacity
  const whole = usd === undefined ? (total?.gpuHours.capacity ?? 0) : toCents(usd)
  const isPriced = total?.usd !== null
  return (group) => (whole > 0 ? (isPriced ? (group.usd?.capacity ?? 0) : group.gpuHours.capacity) / whole : 0)
}

function nameColumns(data: Cost): readonly Column<ShownCostGroup>[] {
  const shareOf = shareIn(data)
  const largest = Math.max(...data.groups.map(shareOf), 0.0001)
  return [
    {
      id: 'name',
      name: NAMES[data.by],
      cell: (group) => <GroupTitle group={group} by={data.by} />,
      sortBy: (group) => groupName(group, data.by),
      width: '24%',
    },
    {
      id: 'parts',
      name: 'Where it went, to scale',
      cell: (group) => <CostPartsBar parts={group.usd ?? group.gpuHours} share={shareOf(group) / largest} />,
    },
    {
      id: 'share',
      name: 'Share',
      cell: (group) => wholePercent(shareOf(group)),
      sortBy: shareOf,
      largestFirst: true,
      text: (group) => shareOf(group).toFixed(4),
      align: 'right',
      width: '5rem',
    },
  ]
}

function changeColumn({ observedSeconds }: Cost, before: Cost | undefined): Column<ShownCostGroup> {
  const earlier = new Map(before?.groups.map(({ id, usd }) => [id, usd?.capacity]))
  const changeOf = (group: ShownCostGroup): string | undefined => {
    const was = earlier.get(group.id)
    if (group.usd === null || was === undefined || before === undefined) return undefined
    return changeWords({ amount: group.usd.capacity, observedSeconds }, { ...before, amount: was })
  }
  return {
    id: 'change',
    name: 'Change',
    cell: (group) => changeOf(group) ?? <span className="font-sans text-12 text-ink-quiet">Unknown</span>,
    text: (group) => changeOf(group) ?? '',
    align: 'right',
    width: '6rem',
  }
}

const NAMES = {
  namespace: 'Namespace',
  tenant: 'Tenant',
  label: 'Label value',
  model: 'Model',
  pool: 'Pool',
  node: 'Node',
} satisfies Record<Cost['by'], string>

function GroupTitle({ group, by }: { readonly group: ShownCostGroup; readonly by: Cost['by'] }) {
  const note = groupNote(group, by)
  return (
    <span className="block min-w-0">
      <bdi className={`block truncate ${group.kind === 'named' && group.key !== '' ? '' : 'text-ink-soft italic'}`}>
        {groupName(group, by)}
      </bdi>
      {note !== undefined && <span className="block truncate text-12 text-ink-quiet">{note}</span>}
    </span>
  )
}
