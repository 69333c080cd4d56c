import type { FigureView } from '@septet/contract'
import { isIdleKnown } from '@septet/domain'

import type { Answer } from '../../api.ts'

type Cost = Answer<'summaryGet'>['cost']
type Hours = NonNullable<Cost['hours']>

export type Part = {
  readonly key: Exclude<keyof Hours, 'capacity'>
  readonly name: string
  readonly meaning: 'busy' | 'idle' | 'free' | 'stranded' | 'oversized' | 'unknown'
  /** Whether it was measured at all: where it was not, its amount is no 0. */
  readonly known: boolean
  readonly gpuHours: number
  readonly cost: FigureView
  /** Of the capacity. */
  readonly share: number
  /** Its length in the bar: as `share`, but what was not measured is drawn apart from the rest of what was used. */
  readonly drawn: number
}

const ROWS = [
  { key: 'used', name: 'Used', meaning: 'busy' },
  { key: 'unmeasured', name: 'not measured', meaning: 'unknown' },
  { key: 'oversized', name: 'Oversized', meaning: 'oversized' },
  { key: 'idleHeld', name: 'Idle-held', meaning: 'idle' },
  { key: 'unallocated', name: 'Unallocated', meaning: 'free' },
  { key: 'stranded', name: 'Stranded', meaning: 'stranded' },
] as const

const NEEDS_TELEMETRY: ReadonlySet<string> = new Set(['idleHeld', 'oversized'])

/**
 * The parts of capacity, in the order of the bar. They add up to it; what was not measured is a part of `used`. What
 * nobody held has no row in a view of some namespaces, whose capacity is what these held.
 */
export function costParts(cost: Cost, hours: Hours): readonly Part[] {
  const shareOf = (amount: number): number => (hours.capacity === 0 ? 0 : amount / hours.capacity)
  return ROWS.flatMap((row) => {
    const gpuHours = hours[row.key]
    if (gpuHours === null || (row.key === 'unmeasured' && gpuHours === 0)) return []
    const drawn = shareOf(row.key === 'used' ? hours.used - hours.unmeasured : gpuHours)
    const known = !NEEDS_TELEMETRY.has(row.key) || isIdleKnown(hours)
    return { ...row, known, gpuHours, cost: cost[row.key], share: shareOf(gpuHours), drawn }
  })
}
