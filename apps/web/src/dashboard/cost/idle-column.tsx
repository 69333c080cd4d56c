import { isIdleKnown } from '@septet/domain'
import { money } from '@septet/domain/words'
import type { ReactNode } from 'react'

import type { Column } from '../table/column.ts'
import type { CostGroup } from './cost-words.ts'

/** What of a group's or a workload's cost was held idle. */
export const idle: Column<CostGroup> = {
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
const idleOf = ({ usd, gpuHours }: CostGroup): number | undefined =>
  usd !== null && isIdleKnown(gpuHours) ? usd.idleHeld : undefined

function idleWords(group: CostGroup): ReactNode {
  const cost = idleOf(group)
  if (cost !== undefined) return money(cost)
  return group.usd !== null && <span className="font-sans text-12 text-ink-quiet">Not measured</span>
}
