import { isIdleKnown } from '@septet/domain'
import { money } from '@septet/domain/words'
import type { ReactNode } from 'react'

import type { Column } from '../table/column.ts'
import type { ShownCostGroup } from './cost-words.ts'

/** What of a group's or a workload's cost was held idle. */
export const idle: Column<ShownCostGroup> = {
  id: 'idle',
  name: 'Idle-held',
  cell: (group) => idleWords(group),
  sortBy: (group) => idleOf(group),
  largestFirst: true,
  text: (group) => idleOf(group)?.toFixed(2) ?? '',
  align: 'right',
  width: '8rem',
}

/** Undefined without a price, and where nothing was measured. */
const idleOf = ({ usd, gpuHours }: ShownCostGroup): number | undefined =>
  usd !== null && isIdleKnown(gpuHours) ? usd.idleHeld : undefined

function idleWords(group: ShownCostGroup): ReactNode {
  const cost = idleOf(group)
  if (cost !== undefined) return money(cost)
  return group.usd !== null && <span className="font-sans text-12 text-ink-quiet">Not measured</span>
}
