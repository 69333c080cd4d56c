import type { FigureView } from '@septet/contract'
import { isIdleKnown } from '@septet/domain'

import type { Answer } from '../../api.ts'

type Cost = Answer<'summaryGet'>['cost']
type Hours = NonNullable<Cost['hours']>

export type CostPart = {
  readonly key: Exclude<keyof Hours, 'capacity'>
  readonly name: string
  readonly meaning: 'busy' | 'idle' | 'free' | 'stranded' | 'oversized' | 'broken' | 'unknown'
  /** Whether it was measured at all: where it was not, its amount is no 0. */
  readonly known: boolean
  readonly gpuHours: number
  readonly cost: FigureView
  /** Of the cost of the capacity; of its GPU-hours where there is no price. */
  readonly share: number
  /** Its length in the bar: as `share`, but what was not measured is drawn apart from the rest of what was used. */
  readonly drawn: number
}

/** What capacity is divided into, in the order in which it is drawn; `unmeasured` is a part of `used`, told below it. */
const CAPACITY_PARTS = [
  { key: 'used', name: 'Used', meaning: 'busy' },
  { key: 'unmeasured', name: 'not measured', meaning: 'unknown' },
  { key: 'oversized', name: 'Oversized', meaning: 'oversized' },
  { key: 'idleHeld', name: 'Idle-held', meaning: 'idle' },
  { key: 'unallocated', name: 'Unallocated', meaning: 'free' },
  { key: 'stranded', name: 'Stranded', meaning: 'stranded' },
  { key: 'broken', name: 'Broken', meaning: 'broken' },
] as const

const NEEDS_TELEMETRY: ReadonlySet<string> = new Set(['idleHeld', 'oversized'])

/**
 * The parts of capacity, in the order of the bar. They add up to it; what was not measured is a part of `used`. What
 * nobody held has no row in a view of some namespaces, whose capacity is what these held.
 */
export function costParts(cost: Cost, hours: Hours): readonly CostPart[] {
  const amountOf = (key: keyof Hours): number => (cost.capacity.value === null ? hours[key] : cost[key].value) ?? 0
  const capacity = amountOf('capacity')
  const shareOf = (amount: number): number => (capacity === 0 ? 0 : amount / capacity)
  return CAPACITY_PARTS.flatMap((row) => {
    const gpuHours = hours[row.key]
    if (gpuHours === null || (row.key === 'unmeasured' && gpuHours === 0)) return []
    const amount = amountOf(row.key)
    const drawn = shareOf(row.key === 'used' ? amount - amountOf('unmeasured') : amount)
    const known = !NEEDS_TELEMETRY.has(row.key) || isIdleKnown(hours)
    return { ...row, known, gpuHours, cost: cost[row.key], share: shareOf(amount), drawn }
  })
}
