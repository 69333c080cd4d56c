import { columnToCents, COST_PARTS } from '@septet/domain'

import type { OutputOf } from './operation.ts'
import type { costBreakdown } from './schemas/cost.ts'

type Parts = OutputOf<typeof costBreakdown>['groups'][number]['gpuHours']
type Priced = { readonly usd: Parts | null }

/** Groups as a table shows them beside their total: their cost, and what of it was idle, in cents that add up to its. */
export function inCents<Group extends Priced>(groups: readonly Group[], total: Parts | null | undefined): Group[] {
  const column = (part: 'capacity' | 'idleHeld') =>
    columnToCents(
      groups.map(({ usd }) => usd?.[part]),
      total?.[part],
    )
  const [capacity, idleHeld] = [column('capacity'), column('idleHeld')]
  return groups.map((group, row) =>
    group.usd === null
      ? group
      : { ...group, usd: { ...group.usd, capacity: capacity[row] ?? 0, idleHeld: idleHeld[row] ?? 0 } },
  )
}

/** Dollars by part, in cents that add up to the capacity's. */
export function partsInCents(usd: Parts): Parts {
  const cents = columnToCents(
    COST_PARTS.map((part) => usd[part] ?? undefined),
    usd.capacity,
  )
  const shown = COST_PARTS.flatMap((part, row) => (usd[part] === null ? [] : [[part, cents[row] ?? 0] as const]))
  return { ...usd, ...Object.fromEntries(shown) }
}
