import { isIdleKnown } from '@septet/domain'
import { busyAlone, busyWords, measuredWords } from '@septet/contract/busy-words'
import { capitalized, cents, percent, short } from '@septet/domain/words'
import type { ReactNode } from 'react'

import type { Column } from '../table/column.ts'
import type { ShownCostGroup } from './cost-words.ts'

/** How much GPU time a group or a workload held. */
export const hours: Column<ShownCostGroup> = {
  id: 'hours',
  name: 'GPU-h',
  cell: ({ gpuHours }) => short(gpuHours.capacity),
  sortBy: ({ gpuHours }) => gpuHours.capacity,
  largestFirst: true,
  text: ({ gpuHours }) => gpuHours.capacity.toFixed(4),
  align: 'right',
  width: '6rem',
}

export const cost: Column<ShownCostGroup> = {
  id: 'cost',
  name: 'Cost',
  cell: ({ usd }) =>
    usd === null ? <span className="font-sans text-12 text-ink-quiet">No price</span> : cents(usd.capacity),
  sortBy: ({ usd }) => usd?.capacity,
  largestFirst: true,
  text: ({ usd }) => usd?.capacity.toFixed(2) ?? '',
  align: 'right',
  width: '7rem',
}

/** How busy what it held was, and beneath it how much of that was measured where it is not all; what is not idle may be hardly busy. */
export const busy: Column<ShownCostGroup> = {
  id: 'busy',
  name: 'Busy of held',
  cell: (group) => <BusyShare group={group} />,
  sortBy: (group) => group.busy ?? undefined,
  largestFirst: true,
  text: (group) => group.busy?.toFixed(4) ?? '',
  align: 'right',
  width: '7rem',
}

function BusyShare({ group }: { readonly group: ShownCostGroup }) {
  const measured = measuredWords(group)
  if (group.busy === null)
    return <span className="font-sans text-12 text-ink-quiet">{capitalized(busyWords(group))}</span>
  return (
    <>
      {busyAlone(group)}
      {measured !== percent(1) && <span className="block font-sans text-12 text-ink-quiet">{measured} measured</span>}
    </>
  )
}

/** What of a group's or a workload's cost was held idle. */
export const idle: Column<ShownCostGroup> = {
  id: 'idle',
  name: 'Idle-held',
  cell: (group) => idleWords(group),
  sortBy: (group) => idleOf(group),
  largestFirst: true,
  text: (group) => idleOf(group)?.toFixed(2) ?? '',
  align: 'right',
  width: '7rem',
}

/** Undefined without a price, and where nothing was measured. */
const idleOf = ({ usd, gpuHours }: ShownCostGroup): number | undefined =>
  usd !== null && isIdleKnown(gpuHours) ? usd.idleHeld : undefined

function idleWords(group: ShownCostGroup): ReactNode {
  const amount = idleOf(group)
  if (amount !== undefined) return cents(amount)
  return group.usd !== null && <span className="font-sans text-12 text-ink-quiet">Not measured</span>
}
